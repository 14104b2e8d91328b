//! The outbox with a database, and the worker with a post that does as it is told.
