//! Site configuration in figment layers that record the origin of each value.
//!
//! The layers, each overriding the one before: platform (`[site]` of `platform.toml`), group, site, environment, settings saved by
//! administrators. A layer can lock keys, so that later layers cannot override them.
//!
//! What it is: reading, merging and checking the configuration files of a folder, with the origin of every value.
//! What it is not: it stores no settings (saved ones are passed in) and builds no plugin chains.
//! Who may depend on it: `content`, `web` and `cli`; it depends on `domain` alone.

mod access;
mod accounts;
mod diagnostic;
mod explain;
mod home;
mod layers;
mod lines;
mod mail;
mod platform;
mod providers;
mod proxies;
mod reference;
mod search;
mod sheet;
mod shown;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use figment::{Figment, error::Kind};
use masthead_domain::{
    link,
    site::{Library, Site},
};

pub use self::diagnostic::{Diagnostic, Level, Locator};
pub use self::explain::{Explanation, explain, explain_platform};
pub use self::layers::{Ignored, Layer, Layers, SAVED};
pub use self::mail::{Alerts, Mail, MailEncryption};
pub use self::platform::{CONSOLE, Connections, Imports, Platform, Plugins, PublicAddress, Retention, Scheme, Styles};
pub use self::proxies::{ForwardedHeaders, Proxies};
pub use self::reference::{Key, NOT_USED_YET, markdown, platform_keys, site_keys};
pub use self::sheet::{files as sheet_files, scoped as scoped_sheet};
pub use self::shown::without_secrets;

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
    /// The same, each with its key; a site with several faults has one for each.
    pub diagnostics: Vec<Diagnostic>,
}

