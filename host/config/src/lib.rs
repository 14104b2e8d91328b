//! Site configuration in figment layers that record the origin of each value.
//!
//! The layers, each overriding the one before: platform (`[site]` of `platform.toml`), group, site, environment, settings saved by
//! administrators. A layer can lock keys, so that later layers cannot override them.
//!
//! What it is: reading, merging and checking the configuration files of a folder, with the origin of every value.
//! What it is not: it stores no settings (saved ones are passed in) and builds no plugin chains.
//! Who may depend on it: `content`, `web` and `cli`; it depends on `domain` alone.

mod explain;
mod layers;
mod platform;
mod proxies;
mod sheet;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use figment::Figment;
use masthead_domain::{
    link,
    site::{Library, Site, search_fields, search_type},
};

pub use self::explain::{Explanation, explain};
pub use self::layers::{Layer, Layers};
pub use self::platform::{Connections, Imports, Platform, PublicAddress, Scheme, Styles};
pub use self::proxies::{ForwardedHeaders, Networks, Proxies};

/// Settings saved by administrators, by site number, as `(dotted key, value)`.
pub type Saved = BTreeMap<i64, Vec<(String, serde_json::Value)>>;

/// The configuration of all sites of a folder.
#[derive(Debug)]
pub struct Configuration {
    /// Settings of the whole installation.
    pub platform: Platform,
    /// Sites by short name.
    pub sites: BTreeMap<String, Arc<Site>>,
    /// Layers by short name, for `config explain`.
    pub layers: BTreeMap<String, Arc<Layers>>,
    /// Results by short name, so that reading again rebuilds only the sites whose sources changed.
    made: BTreeMap<String, Made>,
    /// Messages about sites that cannot be used and values that were ignored.
    pub problems: Vec<String>,
}

/// The result of building a site, with the fingerprint of its sources.
#[derive(Clone, Debug)]
struct Made {
    sources: u64,
    site: Option<Arc<Site>>,
    layers: Option<Arc<Layers>>,
    problems: Vec<String>,
}

/// An error because of which a whole configuration folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file cannot be read.
    #[error("reading {path}: {source}; give the folder of sites with --sites")]
    Read {
        /// The file.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    /// A file is not TOML.
    #[error("{path} is not valid TOML: {source}")]
    Toml {
        /// The file.
        path: String,
        /// The parser's message with line and column.
        source: Box<toml::de::Error>,
    },
    /// The settings of the platform are invalid.
    #[error("{path}: {message}")]
    Platform {
        /// The file.
        path: String,
        /// The problem.
        message: String,
    },
}

impl Configuration {
    /// Reads `platform.toml`, `groups/*.toml` and `*.toml` in a folder. An invalid site is omitted and reported in `problems`; it does
    /// not affect other sites.
    ///
    /// # Errors
    /// [`ConfigError`], if `platform.toml` is missing or invalid: without it, no site can be resolved.
    pub fn read(folder: &Path, saved: &Saved) -> Result<Self, ConfigError> {
        Self::read_after(folder, saved, None)
    }

    /// The same, with `last_platform` in place of a `platform.toml` that is there and invalid, which is reported in `problems`.
    ///
    /// # Errors
    /// As [`Self::read`], if `last_platform` cannot be used either.
    pub fn read_with_last(folder: &Path, last_platform: &Path, saved: &Saved) -> Result<Self, ConfigError> {
        match Self::read(folder, saved) {
            Err(error @ (ConfigError::Toml { .. } | ConfigError::Platform { .. })) => {
                let Ok(mut configuration) = Self::read_from(last_platform, folder, saved, None) else {
                    return Err(error);
                };
                configuration
                    .problems
                    .push(format!("{error}; the last good platform.toml, which is kept in the data folder, is in use"));
                Ok(configuration)
            }
            read => read,
        }
    }

