//! Settings of the whole installation: `platform.toml` without its section `[site]`.

use std::{collections::BTreeMap, path::Path};

use masthead_domain::site::ThemeColor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Alerts, ConfigError, Mail, Proxies,
    layers::{self, Layer},
};

/// Fewest readers of a suggested search text: a text of one reader is never shown to others.
const MIN_HOT_WORD_READERS: u32 = 2;

const fn hot_word_readers() -> u32 {
    3
}

/// The platform's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Platform {
    /// Base domain: a site is served at `<sld>.<domain>` in addition to its own domains.
    pub domain: String,
    /// Host names on which the first path segment is the short name of the site.
    #[serde(default)]
    pub path_hosts: Vec<String>,
    /// Whether `/` on such a host lists the sites.
    #[serde(default)]
    pub directory: bool,
    /// Days after which the files of removed articles are deleted from the data folder, at least 1.
    #[serde(default = "removed_files_days")]
    pub removed_files_days: u32,
    /// How readers reach the host.
    #[serde(default)]
    pub public: PublicAddress,
    /// Limits of the readers' connections.
    #[serde(default)]
    pub connections: Connections,
    /// The reverse proxies in front of the host.
    #[serde(default)]
    pub proxies: Proxies,
    /// Number of different readers who must search for a text on one day before it is suggested to others.
    #[serde(default = "hot_word_readers")]
    pub hot_word_readers: u32,
    /// Modules of the style ids.
    pub styles: Styles,
    /// Theme presets.
    pub themes: Vec<ThemeColor>,
    /// Limits of the process that imports an upload.
    #[serde(default)]
    pub imports: Imports,
    /// Limits of plugins.
    #[serde(default)]
    pub plugins: Plugins,
    /// How long messages and marks of alerts are kept. What members leave behind is kept as their site says (`retention` of a site).
    #[serde(default)]
    pub retention: Retention,
    /// How mail is sent.
    #[serde(default)]
    pub mail: Mail,
    /// When subscribers are told of new items.
    #[serde(default)]
    pub alerts: Alerts,
}

/// Limits of the plugins of all sites. They are read when the host starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Plugins {
    /// Factor of the time limits of plugins, from 1 to 100: above 1 for a machine that is slow or shared, on which plugins exceed their limits and
    /// pages lack what they contribute.
    pub time_factor: f64,
}

impl Default for Plugins {
    fn default() -> Self {
        Self { time_factor: 1.0 }
    }
}

impl Plugins {
    /// A factor that cannot be used, with the reason.
    fn fault(&self) -> Option<String> {
        (!(1.0..=100.0).contains(&self.time_factor))
            .then(|| format!("plugins.timeFactor is {}; it must be from 1 to 100", self.time_factor))
    }
}

/// How long the host keeps what is of use for a while only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Retention {
    /// Days for which mail and text messages are kept that could not be sent; those that were sent are deleted at once.
    pub message_days: u32,
    /// Days for which the host remembers that it has told a subscriber of an item, so that it tells nobody twice. It remembers it for as long as
    /// an item is news (`alerts.newDays`) in any case.
    pub alert_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self { message_days: 30, alert_days: 400 }
    }
}

impl Retention {
    /// A time that cannot be used, with the reason.
    fn fault(&self) -> Option<String> {
        (self.message_days == 0 || self.alert_days < 30).then(|| {
            "retention: messageDays must be at least 1, and alertDays at least 30, so that no subscriber is told twice".to_owned()
        })
    }
}

/// First label of the name of the host at which administrators sign in, below the platform's domain. No site has it as its short name.
pub const CONSOLE: &str = "console";

impl Platform {
    /// The name of the host at which administrators sign in: it serves no site, so that no script of a site shares an origin with their
    /// sessions.
    #[must_use]
    pub fn console_host(&self) -> String {
        format!("{CONSOLE}.{}", self.domain.to_lowercase())
    }

    /// The first setting that cannot be used, with the reason.
    fn fault(&self) -> Option<String> {
        if self.hot_word_readers < MIN_HOT_WORD_READERS {
            return Some(format!(
                "hotWordReaders is {}; it must be at least {MIN_HOT_WORD_READERS}, so that a text of one reader is not shown to others",
                self.hot_word_readers
            ));
        }
        if self.removed_files_days == 0 {
            return Some(
                "removedFilesDays is 0; it must be at least 1, so that an import that stores the same file has ended"
                    .to_owned(),
            );
        }
        let themes = || self.themes.iter().find_map(theme_fault);
        let faults = self.connections.fault().or_else(themes).or_else(|| self.imports.fault());
        let faults = faults.or_else(|| self.mail.fault()).or_else(|| self.alerts.fault());
        faults.or_else(|| self.retention.fault()).or_else(|| self.plugins.fault())
    }
}

