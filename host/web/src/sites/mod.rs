//! The table of sites. It is immutable and replaced as a whole behind an `ArcSwap`.

pub mod addresses;
pub mod identity_providers;
pub mod scope;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use jiff::tz::TimeZone;
use masthead_domain::{
    Lang, SiteId,
    access::{ReaderStatus, ReadingRules},
    site::{Site, SiteState, ThemeColor},
};
use masthead_runtime::{
    Catalog, Chain, FirstAnswer, Hook, Problem, RequestContext, Runtime,
    hook_types::{NavigationMenu, TranslationRequest},
};
use masthead_store::{Store, StoreError};
use sha2::{Digest as _, Sha256};

use crate::ui::{Module, SlotModule, Ui, module_folders::ModuleProblem};

use masthead_config::{Configuration, Diagnostic, Level, Platform, Styles};

/// Target languages of machine translation of section texts (specification section 1).
pub const TRANSLATION_TARGETS: [Lang; 7] = [Lang::Zh, Lang::En, Lang::Ru, Lang::Ara, Lang::Fra, Lang::Spa, Lang::De];
/// Time limit of the hooks that are called once for a whole site, when the table is built: its languages, and whether a
/// plugin translates.
const SITE_HOOK_TIMEOUT: Duration = Duration::from_secs(2);

/// A site with everything that is built from its configuration.
#[derive(Debug)]
pub struct SiteEntry {
    /// The configuration.
    pub site: Arc<Site>,
    /// The colour theme.
    pub theme: ThemeColor,
    /// The chain of the site's plugins.
    pub chain: Chain,
    /// The time zone in which the site's times are written.
    pub zone: TimeZone,
    /// Interface languages: the configured ones, then those that plugins add.
    pub languages: Vec<Lang>,
    /// Whether a plugin offers machine translation.
    pub translates: bool,
    /// Origins that plugins' modules may show in a frame, in the form of a content security policy's source list: each
    /// with a leading space.
    pub frames: String,
    /// Federated modules named by the site's styles and configuration, by slot.
    pub slots: BTreeMap<String, Vec<SlotModule>>,
    /// The site's own style sheet as it is served, or "".
    pub sheet: String,
    /// Fingerprint that changes whenever the configuration, the plugins or the modules change.
    pub config_generation: u64,
    /// Sequence number of the site's latest content change. The counter is shared by successive site tables.
    pub content_generation: Arc<AtomicI64>,
    /// Problems of the site's plugins and modules.
    pub diagnostics: Vec<Diagnostic>,
}

impl SiteEntry {
    /// The current content generation.
    #[must_use]
    pub fn content(&self) -> i64 {
        self.content_generation.load(Ordering::Acquire)
    }

    /// What the decision whether a reader may read an article depends on of the site.
    #[must_use]
    pub fn reading_rules(&self) -> ReadingRules {
        let Site { permissions, access, open_access_for_all, state, .. } = &*self.site;
        ReadingRules {
            active: *state == SiteState::Active,
            everyone: access.permissions(*permissions, ReaderStatus::default()),
            open_access_for_all: *open_access_for_all,
            by_reader: self.chain.decides_access(),
            limits_downloads: permissions.download_power && access.downloads.is_limited(),
        }
    }

    /// Languages into which section texts can be translated by machine (specification section 1); empty when no plugin
    /// translates.
    #[must_use]
    pub fn translations(&self) -> Vec<Lang> {
        if self.translates { TRANSLATION_TARGETS.to_vec() } else { Vec::new() }
    }

    /// The requested language if the site has it, else the site's default language.
    #[must_use]
    pub fn lang_or_default(&self, requested: Option<Lang>) -> Lang {
        requested.filter(|lang| self.languages.contains(lang)).unwrap_or_else(|| self.site.default_lang())
    }
}