    /// The same as [`Self::read`], reusing the sites of an earlier configuration whose sources have not changed.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_after(folder: &Path, saved: &Saved, before: Option<&Self>) -> Result<Self, ConfigError> {
        Self::read_from(&folder.join("platform.toml"), folder, saved, before)
    }

    fn read_from(
        platform_file: &Path,
        folder: &Path,
        saved: &Saved,
        before: Option<&Self>,
    ) -> Result<Self, ConfigError> {
        let (platform, platform_layer) = platform::read(platform_file)?;
        let groups = layers::read_folder(&folder.join("groups"));
        let shared = layers::fingerprint(&platform_layer, &groups, &platform, saved);
        let mut configuration = Self {
            platform,
            sites: BTreeMap::new(),
            layers: BTreeMap::new(),
            made: BTreeMap::new(),
            problems: Vec::new(),
        };
        for (name, group) in &groups {
            if let Err(problem) = group {
                configuration.problems.push(format!("group {name}: {problem}"));
            }
        }
        for (sld, path) in layers::files(folder) {
            if sld == "platform" {
                continue;
            }
            let text = std::fs::read_to_string(&path);
            let sources = layers::sources(shared, &sld, text.as_deref().ok());
            let made = match before.and_then(|before| before.made.get(&sld)).filter(|made| made.sources == sources) {
                Some(made) => made.clone(),
                None => {
                    let layer = layers::parse(&path, text).map_err(|error| error.to_string());
                    let stacked = layer.and_then(|layer| Layers::stack(&sld, &platform_layer, &groups, layer, saved));
                    Made { sources, ..configuration.make(&sld, stacked) }
                }
            };
            configuration.add(sld, made);
        }
        configuration.drop_clashes();
        Ok(configuration)
    }

    fn add(&mut self, sld: String, made: Made) {
        self.problems.extend(made.problems.iter().cloned());
        if let Some(site) = &made.site {
            self.sites.insert(sld.clone(), Arc::clone(site));
        }
        if let Some(layers) = &made.layers {
            self.layers.insert(sld.clone(), Arc::clone(layers));
        }
        self.made.insert(sld, made);
    }

    fn make(&self, sld: &str, stacked: Result<Layers, String>) -> Made {
        let mut made = Made { sources: 0, site: None, layers: None, problems: Vec::new() };
        let unserved = |problem: String| format!("site {sld}: {problem}; it is not served");
        let layers = match stacked {
            Ok(layers) => layers,
            Err(problem) => {
                made.problems.push(unserved(problem));
                return made;
            }
        };
        made.problems.extend(layers.ignored.iter().map(|ignored| format!("site {sld}: {ignored}")));
        match layers.figment().extract::<Site>() {
            Ok(site) => {
                let mut faults = check(&site, &self.platform);
                faults.extend(refused_links(&site, &layers));
                if faults.is_empty() {
                    made.site = Some(Arc::new(site));
                } else {
                    made.problems.push(unserved(faults.join("; ")));
                }
            }
            Err(error) => {
                let faults: Vec<_> = error.into_iter().map(|fault| fault.to_string()).collect();
                made.problems.push(unserved(faults.join("; ")));
            }
        }
        made.layers = Some(Arc::new(layers));
        made
    }

    /// Omits sites whose number or domain is used by another site: the first by name is kept, because it is unknown which one is meant.
    fn drop_clashes(&mut self) {
        let mut ids = BTreeMap::new();
        let mut hosts = BTreeMap::new();
        let mut dropped = Vec::new();
        for (sld, site) in &self.sites {
            if let Some(other) = ids.insert(site.id, sld.clone()) {
                dropped.push((sld.clone(), format!("site {sld}: id {} is already used by site {other}", site.id)));
                continue;
            }
            for domain in &site.domains {
                if let Some(other) = hosts.insert(domain.to_lowercase(), sld.clone()) {
                    dropped.push((sld.clone(), format!("site {sld}: domain {domain} is already used by site {other}")));
                }
            }
        }
        for (sld, problem) in dropped {
            self.sites.remove(&sld);
            self.problems.push(format!("{problem}; it is not served"));
        }
    }
}

/// The text of `platform.toml` in a folder, if it can be used.
#[must_use]
pub fn valid_platform(folder: &Path) -> Option<String> {
    platform::valid(&folder.join("platform.toml"))
}

/// First path segments that the host itself serves; a site cannot have one of these as its short name.
pub const RESERVED: [&str; 13] = [
    "assets",
    "media",
    "rc-pub",
    "static",
    "plugins",
    "healthz",
    "readyz",
    "metrics",
    "openapi.json",
    "errorPage",
    "forbiddenPage",
    "favicon.ico",
    "robots.txt",
];

