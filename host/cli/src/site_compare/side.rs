//! One side of a comparison: a data folder, a bundle or a running host. All of them answer requests; the first two also have rows.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use masthead_content::{
    data_folder::open_store,
    site_bundle::{self, LoadOptions},
};
use masthead_runtime::{HostClient, HostLimits};
use masthead_store::{
    Store,
    backup::Value,
    site_rows::{SiteRow, SiteRows},
};
use masthead_web::{
    app::{App, Folders},
    http::{InProcess, UncompressedAnswer},
    sites::SiteEntry,
    usage::Counting,
};
use tempfile::TempDir;

/// Limits of a request to a running host.
const LIMITS: HostLimits = HostLimits {
    response_bytes: 256 << 20,
    timeout: Duration::from_secs(120),
    connect_timeout: Duration::from_secs(10),
};
/// What a data folder has that the process that serves it writes or needs for itself, or that is made again.
const OWN: [&str; 7] =
    ["search", "unpacked", "last-good", "admin.sock", "masthead.db", "masthead.db-wal", "masthead.db-shm"];

/// Where a side is, as the command line says it.
pub struct SideLocation<'a> {
    /// A data folder, the address of a running host, or a bundle.
    pub place: &'a str,
    /// The folder of the sites.
    pub sites: &'a Path,
    /// URL of the database of a data folder.
    pub database: Option<&'a str>,
}

/// What both sides have in common.
pub struct Common<'a> {
    /// Number or short name of the site.
    pub site: Option<&'a str>,
    /// Folders with additional plugins.
    pub plugins: &'a [PathBuf],
    /// Folders with additional federated modules.
    pub modules: &'a [PathBuf],
    /// A data folder whose compiled plugins are used by a bundle.
    pub compiled: Option<&'a Path>,
    /// Whether a host may have an address in a private network.
    pub allow_private: bool,
}

/// A side.
pub enum Side {
    Local(Box<Local>),
    Remote { base: String, host: String, path: String, private: bool },
}

/// A site that this process serves to itself.
pub struct Local {
    server: InProcess,
    store: Store,
    pub rows: SiteRows,
    _app: Arc<App>,
    folders: Vec<TempDir>,
}

/// Whether a place is the address of a host.
pub fn is_address(place: &str) -> bool {
    place.starts_with("http://") || place.starts_with("https://")
}

impl Side {
    pub async fn open(place: &SideLocation<'_>, common: &Common<'_>) -> anyhow::Result<Self> {
        if is_address(place.place) {
            return Ok(Self::remote(place.place, common.allow_private));
        }
        let path = Path::new(place.place);
        let local = if path.is_dir() || place.database.is_some() {
            Local::of_data(path, place.sites, place.database, common).await
        } else if path.is_file() {
            Local::of_bundle(path, place.sites, common).await
        } else {
            anyhow::bail!(
                "it is no data folder, no bundle of a site, and no address that begins with http:// or https://"
            )
        };
        Ok(Self::Local(Box::new(local?)))
    }

    fn remote(address: &str, private: bool) -> Self {
        let base = address.trim_end_matches('/').to_owned();
        let rest = base.split_once("://").map_or(base.as_str(), |(_, rest)| rest);
        let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let (host, path) = (host.to_owned(), path.to_owned());
        Self::Remote { base, host, path, private }
    }

    /// Gets a path below the root of the site.
    pub async fn get(&self, path: &str) -> anyhow::Result<UncompressedAnswer> {
        match self {
            Self::Local(local) => local.server.get(path).await,
            Self::Remote { base, private, .. } => {
                // The path may come from the sitemap of the host, and must not become a part of the host's name.
                let is_path = path.is_empty() || path.starts_with('/');
                anyhow::ensure!(is_path, "{path} is no path below the root of the site");
                let url = format!("{base}{path}");
                let client = HostClient::new(&url, *private, LIMITS).map_err(|error| private_hint(error, *private))?;
                let answer = client.get(&[]).await.map_err(|error| private_hint(error, *private))?;
                Ok(UncompressedAnswer { status: answer.status, body: answer.body })
            }
        }
    }

    /// The name of the host and the path of the site on it, which addresses begin with.
    pub fn origin(&self) -> (&str, &str) {
        match self {
            Self::Local(local) => (local.server.host(), ""),
            Self::Remote { host, path, .. } => (host, path),
        }
    }

    /// The rows of the site, if this process can read them.
    pub fn rows(&self) -> Option<&SiteRows> {
        match self {
            Self::Local(local) => Some(&local.rows),
            Self::Remote { .. } => None,
        }
    }

    /// The values in a column of the site's rows, at most `most`, and whether there are more; none if this process cannot read the rows.
    pub async fn column(&self, table: &str, column: &str, most: usize) -> anyhow::Result<(Vec<Value>, bool)> {
        let Some(rows) = self.rows() else { return Ok((Vec::new(), false)) };
        let (mut values, mut last) = (Vec::new(), None::<SiteRow>);
        loop {
            let page = rows.rows(table, last.as_ref()).await?;
            let Some(end) = page.last().cloned() else { return Ok((values, false)) };
            last = Some(end);
            for mut row in page {
                if values.len() == most {
                    return Ok((values, true));
                }
                values.extend(row.remove(column));
            }
        }
    }