/// All sites of the installation.
#[derive(Debug)]
pub struct SiteTable {
    /// Configuration that is common to all sites.
    pub platform: Platform,
    by_sld: BTreeMap<String, Arc<SiteEntry>>,
    by_host: HashMap<String, Arc<SiteEntry>>,
    /// The open sites of each group, in the order of their short names.
    by_group: HashMap<String, Vec<Arc<SiteEntry>>>,
    /// Problems of the configuration, plugins or modules: one sentence each.
    pub problems: Vec<String>,
    /// The same, each with its key.
    pub diagnostics: Vec<Diagnostic>,
    /// The plugin catalogue from which the table was built.
    catalog: Catalog,
    /// The digests of the modules of folders with which the table was built, and what was wrong with others.
    modules: (BTreeMap<String, String>, Vec<ModuleProblem>),
}

/// Everything besides the configuration from which a site table is built.
pub struct TableInputs<'a> {
    /// The plugin runtime.
    pub runtime: &'a Runtime,
    /// The loaded plugins.
    pub catalog: &'a Catalog,
    /// The built user interface with its federated modules.
    pub ui: &'a Ui,
    /// The content store, which holds the content generations; `None` for a table that serves nobody, such as that of a check.
    pub store: Option<&'a Store>,
}

/// Content generation counters by site, shared by successive site tables.
pub type Generations = HashMap<SiteId, Arc<AtomicI64>>;

impl SiteTable {
    /// Builds the site table from a configuration. An entry of `previous` is reused where nothing that it depends on
    /// has changed.
    ///
    /// # Errors
    /// [`StoreError`], when the content generations cannot be read.
    pub async fn build(
        configuration: &Configuration,
        inputs: &TableInputs<'_>,
        generations: &mut Generations,
        previous: Option<&Self>,
    ) -> Result<Self, StoreError> {
        let Configuration { platform, sites, problems, diagnostics, .. } = configuration;
        let mut table = Self {
            platform: platform.clone(),
            by_sld: BTreeMap::new(),
            by_host: HashMap::new(),
            by_group: HashMap::new(),
            problems: problems.clone(),
            diagnostics: diagnostics.clone(),
            catalog: inputs.catalog.clone(),
            modules: (inputs.ui.folder_digests(), inputs.ui.problems().to_vec()),
        };
        for problem in inputs.catalog.problems() {
            table.problems.push(problem.to_string());
            let diagnostic = Diagnostic::new(Level::Error, PLUGINS, "", "");
            let Problem { plugin, source, message } = problem;
            let diagnostic =
                diagnostic.says(format!("plugin {plugin}: {message}"), "correct or remove the plugin's folder");
            let place = if source.is_empty() { plugin } else { source };
            table.diagnostics.push(Diagnostic { file: place.clone(), ..diagnostic });
        }
        for problem in inputs.ui.problems() {
            table.problems.push(problem.to_string());
            let diagnostic = Diagnostic::new(Level::Error, MODULES, "", "");
            let diagnostic = diagnostic.says(format!("module {}: {}", problem.module, problem.message), MODULE_FIX);
            table.diagnostics.push(Diagnostic { file: problem.path.display().to_string(), ..diagnostic });
        }
        // The entry of an unchanged site is reused as a whole, unless the plugins, the modules or the platform changed.
        let same = previous.filter(|old| {
            old.catalog.is_same(inputs.catalog) && old.platform == *platform && old.modules == table.modules
        });
        for (sld, site) in sites {
            let old = previous.and_then(|table| table.by_sld(sld));
            let reusable = same.and(old).filter(|entry| entry.site == *site && entry.chain.problems().is_empty());
            let entry = match reusable {
                Some(entry) => Some(Arc::clone(entry)),
                None => build_entry(site, platform, inputs, generations, old).await?,
            };
            if let Some(entry) = entry {
                table.add(sld, entry);
            }
        }
        table.add_aliases();
        Ok(table)
    }

    fn add(&mut self, sld: &str, entry: Arc<SiteEntry>) {
        self.problems.extend(entry.diagnostics.iter().map(|diagnostic| format!("site {sld}: {}", diagnostic.message)));
        self.diagnostics.extend(entry.diagnostics.iter().cloned());
        self.by_host.insert(format!("{sld}.{}", self.platform.domain.to_lowercase()), Arc::clone(&entry));
        for domain in &entry.site.domains {
            self.by_host.insert(domain.to_lowercase(), Arc::clone(&entry));
        }
        if entry.site.state == SiteState::Active && !entry.site.group.is_empty() {
            self.by_group.entry(entry.site.group.clone()).or_default().push(Arc::clone(&entry));
        }
        self.by_sld.insert(sld.to_owned(), entry);
    }

