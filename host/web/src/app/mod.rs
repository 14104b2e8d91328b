//! What every request shares.

pub mod plugin_events;
pub mod rate_limits;
pub mod watch;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use arc_swap::ArcSwap;
use masthead_runtime::{Catalog, Runtime};
use masthead_search::SearchIndex;
use masthead_store::Store;
use moka::sync::Cache;
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    app::rate_limits::Limits,
    cache::PageCache,
    i18n::Messages,
    sites::{Generations, SiteEntry, SiteTable, World},
    ui::Ui,
    usage::Counting,
};

use masthead_config::Configuration;

use masthead_content::{
    change_log_follower::{ChangeLogFollower, ChangeObserver},
    data_folder::open_store,
    host_services::{self, Secrets},
};
use masthead_domain::SiteId;

/// How long a code that was sent to a phone is good for.
const CODE_LASTS: Duration = Duration::from_secs(600);

/// The running application.
pub struct App {
    /// Folder of the sites' configuration.
    pub sites_folder: PathBuf,
    /// Folder of everything that the host writes.
    pub data_folder: PathBuf,
    /// Folders with further plugins.
    pub plugin_folders: Vec<PathBuf>,
    /// Content.
    pub store: Store,
    /// Full-text index.
    pub search: Arc<SearchIndex>,
    /// Plugins.
    pub runtime: Runtime,
    /// Secrets that plugins use by name.
    pub secrets: Arc<Secrets>,
    /// User interface.
    pub ui: Ui,
    /// Messages.
    pub messages: Messages,
    /// The sites; swapped whole.
    pub sites: ArcSwap<SiteTable>,
    /// Finished pages.
    pub pages: PageCache,
    /// Signs cookies.
    pub key: [u8; 32],
    /// Why the latest change of the configuration was not taken over; the one before goes on serving.
    pub refused: Mutex<Option<String>>,
    /// Views, downloads and searches that are still to be written.
    pub counting: Arc<Counting>,
    /// How often what costs something may be done.
    pub limits: Limits,
    /// Codes that were sent to phones, by site and number.
    pub codes: Cache<String, String>,
    /// Wakes the importer: something was uploaded.
    pub uploads: Arc<tokio::sync::Notify>,
    // One rebuild at a time: two changed files must not race for the swap.
    rebuild: AsyncMutex<Rebuild>,
}

/// What one rebuild hands to the next.
struct Rebuild {
    generations: Generations,
    configuration: Configuration,
}

/// Where an application finds its things.
pub struct Folders {
    /// Configuration of the sites.
    pub sites: PathBuf,
    /// What the host writes.
    pub data: PathBuf,
    /// Further plugins.
    pub plugins: Vec<PathBuf>,
}

impl App {
    /// Opens everything and builds the first table of sites.
    ///
    /// # Errors
    /// A message for the operator.
    pub async fn open(folders: Folders, database: Option<&str>) -> anyhow::Result<Arc<Self>> {
        Self::open_with(folders, database, Counting::default(), |_| {}).await
    }

    /// The same with a clock of its own for what is counted, and with changed limits for plugins: tests decide the time, and give
    /// plugins enough of it for a busy machine.
    ///
    /// # Errors
    /// A message for the operator.
    pub async fn open_with(
        folders: Folders,
        database: Option<&str>,
        counting: Counting,
        change_limits: impl FnOnce(&mut masthead_runtime::RuntimeConfig),
    ) -> anyhow::Result<Arc<Self>> {
        let store = open_store(&folders.data, database).await?;
        let search = Arc::new(SearchIndex::open(&folders.data.join("search"))?);
        let secrets = Arc::new(Secrets::default());
        secrets.read(&folders.data).map_err(anyhow::Error::msg)?;
        let mut config = masthead_runtime::RuntimeConfig::new(folders.data.join("compiled"));
        change_limits(&mut config);
        let runtime = Runtime::new(config, host_services::services(&store, &search, Arc::clone(&secrets)))?;
        let ui = Ui::load().map_err(anyhow::Error::msg)?;
        let messages = Messages::load().map_err(anyhow::Error::msg)?;
        let key = crate::auth::referrer::key(&folders.data)?;
        let mut generations = Generations::new();
        let catalog = catalog(&runtime, &folders.plugins).await;
        let configuration = Configuration::read(&folders.sites, &store.all_settings().await?)?;
        let world = World { runtime: &runtime, catalog: &catalog, ui: &ui, store: &store };
        let table = SiteTable::build(&configuration, &world, &mut generations, None).await?;
        Ok(Arc::new(Self {
            sites_folder: folders.sites,
            data_folder: folders.data,
            plugin_folders: folders.plugins,
            store,
            search,
            runtime,
            secrets,
            ui,
            messages,
            sites: ArcSwap::from_pointee(table),
            pages: PageCache::new(),
            key,
            refused: Mutex::new(None),
            counting: Arc::new(counting),
            limits: Limits::default(),
            codes: Cache::builder().max_capacity(100_000).time_to_live(CODE_LASTS).build(),
            uploads: Arc::default(),
            rebuild: AsyncMutex::new(Rebuild { generations, configuration }),
        }))
    }