/// The result of building a site, with the fingerprint of its sources.
#[derive(Clone, Debug)]
struct Made {
    sources: u64,
    site: Option<Arc<Site>>,
    layers: Option<Arc<Layers>>,
    problems: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

/// A setting because of which a site cannot be used.
struct Fault {
    key: String,
    message: String,
    fix: &'static str,
}

impl Fault {
    fn new(key: impl Into<String>, message: impl Into<String>, fix: &'static str) -> Self {
        Self { key: key.into(), message: message.into(), fix }
    }
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
        let (platform, platform_layer) = platform::read(platform_file, folder)?;
        let groups = layers::read_folder(&folder.join("groups"));
        let shared = layers::fingerprint(&platform_layer, &groups, &platform, saved);
        let mut configuration = Self {
            platform,
            sites: BTreeMap::new(),
            layers: BTreeMap::new(),
            made: BTreeMap::new(),
            problems: Vec::new(),
            diagnostics: Vec::new(),
        };
        for (name, group) in &groups {
            if let Err(problem) = group {
                configuration.problems.push(format!("group {name}: {problem}"));
                configuration.diagnostics.push(file_diagnostic("", problem, &format!("group {name}: ")));
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
                    let stacked = match layers::parse(&path, text) {
                        Ok(layer) => Layers::stack(&sld, &platform_layer, &groups, layer, saved).map_err(|message| {
                            let diagnostic = Diagnostic::new(Level::Error, CHECK, &sld, "group");
                            (
                                diagnostic.says(&message, "correct the name of the group, or its file in groups/"),
                                message,
                            )
                        }),
                        Err(error) => Err((file_diagnostic(&sld, &error, ""), error.to_string())),
                    };
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
        self.diagnostics.extend(made.diagnostics.iter().cloned());
        if let Some(site) = &made.site {
            self.sites.insert(sld.clone(), Arc::clone(site));
        }
        if let Some(layers) = &made.layers {
            self.layers.insert(sld.clone(), Arc::clone(layers));
        }
        self.made.insert(sld, made);
    }

    fn make(&self, sld: &str, stacked: Result<Layers, (Diagnostic, String)>) -> Made {
        let mut made = Made { sources: 0, site: None, layers: None, problems: Vec::new(), diagnostics: Vec::new() };
        let layers = match stacked {
            Ok(layers) => layers,
            Err((diagnostic, problem)) => {
                made.problems.push(format!("site {sld}: {problem}; it is not served"));
                made.diagnostics.push(Diagnostic { message: unserved(&diagnostic.message), ..diagnostic });
                return made;
            }
        };
        for ignored in &layers.ignored {
            made.problems.push(format!("site {sld}: {ignored}"));
            let mut diagnostic = Diagnostic::new(Level::Error, CHECK, sld, ignored.key.as_str());
            diagnostic.file.clone_from(&ignored.source);
            let message = format!("it is ignored: {} locks it", ignored.locked_by);
            made.diagnostics.push(diagnostic.says(message, "remove the line, or the lock"));
        }
        let faults = match layers.figment().extract::<Site>() {
            Ok(site) => {
                let mut faults = check(&site, &self.platform);
                faults.extend(refused_links(&site, &layers));
                if faults.is_empty() {
                    made.site = Some(Arc::new(site));
                }
                faults
            }
            Err(error) => error.into_iter().map(|error| type_fault(&error)).collect(),
        };
        if !faults.is_empty() {
            let messages: Vec<_> = faults.iter().map(|fault| fault.message.as_str()).collect();
            made.problems.push(format!("site {sld}: {}; it is not served", messages.join("; ")));
        }
        made.diagnostics.extend(faults.into_iter().map(|Fault { key, message, fix }| {
            Diagnostic::new(Level::Error, CHECK, sld, key).says(unserved(&message), fix)
        }));
        made.layers = Some(Arc::new(layers));
        made
    }

    /// Omits sites whose number or domain is used by another site: the first by name is kept, because it is unknown which one is meant.
    fn drop_clashes(&mut self) {
        let mut ids = BTreeMap::new();
        // Every site has a host name of the platform, which no other site may take.
        let of_platform = |sld: &String| (format!("{sld}.{}", self.platform.domain).to_lowercase(), sld.clone());
        let mut hosts: BTreeMap<String, String> = self.sites.keys().map(of_platform).collect();
        let mut dropped = Vec::new();
        for (sld, site) in &self.sites {
            if let Some(other) = ids.get(&site.id) {
                dropped.push((sld.clone(), "id".to_owned(), format!("id {} is already used by site {other}", site.id)));
                continue;
            }
            ids.insert(site.id, sld.clone());
            for (index, domain) in site.domains.iter().enumerate() {
                let name = domain.to_lowercase();
                if let Some(other) = hosts.get(&name).filter(|other| *other != sld) {
                    let problem = format!("domain {domain} is already used by site {other}");
                    dropped.push((sld.clone(), format!("domains[{index}]"), problem));
                    continue;
                }
                hosts.insert(name, sld.clone());
            }
        }
        for (sld, key, problem) in dropped {
            self.sites.remove(&sld);
            self.problems.push(format!("site {sld}: {problem}; it is not served"));
            let diagnostic = Diagnostic::new(Level::Error, CHECK, &sld, key);
            self.diagnostics
                .push(diagnostic.says(unserved(&problem), "give each site a number and domains of its own"));
        }
    }
}

/// The text of `platform.toml` in a folder, if it can be used.
#[must_use]
pub fn valid_platform(folder: &Path) -> Option<String> {
    platform::valid(&folder.join("platform.toml"), folder)
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

/// The name of this crate's check in diagnostics.
const CHECK: &str = "configuration";
/// The key of the link to the group's site, which may name a site in place of an address.
const GROUP_ENTRANCE: &str = "header.groupEntrance";

fn unserved(message: &str) -> String {
    format!("{message}; the site is not served")
}

/// A diagnostic about a file that cannot be read or parsed.
fn file_diagnostic(site: &str, error: &ConfigError, before: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(Level::Error, CHECK, site, "");
    let (file, line) = match error {
        ConfigError::Read { path, .. } | ConfigError::Platform { path, .. } => (path, None),
        ConfigError::Toml { path, source } => {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            (path, source.span().map(|span| lines::line_at(&text, span.start)))
        }
    };
    let file = file.clone();
    Diagnostic { file, line, ..diagnostic.says(format!("{before}{error}"), "correct the file") }
}

/// A value that is missing, unknown or of another type than its key.
fn type_fault(error: &figment::Error) -> Fault {
    let mut key = String::new();
    // The path of an unknown key ends with it; that of a missing one ends with the table that lacks it.
    let last = match &error.kind {
        Kind::MissingField(name) => Some(&**name),
        _ => None,
    };
    for part in error.path.iter().map(String::as_str).chain(last) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            key.push_str(&format!("[{part}]"));
        } else {
            let point = if key.is_empty() { "" } else { "." };
            key.push_str(&format!("{point}{part}"));
        }
    }
    Fault::new(key, error.to_string(), "docs/configuration.md lists the keys with their types and values")
}

/// Whether a text has the form of a site's short name, which is a host label.
fn is_short_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.len() <= 63 && text.bytes().all(plain) && !text.starts_with('-') && !text.ends_with('-')
}

fn check(site: &Site, platform: &Platform) -> Vec<Fault> {
    let mut faults = Vec::new();
    if !is_short_name(&site.sld) {
        let message = "the file name must be a host label: lower-case letters, digits and inner hyphens";
        faults.push(Fault::new("", message, "rename the file"));
    }
    let names_a_language = site.sld.parse::<masthead_domain::Lang>().is_ok();
    if RESERVED.contains(&site.sld.as_str()) || site.sld == CONSOLE || names_a_language {
        faults.push(Fault::new("", format!("the name {:?} is reserved by the host", site.sld), "rename the file"));
    }
    if site.id.0 <= 0 {
        faults.push(Fault::new("id", "id must be positive", "give the site a number from 1 up"));
    }
    if site.languages.is_empty() {
        let fix = "write languages = [\"zh\", \"en\"]";
        faults.push(Fault::new("languages", "languages must list at least one language", fix));
    }
    if !platform.themes.iter().any(|theme| theme.color_id == site.color_id) {
        let message = format!("colorId {} is not a theme of the platform", site.color_id);
        faults.push(Fault::new("colorId", message, "use the colorId of one of [[themes]] in platform.toml"));
    }
    faults.extend(search::faults(site));
    faults.extend(home::faults(site));
    faults.extend(access::faults(site));
    faults.extend(accounts::faults(site));
    faults.extend(providers::faults(site));
    faults.extend(host_faults(site, platform));
    if jiff::tz::TimeZone::get(&site.time_zone).is_err() {
        let message =
            format!("timeZone {:?} is not a time zone of the IANA database, such as Asia/Shanghai", site.time_zone);
        faults.push(Fault::new("timeZone", message, "use a name of the IANA database"));
    }
    if let Some(fault) = sheet::fault(&site.header.config_data.css_content) {
        let key = "header.configData.cssContent";
        faults.push(Fault::new(key, format!("{key} {fault}"), "correct the style sheet"));
    }
    if site.name.is_empty() {
        faults.push(Fault::new("name", "name is empty in every language", "write the name of the site"));
    }
    faults
}