    /// Adds the domains of sites with a canonical host, with `www.` before them or without it, unless a site names them itself or they are
    /// hosts that all sites share.
    fn add_aliases(&mut self) {
        for entry in self.by_sld.values().filter(|entry| !entry.site.canonical.host.is_empty()) {
            for domain in &entry.site.domains {
                let domain = domain.to_lowercase();
                let other = domain.strip_prefix("www.").map_or_else(|| format!("www.{domain}"), str::to_owned);
                if !self.is_path_host(&other) {
                    self.by_host.entry(other).or_insert_with(|| Arc::clone(entry));
                }
            }
        }
    }

    /// The plugins from which the table was built.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The site with the given short name.
    #[must_use]
    pub fn by_sld(&self, sld: &str) -> Option<&Arc<SiteEntry>> {
        self.by_sld.get(sld)
    }

    /// The site with the given number.
    #[must_use]
    pub fn by_id(&self, id: SiteId) -> Option<&Arc<SiteEntry>> {
        self.by_sld.values().find(|entry| entry.site.id == id)
    }

    /// The site with this number, if it is open.
    #[must_use]
    pub fn open_by_id(&self, id: SiteId) -> Option<&Arc<SiteEntry>> {
        self.by_id(id).filter(|entry| entry.site.state == SiteState::Active)
    }

    /// The other open site to which a site's header leads by its short name (`groupEntrance`).
    #[must_use]
    pub fn entrance(&self, site: &Site) -> Option<&Arc<SiteEntry>> {
        let named = self.by_sld(&site.header.group_entrance);
        named.filter(|entry| entry.site.state == SiteState::Active && entry.site.id != site.id)
    }

    /// The site that is served under a host name (in lower case, without port).
    #[must_use]
    pub fn by_host(&self, host: &str) -> Option<&Arc<SiteEntry>> {
        self.by_host.get(host)
    }

    /// Whether the first path segment names the site under the given host.
    #[must_use]
    pub fn is_path_host(&self, host: &str) -> bool {
        self.platform.path_hosts.iter().any(|name| name.eq_ignore_ascii_case(host))
    }

    /// The reading rules of all sites.
    #[must_use]
    pub fn reading_rules(&self) -> HashMap<SiteId, ReadingRules> {
        self.iter().map(|entry| (entry.site.id, entry.reading_rules())).collect()
    }

    /// All sites, in the order of their short names.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<SiteEntry>> {
        self.by_sld.values()
    }

    /// The other open sites of a site's group.
    pub fn others_in_group(&self, site: &Site) -> impl Iterator<Item = &Arc<SiteEntry>> {
        let own = site.id;
        self.by_group.get(&site.group).into_iter().flatten().filter(move |entry| entry.site.id != own)
    }

    /// The other open sites of a group site's group. A site that is no group site has none.
    pub fn others_of_group(&self, site: &Site) -> impl Iterator<Item = &Arc<SiteEntry>> {
        let leads = site.is_group_site();
        self.others_in_group(site).filter(move |_| leads)
    }
}