fn check(site: &Site, platform: &Platform) -> Vec<String> {
    let mut faults = Vec::new();
    let plain = |text: &str| {
        !text.is_empty()
            && text.len() <= 63
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    if !plain(&site.sld) || site.sld.starts_with('-') || site.sld.ends_with('-') {
        faults.push("the file name must be a host label: lower-case letters, digits and inner hyphens".to_owned());
    }
    if RESERVED.contains(&site.sld.as_str()) || site.sld.parse::<masthead_domain::Lang>().is_ok() {
        faults.push(format!("the name {:?} is reserved by the host", site.sld));
    }
    if site.id.0 <= 0 {
        faults.push("id must be positive".to_owned());
    }
    if site.languages.is_empty() {
        faults.push("languages must list at least one language".to_owned());
    }
    if !platform.themes.iter().any(|theme| theme.color_id == site.color_id) {
        faults.push(format!("colorId {} is not a theme of the platform", site.color_id));
    }
    faults.extend(condition_faults(site));
    faults.extend(host_faults(site, platform));
    if jiff::tz::TimeZone::get(&site.time_zone).is_err() {
        faults.push(format!(
            "timeZone {:?} is not a time zone of the IANA database, such as Asia/Shanghai",
            site.time_zone
        ));
    }
    if let Some(fault) = sheet::fault(&site.header.config_data.css_content) {
        faults.push(format!("header.configData.cssContent {fault}"));
    }
    if site.name.is_empty() {
        faults.push("name is empty in every language".to_owned());
    }
    faults
}

/// The names that are no names of the site, though addresses and identifiers would have them.
fn host_faults(site: &Site, platform: &Platform) -> Vec<String> {
    let mut faults = Vec::new();
    let (host, namespace) = (&site.canonical.host, &site.library.oai_namespace);
    let own = format!("{}.{}", site.sld, platform.domain);
    if !host.is_empty() && !site.domains.iter().chain([&own]).any(|name| name.eq_ignore_ascii_case(host)) {
        faults
            .push(format!("canonical.host {host:?} is no host name of the site: add it to domains, or write {own:?}"));
    }
    if site.canonical.redirect && host.is_empty() {
        faults.push("canonical.redirect needs canonical.host, the host to redirect to".to_owned());
    }
    if !namespace.is_empty() && !Library::is_oai_namespace(namespace) {
        faults.push(format!(
            "library.oaiNamespace {namespace:?} is no namespace of OAI identifiers: write a host name with a dot, such as journal.example.org"
        ));
    }
    faults
}

/// The search conditions that no search would accept: of an unknown type, or with a field that the type does not have.
fn condition_faults(site: &Site) -> Vec<String> {
    let mut faults = Vec::new();
    for (kind, conditions) in &site.search.conditions {
        if search_type(kind) != Some(kind.as_str()) {
            faults.push(format!("search.conditions.{kind}: no search type has this name"));
            continue;
        }
        let fields = search_fields(kind);
        for condition in conditions.iter().filter(|own| !fields.iter().any(|field| field.field == own.field)) {
            faults.push(format!(
                "search.conditions.{kind} offers the field {:?}, which is not searched in this type",
                condition.field
            ));
        }
    }
    faults
}

/// The links of a site that no page may have, each with its key and the layer that sets it. Those of disabled channels and buttons are
/// checked too, because a later layer may enable them.
fn refused_links(site: &Site, layers: &Layers) -> Vec<String> {
    let (header, footer) = (&site.header, &site.footer);
    // The key, the address, and whether a link to another server is required.
    let mut links = vec![
        ("header.groupEntrance", &header.group_entrance, false),
        ("footer.linkAddress", &footer.link_address, false),
        ("footer.picpLink", &footer.picp_link, false),
    ];
    for channel in &site.channels {
        links.push(("channels", &channel.link_value, channel.code == "jump"));
    }
    for (key, buttons) in [
        ("header.customButtonList", &header.custom_button_list),
        ("header.configData.customButtonList", &header.config_data.custom_button_list),
    ] {
        for button in buttons {
            links.push((key, &button.custom_button_link_value, button.custom_button_status == 1));
        }
    }
    let is_refused = |address: &str, required: bool| {
        if required { !link::is_web(address) } else { !address.is_empty() && !link::is_own_or_web(address) }
    };
    links
        .into_iter()
        .filter(|(_, address, required)| is_refused(address, *required))
        .map(|(key, address, _)| {
            let (layer, source) =
                explain(layers, key).into_iter().next().map(|explanation| explanation.from).unwrap_or_default();
            format!("{key} links to {address:?}, which is not an http(s) address (set by {layer}, {source})")
        })
        .collect()
}

impl Layers {
    /// The layers merged in figment, each with its own metadata.
    #[must_use]
    pub fn figment(&self) -> Figment {
        self.all.iter().fold(Figment::new(), |figment, layer| figment.merge(layer.clone()))
    }
}

#[cfg(test)]
mod tests;
