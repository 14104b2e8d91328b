//! Federated modules from folders: those given with `--modules`, and `modules/` in the folders of plugins. They are built outside of this
//! repository, with the packed `@masthead/ui-sdk`.
//!
//! A module is read as a whole: its manifest, `preload.json`, and the files that this lists, each of which must have the digest that it
//! states. What is served are the bytes that were checked, from memory and under an address with their digest, so that nothing that happens
//! to the folder afterwards reaches a browser before the module was read as a whole again. Nothing changes below such an address, so that the
//! files are compressed once, for all readers.

use std::{
    collections::{BTreeMap, HashMap},
    fmt, fs, io,
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::body::Bytes;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use masthead_content::files;
use masthead_domain::text::hex;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use super::{Asset, CONTRACT, Module, is_slot};

/// The manifest of a built module.
const MANIFEST: &str = "preload.json";
/// Greatest size of a manifest, in bytes.
const MANIFEST_BYTES: u64 = 64 << 10;
/// Greatest size of a file, in bytes.
const FILE_BYTES: u64 = 2 << 20;
/// Greatest size of all files of a module, in bytes.
const MODULE_BYTES: u64 = 8 << 20;
/// Greatest number of files of a module.
const MODULE_FILES: usize = 64;
/// Greatest number of modules in a folder.
const FOLDER_MODULES: usize = 256;
/// Endings of the pictures and fonts that a module may have.
const ENDINGS: [&str; 9] = ["svg", "png", "jpg", "jpeg", "webp", "avif", "gif", "woff", "woff2"];

/// A module in a folder that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleProblem {
    /// Name of the module's folder; of a folder of modules that cannot be read, its path.
    pub module: String,
    /// The folder.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ModuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { module, path, message } = self;
        write!(f, "module {module} ({}): {message}", path.display())
    }
}

/// The modules of the folders.
#[derive(Clone, Debug, Default)]
pub(super) struct FolderModules {
    by_id: BTreeMap<String, Arc<FolderModule>>,
    problems: Vec<ModuleProblem>,
}

/// A module with its files.
#[derive(Debug)]
struct FolderModule {
    /// The files of this are below the digest.
    module: Module,
    path: PathBuf,
    digest: String,
    /// Files by their path below `/assets/`.
    files: HashMap<String, Asset>,
    /// Files of the version that this one replaced. Documents that were sent before still ask for them.
    replaced: HashMap<String, Asset>,
}

impl FolderModule {
    /// The module with the compressed forms of its files, of which it has [`MODULE_BYTES`] at most.
    fn compressed(mut self) -> Self {
        self.files.values_mut().for_each(Asset::compress);
        self
    }
}

impl FolderModules {
    pub(super) fn module(&self, id: &str) -> Option<&Module> {
        self.by_id.get(id).map(|found| &found.module)
    }

    pub(super) fn modules(&self) -> impl Iterator<Item = &Module> {
        self.by_id.values().map(|found| &found.module)
    }

    pub(super) fn asset(&self, path: &str) -> Option<&Asset> {
        let id = path.strip_prefix("modules/")?.split('/').next()?;
        let found = self.by_id.get(id)?;
        found.files.get(path).or_else(|| found.replaced.get(path))
    }

    pub(super) fn problems(&self) -> &[ModuleProblem] {
        &self.problems
    }

    pub(super) fn digests(&self) -> BTreeMap<String, String> {
        self.by_id.iter().map(|(id, found)| (id.clone(), found.digest.clone())).collect()
    }

    fn report(&mut self, path: &Path, message: String) {
        let name =
            path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        self.problems.push(ModuleProblem { module: name, path: path.to_owned(), message });
    }

    /// Reads the modules of a folder. Earlier folders take precedence.
    fn read_folder(&mut self, folder: &Path, is_built_in: &dyn Fn(&str) -> bool, before: &Self) {
        let listed = folder.canonicalize().and_then(|root| Ok((root, candidates(folder)?)));
        let (root, candidates) = match listed {
            Ok(listed) => listed,
            Err(error) => return self.report(folder, format!("the folder of modules cannot be read: {error}")),
        };
        if candidates.len() > FOLDER_MODULES {
            let message = format!("the folder has {} modules, allowed are {FOLDER_MODULES}", candidates.len());
            self.report(folder, message);
        }
        for path in candidates.into_iter().take(FOLDER_MODULES) {
            match read_module(&root, &path).and_then(|module| self.accept(module, is_built_in)) {
                Ok(module) => self.insert(module, before),
                Err(message) => self.keep(&path, message, before),
            }
        }
    }

