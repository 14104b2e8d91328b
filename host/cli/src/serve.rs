//! `masthead serve`.

use std::{io::Write as _, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context as _;
use clap::Args;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
};

use crate::{Locations, demo_content, import_job, logging};
use masthead_content::{change_log_follower::ChangeLogFollower, import::job};
use masthead_web::{
    app::{App, Folders, member_uses, outbox_workers, plugin_events, removed_files, retention, watch},
    http::{self, admin_socket},
    saved_searches, usage,
};

/// Longest wait for the search index before pages are served.
const CATCHING_UP: Duration = Duration::from_secs(30);

/// Serve the sites.
#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    locations: Locations,
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:8448", env = "MASTHEAD_LISTEN")]
    listen: SocketAddr,
    /// Address on which the operator reads /metrics and the details of /readyz. Without it, only the socket admin.sock in the data
    /// folder has them, and the readers' address for tokens of administrators. Everybody who can connect to the address can read them.
    #[arg(long, env = "MASTHEAD_ADMIN_LISTEN", value_name = "ADDR")]
    admin_listen: Option<SocketAddr>,
    /// Folder for the backups that administrators make by call, as `masthead backup` writes it. Without it, backups are made by command only.
    #[arg(long, env = "MASTHEAD_BACKUPS", value_name = "DIR")]
    backups: Option<PathBuf>,
    /// Folder with additional plugins, one subfolder for each, with plugin.toml and plugin.wasm; may be repeated.
    #[arg(long, value_name = "DIR")]
    plugins: Vec<PathBuf>,
    /// Folder with additional federated modules, one subfolder for each, as the build of a module writes it; may be repeated. Modules are
    /// also read from `modules/` in the folders of plugins.
    #[arg(long, value_name = "DIR")]
    modules: Vec<PathBuf>,
    /// Id of a plugin of which a folder given by `--plugins` may replace a version that is built in or in an earlier folder; may be
    /// repeated. Otherwise the first one serves, and the other is reported.
    #[arg(long, value_name = "ID")]
    override_plugin: Vec<String>,
    /// Memory of all plugin instances together, in mebibytes.
    #[arg(long, default_value_t = 1024, env = "MASTHEAD_PLUGIN_MEMORY", value_name = "MIB",
        value_parser = clap::value_parser!(u32).range(16..))]
    plugin_memory: u32,
    /// Fill sites that have no articles with the demo content listed in their configuration. Mail and text messages for which no server or
    /// gateway is configured are written to the log, with their verification codes.
    #[arg(long)]
    demo: bool,
    /// Number of articles that `--demo` generates for the sites listed in `demo/generated.toml`; other sites get those that are in no issue yet.
    #[arg(long, default_value_t = 300, env = "MASTHEAD_DEMO_ARTICLES", value_name = "N")]
    demo_articles: usize,
    /// Write log lines as JSON.
    #[arg(long)]
    json: bool,
    /// Write no line for each request into the log.
    #[arg(long, env = "MASTHEAD_NO_ACCESS_LOG")]
    no_access_log: bool,
}

