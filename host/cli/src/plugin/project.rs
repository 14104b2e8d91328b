//! The folder of a plugin: a project with sources, or a built plugin.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Context as _;

use crate::plugin::scaffold::Language;

/// Folders that contain no sources.
const OUTPUTS: [&str; 4] = ["dist", "target", "node_modules", ".git"];

/// A plugin's folder.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder.
    pub dir: PathBuf,
    /// The id in its manifest.
    pub id: String,
    /// The language of its sources; `None` for a folder with the built files only.
    pub lang: Option<Language>,
}

impl Project {
    /// Opens the folder of a plugin.
    ///
    /// # Errors
    /// A message, if the folder has no readable `plugin.toml` with a valid id, or neither sources nor a component.
    pub fn open(dir: &Path) -> anyhow::Result<Self> {
        let shown = dir.display();
        anyhow::ensure!(dir.is_dir(), "{shown} is not a folder; give the folder of a plugin");
        let dir = dir.canonicalize().with_context(|| format!("resolving {shown}"))?;
        let file = dir.join("plugin.toml");
        let text = fs::read_to_string(&file)
            .map_err(|error| anyhow::anyhow!("{}: {error}; is {shown} the folder of a plugin?", file.display()))?;
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| anyhow::anyhow!("{} is not valid TOML: {error}", file.display()))?;
        let id = table.get("id").and_then(toml::Value::as_str).unwrap_or_default();
        // The id is used as the name of a folder.
        let plain = !id.is_empty() && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        anyhow::ensure!(plain, "{}: `id` must consist of lower-case letters, digits and hyphens", file.display());
        let lang = if dir.join("Cargo.toml").exists() {
            Some(Language::Rust)
        } else if dir.join("src/plugin.ts").exists() {
            Some(Language::Typescript)
        } else {
            None
        };
        anyhow::ensure!(
            lang.is_some() || dir.join("plugin.wasm").exists(),
            "{shown} has neither sources (Cargo.toml or src/plugin.ts) nor plugin.wasm"
        );
        Ok(Self { id: id.to_owned(), lang, dir })
    }

    /// The folder of the build output.
    pub fn built(&self) -> PathBuf {
        if self.lang.is_none() { self.dir.clone() } else { self.dir.join("dist").join(&self.id) }
    }

    /// Reads the built manifest and component.
    ///
    /// # Errors
    /// A message that recommends `masthead plugin build`, if one of them cannot be read.
    pub fn read(&self) -> anyhow::Result<(String, Vec<u8>)> {
        let (toml, wasm) = (self.built().join("plugin.toml"), self.built().join("plugin.wasm"));
        let advice = "build it with `masthead plugin build`";
        let manifest = fs::read_to_string(&toml).with_context(|| format!("reading {}; {advice}", toml.display()))?;
        let component = fs::read(&wasm).with_context(|| format!("reading {}; {advice}", wasm.display()))?;
        Ok((manifest, component))
    }

    /// Folder of the compiled code that is kept between commands; `None` for a built plugin, whose folder may belong to a host.
    pub fn compiled(&self) -> Option<PathBuf> {
        self.lang.map(|_| self.dir.join("dist/.compiled"))
    }

    /// The files that a build reads.
    pub fn sources(&self) -> Vec<PathBuf> {
        let hidden = |name: &str| OUTPUTS.contains(&name) || (name.starts_with('.') && name != ".");
        walkdir::WalkDir::new(&self.dir)
            .into_iter()
            .filter_entry(move |entry| entry.depth() == 0 || !entry.file_name().to_str().is_some_and(hidden))
            .flatten()
            .filter(|entry| entry.file_type().is_file())
            .map(walkdir::DirEntry::into_path)
            // Test cases are not part of the build, and Cargo itself writes the lock file.
            .filter(|path| !path.starts_with(self.dir.join("tests")) && !path.ends_with("Cargo.lock"))
            .collect()
    }

    /// Whether a source is newer than the build output, or there is no build output.
    pub fn stale(&self) -> bool {
        if self.lang.is_none() {
            return false;
        }
        let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
        let built = ["plugin.toml", "plugin.wasm"].map(|name| changed(&self.built().join(name)));
        let [Some(toml), Some(wasm)] = built else { return true };
        let newest = self.sources().iter().filter_map(|path| changed(path)).max();
        newest.unwrap_or(SystemTime::UNIX_EPOCH) > toml.min(wasm)
    }
}
