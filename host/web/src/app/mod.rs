//! The application: everything that all requests share.

mod alert_items;
pub mod database_wait;
pub mod institutions;
pub mod last_good;
pub mod long_work;
pub mod member_uses;
pub mod menu_content;
mod message_delivery;
pub mod operator_work;
pub mod outbox_workers;
pub mod plugin_events;
pub mod rate_limits;
pub mod removed_files;
pub mod retention;
pub mod watch;
pub mod write_checks;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, atomic::Ordering},
};

use arc_swap::ArcSwap;
use masthead_accounts::{
    identities::Providers,
    installation_key::InstallationKey,
    password::{Cost, Passwords},
    uses::Uses,
};
use masthead_runtime::{Catalog, CodeKey, Problem, Runtime, RuntimeConfig};
use masthead_search::Index;
use masthead_store::{Store, StoreError};
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    app::{
        institutions::Institutions,
        last_good::LastGood,
        menu_content::{MenuContent, MenuContents},
        operator_work::OperatorWork,
        outbox_workers::OutboxWorkers,
        rate_limits::RateLimits,
        write_checks::WriteChecks,
    },
    auth::{self, admin_tokens::AdminTokens, cookies::CookiePlace, pending::Pending, session::Sessions},
    cache::PageCache,
    i18n::Messages,
    sites::{
        Generations, SiteEntry, SiteTable, TableInputs,
        addresses::public_address,
        scope::{Host, Scope},
    },
    ui::{Ui, frames::Frames},
    usage::{
        Counting,
        popularity::{Counters, HotWords},
    },
};

use masthead_config::{ConfigError, Configuration, Plugins, Saved};

use masthead_content::{
    change_log_follower::{ChangeLogFollower, ChangeObserver, Progress},
    data_folder::open_store,
    host_services::{self, Secrets},
    readable_article::SiteRules,
    served_index::ServedIndex,
    site_bundle,
};
use masthead_domain::SiteId;

/// The running application.
pub struct App {
    /// Folder with the configuration of the sites.
    pub sites_folder: PathBuf,
    /// Folder with all data that the host writes.
    pub data_folder: PathBuf,
    /// Folders with additional plugins.
    pub plugin_folders: Vec<PathBuf>,
    /// Folders with additional federated modules.
    pub module_folders: Vec<PathBuf>,
    /// The content store.
    pub store: Store,
    /// The full-text index.
    pub search: Arc<dyn Index>,
    /// The same, with the folder that it is in.
    pub served_index: Arc<ServedIndex>,
    /// The usage counters by which hits are sorted.
    pub counters: Counters,
    /// The words that most readers search for.
    pub hot_words: HotWords,
    /// How far pages and index follow the change log.
    pub progress: Arc<Progress>,
    /// The plugin runtime.
    pub runtime: Runtime,
    /// Secrets that plugins refer to by name.
    pub secrets: Arc<Secrets>,
    /// The identity providers of all sites.
    pub providers: Providers,
    /// The tokens of administrators.
    pub admin_tokens: AdminTokens,
    /// The built user interface, with the modules of folders; replaced as a whole.
    pub ui: ArcSwap<Ui>,
    /// The frames of pages, rendered by modules.
    pub frames: Frames,
    /// The institutions that are kept in the database.
    pub institutions: Institutions,
    /// The message catalogues.
    pub messages: Messages,
    /// The reading rules of all sites, for the host services of plugins; replaced with the table.
    reading_rules: Arc<SiteRules>,
    /// The table of sites; replaced as a whole.
    pub sites: ArcSwap<SiteTable>,
    /// The page cache.
    pub pages: PageCache,
    /// The targets of the menus of sites.
    menus: MenuContents,
    /// Key that signs cookies.
    pub cookie_key: cookie::Key,
    /// The key of the installation; it signs resumption tokens.
    pub key: [u8; 32],
    /// The same key, from which the keys and digests of accounts are derived.
    pub installation: InstallationKey,
    /// Digests of passwords.
    pub passwords: Passwords,
    /// Why the latest change of the configuration was rejected; `None` when it is in use. While it is rejected, the
    /// previous configuration stays in use.
    pub rejected: Mutex<Option<String>>,
    /// Views, downloads and searches that are not written to the store yet.
    pub counting: Arc<Counting>,
    /// Views and downloads of members that are not written to the store yet.
    pub member_uses: Uses,
    /// Rate limits of costly calls.
    pub limits: RateLimits,
    /// Whether the host can write where it has to.
    pub write_checks: WriteChecks,
    /// The senders of messages to members.
    pub outbox_workers: OutboxWorkers,
    /// Wakes the importer after an upload.
    pub uploads: Arc<tokio::sync::Notify>,
    /// One examination at a time: each reads all content.
    pub examining: AsyncMutex<()>,
    /// What platform administrators have begun, and may take long.
    pub operator_work: OperatorWork,
    // One rebuild at a time: two changed files must not race for the swap.
    rebuild: AsyncMutex<Rebuild>,
}