    fn accept(&self, module: FolderModule, is_built_in: &dyn Fn(&str) -> bool) -> Result<FolderModule, String> {
        let id = &module.module.id;
        if is_built_in(id) {
            return Err(format!("a module with the id {id} is built in; give this one another id"));
        }
        match self.by_id.get(id) {
            Some(first) => Err(format!("{} has a module with the id {id}, too, which is used", first.path.display())),
            None => Ok(module),
        }
    }

    fn insert(&mut self, module: FolderModule, before: &Self) {
        let id = module.module.id.clone();
        let module = match before.by_id.get(&id) {
            Some(same) if same.digest == module.digest && same.path == module.path => Arc::clone(same),
            Some(old) => Arc::new(FolderModule { replaced: old.files.clone(), ..module.compressed() }),
            None => Arc::new(module.compressed()),
        };
        self.by_id.insert(id, module);
    }

    /// Reports a module that cannot be used. The version of this folder that was read before stays in use.
    fn keep(&mut self, path: &Path, message: String, before: &Self) {
        let old = before.by_id.iter().find(|(_, found)| found.path == path);
        match old.filter(|(id, _)| !self.by_id.contains_key(*id)) {
            Some((id, found)) => {
                self.by_id.insert(id.clone(), Arc::clone(found));
                self.report(path, format!("{message}; the version that was read before stays in use"));
            }
            None => self.report(path, message),
        }
    }
}

/// Reads the modules of all folders: of `modules`, then beside the plugins in `plugins`.
pub(super) fn read(
    modules: &[PathBuf],
    plugins: &[PathBuf],
    is_built_in: &dyn Fn(&str) -> bool,
    before: &FolderModules,
) -> FolderModules {
    let mut found = FolderModules::default();
    // A folder of plugins that cannot be read is reported with the plugins.
    let beside = plugins.iter().flat_map(|folder| candidates(folder).unwrap_or_default());
    let beside = beside.map(|plugin| plugin.join("modules")).filter(|folder| folder.is_dir());
    for folder in modules.iter().cloned().chain(beside) {
        found.read_folder(&folder, is_built_in, before);
    }
    found
}

/// The folders and links in a folder, by name; names that begin with a dot are left out.
fn candidates(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && (kind.is_dir() || kind.is_symlink()) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Reads and checks the module in a folder; `root` is the real path of the folder of modules.
fn read_module(root: &Path, path: &Path) -> Result<FolderModule, String> {
    let own = path.canonicalize().map_err(|error| format!("the folder cannot be read: {error}"))?;
    if !own.starts_with(root) {
        return Err("it is a link out of the folder of modules".to_owned());
    }
    let manifest = read_file(&own, MANIFEST, MANIFEST_BYTES)?;
    let mut module: Module = serde_json::from_slice(&manifest).map_err(|error| format!("{MANIFEST}: {error}"))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    check_manifest(&module, &name)?;
    let entry = (&module.entry, &module.integrity);
    let others = module.css.iter().chain(&module.files).map(|listed| (&listed.file, &listed.integrity));
    let (mut hash, mut contents, mut left) = (Sha256::new(), Vec::new(), MODULE_BYTES);
    hash.update(format!("{} {}\n", module.slot, module.contract));
    if let Some(schema) = &module.props_schema {
        hash.update(format!("{schema}\n"));
    }
    for (file, integrity) in std::iter::once(entry).chain(others) {
        let bytes = read_file(&own, file, FILE_BYTES)?;
        if !has_digest(&bytes, integrity) {
            return Err(format!("{file} has not the digest that {MANIFEST} states"));
        }
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| format!("its files have more than {MODULE_BYTES} bytes together"))?;
        hash.update(format!("{file}\n{integrity}\n"));
        contents.push((file.clone(), bytes));
    }
    let digest = hex(&hash.finalize()[..8]);
    let files = contents.into_iter().map(|(file, bytes)| {
        let asset = Asset { plain: Bytes::from(bytes), br: None, gz: None, mime: files::media_type(&file) };
        (format!("modules/{}/{digest}/{file}", module.id), asset)
    });
    let files = files.collect();
    module.entry = format!("{digest}/{}", module.entry);
    for css in &mut module.css {
        css.file = format!("{digest}/{}", css.file);
    }
    Ok(FolderModule { module, path: path.to_owned(), digest, files, replaced: HashMap::new() })
}

