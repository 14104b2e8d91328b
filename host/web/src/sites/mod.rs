//! The table of sites: immutable, swapped whole behind an `ArcSwap`.

pub mod addresses;
pub mod scope;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use masthead_domain::{
    Lang, SiteId,
    site::{Site, ThemeColor},
};
use masthead_runtime::{
    Catalog, Chain, FirstAnswer, Hook, Problem, RequestContext, Runtime,
    hook_types::{NavigationMenu, TranslationRequest},
};
use masthead_store::{Store, StoreError};
use sha2::{Digest as _, Sha256};

use crate::ui::{SlotModule, Ui};

use masthead_config::{Configuration, Platform, Styles};

/// What section texts are translated into by machine, by the specification.
pub const TRANSLATIONS: [Lang; 7] = [Lang::Zh, Lang::En, Lang::Ru, Lang::Ara, Lang::Fra, Lang::Spa, Lang::De];
/// What plugins may take to say what the site as a whole has: its languages, whether it translates.
const QUESTION: Duration = Duration::from_secs(2);

/// A site with all that its configuration stands for.
#[derive(Debug)]
pub struct SiteEntry {
    /// Its configuration.
    pub site: Arc<Site>,
    /// Its colours.
    pub theme: ThemeColor,
    /// Its plugins.
    pub chain: Chain,
    /// Interface languages: those of its configuration, then those that plugins add.
    pub languages: Vec<Lang>,
    /// Whether a plugin translates by machine.
    pub translates: bool,
    /// Origins that plugins' modules may show in a frame, as a content security policy lists them: a space before each.
    pub frames: String,
    /// Modules that its styles and its configuration name, by slot.
    pub slots: BTreeMap<String, Vec<SlotModule>>,
    /// Changes whenever configuration, plugins or modules change.
    pub config_generation: u64,
    /// Number of the site's latest content change; outlives a swap of the table.
    pub content_generation: Arc<AtomicI64>,
    /// What is wrong with its plugins or modules: one sentence each.
    pub problems: Vec<String>,
}

impl SiteEntry {
    /// The content's generation now.
    #[must_use]
    pub fn content(&self) -> i64 {
        self.content_generation.load(Ordering::Acquire)
    }

    /// Languages that section texts can be translated into by machine (specification section 1); none where no plugin translates.
    #[must_use]
    pub fn translations(&self) -> Vec<Lang> {
        if self.translates { TRANSLATIONS.to_vec() } else { Vec::new() }
    }

    /// The language to use where a reader asks for one that the site does not have.
    #[must_use]
    pub fn lang_or_default(&self, wanted: Option<Lang>) -> Lang {
        wanted.filter(|lang| self.languages.contains(lang)).unwrap_or_else(|| self.site.default_lang())
    }
}

/// All sites of the installation.
#[derive(Debug)]
pub struct SiteTable {
    /// What holds for all.
    pub platform: Platform,
    by_sld: BTreeMap<String, Arc<SiteEntry>>,
    by_host: HashMap<String, Arc<SiteEntry>>,
    /// What is wrong with the configuration, plugins or modules: one sentence each.
    pub problems: Vec<String>,
    /// The plugins that it was built with.
    catalog: Catalog,
}

/// What a table is built from besides the configuration.
pub struct World<'a> {
    /// Plugins.
    pub runtime: &'a Runtime,
    /// The plugins that are there.
    pub catalog: &'a Catalog,
    /// Modules.
    pub ui: &'a Ui,
    /// Content.
    pub store: &'a Store,
}

/// Content generations by site, kept over swaps of the table.
pub type Generations = HashMap<SiteId, Arc<AtomicI64>>;

