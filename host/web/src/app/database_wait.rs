//! Whether a request may be waiting for the database. While the database is away, a request that is not is left to finish: on a busy machine,
//! a cached page can take longer than the time after which a waiting request is refused.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

tokio::task_local! {
    static OF_REQUEST: DatabaseWait;
}

/// The state of one request. A request may be waiting unless its handler says otherwise.
#[derive(Clone, Debug)]
pub struct DatabaseWait(Arc<AtomicBool>);

impl Default for DatabaseWait {
    fn default() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }
}

impl DatabaseWait {
    /// Runs the handler of the request.
    pub async fn observe<T>(&self, handler: impl Future<Output = T>) -> T {
        OF_REQUEST.scope(self.clone(), handler).await
    }

    /// Whether the request may be waiting for the database now.
    #[must_use]
    pub fn may_be(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, may_be: bool) -> bool {
        self.0.swap(may_be, Ordering::Relaxed)
    }
}

fn set(may_be: bool) -> bool {
    OF_REQUEST.try_with(|request| request.set(may_be)).unwrap_or(may_be)
}

/// Says that the handler of this request reads the database only within [`during`].
pub fn only_where_said() {
    set(false);
}

/// Runs work that reads the database.
pub async fn during<T>(work: impl Future<Output = T>) -> T {
    let before = set(true);
    let done = work.await;
    set(before);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_waits_where_its_handler_says_so() {
        let request = DatabaseWait::default();
        assert!(request.may_be(), "unless its handler says otherwise");
        request
            .observe(async {
                during(async { assert!(request.may_be()) }).await;
                assert!(request.may_be(), "it is as before");
                only_where_said();
                assert!(!request.may_be());
                during(async { during(async { assert!(request.may_be()) }).await }).await;
                assert!(!request.may_be());
            })
            .await;
        // Outside of a request, nothing is observed.
        only_where_said();
        assert_eq!(during(async { 7 }).await, 7);
    }
}