impl Serve {
    pub async fn run(self) -> anyhow::Result<()> {
        logging::start(self.json, !self.no_access_log);
        http::install_metrics();
        let Locations { sites, data, database } = self.locations;
        let folders = Folders { sites, data, plugins: self.plugins, modules: self.modules };
        let limits = |config: &mut masthead_runtime::RuntimeConfig| {
            config.memory_total = (self.plugin_memory as usize) << 20;
            config.plugin_overrides = self.override_plugin.into_iter().collect();
        };
        let app = App::open(folders, database.as_deref(), usage::Counting::default(), limits).await?;
        if let Some(folder) = self.backups {
            app.operator_work.backups_are_in(folder);
        }
        for problem in &app.sites.load().problems {
            tracing::warn!(problem, "configuration");
        }
        if self.demo {
            let articles = demo_content::seed_with(&app, self.demo_articles).await?;
            if articles > 0 {
                tracing::info!(articles, "demo content stored");
            }
        }
        let store = app.store.clone();
        tokio::spawn(async move { store.watch_availability().await });
        let follower = app.change_log_follower();
        catch_up(&app, &follower).await?;
        let _watcher = watch::start(Arc::clone(&app))?;
        tokio::spawn(follower.run());
        tokio::spawn(plugin_events::run(Arc::clone(&app)));
        if self.demo {
            app.outbox_workers.show_in_log();
        }
        tokio::spawn(outbox_workers::run(Arc::clone(&app)));
        tokio::spawn(saved_searches::run(Arc::clone(&app)));
        tokio::spawn(usage::run(Arc::clone(&app.counting), app.store.clone()));
        tokio::spawn(member_uses::run(Arc::clone(&app)));
        tokio::spawn(removed_files::run(Arc::clone(&app)));
        tokio::spawn(retention::run(Arc::clone(&app)));
        job::clean(&app.data_folder);
        tokio::spawn(admin_socket::serve(Arc::clone(&app), admin_socket::open(&app.data_folder).await?));
        let operator = match self.admin_listen {
            Some(address) => Some(bind(address, "--admin-listen").await?),
            None => None,
        };
        let listener = bind(self.listen, "--listen").await?;
        let operator_address = operator.as_ref().map(TcpListener::local_addr).transpose()?;
        let address = listener.local_addr()?;
        // From here on a signal stops the host in order: an address that is printed is answered, and an import that is interrupted is
        // no attempt.
        let shutdown = Shutdown::new().context("catching the signals that stop the host")?;
        // Imports start when nothing can prevent the start of the host any more, which would count as an attempt.
        let (stop_importing, stopped) = tokio::sync::oneshot::channel::<()>();
        let runner = import_job::runner(Arc::clone(&app), database, self.json);
        let importing = tokio::spawn(job::run(runner, app.data_folder.clone(), Arc::clone(&app.uploads), async move {
            let _ = stopped.await;
        }));
        announce(&app, address, operator_address);
        if let Some(operator) = operator {
            tokio::spawn(http::serve_operator(Arc::clone(&app), operator));
        }
        let limits = app.sites.load().platform.connections;
        let served = http::serve(Arc::clone(&app), listener, limits, shutdown.signal()).await;
        app.operator_work.stop().await;
        // An import that is interrupted now starts again at the next start; the interruption is no attempt of the job.
        drop(stop_importing);
        let _ = importing.await;
        // No request is being handled any more, and this waits for the periodic write of counts: nothing is counted after it.
        if let Err(error) = app.counting.flush(&app.store).await {
            tracing::error!(%error, "usage counts since the last flush are lost");
        }
        if let Err(error) = app.member_uses.flush(&app.store).await {
            tracing::error!(%error, "what members viewed since the last flush is lost");
        }
        app.store.close().await;
        tracing::info!("stopped");
        Ok(served?)
    }
}

/// Indexes what was stored before this start, so that the first search finds it. An index that has much to catch up with, or was damaged, does
/// so while pages are served.
async fn catch_up(app: &App, follower: &ChangeLogFollower<App>) -> anyhow::Result<()> {
    if app.served_index.damage().is_some() {
        return Ok(());
    }
    match tokio::time::timeout(CATCHING_UP, follower.catch_up()).await {
        Ok(done) => done,
        Err(_) => {
            tracing::warn!(
                "the search index has much to catch up with; pages are served meanwhile, and /readyz says how far it is"
            );
            Ok(())
        }
    }
}

async fn bind(address: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| anyhow::anyhow!("listening on {address}: {error}; choose another address with {option}"))
}

/// Prints the addresses of the sites. Called once the listener accepts connections.
fn announce(app: &App, address: SocketAddr, operator: Option<SocketAddr>) {
    // Write errors are ignored: the reader of the pipe may have exited, as in `masthead serve | head -1`.
    let mut out = std::io::stdout();
    let table = app.sites.load();
    let _ = writeln!(out, "Masthead serves {} sites on http://{address}/", table.iter().count());
    if let Some(operator) = operator {
        let _ = writeln!(
            out,
            "Metrics and details of readiness are on http://{operator}/metrics and http://{operator}/readyz"
        );
    }
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

/// The signals that stop the host. They are caught from [`new`](Self::new) on.
struct Shutdown {
    interrupt: Signal,
    terminate: Signal,
}

impl Shutdown {
    fn new() -> std::io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Resolves on Ctrl-C or SIGTERM, also if it came before this was called; the server then completes the requests in flight and
    /// stops.
    async fn signal(mut self) {
        let signal = tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        };
        tracing::info!(signal, "stopping: no more requests are accepted, those in flight are answered");
    }
}
