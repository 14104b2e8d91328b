//! The log of the commands that run as a service.

use std::io::IsTerminal as _;

use masthead_web::http::access;
use tracing_subscriber::EnvFilter;

/// Writes the log to the standard error, with colours if this is a terminal. `requests` says whether each request has a line.
pub fn start(json: bool, requests: bool) {
    let filter =
        EnvFilter::try_from_env("MASTHEAD_LOG").unwrap_or_else(|_| EnvFilter::new("info,tantivy=warn,sqlx=warn"));
    let without_requests = (!requests).then(|| format!("{}=off", access::TARGET).parse().ok()).flatten();
    let filter = without_requests.into_iter().fold(filter, EnvFilter::add_directive);
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    if json { builder.json().init() } else { builder.init() }
}