/// The state that one rebuild of the site table passes to the next.
struct Rebuild {
    generations: Generations,
    configuration: Arc<Configuration>,
}

/// The folders of an application.
pub struct Folders {
    /// Configuration of the sites.
    pub sites: PathBuf,
    /// Data that the host writes.
    pub data: PathBuf,
    /// Additional plugins.
    pub plugins: Vec<PathBuf>,
    /// Additional federated modules.
    pub modules: Vec<PathBuf>,
}

impl App {
    /// Opens the store, the index and the runtime, and builds the first table of sites. `counting` has the clock of counts,
    /// limits and sessions; `change_limits` sets the limits of plugins.
    ///
    /// # Errors
    /// A message for the operator that says what could not be opened or read.
    pub async fn open(
        folders: Folders,
        database: Option<&str>,
        counting: Counting,
        change_limits: impl FnOnce(&mut RuntimeConfig),
    ) -> anyhow::Result<Arc<Self>> {
        let store = open_store(&folders.data, database).await?;
        if let Err(error) = site_bundle::finish_loading(&store, &folders.sites).await {
            tracing::error!(%error, "a site was loaded, and its configuration is not in use yet");
        }
        // Everything that is read from the database after this has every change up to this one.
        let end = store.log_end().await?;
        let (data, identity) = (folders.data.clone(), store.restored().await?);
        let served_index = Arc::new(tokio::task::spawn_blocking(move || ServedIndex::open(&data, identity)).await??);
        let search = served_index.index();
        let progress = Arc::new(Progress::opened(end, search.position().await?));
        let secrets = Arc::new(Secrets::default());
        secrets.read(&folders.data).map_err(anyhow::Error::msg)?;
        let key = auth::installation_key::read_or_create(&folders.data)?;
        let last_good = LastGood::of(&folders.data);
        let mut configuration =
            Configuration::read_with_last(&folders.sites, &last_good.platform(), &store.all_settings().await?)?;
        last_good.restore(&folders.sites, &mut configuration);
        let configuration = Arc::new(configuration);
        let mut config = runtime_config(&folders.data, key, configuration.platform.plugins);
        change_limits(&mut config);
        let reading_rules = Arc::new(SiteRules::default());
        let services = host_services::services(&store, &search, Arc::clone(&secrets), Arc::clone(&reading_rules));
        let runtime = Runtime::new(config, services)?;
        let ui = built_ui(&folders).await?;
        let frames = frames(&runtime, &ui).await?;
        let messages = Messages::load().map_err(anyhow::Error::msg)?;
        let mut generations = Generations::new();
        let catalog = catalog(&runtime, &folders.plugins).await;
        let inputs = TableInputs { runtime: &runtime, catalog: &catalog, ui: &ui, store: Some(&store) };
        let table = SiteTable::build(&configuration, &inputs, &mut generations, None).await?;
        set_zones(&counting, &table);
        reading_rules.set(table.reading_rules());
        keep(last_good, folders.sites.clone(), Arc::clone(&configuration)).await;
        Ok(Arc::new(Self {
            sites_folder: folders.sites,
            admin_tokens: AdminTokens::new(&folders.data),
            data_folder: folders.data,
            plugin_folders: folders.plugins,
            module_folders: folders.modules,
            store,
            search,
            served_index,
            counters: Counters::default(),
            hot_words: HotWords::default(),
            progress,
            runtime,
            secrets,
            providers: Providers::default(),
            ui: ArcSwap::from_pointee(ui),
            frames,
            institutions: Institutions::default(),
            messages,
            reading_rules,
            sites: ArcSwap::from_pointee(table),
            pages: PageCache::new(),
            menus: MenuContents::default(),
            cookie_key: auth::cookies::key(&key),
            key,
            installation: InstallationKey::new(key),
            passwords: Passwords::for_this_machine(Cost::DEFAULT),
            rejected: Mutex::new(None),
            member_uses: Uses::default(),
            limits: RateLimits::new(counting.clock()),
            write_checks: WriteChecks::default(),
            counting: Arc::new(counting),
            outbox_workers: OutboxWorkers::default(),
            uploads: Arc::default(),
            examining: AsyncMutex::default(),
            operator_work: OperatorWork::default(),
            rebuild: AsyncMutex::new(Rebuild { generations, configuration }),
        }))
    }

