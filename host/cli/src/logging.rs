//! The log of the commands that run as a service.

/// Writes the log to the standard error.
pub fn start(json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MASTHEAD_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,tantivy=warn,sqlx=warn"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if json { builder.json().init() } else { builder.init() }
}
