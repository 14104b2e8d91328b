//! The built user interface: the shell and the federated modules, from `dist/` (embedded in a release build).

use std::collections::{BTreeMap, HashMap};

use axum::body::Bytes;
use masthead_content::files;
use masthead_domain::Lang;
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

// The output of `make ui` and `make plugins`. A debug build reads the folder at start-up, a release build embeds it.
#[derive(RustEmbed)]
#[folder = "../../dist"]
struct Dist;

/// A static file with its precompressed forms.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The uncompressed content.
    pub plain: Bytes,
    /// Brotli-compressed form, if the build made one.
    pub br: Option<Bytes>,
    /// Gzip-compressed form, if the build made one.
    pub gz: Option<Bytes>,
    /// Media type.
    pub mime: &'static str,
}

/// A built federated module.
#[derive(Clone, Debug, Deserialize)]
pub struct Module {
    /// Id: the name of the module's folder.
    pub id: String,
    /// Slot that the module fills.
    pub slot: String,
    /// Version of the slot contract that the module implements.
    pub contract: u32,
    entry: String,
    integrity: String,
    #[serde(default)]
    css: Vec<ModuleCss>,
}

#[derive(Clone, Debug, Deserialize)]
struct ModuleCss {
    file: String,
}

impl Module {
    /// The reason why browsers must not load the module: its files lie elsewhere, or its script has no digest. The shell refuses
    /// such a module, too.
    fn fault(&self) -> Option<String> {
        let mut files = std::iter::once(&self.entry).chain(self.css.iter().map(|css| &css.file));
        if let Some(file) = files.find(|file| !is_below(file)) {
            return Some(format!("the file {file:?} is not in the module's folder"));
        }
        (!is_digest(&self.integrity)).then(|| format!("the integrity {:?} is not a digest", self.integrity))
    }

    /// Address of the container script.
    #[must_use]
    pub fn entry(&self) -> String {
        format!("/assets/modules/{}/{}", self.id, self.entry)
    }

    /// Addresses of the style sheets.
    #[must_use]
    pub fn css(&self) -> Vec<String> {
        self.css.iter().map(|css| format!("/assets/modules/{}/{}", self.id, css.file)).collect()
    }

    /// The module with its properties, as the bootstrap lists it.
    #[must_use]
    pub fn with(&self, props: serde_json::Value) -> SlotModule {
        SlotModule {
            module: self.id.clone(),
            entry: self.entry(),
            integrity: self.integrity.clone(),
            css: self.css(),
            props,
        }
    }
}

/// Whether a path stays in the folder that it is relative to.
fn is_below(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && path.bytes().all(|c| c.is_ascii_alphanumeric() || b"._-/".contains(&c))
}

/// Whether a text is one digest for subresource integrity, such as `sha384-...`.
fn is_digest(text: &str) -> bool {
    let Some((algorithm, digest)) = text.split_once('-') else { return false };
    matches!(algorithm, "sha256" | "sha384" | "sha512")
        && !digest.is_empty()
        && digest.bytes().all(|c| c.is_ascii_alphanumeric() || b"+/=".contains(&c))
}

/// A module in a slot.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SlotModule {
    /// Module id = folder name.
    pub module: String,
    /// Address of the container script.
    pub entry: String,
    /// Subresource integrity of the script, `sha384-...`.
    pub integrity: String,
    /// Addresses of its style sheets (the document links them already).
    pub css: Vec<String>,
    /// Properties.
    pub props: serde_json::Value,
}

/// All files that `/assets/` serves, and the addresses that documents link to.
#[derive(Debug, Default)]
pub struct Ui {
    assets: HashMap<String, Asset>,
    modules: BTreeMap<String, Module>,
    /// The shell's entry script.
    pub entry: String,
    /// Scripts that the entry imports statically.
    pub imports: Vec<String>,
    /// The shell's style sheets.
    pub css: Vec<String>,
    /// Additional scripts of article pages.
    pub reader: Vec<String>,
    /// Address of the shell's message catalogue, by language.
    pub catalogues: BTreeMap<Lang, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    file: String,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    is_entry: bool,
}