/// Limits of the process in which the upload of an administrator is imported. A file that exceeds them ends this process alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Imports {
    /// Memory that it may use, in megabytes.
    pub memory_megabytes: u64,
    /// Minutes after which it is stopped if it has reported neither an item nor the next file.
    pub minutes_without_progress: u64,
    /// Minutes after which it is stopped in any case.
    pub minutes: u64,
}

impl Default for Imports {
    fn default() -> Self {
        Self { memory_megabytes: 2048, minutes_without_progress: 30, minutes: 24 * 60 }
    }
}

impl Imports {
    /// A limit that cannot be used, with the reason.
    fn fault(&self) -> Option<String> {
        [self.memory_megabytes, self.minutes_without_progress, self.minutes].contains(&0).then(|| {
            "imports: with a limit of 0 nothing can be imported; leave the line out for the default".to_owned()
        })
    }
}

/// Scheme and ports of the addresses at which readers reach the host. Pages contain absolute addresses, and a request alone must
/// not decide what these are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublicAddress {
    /// Scheme of all addresses. With `https`, every response has the header `Strict-Transport-Security`, and cookies are `Secure`.
    /// Without a value, a request has the scheme that a trusted proxy reports, otherwise `http`.
    #[serde(default)]
    pub scheme: Option<Scheme>,
    /// Ports that an address may contain, in addition to the port on which the host listens. A port of the `Host` header that is
    /// neither is ignored: the page is the same as without it.
    #[serde(default)]
    pub ports: Vec<u16>,
}

/// Scheme of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Without encryption.
    Http,
    /// With encryption, which ends at the reverse proxy.
    Https,
}

impl Scheme {
    /// The scheme as it is written in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port that addresses do not name.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// Limits of the readers' connections. They are read when the host starts. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Connections {
    /// Greatest number of open connections. Further clients wait until one is closed.
    pub max: u32,
    /// Time from the opening of a connection until the head of its first request is complete.
    pub header_seconds: u32,
    /// Time from the end of a response until the head of the next request is complete.
    pub idle_seconds: u32,
    /// Time within a request without a byte in either direction. It is also the longest time that a response may take to begin.
    pub stall_seconds: u32,
    /// Time that requests have to end when the host stops. Connections that are open after it are cut.
    pub drain_seconds: u32,
}

impl Default for Connections {
    fn default() -> Self {
        Self { max: 800, header_seconds: 10, idle_seconds: 20, stall_seconds: 30, drain_seconds: 8 }
    }
}

impl Connections {
    /// The first setting that cannot be used, with the reason.
    fn fault(&self) -> Option<String> {
        let settings = [
            ("max", self.max),
            ("headerSeconds", self.header_seconds),
            ("idleSeconds", self.idle_seconds),
            ("stallSeconds", self.stall_seconds),
        ];
        let zero = settings.into_iter().find(|(_, value)| *value == 0);
        zero.map(|(name, _)| format!("connections.{name} is 0, with which no request can be answered; give 1 or more"))
    }
}

const fn removed_files_days() -> u32 {
    30
}

/// Module ids by style id, for each slot; the key `default` is used for all other ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Styles {
    /// Modules for the slot `header`.
    pub nav: BTreeMap<String, String>,
    /// Modules for the slot `search`.
    pub search: BTreeMap<String, String>,
    /// Modules for the slot `footer`.
    pub footer: BTreeMap<String, String>,
}

impl Styles {
    /// The module of a style id, or the default one.
    #[must_use]
    pub fn module(styles: &BTreeMap<String, String>, id: i32) -> Option<&str> {
        styles.get(&id.to_string()).or_else(|| styles.get("default")).map(String::as_str)
    }
}

/// Reads the file; returns the settings of the platform, and `[site]` as the lowest layer of every site. The paths in it begin at `folder`.
pub(super) fn read(path: &Path, folder: &Path) -> Result<(Platform, Layer), ConfigError> {
    let text = text(path)?;
    parse(path, folder, &text)
}

