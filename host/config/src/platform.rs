//! Settings of the whole installation: `platform.toml` without its section `[site]`.

use std::{collections::BTreeMap, path::Path};

use masthead_domain::site::ThemeColor;
use serde::Deserialize;

use crate::{
    ConfigError,
    layers::{self, Layer},
};

/// The platform's settings.
#[derive(Clone, Debug, PartialEq, Deserialize)]
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
    /// Modules of the style ids.
    pub styles: Styles,
    /// Theme presets.
    pub themes: Vec<ThemeColor>,
}

const fn removed_files_days() -> u32 {
    30
}

/// Module ids by style id, for each slot; the key `default` is used for all other ids.
#[derive(Clone, Debug, PartialEq, Deserialize)]
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

/// Reads the file; returns the settings of the platform, and `[site]` as the lowest layer of every site.
pub(super) fn read(path: &Path) -> Result<(Platform, Layer), ConfigError> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Read { path: shown.clone(), source })?;
    let mut table: toml::Table =
        toml::from_str(&text).map_err(|source| ConfigError::Toml { path: shown.clone(), source: Box::new(source) })?;
    let site = match table.remove("site") {
        Some(toml::Value::Table(site)) => site,
        _ => toml::Table::new(),
    };
    let platform: Platform = table
        .try_into()
        .map_err(|error: toml::de::Error| ConfigError::Platform { path: shown.clone(), message: error.to_string() })?;
    for theme in &platform.themes {
        for tokens in [&theme.light, &theme.dark] {
            let colours = [
                &tokens.theme_color_primary,
                &tokens.theme_color_hover_primary,
                &tokens.other_color,
                &tokens.bg_opacity,
                &tokens.bottom_line_color,
            ];
            if let Some(colour) = colours.into_iter().find(|colour| !is_colour(colour)) {
                let message = format!("theme {}: {colour:?} is not a colour of the form #rrggbb", theme.color_id);
                return Err(ConfigError::Platform { path: shown, message });
            }
        }
    }
    let layer = Layer { name: "platform".to_owned(), ..layers::from_table(shown, site) };
    Ok((platform, layer))
}

/// Whether a text is a colour `#rrggbb`. Colours are inserted into a style sheet without escaping, so nothing else is accepted.
fn is_colour(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