/// The names that are no names of the site, though addresses and identifiers would have them.
fn host_faults(site: &Site, platform: &Platform) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (host, namespace) = (&site.canonical.host, &site.library.oai_namespace);
    let own = format!("{}.{}", site.sld, platform.domain);
    if !host.is_empty() && !site.domains.iter().chain([&own]).any(|name| name.eq_ignore_ascii_case(host)) {
        let message = format!("canonical.host {host:?} is no host name of the site, as {own:?} is");
        faults.push(Fault::new("canonical.host", message, "add it to domains, or write a host name of the site"));
    }
    let console = platform.console_host();
    if let Some(index) = site.domains.iter().position(|name| name.eq_ignore_ascii_case(&console)) {
        let message = format!("domains has {console:?}, the host at which administrators sign in");
        faults.push(Fault::new(format!("domains[{index}]"), message, "remove it: no site shares a host with them"));
    }
    if site.canonical.redirect && host.is_empty() {
        let message = "canonical.redirect needs canonical.host, the host to redirect to";
        faults.push(Fault::new("canonical.redirect", message, "write canonical.host"));
    }
    if !namespace.is_empty() && !Library::is_oai_namespace(namespace) {
        let message = format!("library.oaiNamespace {namespace:?} is no namespace of OAI identifiers");
        faults.push(Fault::new(
            "library.oaiNamespace",
            message,
            "write a host name with a dot, such as journal.example.org",
        ));
    }
    faults
}

/// The links of a site that no page may have, each with its key and the layer that sets it. Those of disabled channels and buttons are
/// checked too, because a later layer may enable them.
fn refused_links(site: &Site, layers: &Layers) -> Vec<Fault> {
    let (header, footer) = (&site.header, &site.footer);
    // The key that layers set, the rest of the key, the address, and whether a link to another server is required.
    let mut links = vec![
        ("footer.linkAddress", String::new(), &footer.link_address, false),
        ("footer.picpLink", String::new(), &footer.picp_link, false),
        ("search.quickEntry", ".linkValue".to_owned(), &site.search.quick_entry.link_value, false),
    ];
    // Whether there is a site with the short name, `masthead doctor` says: a site is served without the one that it names.
    if !is_short_name(&header.group_entrance) {
        links.push((GROUP_ENTRANCE, String::new(), &header.group_entrance, false));
    }
    // Channels of texts name them here, by a key that is no address.
    let is_key = |value: &str| value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    for (index, channel) in site.channels.iter().enumerate() {
        if !matches!(channel.code.as_str(), "jump" | "newLink") && is_key(&channel.link_value) {
            continue;
        }
        links.push(("channels", format!("[{index}].linkValue"), &channel.link_value, channel.code == "jump"));
    }
    for (key, buttons) in [
        ("header.customButtonList", &header.custom_button_list),
        ("header.configData.customButtonList", &header.config_data.custom_button_list),
    ] {
        for (index, button) in buttons.iter().enumerate() {
            let rest = format!("[{index}].customButtonLinkValue");
            links.push((key, rest, &button.custom_button_link_value, button.custom_button_status == 1));
        }
    }
    let is_refused = |address: &str, required: bool| {
        if required { !link::is_web(address) } else { !address.is_empty() && !link::is_own_or_web(address) }
    };
    links
        .into_iter()
        .filter(|(_, _, address, required)| is_refused(address, *required))
        .map(|(key, rest, address, _)| {
            let set_by = layers.place(key).map(|(layer, _)| (layer.name.as_str(), layer.source.as_str()));
            let (layer, source) = set_by.unwrap_or_default();
            let (or_name, fix) = if key == GROUP_ENTRANCE {
                (
                    " or the short name of a site",
                    "write an address that begins with https:// or http://, or the short name of a site",
                )
            } else {
                ("", "write an address that begins with https:// or http://")
            };
            let message = format!(
                "{key} links to {address:?}, which is not an http(s) address{or_name} (set by {layer}, {source})"
            );
            Fault::new(format!("{key}{rest}"), message, fix)
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
