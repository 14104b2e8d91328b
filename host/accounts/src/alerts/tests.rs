//! Alerts with a database.