    pub async fn close(self) {
        if let Self::Local(local) = self {
            local.store.close().await;
        }
    }
}

fn private_hint(error: masthead_runtime::HostFetchError, private: bool) -> anyhow::Error {
    let hint = matches!(error, masthead_runtime::HostFetchError::Private(_)) && !private;
    anyhow::anyhow!("{error}{}", if hint { "; give --allow-private" } else { "" })
}

impl Local {
    /// The site of a data folder. A host may serve it meanwhile: nothing is written to it, and the index is made in a folder of its own.
    async fn of_data(data: &Path, sites: &Path, database: Option<&str>, common: &Common<'_>) -> anyhow::Result<Self> {
        let file = data.join("masthead.db");
        anyhow::ensure!(database.is_some() || file.is_file(), "the folder has no database {}", file.display());
        let url = match database {
            Some(url) => url.to_owned(),
            None => format!("sqlite://{}", file.canonicalize()?.display()),
        };
        let folder = temporary()?;
        link_all(data, folder.path())?;
        let wanted = common.site.context("give the site with --site")?;
        Self::serve(folder, sites, &url, wanted, common).await
    }

    /// The site of a bundle, loaded into an installation of its own with the platform and the groups of `sites`.
    async fn of_bundle(bundle: &Path, sites: &Path, common: &Common<'_>) -> anyhow::Result<Self> {
        let (folder, own) = (temporary()?, temporary()?);
        copy_shared(sites, own.path()).with_context(|| format!("copying the platform of {}", sites.display()))?;
        if let Some(compiled) = common.compiled.map(|data| data.join("compiled")).filter(|path| path.is_dir()) {
            std::os::unix::fs::symlink(compiled.canonicalize()?, folder.path().join("compiled"))?;
        }
        if let Some(key) = common.compiled.map(|data| data.join("cookie.key")).filter(|path| path.is_file()) {
            // Compiled code is trusted by this key.
            std::os::unix::fs::symlink(key.canonicalize()?, folder.path().join("cookie.key"))?;
        }
        let store = open_store(folder.path(), None).await?;
        let mut failed = Vec::new();
        let mut on_item = |item: masthead_content::import::Item| failed.extend(item.error);
        let options = LoadOptions { replace: true, ..LoadOptions::default() };
        let loaded = site_bundle::load(&store, folder.path(), own.path(), bundle, options, &mut on_item).await;
        store.close().await;
        let loaded = loaded?;
        anyhow::ensure!(
            failed.is_empty(),
            "{} items of the bundle cannot be loaded: {}",
            failed.len(),
            failed.join("; ")
        );
        let url = format!("sqlite://{}", folder.path().join("masthead.db").display());
        let sites = own.path().to_owned();
        let mut local = Self::serve(folder, &sites, &url, &loaded.manifest.sld, common).await?;
        local.folders.push(own);
        Ok(local)
    }

    async fn serve(
        folder: TempDir,
        sites: &Path,
        database: &str,
        wanted: &str,
        common: &Common<'_>,
    ) -> anyhow::Result<Self> {
        let folders = Folders {
            sites: sites.to_owned(),
            data: folder.path().to_owned(),
            plugins: common.plugins.to_vec(),
            modules: common.modules.to_vec(),
        };
        let app = App::open(folders, Some(database), Counting::default(), |_| {}).await?;
        app.change_log_follower().catch_up().await?;
        let table = app.sites.load_full();
        let number = wanted.parse::<i64>().ok();
        let is_wanted = |entry: &&Arc<SiteEntry>| entry.site.sld == wanted || Some(entry.site.id.0) == number;
        let entry = table.iter().find(is_wanted).with_context(|| {
            let known: Vec<_> = table.iter().map(|entry| entry.site.sld.as_str()).collect();
            format!("there is no site {wanted:?}; existing sites: {}; {}", known.join(", "), table.problems.join("; "))
        })?;
        let server = InProcess::new(&app, entry);
        let rows = SiteRows::of(app.store.site(entry.site.id)).await?;
        Ok(Self { server, store: app.store.clone(), rows, _app: app, folders: vec![folder] })
    }
}

fn temporary() -> anyhow::Result<TempDir> {
    tempfile::Builder::new().prefix("masthead-compare-").tempdir().context("making a temporary folder")
}

/// Links everything in a data folder except what belongs to the process that serves it.
fn link_all(data: &Path, into: &Path) -> anyhow::Result<()> {
    let linking = || format!("reading the data folder {}", data.display());
    if !data.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(data).with_context(linking)? {
        let entry = entry.with_context(linking)?;
        if !OWN.iter().any(|own| entry.file_name() == *own) {
            let original = entry.path().canonicalize().with_context(linking)?;
            std::os::unix::fs::symlink(original, into.join(entry.file_name())).with_context(linking)?;
        }
    }
    Ok(())
}

/// Copies what sites have in common.
fn copy_shared(sites: &Path, into: &Path) -> io::Result<()> {
    fs::copy(sites.join("platform.toml"), into.join("platform.toml"))?;
    if sites.join("groups").is_dir() {
        fs::create_dir_all(into.join("groups"))?;
        for entry in fs::read_dir(sites.join("groups"))? {
            let entry = entry?;
            if entry.path().is_file() {
                fs::copy(entry.path(), into.join("groups").join(entry.file_name()))?;
            }
        }
    }
    Ok(())
}
