//! Delivers events to plugins (hook `events.notify`). Changes in the change log become deliveries, in one transaction
//! with the position up to which the log was read. Each delivery is attempted with growing delays until its plugin
//! accepts it; after `MAX_ATTEMPTS` attempts it is set aside.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_domain::ArticleId;
use masthead_runtime::{FailureCause, FirstAnswer, Hook, RequestContext, hook_types::PluginEvent, system_clock};
use masthead_store::{Change, ChangeAction, ChangeKind, Delivery, NewDelivery};
use serde::{Deserialize, Serialize};

use crate::{app::App, sites::SiteEntry};

use masthead_content::host_services;

/// Name under which the position in the change log is stored.
const LOG_READER: &str = "events";
/// Greatest number of changes that are turned into deliveries in one transaction.
const BATCH: i64 = 200;
/// Interval at which the change log and the due deliveries are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// Time for which a claimed delivery is not claimed by another process.
const LEASE: Duration = Duration::from_secs(60);
/// Greatest number of concurrent deliveries.
const CONCURRENCY: i64 = 8;
/// Attempts before a delivery is set aside: with these delays, after about nine hours.
const MAX_ATTEMPTS: i64 = 12;
/// Delay before the second attempt; each further delay is twice as long as the one before.
const FIRST_DELAY: Duration = Duration::from_secs(8);
/// Time limit of one attempt.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(11);

/// The stored form of an event that is to be delivered.
#[derive(Serialize, Deserialize)]
struct Payload {
    kind: String,
    time: String,
    subject: String,
}

/// Polls the change log and makes deliveries until the process ends.
pub async fn run(app: Arc<App>) {
    let mut pause = POLL_INTERVAL;
    loop {
        let worked = async { anyhow::Ok(collect(&app).await? | deliver(&app, system_clock()).await?) };
        match worked.await {
            Ok(true) => {
                pause = POLL_INTERVAL;
                continue;
            }
            Ok(false) => pause = POLL_INTERVAL,
            Err(error) => {
                tracing::error!(%error, "delivering events to plugins failed; it will be tried again");
                pause = (pause * 2).min(Duration::from_secs(30));
            }
        }
        tokio::time::sleep(pause).await;
    }
}

/// Turns the next changes of the log into deliveries. Returns false when there are no changes.
///
/// # Errors
/// The store's error.
pub async fn collect(app: &Arc<App>) -> anyhow::Result<bool> {
    let position = app.store.position(LOG_READER).await?;
    let changes = app.store.changes_after(position, BATCH).await?;
    let Some(last) = changes.last().map(|change| change.seq) else { return Ok(false) };
    let now = system_clock();
    let table = app.sites.load_full();
    let mut deliveries = Vec::new();
    for change in &changes {
        let (Some(kind), Some(entry)) = (event_kind(change), table.by_id(change.site)) else { continue };
        let time = jiff::Timestamp::from_millisecond(i64::try_from(now)?)?.to_string();
        let payload = serde_json::to_string(&Payload { kind: kind.to_owned(), time, subject: change.entity.clone() })?;
        for plugin in entry.chain.with_hook(Hook::Events) {
            let (event, payload, key) = (kind.to_owned(), payload.clone(), format!("change-{}", change.seq));
            deliveries.push(NewDelivery { site: change.site, plugin, event, payload, key });
        }
    }
    app.store.enqueue(LOG_READER, last, &deliveries, i64::try_from(now)?).await?;
    Ok(true)
}

fn event_kind(change: &Change) -> Option<&'static str> {
    match (change.kind, change.action) {
        // The articles of a site that is loaded were events for plugins where they were published; a number beside an article is none.
        (ChangeKind::Article, ChangeAction::Loaded | ChangeAction::Recounted) => None,
        (ChangeKind::Article, ChangeAction::Added) => Some("article.published"),
        (ChangeKind::Article, ChangeAction::Removed) => Some("article.removed"),
        (ChangeKind::Article, _) => Some("article.updated"),
        (ChangeKind::Setting, _) => Some("settings.changed"),
        _ => None,
    }
}

/// Makes the deliveries that are due. Returns false when none are. `now` is in milliseconds since 1970.
///
/// # Errors
/// The store's error.
pub async fn deliver(app: &Arc<App>, now: u64) -> anyhow::Result<bool> {
    let now = i64::try_from(now)?;
    let due = app.store.claim_deliveries(now, i64::try_from(LEASE.as_millis())?, CONCURRENCY).await?;
    let any = !due.is_empty();
    let attempts = due.into_iter().map(|delivery| attempt(app, delivery, now));
    for outcome in futures::future::join_all(attempts).await {
        outcome?;
    }
    Ok(any)
}