impl SiteTable {
    /// Builds the table of a configuration: plugin chains, modules, generations.
    ///
    /// # Errors
    /// [`StoreError`], when the generations cannot be read.
    pub async fn build(
        configuration: &Configuration,
        world: &World<'_>,
        generations: &mut Generations,
        previous: Option<&Self>,
    ) -> Result<Self, StoreError> {
        let Configuration { platform, sites, problems, .. } = configuration;
        let of_catalog = world.catalog.problems().iter();
        let mut table = Self {
            platform: platform.clone(),
            by_sld: BTreeMap::new(),
            by_host: HashMap::new(),
            problems: problems.clone(),
            catalog: world.catalog.clone(),
        };
        table.problems.extend(of_catalog.map(|problem| format!("plugin {}: {}", problem.plugin, problem.message)));
        // Unless plugins or the platform changed, a site whose configuration is the same is taken over whole.
        let same = previous.filter(|old| old.catalog.is_same(world.catalog) && old.platform == *platform);
        for (sld, site) in sites {
            let old = previous.and_then(|table| table.by_sld(sld));
            let kept = same.and(old).filter(|entry| entry.site == *site && entry.chain.problems().is_empty());
            let entry = match kept {
                Some(entry) => Some(Arc::clone(entry)),
                None => entry(site, platform, world, generations, old).await?,
            };
            if let Some(entry) = entry {
                table.add(sld, entry);
            }
        }
        Ok(table)
    }

    fn add(&mut self, sld: &str, entry: Arc<SiteEntry>) {
        self.problems.extend(entry.problems.iter().cloned());
        self.by_host.insert(format!("{sld}.{}", self.platform.domain.to_lowercase()), Arc::clone(&entry));
        for domain in &entry.site.domains {
            self.by_host.insert(domain.to_lowercase(), Arc::clone(&entry));
        }
        self.by_sld.insert(sld.to_owned(), entry);
    }

    /// The site with this short name.
    #[must_use]
    pub fn by_sld(&self, sld: &str) -> Option<&Arc<SiteEntry>> {
        self.by_sld.get(sld)
    }

    /// The site with this number.
    #[must_use]
    pub fn by_id(&self, id: SiteId) -> Option<&Arc<SiteEntry>> {
        self.by_sld.values().find(|entry| entry.site.id == id)
    }

    /// The site that answers under a host name (in lower case, without port).
    #[must_use]
    pub fn by_host(&self, host: &str) -> Option<&Arc<SiteEntry>> {
        self.by_host.get(host)
    }

    /// Whether the first path segment names the site under this host.
    #[must_use]
    pub fn is_path_host(&self, host: &str) -> bool {
        self.platform.path_hosts.iter().any(|name| name.eq_ignore_ascii_case(host))
    }

    /// All sites, by short name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<SiteEntry>> {
        self.by_sld.values()
    }
}

/// Builds one site: its chain, its modules, its generations. `None` when its theme is none of the platform's.
async fn entry(
    site: &Arc<Site>,
    platform: &Platform,
    world: &World<'_>,
    generations: &mut Generations,
    old: Option<&Arc<SiteEntry>>,
) -> Result<Option<Arc<SiteEntry>>, StoreError> {
    let (sld, before) = (&site.sld, old.map(|entry| &entry.chain));
    let chain = world.runtime.build_chain((site.id, sld), world.catalog, &site.plugins, before).await;
    let words = |problem: &Problem| format!("site {sld}: plugin {}: {}", problem.plugin, problem.message);
    let mut problems: Vec<_> = chain.problems().iter().map(words).collect();
    let content_generation = match generations.get(&site.id) {
        Some(known) => Arc::clone(known),
        None => {
            let now = Arc::new(AtomicI64::new(world.store.site(site.id).generation().await?));
            generations.insert(site.id, Arc::clone(&now));
            now
        }
    };
    let slots = slots(site, platform, world.ui, &mut problems);
    let Some(theme) = platform.themes.iter().find(|theme| theme.color_id == site.color_id).cloned() else {
        return Ok(None);
    };
    let config_generation = fingerprint(site, &theme, &slots, &chain);
    let languages = languages(site, &chain).await;
    let translates = translates(site, &chain).await;
    let frames = chain.frames().into_iter().filter(|origin| is_origin(origin));
    let frames = frames.map(|origin| format!(" {origin}")).collect();
    Ok(Some(Arc::new(SiteEntry {
        site: Arc::clone(site),
        theme,
        chain,
        languages,
        translates,
        frames,
        slots,
        config_generation,
        content_generation,
        problems,
    })))
}

