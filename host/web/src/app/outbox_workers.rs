//! Messages to members and subscribers: their senders (`[mail]` of `platform.toml`, the `messaging` hook), and the worker that empties the
//! outbox and queues alerts.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU16, Ordering},
    },
    time::Duration,
};

use masthead_accounts::{
    alerts,
    mail::{LogMailer, Mailer, SmtpMailer},
    outbox::{Sending, Worker},
};
use masthead_config::{Mail, Scheme};
use masthead_content::host_services::{MAIL_PASSWORD, Secrets};
use masthead_domain::member::Channel;
use masthead_runtime::Hook;
use masthead_store::StoreError;

use crate::{
    app::{App, alert_items::ItemCache, message_delivery::MessageDelivery},
    sites::SiteEntry,
};

/// Interval at which the outbox and the change log are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Interval between two searches for alerts that are due.
const TELL_INTERVAL: Duration = Duration::from_secs(20);
/// The longest pause after a failure.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The senders of messages.
#[derive(Default)]
pub struct OutboxWorkers {
    /// The mailer in use, with the configuration and the password that it was made from.
    mailer: Mutex<Option<InUse>>,
    /// Whether messages that cannot be sent are written to the log, codes included: for demonstrations.
    shown: AtomicBool,
    /// The port on which the host listens; 0 before.
    port: AtomicU16,
    /// The items of alerts, which many subscribers have in common.
    pub(super) items: ItemCache,
}

struct InUse {
    config: Mail,
    password: Option<String>,
    mailer: Arc<dyn Mailer>,
}

impl OutboxWorkers {
    /// Writes messages that cannot be sent to the log, codes included.
    pub fn show_in_log(&self) {
        self.shown.store(true, Ordering::Relaxed);
    }

    /// Notes the port on which the host listens.
    pub fn listens_on(&self, port: u16) {
        self.port.store(port, Ordering::Relaxed);
    }

    pub(super) fn is_shown(&self) -> bool {
        self.shown.load(Ordering::Relaxed)
    }

    /// The mailer of a configuration; `None` if it names no server.
    fn mailer(&self, config: &Mail, password: Option<String>) -> Option<Arc<dyn Mailer>> {
        if !config.sends() {
            return self.is_shown().then(|| Arc::new(LogMailer) as Arc<dyn Mailer>);
        }
        let mut in_use = self.mailer.lock().unwrap_or_else(PoisonError::into_inner);
        let same = in_use.as_ref().filter(|one| one.config == *config && one.password == password);
        if let Some(same) = same {
            return Some(Arc::clone(&same.mailer));
        }
        let mailer: Arc<dyn Mailer> = Arc::new(SmtpMailer::new(config.clone(), password.clone()));
        *in_use = Some(InUse { config: config.clone(), password, mailer: Arc::clone(&mailer) });
        Some(mailer)
    }
}

/// Whether the host is to sign in to the mail server and has no password for it.
#[must_use]
pub fn mail_password_missing(mail: &Mail, secrets: &Secrets) -> bool {
    mail.sends() && !mail.user.is_empty() && secrets.of_installation(MAIL_PASSWORD).is_none()
}

impl App {
    /// Whether messages of a site can be sent over a channel. Where they cannot, the call of a reader is refused, and nothing is queued.
    #[must_use]
    pub fn sends(&self, entry: &SiteEntry, channel: Channel) -> bool {
        self.outbox_workers.is_shown()
            || match channel {
                Channel::Mail => self.sites.load().platform.mail.sends(),
                Channel::Sms => entry.chain.has_hook(Hook::Messaging),
            }
    }

    pub(super) fn mailer(&self) -> Option<Arc<dyn Mailer>> {
        let password = self.secrets.of_installation(MAIL_PASSWORD);
        self.outbox_workers.mailer(&self.sites.load().platform.mail, password)
    }

    /// Scheme, host and port of a site's addresses in messages. Where the site is reached on this machine alone, its port is that on which
    /// the host listens.
    #[must_use]
    pub fn origin(&self, entry: &SiteEntry) -> String {
        let address = self.address(entry, entry.site.default_lang());
        let origin = address.rsplit_once('/').map_or(address.as_str(), |(origin, _)| origin);
        let port = self.outbox_workers.port.load(Ordering::Relaxed);
        let local = origin == "http://localhost" || origin.ends_with(".localhost");
        if local && origin.starts_with(Scheme::Http.name()) && port != 0 && port != Scheme::Http.default_port() {
            return format!("{origin}:{port}");
        }
        origin.to_owned()
    }

    /// Sends the messages of a channel that are due, at most one batch.
    ///
    /// # Errors
    /// The store's error.
    pub async fn send_messages(&self, channel: Channel) -> Result<Sending, StoreError> {
        let delivery = MessageDelivery::of(self);
        Worker::new(&self.store, &self.installation, &delivery).round(channel, self.counting.now()).await
    }

    /// Records the alerts that follow from the next changes of the log. Returns false when there are no changes.
    ///
    /// # Errors
    /// The store's error.
    pub async fn collect_alerts(&self) -> Result<bool, StoreError> {
        let days = self.sites.load().platform.alerts.new_days;
        alerts::collect(&self.store, days, self.counting.now()).await
    }

    /// Queues the messages about recorded alerts. Returns the number of subscribers who get one.
    ///
    /// # Errors
    /// The store's error.
    pub async fn tell_subscribers(&self) -> Result<usize, StoreError> {
        let rules = self.sites.load().platform.alerts;
        alerts::tell(&self.store, &self.installation, &rules, self.counting.now()).await
    }
}

/// Sends messages, and follows the change log for subscribers, until the process ends. Mail does not wait for text messages, nor these for
/// mail.
pub async fn run(app: Arc<App>) {
    tokio::join!(send(&app, Channel::Mail), send(&app, Channel::Sms), follow(&app), tell(&app));
}

async fn send(app: &App, channel: Channel) {
    let mut pauses = Backoff::default();
    loop {
        // After a whole batch there may be more.
        let outcome = app.send_messages(channel).await.map(|sending| sending.claimed > 0);
        pauses.after(outcome, POLL_INTERVAL, "sending messages").await;
    }
}

async fn follow(app: &App) {
    let mut pauses = Backoff::default();
    loop {
        pauses.after(app.collect_alerts().await, POLL_INTERVAL, "recording what is new for subscribers").await;
    }
}

async fn tell(app: &App) {
    let mut pauses = Backoff::default();
    loop {
        let outcome = app.tell_subscribers().await;
        if let Ok(told @ 1..) = outcome {
            tracing::info!(told, "subscribers are told what is new");
        }
        pauses.after(outcome.map(|_| false), TELL_INTERVAL, "telling subscribers").await;
    }
}

/// The pauses of a worker: none while there is work, longer ones after failures.
#[derive(Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Waits after a round, unless it found work.
    pub async fn after<E: std::fmt::Display>(&mut self, outcome: Result<bool, E>, usual: Duration, what: &str) {
        match outcome {
            Ok(worked) => {
                self.failures = 0;
                if !worked {
                    tokio::time::sleep(usual).await;
                }
            }
            Err(error) => {
                tracing::error!(%error, "{what} failed; it will be tried again");
                self.failures = (self.failures + 1).min(10);
                tokio::time::sleep((usual * (1 << self.failures)).min(LONGEST_PAUSE)).await;
            }
        }
    }
}