async fn attempt(app: &Arc<App>, delivery: Delivery, now: i64) -> anyhow::Result<()> {
    let table = app.sites.load_full();
    let using =
        table.by_id(delivery.site).filter(|entry| entry.chain.with_hook(Hook::Events).contains(&delivery.plugin));
    let Some(entry) = using else {
        // A delivery to a plugin that the site no longer lists is dropped; one to a plugin that merely cannot be loaded
        // at the moment is tried again.
        let listed = table
            .by_id(delivery.site)
            .is_some_and(|entry| entry.site.plugins.iter().any(|usage| usage.id == delivery.plugin));
        if listed {
            return retry(app, &delivery, now, "the plugin is not in use at the moment").await;
        }
        app.store.delivered(delivery.id).await?;
        return Ok(());
    };
    // What cannot be read, such as a damaged article, counts as an attempt: without an end of the attempts, it would delay the events of all sites.
    match notify_plugin(app, entry, &delivery).await.unwrap_or_else(|error| Err(format!("{error:#}"))) {
        Ok(()) => app.store.delivered(delivery.id).await?,
        Err(reason) => retry(app, &delivery, now, &reason).await?,
    }
    Ok(())
}

async fn notify_plugin(app: &App, entry: &SiteEntry, delivery: &Delivery) -> anyhow::Result<Result<(), String>> {
    let payload: Payload = serde_json::from_str(&delivery.payload)?;
    let article = match payload.subject.parse() {
        Ok(id) if payload.kind.starts_with("article.") => app.store.site(entry.site.id).article(ArticleId(id)).await?,
        _ => None,
    };
    let event = PluginEvent {
        id: format!("{}-{}", entry.site.id, delivery.id),
        kind: payload.kind,
        time: payload.time,
        subject: payload.subject,
        article: article.as_ref().map(|article| host_services::public(article, None)),
        attempt: u32::try_from(delivery.attempts).unwrap_or(u32::MAX),
    };
    let lang = entry.site.default_lang();
    let mut call = entry.chain.begin(RequestContext {
        lang,
        route: String::new(),
        address: app.address(entry, lang),
        deadline: Instant::now() + ATTEMPT_TIMEOUT,
        variant: 0,
        recording: None,
    });
    Ok(match call.notify(&delivery.plugin, event).await {
        FirstAnswer::Answered(()) => Ok(()),
        FirstAnswer::Refused(reason) => Err(reason),
        FirstAnswer::NoPlugin => Err("the plugin no longer handles events".to_owned()),
        FirstAnswer::Failed => {
            let cause =
                call.outcome().failed_calls.last().and_then(|loss| loss.cause.as_ref()).map(FailureCause::to_string);
            Err(cause.unwrap_or_else(|| "the plugin is switched off because it kept failing".to_owned()))
        }
    })
}

async fn retry(app: &App, delivery: &Delivery, now: i64, reason: &str) -> anyhow::Result<()> {
    if delivery.attempts >= MAX_ATTEMPTS {
        tracing::error!(site = %delivery.site, plugin = delivery.plugin, event = delivery.event, reason, "an event is set aside after {MAX_ATTEMPTS} attempts");
        app.store.set_aside(delivery.id, reason).await?;
        return Ok(());
    }
    let doubled = FIRST_DELAY.saturating_mul(1 << delivery.attempts.clamp(1, 16) >> 1);
    let next = now.saturating_add(i64::try_from(doubled.as_millis()).unwrap_or(i64::MAX));
    app.store.retry_delivery(delivery.id, next, reason).await?;
    Ok(())
}

/// Waiting and set-aside deliveries for the metrics: `(site, plugin, waiting, set aside)`.
pub async fn counts(app: &App) -> Result<Vec<(i64, String, i64, i64)>, masthead_store::StoreError> {
    let counts = app.store.delivery_counts().await?;
    let known: HashSet<_> = app.sites.load().iter().map(|entry| entry.site.id).collect();
    Ok(counts
        .into_iter()
        .filter(|(site, ..)| known.contains(site))
        .map(|(site, plugin, waiting, aside)| (site.0, plugin, waiting, aside))
        .collect())
}