/// The values of the file besides `[site]`, as a layer, if the file can be used.
pub(super) fn own_layer(path: &Path, folder: &Path) -> Result<Layer, ConfigError> {
    let text = text(path)?;
    parse(path, folder, &text)?;
    let shown = path.display().to_string();
    let mut table = table(&shown, &text)?;
    table.remove("site");
    Ok(Layer { name: layers::PLATFORM.to_owned(), ..layers::from_table(shown, table) })
}

/// The text of the file, if it can be used.
pub(super) fn valid(path: &Path, folder: &Path) -> Option<String> {
    text(path).ok().filter(|text| parse(path, folder, text).is_ok())
}

fn text(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.display().to_string(), source })
}

fn table(shown: &str, text: &str) -> Result<toml::Table, ConfigError> {
    toml::from_str(text).map_err(|source| ConfigError::Toml { path: shown.to_owned(), source: Box::new(source) })
}

fn parse(path: &Path, folder: &Path, text: &str) -> Result<(Platform, Layer), ConfigError> {
    let shown = path.display().to_string();
    let mut table = table(&shown, text)?;
    let site = match table.remove("site") {
        Some(toml::Value::Table(site)) => site,
        _ => toml::Table::new(),
    };
    let mut platform: Platform = table
        .try_into()
        .map_err(|error: toml::de::Error| ConfigError::Platform { path: shown.clone(), message: error.to_string() })?;
    let fault = platform.fault().or_else(|| platform.mail.read_authorities(folder).err());
    if let Some(message) = fault {
        return Err(ConfigError::Platform { path: shown, message });
    }
    let layer = Layer { name: layers::PLATFORM.to_owned(), ..layers::from_table(shown, site) };
    Ok((platform, layer))
}

/// The first value of a theme that is no colour.
fn theme_fault(theme: &ThemeColor) -> Option<String> {
    let mut colours = [&theme.light, &theme.dark].into_iter().flat_map(|tokens| {
        [
            &tokens.theme_color_primary,
            &tokens.theme_color_hover_primary,
            &tokens.other_color,
            &tokens.bg_opacity,
            &tokens.bottom_line_color,
        ]
    });
    let colour = colours.find(|colour| !is_colour(colour))?;
    Some(format!("theme {}: {colour:?} is not a colour of the form #rrggbb", theme.color_id))
}

/// Whether a text is a colour `#rrggbb`. Colours are inserted into a style sheet without escaping, so nothing else is accepted.
fn is_colour(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn connections_have_defaults_and_no_zero_limits() {
        let read = |text: &str| toml::from_str::<Connections>(text);
        assert_eq!(read("").unwrap(), Connections::default());
        let some = read("max = 2\nstallSeconds = 5").unwrap();
        assert_eq!(some, Connections { max: 2, stall_seconds: 5, ..Connections::default() });
        assert_eq!(some.fault(), None);
        assert_eq!(read("drainSeconds = 0").unwrap().fault(), None, "nothing is waited for");
        for name in ["max", "headerSeconds", "idleSeconds", "stallSeconds"] {
            let fault = read(&format!("{name} = 0")).unwrap().fault().unwrap();
            assert!(fault.contains(name), "{fault}");
        }
        assert!(read("most = 2").is_err(), "a misspelt setting is not ignored");
    }

    #[test]
    fn the_time_of_plugins_is_never_less_and_is_bounded() {
        let read = |text: &str| toml::from_str::<Plugins>(text).unwrap();
        assert_eq!(read(""), Plugins::default());
        for good in ["1", "1.5", "100"] {
            assert_eq!(read(&format!("timeFactor = {good}")).fault(), None, "{good}");
        }
        for bad in ["0.9", "-1", "nan", "inf", "101"] {
            let fault = read(&format!("timeFactor = {bad}")).fault().unwrap();
            assert!(fault.contains("from 1 to 100"), "{fault}");
        }
    }

    #[test]
    fn a_public_address_has_a_scheme_and_ports() {
        let read = |text: &str| toml::from_str::<PublicAddress>(text);
        assert_eq!(read("").unwrap(), PublicAddress { scheme: None, ports: Vec::new() });
        let secure = PublicAddress { scheme: Some(Scheme::Https), ports: vec![9443] };
        assert_eq!(read("scheme = \"https\"\nports = [9443]").unwrap(), secure);
        assert!(read("scheme = \"ftp\"").is_err() && read("ports = [65536]").is_err());
    }
}
