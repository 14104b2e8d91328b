//! How one message is sent: put into words in the reader's language, and handed to the mail server or to the site's gateway.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures::future::BoxFuture;
use masthead_accounts::{
    mail::{EmailAddress, Letter, MailError, Mailer, Unsubscribe},
    messages::{Followed, Item, Message, Rendered, Setting, render},
    outbox::{MessageSender, Outcome, QueuedMessage, UnsubscribeTarget},
};
use masthead_domain::{Lang, member::Channel, site::SiteState};
use masthead_runtime::{
    FailureCause, FirstAnswer, Hook, RequestContext,
    hook_types::{MessageChannel, MessageFailure, OutgoingMessage},
};
use masthead_store::StoreError;

use crate::{app::App, sites::SiteEntry};

/// Time limit of a gateway.
const GATEWAY_TIMEOUT: Duration = Duration::from_secs(6);
/// Text messages that are handed to gateways at the same time.
const GATEWAY_CALLS: usize = 8;
/// The path of the page on which readers unsubscribe.
const UNSUBSCRIBE: &str = "/rc-pub/front/frontMembers/unsubscribe";

/// The services with which messages are sent, for one round.
pub(super) struct MessageDelivery<'a> {
    app: &'a App,
    mailer: Option<Arc<dyn Mailer>>,
}

impl<'a> MessageDelivery<'a> {
    pub(super) fn of(app: &'a App) -> Self {
        Self { app, mailer: app.mailer() }
    }
}

impl MessageSender for MessageDelivery<'_> {
    fn is_open(&self, channel: Channel) -> bool {
        match channel {
            Channel::Mail => self.mailer.is_some(),
            Channel::Sms => self.app.sites.load().iter().any(|entry| self.app.sends(entry, Channel::Sms)),
        }
    }

    fn concurrency(&self, channel: Channel) -> usize {
        match channel {
            Channel::Mail => self.app.sites.load().platform.mail.connections as usize,
            Channel::Sms => GATEWAY_CALLS,
        }
    }

    fn send<'a>(&'a self, queued: &'a QueuedMessage) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let table = self.app.sites.load_full();
            let Some(entry) = table.by_id(queued.site) else {
                return Outcome::Failed("the site is not in the configuration".to_owned());
            };
            if entry.site.state != SiteState::Active {
                return Outcome::Failed("the site is closed".to_owned());
            }
            match self.sent(entry, queued).await {
                Ok(outcome) => outcome,
                Err(reason) => Outcome::Failed(reason),
            }
        })
    }
}

