//! The built user interface: the shell and the federated modules, from `dist/` (embedded in a release build), and modules from folders.

mod combined_styles;
pub mod frames;
pub mod module_folders;

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use axum::body::Bytes;
use masthead_content::{compressed_html::quick_streams, files};
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use combined_styles::CombinedStyles;
pub use combined_styles::FOLDER as COMBINED;
use module_folders::{FolderModules, ModuleProblem};

/// Version of the contract between shell and modules, and of the bootstrap's structure. A module that was built for a later version is
/// refused, here and by the shell (`plugin-sdk/ui/src/contract/version.ts`).
pub const CONTRACT: u32 = 1;

/// The files of the font that documents in Latin letters preload, upright and italic, in the package that `ui-shell/src/styles/fonts.css` names.
const SERIF: [&str; 2] = ["/source-serif-4-latin-wght-normal.woff2", "/source-serif-4-latin-wght-italic.woff2"];

/// A slot in the shell's table of slots.
#[derive(Deserialize)]
struct Slot {
    /// Whether the shell fills it after the page.
    late: bool,
}

/// The shell's table of slots, as the shell itself reads it.
static SLOTS: LazyLock<BTreeMap<String, Slot>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../plugin-sdk/ui/slots.json")).unwrap_or_default());

/// Whether pages have this slot.
fn is_slot(slot: &str) -> bool {
    SLOTS.contains_key(slot)
}

/// Whether the shell fills a slot after the page.
#[must_use]
pub fn is_late(slot: &str) -> bool {
    SLOTS.get(slot).is_some_and(|slot| slot.late)
}

// The output of `make ui` and `make plugins`. A debug build reads the folder at start-up, a release build embeds it.
#[derive(RustEmbed)]
#[folder = "../../dist"]
struct Dist;

/// A static file with its precompressed forms.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The uncompressed content.
    pub plain: Bytes,
    /// Brotli-compressed form, if there is one.
    pub br: Option<Bytes>,
    /// Gzip-compressed form, if there is one.
    pub gz: Option<Bytes>,
    /// Media type.
    pub mime: &'static str,
}

impl Asset {
    /// Adds the compressed forms of a script, a style sheet or a drawing, where they are smaller. Other files are compressed already.
    fn compress(&mut self) {
        if !matches!(self.mime.split(';').next(), Some("text/javascript" | "text/css" | "image/svg+xml")) {
            return;
        }
        let (br, gz) = quick_streams(&self.plain).unzip();
        let most = self.plain.len();
        let is_smaller = |form: &Bytes| form.len() < most;
        self.br = br.filter(is_smaller);
        self.gz = gz.filter(is_smaller);
    }
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
    css: Vec<ModuleFile>,
    /// Pictures and fonts.
    #[serde(default)]
    files: Vec<ModuleFile>,
    /// JSON Schema of the properties that a site may give the module; `None` for modules that do not describe them.
    #[serde(default, rename = "propsSchema")]
    pub props_schema: Option<serde_json::Value>,
}

#[derive(Clone, Debug, Deserialize)]
struct ModuleFile {
    file: String,
    integrity: String,
}