/// The slot of the console's pages in the design, which is no slot of a page.
const CONSOLE_SLOT: &str = "admin.pages";

/// What is wrong with a manifest, besides the content of the files.
fn check_manifest(module: &Module, folder: &str) -> Result<(), String> {
    let Module { id, slot, contract, .. } = module;
    if !is_id(id) {
        return Err(format!("{MANIFEST}: the id {id:?} has to be lower-case letters, digits and hyphens, at most 64"));
    }
    if id != folder {
        return Err(format!("{MANIFEST}: the id is {id}, but the folder is named {folder:?}; they have to be equal"));
    }
    if !is_slot(slot) {
        let reason = match slot.as_str() {
            CONSOLE_SLOT => ": it belongs to the console of administrators, which this host does not have",
            _ => "",
        };
        return Err(format!("{MANIFEST}: pages have no slot {slot:?}{reason}"));
    }
    if *contract == 0 || *contract > CONTRACT {
        return Err(format!(
            "it was built for version {contract} of the contract, this host has version {CONTRACT}; update the host, or build the \
             module with the SDK of this host"
        ));
    }
    if let Some(fault) = module.fault() {
        return Err(format!("{MANIFEST}: {fault}"));
    }
    if 1 + module.css.len() + module.files.len() > MODULE_FILES {
        return Err(format!("{MANIFEST}: it lists more than {MODULE_FILES} files"));
    }
    let ending = |file: &str| file.rsplit_once('.').map(|(_, ending)| ending.to_owned()).unwrap_or_default();
    if ending(&module.entry) != "js" {
        return Err(format!("{MANIFEST}: the entry {:?} is no script", module.entry));
    }
    if let Some(css) = module.css.iter().find(|css| ending(&css.file) != "css") {
        return Err(format!("{MANIFEST}: {:?} is no style sheet", css.file));
    }
    match module.files.iter().find(|listed| !ENDINGS.contains(&ending(&listed.file).as_str())) {
        Some(other) => Err(format!("{MANIFEST}: {:?} is no picture or font", other.file)),
        None => Ok(()),
    }
}

/// Whether a text is the id of a module.
fn is_id(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    text.len() <= 64 && text.split('-').all(part)
}

/// Reads a file of a module. `own` is the real path of the module's folder, which the file must not leave.
fn read_file(own: &Path, file: &str, limit: u64) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("{file} cannot be read: {error}");
    let path = own.join(file).canonicalize().map_err(failed)?;
    if !path.starts_with(own) {
        return Err(format!("{file} is a link out of the module's folder"));
    }
    let metadata = fs::metadata(&path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(format!("{file} is not a file"));
    }
    let mut bytes = Vec::new();
    // The size may change while the file is read.
    if metadata.len() <= limit {
        fs::File::open(&path).and_then(|open| open.take(limit + 1).read_to_end(&mut bytes)).map_err(failed)?;
    }
    if metadata.len() > limit || bytes.len() as u64 > limit {
        return Err(format!("{file} has more than {limit} bytes"));
    }
    Ok(bytes)
}