impl Ui {
    /// Loads the built files from `dist/`.
    ///
    /// # Errors
    /// A message that names the file which is missing or invalid.
    pub fn load() -> Result<Self, String> {
        let mut ui = Self::default();
        for name in Dist::iter() {
            let Some(rest) = name.strip_prefix("ui/") else { continue };
            if rest.ends_with(".br") || rest.ends_with(".gz") || rest.ends_with(".json") {
                continue;
            }
            let read = |name: &str| Dist::get(name).map(|file| Bytes::from(file.data.into_owned()));
            if let Some(plain) = read(&name) {
                let asset = Asset {
                    plain,
                    br: read(&format!("{name}.br")),
                    gz: read(&format!("{name}.gz")),
                    mime: files::media_type(rest),
                };
                ui.assets.insert(rest.to_owned(), asset);
            }
        }
        ui.read_shell()?;
        for name in Dist::iter() {
            if let Some(id) = name.strip_prefix("ui/modules/").and_then(|rest| rest.strip_suffix("/preload.json")) {
                let module: Module = parse(&name)?;
                if let Some(fault) = module.fault() {
                    return Err(format!("dist/{name}: {fault}; `make ui` builds the module again"));
                }
                if module.id == id {
                    ui.modules.insert(id.to_owned(), module);
                }
            }
        }
        Ok(ui)
    }

    fn read_shell(&mut self) -> Result<(), String> {
        let manifest: BTreeMap<String, Chunk> = parse("ui/shell/manifest.json")?;
        let address = |file: &str| format!("/assets/shell/{file}");
        let entry = manifest.values().find(|chunk| chunk.is_entry).ok_or("ui/shell/manifest.json has no entry")?;
        self.entry = address(&entry.file);
        self.css = entry.css.iter().map(|file| address(file)).collect();
        self.imports =
            entry.imports.iter().filter_map(|key| manifest.get(key)).map(|chunk| address(&chunk.file)).collect();
        // The document preloads the reader's scripts in parallel with the entry script. Without this list they would be
        // requested only after the entry script has run.
        if let Some(reader) = manifest.get("src/reader/Reader.tsx") {
            let imports = reader.imports.iter().filter_map(|key| manifest.get(key)).map(|chunk| address(&chunk.file));
            self.reader = std::iter::once(address(&reader.file)).chain(imports).collect();
            self.reader.retain(|file| *file != self.entry && !self.imports.contains(file));
            self.css.extend(reader.css.iter().map(|file| address(file)));
        }
        for lang in Lang::ALL {
            let suffix = format!("locales/{}/shell.json", lang.code());
            if let Some((_, chunk)) = manifest.iter().find(|(key, _)| key.ends_with(&suffix)) {
                self.catalogues.insert(lang, address(&chunk.file));
            }
        }
        Ok(())
    }

    /// The file at a path under `/assets/`; `None` if there is none.
    #[must_use]
    pub fn asset(&self, path: &str) -> Option<&Asset> {
        self.assets.get(path)
    }

    /// All modules, by id.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.values()
    }

    /// The module with the given id.
    #[must_use]
    pub fn module(&self, id: &str) -> Option<&Module> {
        self.modules.get(id)
    }
}

/// The built first-party plugins: text of `plugin.toml` and WebAssembly component.
#[must_use]
pub fn plugins() -> Vec<(String, Vec<u8>)> {
    Dist::iter()
        .filter_map(|name| {
            let folder = name.strip_prefix("plugins/")?.strip_suffix("/plugin.toml")?;
            let manifest = String::from_utf8(Dist::get(&name)?.data.into_owned()).ok()?;
            let wasm = Dist::get(&format!("plugins/{folder}/plugin.wasm"))?.data.into_owned();
            Some((manifest, wasm))
        })
        .collect()
}

fn parse<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, String> {
    let file = Dist::get(name).ok_or_else(|| format!("dist/{name} is missing; `make ui` builds it"))?;
    serde_json::from_slice(&file.data).map_err(|error| format!("dist/{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(entry: &str, integrity: &str) -> Module {
        Module {
            id: "nav".to_owned(),
            slot: "header".to_owned(),
            contract: 1,
            entry: entry.to_owned(),
            integrity: integrity.to_owned(),
            css: vec![ModuleCss { file: "assets/nav-1.css".to_owned() }],
        }
    }

    #[test]
    fn a_module_needs_a_digest_and_files_of_its_own() {
        assert_eq!(module("assets/nav-1.js", "sha384-aB+/=").fault(), None);
        for integrity in ["", "sha384-", "sha1-aaaa", "aaaa", "sha384-a b", "sha384-a\" nonce=\""] {
            assert!(module("assets/nav-1.js", integrity).fault().is_some(), "{integrity:?}");
        }
        for entry in
            ["", "/nav.js", "//evil.example/nav.js", "https://evil.example/nav.js", "../other/nav.js", "a//b.js"]
        {
            assert!(module(entry, "sha384-aB").fault().is_some(), "{entry:?}");
        }
    }
}