impl Module {
    /// The reason why browsers must not load the module: its files lie elsewhere, or its script has no digest. The shell refuses
    /// such a module, too.
    fn fault(&self) -> Option<String> {
        let listed = self.css.iter().chain(&self.files).map(|listed| &listed.file);
        let mut files = std::iter::once(&self.entry).chain(listed);
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

/// A style sheet that a document links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleSheet {
    /// Its address.
    pub href: String,
    /// The addresses of the style sheets that it consists of; empty for one that is not combined.
    pub parts: Vec<String>,
}

/// All files that `/assets/` serves, and the addresses that documents link to.
#[derive(Clone, Debug, Default)]
pub struct Ui {
    // Shared by the versions that differ in the modules of folders only.
    assets: Arc<HashMap<String, Asset>>,
    modules: Arc<BTreeMap<String, Module>>,
    of_folders: FolderModules,
    combined: CombinedStyles,
    /// The shell's entry script.
    pub entry: String,
    /// Scripts that the entry imports statically.
    pub imports: Vec<String>,
    /// The shell's style sheets.
    pub css: Vec<String>,
    /// Address of the serif's letters of Latin scripts, if the build has the font.
    pub serif: Option<String>,
    /// Address of the same letters in italics.
    pub serif_italic: Option<String>,
    /// Additional scripts of article pages.
    pub reader: Vec<String>,
    /// The engine and the script that render modules on the host. They are not served.
    pub renderer: (Bytes, Bytes),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    file: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
}

/// The files that a chunk imports statically, and those that they import: a script can run when all of them are there.
fn imported<'a>(manifest: &'a BTreeMap<String, Chunk>, chunk: &'a Chunk) -> Vec<&'a str> {
    let mut files = Vec::new();
    let mut open: VecDeque<&Chunk> = VecDeque::from([chunk]);
    while let Some(chunk) = open.pop_front() {
        for found in chunk.imports.iter().filter_map(|key| manifest.get(key)) {
            if !files.contains(&found.file.as_str()) {
                files.push(&found.file);
                open.push_back(found);
            }
        }
    }
    files
}

impl Ui {
    /// Loads the built files from `dist/`.
    ///
    /// # Errors
    /// A message that names the file which is missing or invalid.
    pub fn load() -> Result<Self, String> {
        let mut ui = Self::default();
        let (mut assets, mut modules) = (HashMap::new(), BTreeMap::new());
        let read = |name: &str| Dist::get(name).map(|file| Bytes::from(file.data.into_owned()));
        for name in Dist::iter() {
            let Some(rest) = name.strip_prefix("ui/") else { continue };
            if rest.ends_with(".br")
                || rest.ends_with(".gz")
                || rest.ends_with(".json")
                || rest.starts_with("renderer/")
            {
                continue;
            }
            if let Some(plain) = read(&name) {
                let asset = Asset {
                    plain,
                    br: read(&format!("{name}.br")),
                    gz: read(&format!("{name}.gz")),
                    mime: files::media_type(rest),
                };
                assets.insert(rest.to_owned(), asset);
            }
        }
        ui.read_shell()?;
        let of_renderer = |name: &str| read(name).ok_or_else(|| format!("dist/{name} is missing; `make ui` builds it"));
        ui.renderer = (of_renderer("ui/renderer/quickjs.wasm")?, of_renderer("ui/renderer/renderer.js")?);
        for name in Dist::iter() {
            if let Some(id) = name.strip_prefix("ui/modules/").and_then(|rest| rest.strip_suffix("/preload.json")) {
                let module: Module = parse(&name)?;
                if let Some(fault) = module.fault() {
                    return Err(format!("dist/{name}: {fault}; `make ui` builds the module again"));
                }
                if module.id == id {
                    modules.insert(id.to_owned(), module);
                }
            }
        }
        let sheets = modules.values().flat_map(Module::css).chain(ui.css.iter().cloned());
        let sheets: Vec<String> = sheets.filter_map(|href| Some(href.strip_prefix("/assets/")?.to_owned())).collect();
        ui.combined = CombinedStyles::of(sheets.iter().map(String::as_str));
        (ui.assets, ui.modules) = (Arc::new(assets), Arc::new(modules));
        Ok(ui)
    }

    /// The same with the modules that these folders have now: `modules`, and the folders `modules/` of the plugins in `plugins`. A module
    /// whose files are not in order is not used: where an earlier version of it was read, that one stays.
    #[must_use]
    pub fn with_folders(&self, modules: &[PathBuf], plugins: &[PathBuf]) -> Self {
        let is_built_in = |id: &str| self.modules.contains_key(id);
        Self { of_folders: module_folders::read(modules, plugins, &is_built_in, &self.of_folders), ..self.clone() }
    }

    /// The modules in folders that cannot be used.
    #[must_use]
    pub fn problems(&self) -> &[ModuleProblem] {
        self.of_folders.problems()
    }

    /// The digests of the modules of folders, by id.
    #[must_use]
    pub fn folder_digests(&self) -> BTreeMap<String, String> {
        self.of_folders.digests()
    }