/// The modules of the site's styles, then those that it names itself.
fn slots(site: &Site, platform: &Platform, ui: &Ui, problems: &mut Vec<String>) -> BTreeMap<String, Vec<SlotModule>> {
    let styled = [
        ("header", Styles::module(&platform.styles.nav, site.header.nav_style)),
        ("search", Styles::module(&platform.styles.search, site.search.style)),
        ("footer", Styles::module(&platform.styles.footer, site.footer.toolbar_style)),
    ];
    let styled = styled.into_iter().filter_map(|(slot, id)| Some((slot.to_owned(), id?.to_owned(), empty())));
    let named = site
        .slots
        .iter()
        .flat_map(|(slot, uses)| uses.iter().map(move |use_| (slot.clone(), use_.module.clone(), use_.props.clone())));
    let mut slots: BTreeMap<String, Vec<SlotModule>> = BTreeMap::new();
    for (slot, id, props) in styled.chain(named) {
        if slot == "search" && !site.header.search_box {
            continue;
        }
        match ui.module(&id) {
            Some(module) if module.slot == slot => slots.entry(slot).or_default().push(module.with(props)),
            Some(module) => {
                problems.push(format!("site {}: module {id} is made for slot {}, not {slot}", site.sld, module.slot));
            }
            None => problems.push(format!("site {}: there is no module {id} for slot {slot}", site.sld)),
        }
    }
    slots
}

/// The site's languages, and those that its plugins add (hook `navigation.adjust` with an empty route).
async fn languages(site: &Site, chain: &Chain) -> Vec<Lang> {
    if !chain.has_hook(Hook::Navigation) {
        return site.languages.clone();
    }
    let codes = site.languages.iter().map(|lang| lang.code().to_owned()).collect();
    let mut call = chain.begin(question(site));
    let menu = call.adjust_navigation(NavigationMenu { channels: Vec::new(), languages: codes }).await;
    let mut languages = site.languages.clone();
    for lang in menu.languages.iter().filter_map(|code| code.parse().ok()) {
        if !languages.contains(&lang) {
            languages.push(lang);
        }
    }
    languages
}

/// Whether translation is switched on: a plugin may be there and be off.
async fn translates(site: &Site, chain: &Chain) -> bool {
    if !chain.has_hook(Hook::Translate) {
        return false;
    }
    let request = TranslationRequest { text: String::new(), source: "auto".to_owned(), target: "en".to_owned() };
    chain.begin(question(site)).translate(request).await != FirstAnswer::NoPlugin
}

/// A question about the site as a whole, for which no page waits.
fn question(site: &Site) -> RequestContext {
    RequestContext {
        lang: site.default_lang(),
        route: String::new(),
        address: String::new(),
        deadline: Instant::now() + QUESTION,
        variant: 0,
        recording: None,
    }
}

/// `https://name[:port]`: what a content security policy takes, and nothing that could end the directive.
fn is_origin(text: &str) -> bool {
    url::Url::parse(text)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text)
}

fn empty() -> serde_json::Value {
    serde_json::Value::Object(serde_json::Map::new())
}

fn fingerprint(site: &Site, theme: &ThemeColor, slots: &BTreeMap<String, Vec<SlotModule>>, chain: &Chain) -> u64 {
    let all = serde_json::to_vec(&(site, theme, slots, chain.fingerprint())).unwrap_or_default();
    let digest = Sha256::digest(&all);
    digest.iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
}