    /// Reads configuration and plugins again and swaps the table. What cannot be used leaves the old table serving.
    pub async fn reload(&self) {
        let mut rebuild = self.rebuild.lock().await;
        let built = self.build(&mut rebuild).await;
        let refused = match built {
            Ok(table) => {
                for problem in &table.problems {
                    tracing::warn!(problem, "configuration");
                }
                tracing::info!(sites = table.iter().count(), problems = table.problems.len(), "sites swapped");
                self.sites.store(Arc::new(table));
                None
            }
            Err(error) => {
                tracing::error!(%error, "the changed configuration is not used; the one before goes on serving");
                Some(error.to_string())
            }
        };
        *self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = refused;
    }

    /// The follower of the change log that keeps this application's index, pages and configuration up to date.
    #[must_use]
    pub fn change_log_follower(self: &Arc<Self>) -> ChangeLogFollower<Self> {
        ChangeLogFollower::new(self.store.clone(), Arc::clone(&self.search), Arc::clone(self))
    }

    async fn build(&self, rebuild: &mut Rebuild) -> anyhow::Result<SiteTable> {
        let catalog = catalog(&self.runtime, &self.plugin_folders).await;
        let saved = self.store.all_settings().await?;
        let mut configuration = Configuration::read_after(&self.sites_folder, &saved, Some(&rebuild.configuration))?;
        self.keep_broken(&mut configuration);
        if let Err(message) = self.secrets.read(&self.data_folder) {
            configuration.problems.push(format!("secrets: {message}; those known before stay in use"));
        }
        let old = self.sites.load_full();
        let world = World { runtime: &self.runtime, catalog: &catalog, ui: &self.ui, store: &self.store };
        let table = SiteTable::build(&configuration, &world, &mut rebuild.generations, Some(&old)).await?;
        rebuild.configuration = configuration;
        Ok(table)
    }

    /// Absolute address of a site's pages in a language, where no request says under which name it is reached.
    #[must_use]
    pub fn address(&self, entry: &SiteEntry, lang: masthead_domain::Lang) -> String {
        match entry.site.domains.first() {
            Some(domain) => format!("https://{domain}/{lang}"),
            None => format!("http://{}.{}/{lang}", entry.site.sld, self.sites.load().platform.domain),
        }
    }

    /// A site whose file was just broken goes on with the configuration that it had.
    fn keep_broken(&self, configuration: &mut Configuration) {
        let old = self.sites.load();
        for entry in old.iter() {
            let sld = &entry.site.sld;
            let file_is_there = self.sites_folder.join(format!("{sld}.toml")).exists();
            let id_is_free = !configuration.sites.values().any(|site| site.id == entry.site.id);
            if file_is_there && id_is_free && !configuration.sites.contains_key(sld) {
                configuration
                    .problems
                    .push(format!("site {sld}: its file is refused, the configuration before it goes on serving"));
                configuration.sites.insert(sld.clone(), entry.site.clone());
            }
        }
    }
}

impl ChangeObserver for App {
    fn content_changed(&self, site: SiteId, sequence: i64) {
        if let Some(entry) = self.sites.load().by_id(site) {
            entry.content_generation.fetch_max(sequence, Ordering::AcqRel);
        }
    }

    async fn settings_changed(&self) {
        self.reload().await;
    }
}

async fn catalog(runtime: &Runtime, folders: &[PathBuf]) -> Catalog {
    let mut catalog = Catalog::new();
    for (manifest, wasm) in crate::ui::plugins() {
        let runtime = runtime.clone();
        let loaded = tokio::task::spawn_blocking(move || runtime.load_plugin(&manifest, &wasm)).await;
        match loaded {
            Ok(Ok(plugin)) => catalog.insert(plugin),
            Ok(Err(error)) => tracing::error!(%error, "a plugin of the host's own cannot be loaded"),
            Err(error) => tracing::error!(%error, "loading a plugin was cut off"),
        }
    }
    catalog.merge(runtime.load_catalog(folders).await);
    catalog
}
