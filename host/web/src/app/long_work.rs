//! Work that an administrator begins by a call and that may take longer than a request may wait: one piece of a kind at a time. It goes on
//! when the caller is gone, and what came out is kept until the next piece is begun.
//!
//! Each piece has a thread of its own. The runtime's threads for work that blocks would keep a process that ends until the work is done, and
//! every byte of a folder of backups may take hours to read.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use jiff::Timestamp;
use tokio::{runtime::Handle, sync::watch};

/// Longest wait of a call for the end of the work that it has begun: a connection on which nothing moves is closed after
/// `connections.stallSeconds`.
const PATIENCE: Duration = Duration::from_secs(10);

/// The stack of a thread, in bytes: as much as a command has for the same work.
const STACK: usize = 8 << 20;

/// The end of a piece of work.
#[derive(Debug)]
pub struct Ended<T> {
    at: Timestamp,
    /// What came out.
    pub result: anyhow::Result<T>,
    told: AtomicBool,
}

impl<T> Ended<T> {
    /// Takes the result for one caller; `false` if another one has it.
    pub fn tell(&self) -> bool {
        !self.told.swap(true, Ordering::AcqRel)
    }

    /// Whether a caller has the result.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.told.load(Ordering::Acquire)
    }
}

/// The end, once it has come.
type End<T> = Option<Arc<Ended<T>>>;

/// A piece of work.
#[derive(Debug)]
pub struct Work<T> {
    /// What is done, or what it is done to.
    pub what: String,
    /// Who began it.
    pub who: String,
    began: Timestamp,
    state: watch::Receiver<End<T>>,
}

impl<T> Clone for Work<T> {
    fn clone(&self) -> Self {
        let Self { what, who, began, state } = self;
        Self { what: what.clone(), who: who.clone(), began: *began, state: state.clone() }
    }
}

impl<T> Work<T> {
    /// The end, if it has come.
    #[must_use]
    pub fn ended(&self) -> Option<Arc<Ended<T>>> {
        self.state.borrow().clone()
    }

    /// When it was begun, ISO 8601 in UTC.
    #[must_use]
    pub fn began_at(&self) -> String {
        moment(self.began)
    }

    /// When it ended, ISO 8601 in UTC; `None` while it is being done.
    #[must_use]
    pub fn ended_at(&self) -> Option<String> {
        self.ended().map(|ended| moment(ended.at))
    }

    /// Why it was not done; `None` while it is being done, and if it was.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.ended()?.result.as_ref().err().map(|error| format!("{error:#}"))
    }

    /// Waits for the end, but no longer than a call may.
    pub async fn ended_soon(&self) -> Option<Arc<Ended<T>>> {
        let _ = tokio::time::timeout(PATIENCE, self.end()).await;
        self.ended()
    }

    /// Waits for the end, however long it takes.
    pub async fn end(&self) -> Option<Arc<Ended<T>>> {
        let mut state = self.state.clone();
        let _ = state.wait_for(Option::is_some).await;
        self.ended()
    }
}

/// The work of one kind.
#[derive(Debug)]
pub struct LongWork<T> {
    latest: Mutex<Option<Work<T>>>,
    stop: watch::Receiver<bool>,
}

