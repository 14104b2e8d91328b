//! `masthead serve`.

use std::{io::Write as _, net::SocketAddr, path::PathBuf, sync::Arc};

use clap::Args;

use crate::Locations;
use crate::demo_content;
use masthead_content::import::job;
use masthead_web::{
    app::{App, Folders, plugin_events, removed_files, watch},
    http::{self, admin_socket},
    usage,
};

/// Serve the sites.
#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    locations: Locations,
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:8448", env = "MASTHEAD_LISTEN")]
    listen: SocketAddr,
    /// Folder with additional plugins, one subfolder for each, with plugin.toml and plugin.wasm; may be repeated.
    #[arg(long, value_name = "DIR")]
    plugins: Vec<PathBuf>,
    /// Fill sites that have no articles with the demo content listed in their configuration.
    #[arg(long)]
    demo: bool,
    /// Number of articles that `--demo` generates for the sites listed in `demo/generated.toml`.
    #[arg(long, default_value_t = 300, env = "MASTHEAD_DEMO_ARTICLES", value_name = "N")]
    demo_articles: usize,
    /// Write log lines as JSON.
    #[arg(long)]
    json: bool,
}

impl Serve {
    pub async fn run(self) -> anyhow::Result<()> {
        start_logging(self.json);
        http::install_metrics();
        let folders = Folders { sites: self.locations.sites, data: self.locations.data, plugins: self.plugins };
        let app = App::open(folders, self.locations.database.as_deref()).await?;
        for problem in &app.sites.load().problems {
            tracing::warn!(problem, "configuration");
        }
        if self.demo {
            let articles = demo_content::seed_with(&app, self.demo_articles).await?;
            if articles > 0 {
                tracing::info!(articles, "demo content stored");
            }
        }
        // Index everything that was stored before this start, so that the first search finds it.
        app.change_log_follower().catch_up().await?;
        let _watcher = watch::start(Arc::clone(&app))?;
        tokio::spawn(app.change_log_follower().run());
        tokio::spawn(plugin_events::run(Arc::clone(&app)));
        tokio::spawn(usage::run(Arc::clone(&app.counting), app.store.clone()));
        tokio::spawn(removed_files::run(Arc::clone(&app)));
        job::clean(&app.data_folder);
        tokio::spawn(job::run(app.store.clone(), app.data_folder.clone(), Arc::clone(&app.uploads)));
        tokio::spawn(admin_socket::serve(Arc::clone(&app), admin_socket::open(&app.data_folder).await?));
        let listener = tokio::net::TcpListener::bind(self.listen).await.map_err(|error| {
            anyhow::anyhow!("listening on {}: {error}; choose another address with --listen", self.listen)
        })?;
        let address = listener.local_addr()?;
        announce(&app, address);
        http::serve(Arc::clone(&app), listener, shutdown_signal()).await?;
        if let Err(error) = app.counting.flush(&app.store).await {
            tracing::error!(%error, "usage counts since the last flush are lost");
        }
        app.store.close().await;
        Ok(())
    }
}

fn start_logging(json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MASTHEAD_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,tantivy=warn,sqlx=warn"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if json { builder.json().init() } else { builder.init() }
}

/// Prints the addresses of the sites. Called once the listener accepts connections.
fn announce(app: &App, address: SocketAddr) {
    // Write errors are ignored: the reader of the pipe may have exited, as in `masthead serve | head -1`.
    let mut out = std::io::stdout();
    let table = app.sites.load();
    let _ = writeln!(out, "Masthead serves {} sites on http://{address}/", table.iter().count());
    for entry in table.iter() {
        let site = &entry.site;
        let name = site.name.get(masthead_domain::Lang::En);
        let _ = writeln!(
            out,
            "  {:>5}  http://{}.{}:{}/  {name}",
            site.id,
            site.sld,
            table.platform.domain,
            address.port()
        );
    }
}

/// Resolves on Ctrl-C or SIGTERM; the server then completes the requests in flight and stops.
async fn shutdown_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