/// Builds the entry of one site: plugin chain, modules, generations. `None` when the site's theme is not defined by the
/// platform.
async fn build_entry(
    site: &Arc<Site>,
    platform: &Platform,
    inputs: &TableInputs<'_>,
    generations: &mut Generations,
    old: Option<&Arc<SiteEntry>>,
) -> Result<Option<Arc<SiteEntry>>, StoreError> {
    let (sld, before) = (&site.sld, old.map(|entry| &entry.chain));
    let chain = inputs.runtime.build_chain((site.id, sld), inputs.catalog, &site.plugins, before).await;
    let mut diagnostics: Vec<_> = chain.problems().iter().map(|problem| plugin_diagnostic(site, problem)).collect();
    let content_generation = match generations.get(&site.id) {
        Some(known) => Arc::clone(known),
        None => {
            let generation = match inputs.store {
                Some(store) => store.site(site.id).generation().await?,
                None => 0,
            };
            let now = Arc::new(AtomicI64::new(generation));
            generations.insert(site.id, Arc::clone(&now));
            now
        }
    };
    let slots = slots(site, platform, inputs.ui, &mut diagnostics);
    let Some(theme) = platform.themes.iter().find(|theme| theme.color_id == site.color_id).cloned() else {
        return Ok(None);
    };
    // Plugins choose their modules page by page, so that each of these may be in a page of the site.
    let modules = if chain.has_hook(Hook::Layout) { inputs.ui.folder_digests() } else { BTreeMap::new() };
    let config_generation = fingerprint(site, &theme, (&slots, &modules), &chain);
    let languages = languages(site, &chain).await;
    let translates = translates(site, &chain).await;
    let frames = chain.frames().into_iter().filter(|origin| is_origin(origin));
    let frames = frames.map(|origin| format!(" {origin}")).collect();
    Ok(Some(Arc::new(SiteEntry {
        site: Arc::clone(site),
        theme,
        // A site with an unknown zone does not come here.
        zone: TimeZone::get(&site.time_zone).unwrap_or(TimeZone::UTC),
        chain,
        languages,
        translates,
        frames,
        slots,
        // A site with a faulty sheet does not come here.
        sheet: masthead_config::scoped_sheet(&site.header.config_data.css_content).unwrap_or_default(),
        config_generation,
        content_generation,
        diagnostics,
    })))
}

/// The names of the checks in diagnostics.
const PLUGINS: &str = "plugins";
const MODULES: &str = "modules";
/// What to do about a module in a folder that cannot be used.
const MODULE_FIX: &str = "build the module again and copy its whole folder, or remove the folder";

/// The diagnostic about a plugin that a site does not use as its configuration says, with the key of what is wrong.
fn plugin_diagnostic(site: &Site, problem: &Problem) -> Diagnostic {
    let Problem { plugin, message, .. } = problem;
    let entries = site.plugins.iter().enumerate().filter(|(_, entry)| entry.id == *plugin);
    let mut positions = entries.map(|(index, _)| index);
    let (first, second) = (positions.next().unwrap_or_default(), positions.next());
    // The runtime begins its messages with the part of the entry that they are about.
    let parts = [
        ("its settings on this site: ", ".settings"),
        ("its grants: ", ".grants"),
        ("its canary ", ".canary"),
        ("its onFailure: ", ".onFailure"),
    ];
    let part = parts.iter().find_map(|(start, part)| message.starts_with(start).then_some(*part));
    let key = match (message.starts_with("it is listed twice"), second, part) {
        (true, Some(second), _) => format!("plugins[{second}]"),
        (_, _, part) => format!("plugins[{first}]{}", part.unwrap_or_default()),
    };
    let fix = match part {
        Some(".settings") => "correct the settings; [settings] in the plugin's plugin.toml describes them",
        Some(_) => "correct this part of the plugin's entry",
        None => "correct the plugin's entry or remove it; folders with further plugins are given with --plugins",
    };
    Diagnostic::new(Level::Error, PLUGINS, &site.sld, key).says(format!("plugin {plugin}: {message}"), fix)
}