impl MessageDelivery<'_> {
    async fn sent(&self, entry: &SiteEntry, queued: &QueuedMessage) -> Result<Outcome, String> {
        let lang = entry.lang_or_default(Some(queued.content.lang));
        let origin = self.app.origin(entry);
        let mut unsubscribe = String::new();
        let mut items: Arc<[Item]> = Arc::default();
        if let Message::Alert(alert) = &queued.content.message {
            if !self.is_wanted(queued, alert.followed).await.map_err(|error| error.to_string())? {
                return Ok(Outcome::Dropped);
            }
            let found = self.app.outbox_workers.items.of(self.app, entry, (lang, &origin), &alert.items).await;
            items = found.map_err(|error| error.to_string())?;
            if items.is_empty() {
                return Ok(Outcome::Dropped);
            }
            let token = UnsubscribeTarget::from(alert.followed).token(&self.app.installation, queued.site);
            unsubscribe = format!("{origin}{UNSUBSCRIBE}?t={token}");
        }
        let home = format!("{origin}/{lang}");
        let setting = Setting {
            lang,
            site: entry.site.name.get(lang),
            home: &home,
            recipient: &queued.recipient,
            unsubscribe: &unsubscribe,
            items: &items,
        };
        let rendered = render(&queued.content.message, &setting);
        Ok(match queued.channel {
            Channel::Mail => self.mail(queued, &setting, rendered).await,
            Channel::Sms => self.text_message(entry, queued, lang, rendered).await,
        })
    }

    /// Whether what an alert follows still exists: a reader may have unsubscribed since it was written.
    async fn is_wanted(&self, queued: &QueuedMessage, followed: Followed) -> Result<bool, StoreError> {
        let store = self.app.store.site(queued.site);
        Ok(match followed {
            Followed::Subscription { id, .. } => store.subscription(id).await?.is_some(),
            Followed::Search { id } => {
                let next = store.alert_searches(id.saturating_sub(1), 1).await?;
                next.first().is_some_and(|search| search.id == id && search.email == queued.recipient)
            }
        })
    }

    async fn mail(&self, queued: &QueuedMessage, setting: &Setting<'_>, rendered: Rendered) -> Outcome {
        let Some(mailer) = &self.mailer else { return Outcome::Failed("no mail server is named".to_owned()) };
        let Some(to) = EmailAddress::parse(&queued.recipient) else {
            return Outcome::Refused("no mail can be sent to an address of this form".to_owned());
        };
        let config = self.app.sites.load().platform.mail.clone();
        let from = if config.from.is_empty() { "noreply@localhost".to_owned() } else { config.from };
        let letter = Letter {
            from_name: setting.site.to_owned(),
            from,
            reply_to: config.reply_to,
            to,
            subject: rendered.subject,
            text: rendered.text,
            html: rendered.html,
            language: setting.lang.tag(),
            id: format!("{}.{}.{}", queued.site, queued.id, queued.written),
            written: queued.written,
            unsubscribe: Some(setting.unsubscribe)
                .filter(|address| !address.is_empty())
                .map(|address| Unsubscribe { address: address.to_owned() }),
        };
        match mailer.send(&letter).await {
            Ok(()) => Outcome::Sent,
            Err(MailError::Refused(reason)) => Outcome::Refused(reason),
            Err(MailError::Failed(reason)) => Outcome::Failed(reason),
        }
    }

    async fn text_message(&self, entry: &SiteEntry, queued: &QueuedMessage, lang: Lang, rendered: Rendered) -> Outcome {
        if !entry.chain.has_hook(Hook::Messaging) {
            if self.app.outbox_workers.is_shown() {
                tracing::info!(to = queued.recipient, "text message (no gateway is in use): {}", rendered.sms);
                return Outcome::Sent;
            }
            return Outcome::Failed("no plugin of the site sends text messages".to_owned());
        }
        let message = OutgoingMessage {
            channel: MessageChannel::Sms,
            to: queued.recipient.clone(),
            purpose: queued.content.message.kind().to_owned(),
            values: queued.content.message.values(),
            text: rendered.sms,
        };
        let mut call = entry.chain.begin(RequestContext {
            lang,
            route: "message".to_owned(),
            address: self.app.address(entry, lang),
            deadline: Instant::now() + GATEWAY_TIMEOUT,
            variant: 0,
            recording: None,
        });
        match call.send_message(message).await {
            FirstAnswer::Answered(_) => Outcome::Sent,
            FirstAnswer::Refused(MessageFailure::Refused(reason)) => Outcome::Refused(reason),
            FirstAnswer::Refused(MessageFailure::Other(reason)) => Outcome::Failed(reason),
            FirstAnswer::Refused(MessageFailure::NotMine) | FirstAnswer::NoPlugin => {
                Outcome::Failed("no plugin of the site sends text messages".to_owned())
            }
            FirstAnswer::Failed => {
                let cause = call
                    .outcome()
                    .failed_calls
                    .last()
                    .and_then(|loss| loss.cause.as_ref())
                    .map(FailureCause::to_string);
                Outcome::Failed(
                    cause.unwrap_or_else(|| "the plugin is switched off because it kept failing".to_owned()),
                )
            }
        }
    }
}
