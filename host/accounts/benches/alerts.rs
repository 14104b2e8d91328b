//! Measures the alerts of an issue to the subscribers of a site: `cargo bench -p masthead-accounts --bench alerts`.
//!
//! An issue of 30 articles comes to 10,000 subscribers. Recording and queueing are measured in processor time and in statements; sending in
//! time, to a mail server on this machine, beside letters that are handed to the same server without an outbox.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../test-support/src/bounds.rs"]
mod bounds;
#[path = "../../test-support/src/smtp.rs"]
#[allow(dead_code, clippy::expect_used, clippy::panic)]
mod smtp;
#[path = "../../test-support/src/statements.rs"]
mod statements;

use std::{process::ExitCode, time::Instant};

use futures::{StreamExt as _, future::BoxFuture, stream};
use masthead_accounts::{
    alerts,
    installation_key::InstallationKey,
    mail::{EmailAddress, Letter, Mailer, SmtpMailer, Unsubscribe},
    messages::{Followed, Item, Message, Setting, render},
    outbox::{MessageSender, Outcome, QueuedMessage, UnsubscribeTarget, Worker},
};
use masthead_config::{Alerts, Mail, MailEncryption};
use masthead_domain::{
    Lang, SiteId,
    article::{Article, ArticleMeta},
    content::LangText,
    member::{Channel, MemberName, SubscriptionType},
};
use masthead_store::{NewArticle, NewSubscription, Store};

use bounds::Missed;
use smtp::MailServer;

const SITE: SiteId = SiteId(1);
const SUBSCRIBERS: usize = 10_000;
const ARTICLES: usize = 30;
/// Letters of the comparison.
const DIRECT: usize = 1_000;
/// 2023-11-14.
const NOW: i64 = 1_700_000_000_000;
/// Connections to the mail server.
const CONNECTIONS: u32 = 4;

/// Processor time of this process in milliseconds.
fn cpu_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // utime and stime, in hundredths of a second.
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) * 10.0
}

/// The cost of a piece of work.
struct Taken {
    cpu_ms: f64,
    seconds: f64,
    statements: usize,
}

async fn measured<T>(work: impl Future<Output = T>) -> (T, Taken) {
    let (cpu, began, statements) = (cpu_ms(), Instant::now(), statements::executed());
    let done = work.await;
    let statements = statements::executed() - statements;
    (done, Taken { cpu_ms: cpu_ms() - cpu, seconds: began.elapsed().as_secs_f64(), statements })
}

fn article(number: usize) -> NewArticle {
    let mut meta = ArticleMeta { source_key: format!("key:{number}"), issue: "3".to_owned(), ..ArticleMeta::default() };
    meta.titles = vec![LangText { lang: "en".to_owned(), plain: format!("Article {number}"), ..LangText::default() }];
    meta.dates.print = "2023-11-10".to_owned();
    NewArticle { article: Article { meta, ..Article::default() }, rendered: "{}".to_owned(), ..NewArticle::default() }
}

/// The items of the issue as messages show them; the host reads them once for all subscribers.
fn items() -> Vec<Item> {
    let item = |number| Item {
        title: format!("Article {number} about the salt marshes of an estuary"),
        lang: "en".to_owned(),
        authors: "Ada Lovelace, Li Wei, Maria Sklodowska".to_owned(),
        source: "Ocean Ledger · 2023, No. 3".to_owned(),
        address: format!("https://ledger.example/en/article/{number}/"),
    };
    (0..ARTICLES).map(item).collect()
}

struct Delivery {
    mailer: SmtpMailer,
    key: InstallationKey,
    items: Vec<Item>,
}

impl Delivery {
    fn letter(&self, queued: &QueuedMessage) -> Letter {
        let Message::Alert(alert) = &queued.content.message else { unreachable!() };
        let token = UnsubscribeTarget::from(alert.followed).token(&self.key, queued.site);
        let unsubscribe = format!("https://ledger.example/rc-pub/front/frontMembers/unsubscribe?t={token}");
        let setting = Setting {
            lang: queued.content.lang,
            site: "Ocean Ledger",
            home: "https://ledger.example/en",
            recipient: &queued.recipient,
            unsubscribe: &unsubscribe,
            items: &self.items,
        };
        let rendered = render(&queued.content.message, &setting);
        Letter {
            from_name: "Ocean Ledger".to_owned(),
            from: "noreply@masthead.example".to_owned(),
            reply_to: String::new(),
            to: EmailAddress::parse(&queued.recipient).unwrap(),
            subject: rendered.subject,
            text: rendered.text,
            html: rendered.html,
            language: "en",
            id: queued.id.to_string(),
            written: queued.written,
            unsubscribe: Some(Unsubscribe { address: unsubscribe.clone() }),
        }
    }
}