    fn read_shell(&mut self) -> Result<(), String> {
        let manifest: BTreeMap<String, Chunk> = parse("ui/shell/manifest.json")?;
        let address = |file: &str| format!("/assets/shell/{file}");
        // The build puts the entry into a chunk with everything that it needs (the group `main` of `ui-shell/vite.config.ts`).
        let named = |name: &str| manifest.values().find(|chunk| chunk.name == name && chunk.file.ends_with(".js"));
        let entry = named("main").ok_or("ui/shell/manifest.json has no chunk `main`")?;
        self.entry = address(&entry.file);
        self.css = entry.css.iter().map(|file| address(file)).collect();
        self.imports = imported(&manifest, entry).into_iter().map(address).collect();
        [self.serif, self.serif_italic] = SERIF.map(|name| {
            let font = manifest.iter().find(|(source, _)| source.ends_with(name));
            font.map(|(_, chunk)| address(&chunk.file))
        });
        // The document preloads the reader's scripts in parallel with the entry script. Without this list they would be
        // requested only after the entry script has run.
        if let Some(reader) = named("reader") {
            let files = std::iter::once(reader.file.as_str()).chain(imported(&manifest, reader));
            self.reader = files.map(address).collect();
            self.reader.retain(|file| *file != self.entry && !self.imports.contains(file));
            self.css.extend(reader.css.iter().map(|file| address(file)));
        }
        Ok(())
    }

    /// The file at a path under `/assets/`; `None` if there is none.
    #[must_use]
    pub fn asset(&self, path: &str) -> Option<Asset> {
        let single = self.assets.get(path).or_else(|| self.of_folders.asset(path));
        let combined = || self.combined.asset(path, |part| self.assets.get(part).cloned());
        single.cloned().or_else(|| combined().map(Arc::unwrap_or_clone))
    }

    /// The style sheets of a page whose slots have these modules, in their order. Those of the shell and of built-in modules are one.
    #[must_use]
    pub fn style_sheets(&self, modules: &[&SlotModule]) -> Vec<StyleSheet> {
        let is_built_in = |module: &&&SlotModule| self.modules.contains_key(&module.module);
        let built_in = modules.iter().filter(is_built_in).flat_map(|module| &module.css);
        let mut together: Vec<&str> = Vec::new();
        for href in self.css.iter().chain(built_in) {
            if !together.contains(&href.as_str()) {
                together.push(href);
            }
        }
        let others = modules.iter().filter(|module| !is_built_in(module)).flat_map(|module| &module.css);
        let single = |href: &str| StyleSheet { href: href.to_owned(), parts: Vec::new() };
        let mut sheets = match self.combined.address(&together) {
            Some(href) => vec![StyleSheet { href, parts: together.iter().map(|&part| part.to_owned()).collect() }],
            None => together.iter().map(|href| single(href)).collect(),
        };
        sheets.extend(others.map(|href| single(href)));
        sheets
    }

    /// All modules, by id.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.values().chain(self.of_folders.modules())
    }

    /// The slots that the modules fill, by module id.
    #[must_use]
    pub fn module_slots(&self) -> BTreeMap<String, String> {
        self.modules().map(|module| (module.id.clone(), module.slot.clone())).collect()
    }

    /// The module with the given id.
    #[must_use]
    pub fn module(&self, id: &str) -> Option<&Module> {
        self.modules.get(id).or_else(|| self.of_folders.module(id))
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
            css: vec![ModuleFile { file: "assets/nav-1.css".to_owned(), integrity: String::new() }],
            files: Vec::new(),
            props_schema: None,
        }
    }

    #[test]
    fn a_chunk_needs_what_its_imports_import() {
        let manifest: BTreeMap<String, Chunk> = serde_json::from_value(serde_json::json!({
            "main": { "file": "main.js", "imports": ["shared", "absent"] },
            "shared": { "file": "shared.js", "imports": ["runtime"] },
            "runtime": { "file": "runtime.js", "imports": ["shared"] },
        }))
        .unwrap_or_else(|error| unreachable!("{error}"));
        assert_eq!(imported(&manifest, &manifest["main"]), ["shared.js", "runtime.js"]);
    }

    #[test]
    fn the_shells_table_of_slots_is_read() {
        assert!(is_late("header.account") && !is_late("header") && !is_late("unknown"));
        assert!(is_slot("result.badges") && !is_slot("unknown"));
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