    /// Reads configuration, plugins and the modules of folders again and replaces the table of sites. If this fails, the old table stays
    /// in use.
    pub async fn reload(&self) {
        let mut rebuild = self.rebuild.lock().await;
        let built = self.build(&mut rebuild).await;
        let rejected = match built {
            Ok((table, ui)) => {
                for problem in &table.problems {
                    tracing::warn!(problem, "configuration");
                }
                tracing::info!(
                    sites = table.iter().count(),
                    problems = table.problems.len(),
                    "table of sites replaced"
                );
                set_zones(&self.counting, &table);
                self.reading_rules.set(table.reading_rules());
                // The modules come first: with the generation of the new table, no page is built from the old ones.
                self.ui.store(Arc::new(ui));
                self.sites.store(Arc::new(table));
                let last_good = LastGood::of(&self.data_folder);
                keep(last_good, self.sites_folder.clone(), Arc::clone(&rebuild.configuration)).await;
                None
            }
            Err(error) => {
                tracing::error!(%error, "the changed configuration is rejected; the previous configuration stays in use");
                Some(error.to_string())
            }
        };
        *self.rejected.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = rejected;
    }

    /// The configuration in use. It waits for the end of a rebuild.
    pub async fn configuration(&self) -> Arc<Configuration> {
        Arc::clone(&self.rebuild.lock().await.configuration)
    }

    /// The sessions of a request's site.
    #[must_use]
    pub fn sessions<'a>(&'a self, scope: &'a Scope, host: &Host) -> Sessions<'a> {
        let store = self.store.site(scope.entry.site.id);
        let times = scope.entry.site.accounts.sessions;
        Sessions::new(store, times, CookiePlace::of(scope, host), self.counting.now())
    }

    /// The pending sign-ins of the readers of a request's site.
    #[must_use]
    pub fn pending<'a>(&'a self, scope: &'a Scope, host: &Host) -> Pending<'a> {
        Pending::new(&self.cookie_key, CookiePlace::of(scope, host))
    }

    /// The targets of a site's menu.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn menu_content(&self, entry: &SiteEntry) -> Result<Arc<MenuContent>, StoreError> {
        let generations = (entry.config_generation, entry.content());
        self.menus.of(&self.store.site(entry.site.id), &entry.site, generations).await
    }

    /// The follower of the change log that keeps this application's index, pages and configuration up to date.
    #[must_use]
    pub fn change_log_follower(self: &Arc<Self>) -> ChangeLogFollower<Self> {
        let (served, progress) = (Arc::clone(&self.served_index), Arc::clone(&self.progress));
        ChangeLogFollower::new(self.store.clone(), served, Arc::clone(self), progress)
    }

    async fn build(&self, rebuild: &mut Rebuild) -> anyhow::Result<(SiteTable, Ui)> {
        let catalog = catalog(&self.runtime, &self.plugin_folders).await;
        let saved = self.store.all_settings().await?;
        let old = self.sites.load_full();
        let files = ConfigurationFiles {
            sites: self.sites_folder.clone(),
            data: self.data_folder.clone(),
            secrets: Arc::clone(&self.secrets),
        };
        let (table, previous) = (Arc::clone(&old), Arc::clone(&rebuild.configuration));
        let (ui, modules, plugins) = (self.ui.load_full(), self.module_folders.clone(), self.plugin_folders.clone());
        // Reading a thousand files takes long enough to delay the requests of the thread.
        let read = move || (files.read(&saved, &previous, &table), ui.with_folders(&modules, &plugins));
        let (configuration, ui) = tokio::task::spawn_blocking(read).await?;
        let configuration = configuration?;
        let inputs = TableInputs { runtime: &self.runtime, catalog: &catalog, ui: &ui, store: Some(&self.store) };
        let table = SiteTable::build(&configuration, &inputs, &mut rebuild.generations, Some(&old)).await?;
        rebuild.configuration = Arc::new(configuration);
        Ok((table, ui))
    }

    /// Absolute address of a site's pages in a language, for use outside a request (a request names its own host).
    #[must_use]
    pub fn address(&self, entry: &SiteEntry, lang: masthead_domain::Lang) -> String {
        public_address(&self.sites.load().platform, &entry.site, lang)
    }
}

/// The files from which the table of sites is built again.
struct ConfigurationFiles {
    sites: PathBuf,
    data: PathBuf,
    secrets: Arc<Secrets>,
}