/// The modules of the site's styles, followed by the modules that its configuration names.
fn slots(
    site: &Site,
    platform: &Platform,
    ui: &Ui,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Vec<SlotModule>> {
    let styled = [
        ("header", "header.navStyle", Styles::module(&platform.styles.nav, site.header.nav_style)),
        ("search", "search.style", Styles::module(&platform.styles.search, site.search.style)),
        ("footer", "footer.toolbarStyle", Styles::module(&platform.styles.footer, site.footer.toolbar_style)),
    ];
    let styled =
        styled.into_iter().filter_map(|(slot, key, id)| Some((key.to_owned(), slot.to_owned(), id?.to_owned(), None)));
    let named = site.slots.iter().flat_map(|(slot, uses)| {
        uses.iter().enumerate().map(move |(index, use_)| {
            let key = format!("slots.{slot}[{index}]");
            (
                format!("{key}.module"),
                slot.clone(),
                use_.module.clone(),
                Some((format!("{key}.props"), use_.props.clone())),
            )
        })
    });
    let mut slots: BTreeMap<String, Vec<SlotModule>> = BTreeMap::new();
    for (key, slot, id, props) in styled.chain(named) {
        if slot == "search" && !site.header.search_box {
            continue;
        }
        let message = match ui.module(&id) {
            Some(module) if module.slot == slot => {
                if let Some((key, props)) = &props {
                    diagnostics.extend(property_faults(site, module, key, props));
                }
                let props = props.map_or_else(empty, |(_, props)| props);
                slots.entry(slot).or_default().push(module.with(props));
                continue;
            }
            Some(module) => format!("module {id} fills slot {}, not {slot}", module.slot),
            None => match ui.problems().iter().find(|problem| problem.module == id) {
                Some(problem) => format!("module {id} for slot {slot} cannot be used: {}", problem.message),
                None => format!("there is no module {id} for slot {slot}"),
            },
        };
        let diagnostic = Diagnostic::new(Level::Error, MODULES, &site.sld, key);
        diagnostics.push(diagnostic.says(
            message,
            "name a module that fills this slot; folders with further modules are given with --modules",
        ));
    }
    slots
}

/// What is wrong with the properties that a site gives a module, which it gets all the same: it was built to do without.
fn property_faults<'a>(
    site: &'a Site,
    module: &'a Module,
    key: &'a str,
    props: &'a serde_json::Value,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let faults = module.props_schema.iter().flat_map(move |schema| masthead_runtime::property_faults(schema, props));
    faults.map(move |fault| {
        let message = format!("module {}: {fault}", module.id);
        Diagnostic::new(Level::Error, MODULES, &site.sld, key)
            .says(message, "correct the property; propsSchema in the module's module.json describes them")
    })
}

/// The site's languages and those that its plugins add (hook `navigation.adjust` with an empty route).
async fn languages(site: &Site, chain: &Chain) -> Vec<Lang> {
    if !chain.has_hook(Hook::Navigation) {
        return site.languages.clone();
    }
    let codes = site.languages.iter().map(|lang| lang.code().to_owned()).collect();
    let mut call = chain.begin(site_context(site));
    let menu = call.adjust_navigation(NavigationMenu { channels: Vec::new(), languages: codes }).await;
    let mut languages = site.languages.clone();
    for lang in menu.languages.iter().filter_map(|code| code.parse().ok()) {
        if !languages.contains(&lang) {
            languages.push(lang);
        }
    }
    languages
}

/// Whether machine translation is available: a `translate` plugin may be installed and switched off.
async fn translates(site: &Site, chain: &Chain) -> bool {
    if !chain.has_hook(Hook::Translate) {
        return false;
    }
    let request = TranslationRequest { text: String::new(), source: "auto".to_owned(), target: "en".to_owned() };
    chain.begin(site_context(site)).translate(request).await != FirstAnswer::NoPlugin
}

/// The context of a hook call about the site as a whole, outside any request.
fn site_context(site: &Site) -> RequestContext {
    RequestContext {
        lang: site.default_lang(),
        route: String::new(),
        address: String::new(),
        deadline: Instant::now() + SITE_HOOK_TIMEOUT,
        variant: 0,
        recording: None,
    }
}

/// Whether the text is `http(s)://name[:port]` and nothing else: it is written into a content security policy and must
/// not be able to end the directive.
fn is_origin(text: &str) -> bool {
    url::Url::parse(text)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text)
}

fn empty() -> serde_json::Value {
    serde_json::Value::Object(serde_json::Map::new())
}

fn fingerprint(
    site: &Site,
    theme: &ThemeColor,
    modules: (&BTreeMap<String, Vec<SlotModule>>, &BTreeMap<String, String>),
    chain: &Chain,
) -> u64 {
    let all = serde_json::to_vec(&(site, theme, modules, chain.fingerprint())).unwrap_or_default();
    let digest = Sha256::digest(&all);
    digest.iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
}