/// Whether bytes have a digest in the form of subresource integrity.
fn has_digest(bytes: &[u8], integrity: &str) -> bool {
    let Some((algorithm, stated)) = integrity.split_once('-') else { return false };
    let found = match algorithm {
        "sha256" => STANDARD.encode(Sha256::digest(bytes)),
        "sha384" => STANDARD.encode(Sha384::digest(bytes)),
        "sha512" => STANDARD.encode(Sha512::digest(bytes)),
        _ => return false,
    };
    found == stated
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::symlink;

    use serde_json::{Value, json};

    use super::*;

    const SCRIPT: &str = "export const init = () => undefined;";
    const SHEET: &str = ".frame-header{color:red}";

    fn integrity(text: &str) -> String {
        format!("sha384-{}", STANDARD.encode(Sha384::digest(text)))
    }

    fn manifest(id: &str) -> Value {
        json!({
            "id": id, "slot": "header", "contract": CONTRACT, "entry": "assets/nav-1.js", "integrity": integrity(SCRIPT),
            "css": [{ "file": "assets/nav-1.css", "integrity": integrity(SHEET) }], "files": [], "height": null,
        })
    }

    /// Writes a module, with the manifest as `change` leaves it.
    fn write(folder: &Path, id: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
        let own = folder.join(id);
        fs::create_dir_all(own.join("assets")).unwrap();
        fs::write(own.join("assets/nav-1.js"), SCRIPT).unwrap();
        fs::write(own.join("assets/nav-1.css"), SHEET).unwrap();
        let mut manifest = manifest(id);
        change(&mut manifest);
        fs::write(own.join(MANIFEST), manifest.to_string()).unwrap();
        own
    }

    fn read_one(folder: &Path, before: &FolderModules) -> FolderModules {
        read(&[folder.to_owned()], &[], &|id| id == "nav-default", before)
    }

    fn text(found: &FolderModules, path: &str) -> Option<String> {
        found.asset(path).map(|asset| String::from_utf8(asset.plain.to_vec()).unwrap())
    }

    #[test]
    fn a_module_is_served_below_its_digest_and_nothing_else_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let own = write(folder.path(), "harbour-nav", |_| ());
        fs::write(own.join("assets/other.js"), "not listed").unwrap();
        fs::write(folder.path().join("README.md"), "a file beside the modules").unwrap();
        let found = read_one(folder.path(), &FolderModules::default());
        assert!(found.problems().is_empty(), "{:?}", found.problems());
        let module = found.module("harbour-nav").unwrap();
        let digests = found.digests();
        let digest = &digests["harbour-nav"];
        assert_eq!(module.entry(), format!("/assets/modules/harbour-nav/{digest}/assets/nav-1.js"));
        assert_eq!(module.css(), [format!("/assets/modules/harbour-nav/{digest}/assets/nav-1.css")]);
        let at = |file: &str| format!("modules/harbour-nav/{digest}/{file}");
        assert_eq!(text(&found, &at("assets/nav-1.js")).as_deref(), Some(SCRIPT));
        assert_eq!(text(&found, &at("assets/nav-1.css")).as_deref(), Some(SHEET));
        for other in ["assets/other.js", MANIFEST, "../harbour-nav/preload.json", ""] {
            assert!(found.asset(&at(other)).is_none(), "{other:?}");
        }
        assert!(found.asset("modules/harbour-nav/assets/nav-1.js").is_none(), "an address names the version");
    }

    #[test]
    fn the_files_of_a_module_are_compressed_once_where_that_makes_them_smaller() {
        let folder = tempfile::tempdir().unwrap();
        let long = SCRIPT.repeat(100);
        let own = write(folder.path(), "harbour-nav", |manifest| manifest["integrity"] = json!(integrity(&long)));
        fs::write(own.join("assets/nav-1.js"), &long).unwrap();
        let first = read_one(folder.path(), &FolderModules::default());
        let at = |file: &str| format!("modules/harbour-nav/{}/assets/{file}", first.digests()["harbour-nav"]);
        let script = first.asset(&at("nav-1.js")).unwrap();
        let (br, gz) = (script.br.as_ref().unwrap(), script.gz.as_ref().unwrap());
        let (mut of_br, mut of_gz) = (Vec::new(), Vec::new());
        brotli::Decompressor::new(&br[..], 4096).read_to_end(&mut of_br).unwrap();
        flate2::read::GzDecoder::new(&gz[..]).read_to_end(&mut of_gz).unwrap();
        assert!(of_br == long.as_bytes() && of_gz == long.as_bytes());
        assert!(br.len() < long.len() / 10 && gz.len() < long.len() / 10, "{} {}", br.len(), gz.len());
        let sheet = first.asset(&at("nav-1.css")).unwrap();
        assert!(sheet.gz.is_none(), "24 bytes have no smaller form");
        // A module that is the same is not compressed again.
        let again = read_one(folder.path(), &first);
        assert_eq!(again.asset(&at("nav-1.js")).unwrap().br.as_ref().unwrap().as_ptr(), br.as_ptr());
    }

    #[test]
    fn a_changed_module_gets_another_address_and_the_former_one_answers_too() {
        let folder = tempfile::tempdir().unwrap();
        let own = write(folder.path(), "harbour-nav", |_| ());
        let first = read_one(folder.path(), &FolderModules::default());
        let again = read_one(folder.path(), &first);
        assert_eq!(again.digests(), first.digests());
        fs::write(own.join("assets/nav-2.js"), "export default 2;").unwrap();
        write(folder.path(), "harbour-nav", |manifest| {
            manifest["entry"] = json!("assets/nav-2.js");
            manifest["integrity"] = json!(integrity("export default 2;"));
        });
        let second = read_one(folder.path(), &again);
        let entry = |found: &FolderModules| found.module("harbour-nav").unwrap().entry();
        assert_ne!(entry(&second), entry(&first));
        let below = |address: String| address.strip_prefix("/assets/").unwrap().to_owned();
        assert_eq!(text(&second, &below(entry(&second))).as_deref(), Some("export default 2;"));
        assert_eq!(text(&second, &below(entry(&first))).as_deref(), Some(SCRIPT));
        // An unrelated change reads the folders again and forgets nothing.
        assert_eq!(text(&read_one(folder.path(), &second), &below(entry(&first))).as_deref(), Some(SCRIPT));
        fs::remove_dir_all(own).unwrap();
        let gone = read_one(folder.path(), &second);
        assert!(gone.module("harbour-nav").is_none() && gone.problems().is_empty());
    }

    #[test]
    fn a_broken_replacement_leaves_the_version_before_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let own = write(folder.path(), "harbour-nav", |_| ());
        let first = read_one(folder.path(), &FolderModules::default());
        fs::write(own.join("assets/nav-1.js"), "half of a scri").unwrap();
        let broken = read_one(folder.path(), &first);
        assert_eq!(broken.digests(), first.digests());
        let said = broken.problems()[0].to_string();
        assert!(said.contains("nav-1.js has not the digest") && said.contains("stays in use"), "{said}");
        let served = broken.module("harbour-nav").unwrap().entry();
        assert_eq!(text(&broken, served.strip_prefix("/assets/").unwrap()).as_deref(), Some(SCRIPT));
        // A host that starts now has no version before.
        let fresh = read_one(folder.path(), &FolderModules::default());
        assert!(fresh.module("harbour-nav").is_none() && fresh.problems().len() == 1);
    }

    #[test]
    fn hostile_manifests_are_refused_with_the_reason() {
        type Change = fn(&mut Value);
        let cases: [(Change, &str); 19] = [
            (|m| m["id"] = json!("other-nav"), "the id is other-nav, but the folder is named"),
            (|m| m["id"] = json!("../harbour-nav"), "the id \"../harbour-nav\""),
            (|m| m["slot"] = json!("everything"), "pages have no slot \"everything\""),
            (|m| m["slot"] = json!(CONSOLE_SLOT), "it belongs to the console of administrators"),
            (|m| m["contract"] = json!(CONTRACT + 1), "it was built for version 2 of the contract"),
            (|m| m["contract"] = json!(0), "it was built for version 0"),
            (|m| m["contract"] = json!("one"), "preload.json: invalid type"),
            (|m| m["entry"] = json!("../nav-default/nav.js"), "is not in the module's folder"),
            (|m| m["entry"] = json!("/etc/passwd"), "is not in the module's folder"),
            (|m| m["entry"] = json!("assets/nav-1.css"), "is no script"),
            (|m| m["entry"] = json!("assets/lost.js"), "assets/lost.js cannot be read"),
            (|m| m["integrity"] = json!(integrity("another script")), "assets/nav-1.js has not the digest"),
            (|m| m["integrity"] = json!("md5-abcd"), "is not a digest"),
            (|m| m["integrity"] = json!(""), "is not a digest"),
            (|m| m["css"][0]["integrity"] = json!(""), "assets/nav-1.css has not the digest"),
            (|m| m["css"][0]["file"] = json!("assets/nav-1.js"), "is no style sheet"),
            (|m| m["css"][0]["file"] = json!("../../secrets.toml"), "is not in the module's folder"),
            (|m| m["files"] = json!([{ "file": "assets/nav-1.js", "integrity": "" }]), "is no picture or font"),
            (
                |m| m["files"] = json!(vec![json!({ "file": "a.svg", "integrity": "" }); MODULE_FILES]),
                "it lists more than 64 files",
            ),
        ];
        for (change, reason) in cases {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), "harbour-nav", change);
            let found = read_one(folder.path(), &FolderModules::default());
            assert!(found.by_id.is_empty(), "{reason}");
            assert_eq!(found.problems().len(), 1, "{reason}");
            let said = found.problems()[0].to_string();
            assert!(said.starts_with("module harbour-nav (") && said.contains(reason), "{reason}: {said}");
        }
    }

    /// What is in the folder of modules, as a function writes it, is refused for this reason; a good module beside it is used.
    fn refused(make: impl FnOnce(&Path), reason: &str) {
        let folder = tempfile::tempdir().unwrap();
        let modules = folder.path().join("modules");
        fs::create_dir(&modules).unwrap();
        fs::write(folder.path().join("outside.js"), SCRIPT).unwrap();
        write(&modules, "a-good-one", |_| ());
        make(&modules);
        let found = read_one(&modules, &FolderModules::default());
        assert_eq!(found.by_id.keys().collect::<Vec<_>>(), ["a-good-one"], "{reason}");
        let said: Vec<_> = found.problems().iter().map(ToString::to_string).collect();
        assert!(said.len() == 1 && said[0].contains(reason), "{reason}: {said:?}");
    }

    #[test]
    fn hostile_folders_are_refused_with_the_reason() {
        refused(|at| fs::create_dir(at.join("empty")).unwrap(), "preload.json cannot be read");
        refused(|at| drop(write(at, "nav-default", |_| ())), "is built in");
        refused(
            |at| fs::write(write(at, "torn", |_| ()).join(MANIFEST), "{\"id\": \"to").unwrap(),
            "preload.json: EOF while parsing",
        );
        refused(
            |at| fs::write(write(at, "vast", |_| ()).join(MANIFEST), " ".repeat(65 << 10)).unwrap(),
            "preload.json has more than 65536 bytes",
        );
        refused(
            |at| {
                let file = fs::File::create(write(at, "huge", |_| ()).join("assets/nav-1.js")).unwrap();
                file.set_len(1 << 32).unwrap();
            },
            "assets/nav-1.js has more than 2097152 bytes",
        );
        refused(
            |at| {
                let script = write(at, "linked", |_| ()).join("assets/nav-1.js");
                fs::remove_file(&script).unwrap();
                symlink(at.join("../outside.js"), script).unwrap();
            },
            "assets/nav-1.js is a link out of the module's folder",
        );
        refused(
            |at| {
                let assets = write(at, "linked", |_| ()).join("assets");
                fs::remove_dir_all(&assets).unwrap();
                symlink(at.join("a-good-one/assets"), assets).unwrap();
            },
            "assets/nav-1.js is a link out of the module's folder",
        );
        refused(
            |at| {
                write(at.parent().unwrap(), "elsewhere", |_| ());
                symlink("../elsewhere", at.join("elsewhere")).unwrap();
            },
            "it is a link out of the folder of modules",
        );
        refused(|at| symlink("nowhere", at.join("dangling")).unwrap(), "the folder cannot be read");
        refused(
            |at| {
                let script = write(at, "folder", |_| ()).join("assets/nav-1.js");
                fs::remove_file(&script).unwrap();
                fs::create_dir(script).unwrap();
            },
            "assets/nav-1.js is not a file",
        );
        refused(
            |at| {
                let picture = "x".repeat(2 << 20);
                let listed: Vec<_> = (0..5)
                    .map(|number| json!({ "file": format!("{number}.svg"), "integrity": integrity(&picture) }))
                    .collect();
                let own = write(at, "heavy", |manifest| manifest["files"] = json!(listed));
                (0..5).for_each(|number| fs::write(own.join(format!("{number}.svg")), &picture).unwrap());
            },
            "its files have more than 8388608 bytes together",
        );
    }

    #[test]
    fn the_first_folder_serves_and_modules_lie_beside_plugins_too() {
        let folder = tempfile::tempdir().unwrap();
        let (modules, plugins) = (folder.path().join("modules"), folder.path().join("plugins"));
        write(&modules, "harbour-nav", |_| ());
        write(&plugins.join("badges/modules"), "harbour-nav", |_| ());
        write(&plugins.join("badges/modules"), "badge", |manifest| manifest["slot"] = json!("result.badges"));
        fs::create_dir_all(plugins.join("plain")).unwrap();
        let lost = folder.path().join("lost");
        let found = read(&[modules.clone(), lost], &[plugins], &|_| false, &FolderModules::default());
        let of: Vec<_> =
            found.by_id.iter().map(|(id, found)| (id.as_str(), found.path.starts_with(&modules))).collect();
        assert_eq!(of, [("badge", false), ("harbour-nav", true)]);
        let said: Vec<_> = found.problems().iter().map(ToString::to_string).collect();
        assert!(said.len() == 2 && said[0].contains("the folder of modules cannot be read"), "{said:?}");
        assert!(said[1].contains("has a module with the id harbour-nav, too, which is used"), "{said:?}");
    }
}