impl MessageSender for Delivery {
    fn is_open(&self, _: Channel) -> bool {
        true
    }

    fn concurrency(&self, _: Channel) -> usize {
        CONNECTIONS as usize
    }

    fn send<'a>(&'a self, queued: &'a QueuedMessage) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match self.mailer.send(&self.letter(queued)).await {
                Ok(()) => Outcome::Sent,
                Err(error) => Outcome::Failed(error.to_string()),
            }
        })
    }
}

async fn subscribe(store: &Store) {
    for number in 0..SUBSCRIBERS {
        let email = MemberName::email(&format!("reader{number}@example.org")).unwrap();
        let kind = SubscriptionType::Current;
        let new = NewSubscription { member: None, email: &email, kind, keywords: "", column: "", lang: Lang::En };
        store.site(SITE).subscribe(&new, 50, NOW).await.unwrap();
    }
}

/// Letters that are handed to the server one after the other on each connection, without an outbox.
async fn direct(delivery: &Delivery) {
    let followed = Followed::Subscription { id: 1, about: SubscriptionType::Current };
    let alert = masthead_accounts::messages::Alert {
        followed,
        label: String::new(),
        items: Vec::new(),
        more: false,
        list: String::new(),
    };
    let content = masthead_accounts::outbox::Content { lang: Lang::En, message: Message::Alert(alert) };
    let queued = |number: usize| QueuedMessage {
        id: i64::try_from(number).unwrap(),
        site: SITE,
        channel: Channel::Mail,
        recipient: format!("reader{number}@example.org"),
        content: content.clone(),
        written: NOW,
    };
    let letters = (0..DIRECT).map(|number| {
        let letter = delivery.letter(&queued(number));
        async move { delivery.mailer.send(&letter).await }
    });
    let outcomes: Vec<_> = stream::iter(letters).buffer_unordered(CONNECTIONS as usize).collect().await;
    assert!(outcomes.iter().all(Result::is_ok));
}

fn main() -> ExitCode {
    statements::count();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(run())
}

async fn run() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("masthead.db")).await.unwrap();
    subscribe(&store).await;
    for number in 0..ARTICLES {
        store.site(SITE).save_article(&article(number)).await.unwrap();
    }
    let (key, rules) = (InstallationKey::new([7; 32]), Alerts { quiet_minutes: 0, ..Alerts::default() });
    let ((), recorded) = measured(async { while alerts::collect(&store, 0, NOW).await.unwrap() {} }).await;
    let (told, telling) = measured(alerts::tell(&store, &key, &rules, NOW)).await;
    assert_eq!(told.unwrap(), SUBSCRIBERS);

    let server = MailServer::start();
    let config = Mail {
        server: "127.0.0.1".to_owned(),
        port: Some(server.address.port()),
        encryption: MailEncryption::None,
        from: "noreply@masthead.example".to_owned(),
        connections: CONNECTIONS,
        ..Mail::default()
    };
    let delivery = Delivery { mailer: SmtpMailer::new(config, None), key: key.clone(), items: items() };
    let ((), alone) = measured(direct(&delivery)).await;
    server.received();
    let worker = Worker::new(&store, &key, &delivery);
    let send = async { while worker.round(Channel::Mail, NOW).await.unwrap().claimed > 0 {} };
    let ((), sending) = measured(send).await;
    assert_eq!(server.received().len(), SUBSCRIBERS, "each subscriber has one letter");

    let each = |taken: &Taken| taken.cpu_ms * 1000.0 / SUBSCRIBERS as f64;
    println!("{SUBSCRIBERS} subscribers are told of an issue of {ARTICLES} articles");
    let mut missed = Missed::default();
    // One statement for an article, a few for a batch of subscribers; a letter is claimed with others and deleted when it was sent.
    for (what, taken, fewer_than) in [
        ("recording", &recorded, 4 * ARTICLES + 40),
        ("telling", &telling, SUBSCRIBERS / 4),
        ("sending", &sending, 2 * SUBSCRIBERS),
    ] {
        let met = taken.statements < fewer_than;
        println!(
            "  {what:<10} {:>7.2} s  {:>7.0} µs of processor time for each  {:>6} statements; {}",
            taken.seconds,
            each(taken),
            taken.statements,
            missed.verdict(&format!("statements of {what}"), met, &format!("< {fewer_than}"))
        );
    }
    let rate = |taken: &Taken, letters: usize| taken.seconds * 1000.0 / letters as f64;
    let ratio = rate(&sending, SUBSCRIBERS) / rate(&alone, DIRECT);
    println!("  a letter of the outbox takes {ratio:.2} times as long as one without an outbox");
    missed.exit_code()
}
