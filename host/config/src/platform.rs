//! What holds for the whole installation: `platform.toml` without its `[site]` section.

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
    /// A site answers at `<sld>.<domain>` besides its own domains.
    pub domain: String,
    /// Host names under which the first path segment names the site.
    #[serde(default)]
    pub path_hosts: Vec<String>,
    /// Whether `/` under such a host lists the sites.
    #[serde(default)]
    pub directory: bool,
    /// Which module a style id stands for.
    pub styles: Styles,
    /// Theme presets.
    pub themes: Vec<ThemeColor>,
}

/// Style id -> module id, by slot; `default` for every other id.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Styles {
    /// For slot `header`.
    pub nav: BTreeMap<String, String>,
    /// For slot `search`.
    pub search: BTreeMap<String, String>,
    /// For slot `footer`.
    pub footer: BTreeMap<String, String>,
}

impl Styles {
    /// The module of a style.
    #[must_use]
    pub fn module(styles: &BTreeMap<String, String>, id: i32) -> Option<&str> {
        styles.get(&id.to_string()).or_else(|| styles.get("default")).map(String::as_str)
    }
}

/// Reads the file: the platform's own settings, and `[site]` as the lowest layer of every site.
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

/// Colours go into a style sheet as they are: nothing else may pass.
fn is_colour(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