impl<T: Send + Sync + 'static> LongWork<T> {
    /// No work so far. What is done is broken off when `stop` becomes true.
    #[must_use]
    pub const fn new(stop: watch::Receiver<bool>) -> Self {
        Self { latest: Mutex::new(None), stop }
    }

    /// The piece that was begun last.
    #[must_use]
    pub fn latest(&self) -> Option<Work<T>> {
        self.locked().clone()
    }

    /// Whether a piece is being done.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        is_busy(self.locked().as_ref())
    }

    /// Begins a piece of work, on a thread on which it may block; `None` if another one is being done. It is called within the runtime.
    pub fn begin<W>(&self, (what, who): (&str, &str), work: impl FnOnce() -> W + Send + 'static) -> Option<Work<T>>
    where
        W: Future<Output = anyhow::Result<T>> + 'static,
    {
        let mut latest = self.locked();
        if is_busy(latest.as_ref()) {
            return None;
        }
        let (send, state) = watch::channel(None);
        let begun = Work { what: what.to_owned(), who: who.to_owned(), began: Timestamp::now(), state };
        let (handle, mut stop, report) = (Handle::current(), self.stop.clone(), Report::of(&begun, &send));
        let run = move || {
            let done = catch_unwind(AssertUnwindSafe(|| {
                handle.block_on(async {
                    tokio::select! {
                        result = work() => result,
                        _ = stop.wait_for(|stop| *stop) => Err(anyhow::anyhow!("the host was stopped before it was done")),
                    }
                })
            }));
            let panicked = |_| Err(anyhow::anyhow!("the task panicked; the log has the reason"));
            report.end(done.unwrap_or_else(panicked));
        };
        if let Err(error) = thread::Builder::new().name("long work".to_owned()).stack_size(STACK).spawn(run) {
            Report::of(&begun, &send).end(Err(error.into()));
        }
        *latest = Some(begun.clone());
        Some(begun)
    }

    /// Waits until nothing is being done.
    pub async fn rest(&self) {
        if let Some(work) = self.latest() {
            work.end().await;
        }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Work<T>>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn moment(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn is_busy<T>(latest: Option<&Work<T>>) -> bool {
    latest.is_some_and(|work| work.ended().is_none())
}

/// Tells of the end of a piece of work: those who wait, and the log.
struct Report<T> {
    what: String,
    who: String,
    send: watch::Sender<End<T>>,
}

impl<T> Report<T> {
    fn of(work: &Work<T>, send: &watch::Sender<End<T>>) -> Self {
        Self { what: work.what.clone(), who: work.who.clone(), send: send.clone() }
    }

    fn end(self, result: anyhow::Result<T>) {
        let Self { what, who, send } = self;
        if let Err(error) = &result {
            tracing::warn!(what, who, error = format!("{error:#}"), "an administrator's task failed");
        }
        send.send_replace(Some(Arc::new(Ended { at: Timestamp::now(), result, told: AtomicBool::new(false) })));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use tokio::sync::oneshot;

    use super::*;

    fn message(ended: &Ended<u8>) -> String {
        ended.result.as_ref().unwrap_err().to_string()
    }

    #[tokio::test]
    async fn one_piece_is_done_at_a_time_and_told_to_one_caller() {
        let (_stop, stopping) = watch::channel(false);
        let kind = LongWork::<u8>::new(stopping);
        assert!(kind.latest().is_none() && !kind.is_busy());
        let (go, gone) = oneshot::channel();
        let first = kind.begin(("first", "ann"), || async move { anyhow::Ok(gone.await?) }).unwrap();
        assert!(kind.is_busy() && first.ended().is_none());
        assert!(kind.begin(("second", "bob"), || async { Ok(2) }).is_none());
        go.send(1).unwrap();
        let ended = first.end().await.unwrap();
        assert_eq!((*ended.result.as_ref().unwrap(), kind.is_busy()), (1, false));
        assert!(!ended.is_told() && ended.tell() && ended.is_told() && !ended.tell());
        let second = kind.begin(("second", "bob"), || async { Ok(2) }).unwrap();
        assert_eq!((second.what.as_str(), second.who.as_str()), ("second", "bob"));
        assert_eq!(*second.ended_soon().await.unwrap().result.as_ref().unwrap(), 2);
        assert_eq!(*first.ended().unwrap().result.as_ref().unwrap(), 1, "a caller gets the end of the own work");
    }

    #[tokio::test]
    async fn failures_and_panics_are_ends() {
        let (_stop, stopping) = watch::channel(false);
        let kind = LongWork::<u8>::new(stopping);
        let failed = kind.begin(("one", "ann"), || async { anyhow::bail!("no room") }).unwrap();
        assert_eq!(message(&failed.end().await.unwrap()), "no room");
        let panicked = kind.begin(("one", "ann"), || async { panic!("of a test") }).unwrap();
        assert!(message(&panicked.end().await.unwrap()).contains("panicked"));
        assert!(!kind.is_busy());
    }

    #[tokio::test]
    async fn the_stop_of_the_host_ends_what_is_being_done() {
        let (stop, stopping) = watch::channel(false);
        let kind = LongWork::<u8>::new(stopping);
        let work = kind.begin(("one", "ann"), || async { std::future::pending().await }).unwrap();
        stop.send_replace(true);
        kind.rest().await;
        assert!(message(&work.ended().unwrap()).contains("stopped"));
    }
}
