//! Counts the statements that the databases of this process are asked for.

use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering},
};

use tracing_subscriber::{layer::SubscriberExt as _, util::SubscriberInitExt as _};

static STATEMENTS: AtomicUsize = AtomicUsize::new(0);

struct Counter;

struct Statement(bool);

impl tracing::field::Visit for Statement {
    fn record_debug(&mut self, field: &tracing::field::Field, _: &dyn fmt::Debug) {
        self.0 |= field.name() == "summary";
    }
}

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Counter {
    fn on_event(&self, event: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        let mut statement = Statement(false);
        event.record(&mut statement);
        if event.metadata().target().split("::").eq(["sqlx", "query"]) && statement.0 {
            STATEMENTS.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Begins to count. Once in a process, which needs its log for nothing else.
pub fn count() {
    tracing_subscriber::registry().with(Counter).init();
}

/// Number of statements since [`count`].
pub fn executed() -> usize {
    STATEMENTS.load(Ordering::SeqCst)
}
