//! The folder of a plugin: a project with sources, or a built plugin.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Context as _;

use crate::plugin::scaffold::Language;

/// Folders in which nothing is a source.
const OUTPUTS: [&str; 4] = ["dist", "target", "node_modules", ".git"];

/// A plugin's folder.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder.
    pub dir: PathBuf,
    /// The id in its manifest.
    pub id: String,
    /// The language of its sources; `None` where the built files lie beside each other.
    pub lang: Option<Language>,
}

impl Project {
    /// Looks at a folder.
    pub fn open(dir: &Path) -> anyhow::Result<Self> {
        let shown = dir.display();
        anyhow::ensure!(dir.is_dir(), "{shown} is no folder; give the folder of a plugin");
        let dir = dir.canonicalize().with_context(|| format!("looking at {shown}"))?;
        let file = dir.join("plugin.toml");
        let text = fs::read_to_string(&file)
            .map_err(|error| anyhow::anyhow!("{}: {error}; is {shown} the folder of a plugin?", file.display()))?;
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| anyhow::anyhow!("{} is not valid TOML: {error}", file.display()))?;
        let id = table.get("id").and_then(toml::Value::as_str).unwrap_or_default();
        // It becomes a folder's name.
        let plain = !id.is_empty() && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        anyhow::ensure!(plain, "{}: `id` has to be lower-case letters, digits and hyphens", file.display());
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

    /// The folder of the built files.
    pub fn built(&self) -> PathBuf {
        if self.lang.is_none() { self.dir.clone() } else { self.dir.join("dist").join(&self.id) }
    }

    /// Manifest and component as built.
    pub fn read(&self) -> anyhow::Result<(String, Vec<u8>)> {
        let (toml, wasm) = (self.built().join("plugin.toml"), self.built().join("plugin.wasm"));
        let advice = "build it with `masthead plugin build`";
        let manifest = fs::read_to_string(&toml).with_context(|| format!("reading {}; {advice}", toml.display()))?;
        let component = fs::read(&wasm).with_context(|| format!("reading {}; {advice}", wasm.display()))?;
        Ok((manifest, component))
    }

    /// Where compiled code of this project is kept between commands; `None` for a built plugin, whose folder may be a host's.
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
            // Test cases are read when they run, and Cargo writes the lock file itself.
            .filter(|path| !path.starts_with(self.dir.join("tests")) && !path.ends_with("Cargo.lock"))
            .collect()
    }

    /// Whether a source is newer than what was built, or nothing was built yet.
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