impl ConfigurationFiles {
    /// Reads configuration and secrets. A part that cannot be read is listed in `problems`, and its previous version stays in use.
    fn read(&self, saved: &Saved, previous: &Configuration, table: &SiteTable) -> Result<Configuration, ConfigError> {
        let mut configuration = Configuration::read_after(&self.sites, saved, Some(previous))?;
        let former = table.iter().map(|entry| Arc::clone(&entry.site));
        last_good::retain(&mut configuration, &self.sites, former, "the previous configuration stays in use");
        if let Err(message) = self.secrets.read(&self.data) {
            configuration.problems.push(format!("secrets: {message}; the previous secrets stay in use"));
        }
        Ok(configuration)
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

    async fn log_replaced(&self) -> anyhow::Result<()> {
        let table = self.sites.load_full();
        for entry in table.iter() {
            let generation = self.store.site(entry.site.id).generation().await?;
            entry.content_generation.store(generation, Ordering::Release);
        }
        // Under the same generation there was another content.
        self.pages.clear();
        self.menus.clear();
        self.reload().await;
        Ok(())
    }
}

/// Keeps a configuration that is in use for the next start. A failure is only logged, because it does not affect the running host.
async fn keep(last_good: LastGood, sites: PathBuf, configuration: Arc<Configuration>) {
    let kept = tokio::task::spawn_blocking(move || last_good.keep(&sites, &configuration)).await;
    if let Err(error) = kept.map_err(std::io::Error::other).and_then(|kept| kept) {
        tracing::error!(%error, "the configuration in use could not be kept in the data folder for the next start");
    }
}

/// The configuration of the runtime of a data folder, in which compiled code is kept, with the limits of the platform.
pub(crate) fn runtime_config(data: &Path, key: [u8; 32], limits: Plugins) -> RuntimeConfig {
    RuntimeConfig {
        code_key: CodeKey::new(key),
        budget_factor: limits.time_factor,
        ..RuntimeConfig::new(data.join("compiled"))
    }
}

/// The built user interface with the modules of the folders.
pub(crate) async fn built_ui(folders: &Folders) -> anyhow::Result<Ui> {
    let (modules, plugins) = (folders.modules.clone(), folders.plugins.clone());
    // It compresses the files of the folders.
    let read = move || Ui::load().map(|ui| ui.with_folders(&modules, &plugins));
    tokio::task::spawn_blocking(read).await?.map_err(anyhow::Error::msg)
}

/// The frames that the modules of this user interface render.
async fn frames(runtime: &Runtime, ui: &Ui) -> anyhow::Result<Frames> {
    let (runtime, (engine, script)) = (runtime.clone(), ui.renderer.clone());
    // It may compile.
    let renderer = tokio::task::spawn_blocking(move || runtime.renderer(&engine, &script)).await??;
    Ok(Frames::new(renderer))
}

/// Usage is counted by the days of each site's time zone.
fn set_zones(counting: &Counting, table: &SiteTable) {
    counting.set_zones(table.iter().map(|entry| (entry.site.id, entry.site.time_zone.as_str())));
}

/// The catalog of the plugins that are part of the host, and of those in the folders.
pub async fn catalog(runtime: &Runtime, folders: &[PathBuf]) -> Catalog {
    let mut catalog = Catalog::new();
    for (manifest, wasm) in crate::ui::plugins() {
        let runtime = runtime.clone();
        let loaded = tokio::task::spawn_blocking(move || runtime.load_plugin(&manifest, &wasm)).await;
        match loaded {
            Ok(Ok(plugin)) => catalog.insert_built_in(plugin),
            Ok(Err(error)) => report(&mut catalog, &format!("it cannot be loaded: {error}")),
            Err(error) => report(&mut catalog, &format!("its loading panicked or was cancelled: {error}")),
        }
    }
    catalog.merge(runtime.load_catalog(folders).await);
    catalog
}

/// Reports a plugin that is part of the host and cannot be used: in the log, in `/readyz` and to checks.
fn report(catalog: &mut Catalog, message: &str) {
    tracing::error!(message, "a built-in plugin");
    let (plugin, message) = ("(built in)".to_owned(), message.to_owned());
    catalog.report(Problem { plugin, message, ..Problem::default() });
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Plugins, runtime_config};

    #[test]
    fn plugins_have_the_time_that_the_platform_gives_them() {
        let factor = |limits| runtime_config(Path::new("data"), [0; 32], limits).budget_factor.to_string();
        assert_eq!([factor(Plugins::default()), factor(Plugins { time_factor: 2.5 })], ["1", "2.5"]);
    }
}
