//! What a check of an installation finds: one thing that is wrong, its place, and the fix.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use serde::Serialize;

use crate::{Configuration, Layers, lines};

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something does not work: a site, a plugin, a link, a picture.
    Error,
    /// Everything works, but readers miss something: a text in their language, an article in an issue.
    Warning,
}

impl Level {
    /// The word for it in a report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// How much it matters.
    pub level: Level,
    /// The check that found it, such as `menu` or `links`.
    pub check: &'static str,
    /// Short name of the site, or "" for the whole installation.
    pub site: String,
    /// The file, `database` for stored content, or "" before it is located.
    pub file: String,
    /// Line in the file, from 1.
    pub line: Option<usize>,
    /// Dotted key, with positions in lists from 0: `channels[2].enName`. For stored content, its kind and key: `news/opening content.en`.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub fix: String,
}

impl Diagnostic {
    /// A diagnostic about a key of a site; [`Locator`] adds file and line.
    #[must_use]
    pub fn new(level: Level, check: &'static str, site: &str, key: impl Into<String>) -> Self {
        Self {
            level,
            check,
            site: site.to_owned(),
            file: String::new(),
            line: None,
            key: key.into(),
            message: String::new(),
            fix: String::new(),
        }
    }

    /// The same with a message and a fix.
    #[must_use]
    pub fn says(self, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { message: message.into(), fix: fix.into(), ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.level.name())?;
        f.write_str(": ")?;
        if !self.file.is_empty() {
            f.write_str(&self.file)?;
            self.line.iter().try_for_each(|line| write!(f, ":{line}"))?;
            f.write_str(": ")?;
        }
        if !self.site.is_empty() {
            write!(f, "site {}: ", self.site)?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)?;
        if !self.fix.is_empty() {
            write!(f, "\n  fix: {}", self.fix)?;
        }
        Ok(())
    }
}

/// Adds file and line to diagnostics. Each file is read once.
pub struct Locator<'a> {
    layers: &'a BTreeMap<String, std::sync::Arc<Layers>>,
    folder: &'a Path,
    texts: BTreeMap<PathBuf, String>,
}

impl<'a> Locator<'a> {
    /// A locator for the diagnostics about a configuration that was read from this folder.
    #[must_use]
    pub const fn new(configuration: &'a Configuration, folder: &'a Path) -> Self {
        Self { layers: &configuration.layers, folder, texts: BTreeMap::new() }
    }

    /// Adds the file and the line of the key; where no file sets the key, those of the nearest key above it.
    pub fn locate(&mut self, diagnostic: &mut Diagnostic) {
        if diagnostic.line.is_some() || (!diagnostic.file.is_empty() && diagnostic.key.is_empty()) {
            return;
        }
        let (file, key) = match (diagnostic.file.is_empty(), self.layers.get(&diagnostic.site)) {
            (false, _) => (diagnostic.file.clone(), diagnostic.key.clone()),
            (true, Some(layers)) => match layers.place(&diagnostic.key) {
                Some((layer, key)) => (layer.source.clone(), format!("{}{key}", layer.prefix())),
                None => (self.file_of(&diagnostic.site), String::new()),
            },
            (true, None) if diagnostic.site.is_empty() && diagnostic.key.is_empty() => return,
            (true, None) => (self.file_of(&diagnostic.site), diagnostic.key.clone()),
        };
        diagnostic.line = lines::line_of(self.text(Path::new(&file)), &key);
        diagnostic.file = file;
    }

    fn file_of(&self, site: &str) -> String {
        let name = if site.is_empty() { "platform" } else { site };
        self.folder.join(format!("{name}.toml")).display().to_string()
    }

    fn text(&mut self, path: &Path) -> &str {
        // Sources that are no files (the environment, saved settings) have no text and so no lines.
        self.texts.entry(path.to_owned()).or_insert_with(|| std::fs::read_to_string(path).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_place_key_and_fix() {
        let mut diagnostic =
            Diagnostic::new(Level::Error, "menu", "one", "channels[0].code").says("is unknown", "correct it");
        diagnostic.file = "sites/one.toml".to_owned();
        diagnostic.line = Some(7);
        let text = "error: sites/one.toml:7: site one: channels[0].code: is unknown\n  fix: correct it";
        assert_eq!(diagnostic.to_string(), text);
    }
}
