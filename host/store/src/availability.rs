//! Whether a database on another machine answers, known before a reader waits for it.
//!
//! A connection of its own asks the database several times a second. Without it, each request would find out by itself, after the time
//! that a connection may take. SQLite is a file: it is always there, and a query that waits for a lock is no sign of anything.

use std::{fmt, sync::Arc, time::Duration};

use sqlx::{AnyConnection, Connection as _, any::AnyConnectOptions};
use tokio::sync::watch;

use crate::Store;

/// Pause between two questions.
const INTERVAL: Duration = Duration::from_millis(100);
/// Time for an answer, and for a new connection.
const TIMEOUT: Duration = Duration::from_millis(500);
/// The longest time for which it is not known that a database has stopped to answer.
pub const LONGEST_UNKNOWN: Duration = INTERVAL.saturating_add(TIMEOUT);

/// What is known about the database.
#[derive(Clone)]
pub(crate) struct Availability {
    /// `true` while it answers; nobody changes it if it is a file.
    answers: Arc<watch::Sender<bool>>,
    /// How to connect to it; `None` if it is a file.
    remote: Option<Arc<AnyConnectOptions>>,
}

/// Without the options, which hold the password.
impl fmt::Debug for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Availability").field("answers", &*self.answers.borrow()).finish_non_exhaustive()
    }
}

impl Availability {
    /// A database that has just been opened.
    pub(crate) fn new(options: &AnyConnectOptions, file: bool) -> Self {
        Self { answers: Arc::new(watch::Sender::new(true)), remote: (!file).then(|| Arc::new(options.clone())) }
    }
}

impl Store {
    /// Whether the database answered the latest question of [`Store::watch_availability`].
    #[must_use]
    pub fn is_available(&self) -> bool {
        *self.availability.answers.borrow()
    }

    /// Whether the database is on a server, and may be away while this process runs.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.availability.remote.is_some()
    }

    /// Resolves when the database does not answer, at once if it does not now.
    pub async fn unavailable(&self) {
        let mut answers = self.availability.answers.subscribe();
        // The sender is in `self`, so that waiting does not fail.
        let _ = answers.wait_for(|answers| !answers).await.is_ok();
    }

    /// Asks the database again and again whether it answers, until the process ends. Returns at once if it is a file.
    pub async fn watch_availability(&self) {
        let Some(options) = &self.availability.remote else { return };
        let mut connection = None;
        loop {
            let answer = tokio::time::timeout(TIMEOUT, ask(&mut connection, options)).await;
            let answers = matches!(answer, Ok(Ok(())));
            if !answers {
                // It is not known in which state the connection is.
                connection = None;
            }
            let changed =
                self.availability.answers.send_if_modified(|known| std::mem::replace(known, answers) != answers);
            match answer {
                _ if !changed => {}
                Ok(Ok(())) => tracing::info!("the database answers again"),
                Ok(Err(error)) => {
                    tracing::error!(%error, "the database cannot be reached: pages that are cached are served, others are refused");
                }
                Err(_) => tracing::error!(
                    milliseconds = TIMEOUT.as_millis(),
                    "the database does not answer: pages that are cached are served, others are refused"
                ),
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }
}

async fn ask(connection: &mut Option<AnyConnection>, options: &AnyConnectOptions) -> Result<(), sqlx::Error> {
    match connection {
        Some(open) => open.ping().await,
        None => connection.insert(AnyConnection::connect_with(options).await?).ping().await,
    }
}
