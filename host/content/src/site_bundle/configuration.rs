//! The configuration of a site in a bundle: what loading does to the folder of the sites.

use std::{
    fs, io,
    io::Write as _,
    path::{Component, Path},
};

use anyhow::Context as _;
use masthead_config::{Configuration, Layers, Saved};
use masthead_domain::{SiteId, site::Library};
use masthead_store::{Store, site_rows::ConfigurationFile};
use serde::Serialize;
use serde_json::Value;

use super::{FieldChanges, Manifest};
use crate::{
    digest::Digest,
    scratch::{self, Scratch},
};

/// The setting that states how OAI identifiers name the site.
pub const OAI_NAMESPACE: &str = "library.oaiNamespace";
/// The folder of the groups of sites, in that of the sites.
const GROUPS: &str = "groups";
/// The folder of the pictures of sites, in that of the sites and in a bundle.
const ASSETS: &str = "assets";

/// What loading a bundle does with a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileAction {
    /// The installation has no such file; it is written.
    New,
    /// The installation has another version, which is replaced.
    Replaced,
    /// The installation has another version, which stays: other sites may use it, or the caller wants it.
    Kept,
}

/// A configuration file in which bundle and installation differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileChange {
    /// Path within the folder of the sites.
    pub path: String,
    /// What loading does with it.
    pub action: FileAction,
    /// The keys that differ in a TOML file that is replaced, at most 20 of them.
    #[serde(flatten)]
    pub changes: FieldChanges,
    /// Digests of the version that is replaced and of the new one, so that a confirmation is of these two; "" for a file that stays.
    #[serde(skip)]
    pub(super) versions: String,
}

/// What becomes of the OAI identifiers of a site that is loaded.
#[derive(Debug, PartialEq, Eq)]
pub enum Namespace {
    /// They stay as they are without a setting, or the configuration of this installation states others.
    Stays,
    /// They stay if this is saved as the setting.
    Saved(String),
    /// They change: no setting keeps them, for this reason.
    Lost(String),
}

/// The configuration of a bundle, compared with that of the installation.
pub struct Plan {
    /// The number of the site in this installation.
    pub site: SiteId,
    /// The files that differ.
    pub changes: Vec<FileChange>,
    /// The files to be written.
    pub files: Vec<ConfigurationFile>,
}

impl Plan {
    /// Compares the files of an unpacked bundle with the folder `sites`. With `keep`, a site that the installation has keeps its files.
    pub fn of(folder: &Path, sites: &Path, manifest: &Manifest, keep: bool) -> anyhow::Result<Self> {
        let plain = |sld: &str| {
            !sld.is_empty() && sld.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        anyhow::ensure!(plain(&manifest.sld), "the short name {:?} in the bundle is invalid", manifest.sld);
        let known = Configuration::read(sites, &Saved::new())?;
        let here = known.sites.get(&manifest.sld);
        // Bundles of the first version have no numbers of articles, so that the number of the site need not stay either.
        anyhow::ensure!(
            manifest.version == 1 || here.is_none_or(|site| site.id.0 == manifest.site_id),
            "the site {} has the number {} in the bundle and {} in this installation; addresses contain the number: give both the same",
            manifest.sld,
            manifest.site_id,
            here.map_or(0, |site| site.id.0)
        );
        let own = sites.join(format!("{}.toml", manifest.sld));
        anyhow::ensure!(
            here.is_some() || !own.exists(),
            "{} exists but is invalid: correct or remove it, then load the bundle again",
            own.display()
        );
        let other = known.sites.values().find(|site| site.id.0 == manifest.site_id && site.sld != manifest.sld);
        if let (None, Some(other)) = (here, other) {
            anyhow::bail!(
                "the site number {} is used by the site {} in this installation; change one of the two",
                manifest.site_id,
                other.sld
            );
        }
        let site = here.map_or(SiteId(manifest.site_id), |site| site.id);
        let keeps = here.is_some() && (keep || manifest.version == 1);
        let mut plan = Self { site, changes: Vec::new(), files: Vec::new() };
        let text = fs::read_to_string(folder.join("site.toml"))
            .map_err(|error| anyhow::anyhow!("the bundle has no site.toml ({error}); it is incomplete"))?;
        let document: toml::Value =
            toml::from_str(&text).map_err(|error| anyhow::anyhow!("site.toml in the bundle: {error}"))?;
        let number = document.get("id").and_then(toml::Value::as_integer);
        anyhow::ensure!(
            number == Some(manifest.site_id),
            "site.toml in the bundle does not have the site's number {}",
            manifest.site_id
        );
        plan.assets(folder, sites, keeps || manifest.version == 1)?;
        plan.group(folder, sites, &document)?;
        plan.file(
            sites,
            format!("{}.toml", manifest.sld),
            text.into_bytes(),
            if keeps { Rule::Keep } else { Rule::Replace },
        )?;
        Ok(plan)
    }

    /// How the OAI identifiers of the site's articles stay those of the bundle. Without a setting, the domain of the platform may be part of
    /// them, and every installation has its own. `settings` are those of the bundle, which the site will have.
    pub fn namespace_to_save(
        &self,
        sites: &Path,
        data: &Path,
        manifest: &Manifest,
        settings: Vec<(String, Value)>,
    ) -> anyhow::Result<Namespace> {
        let name = &manifest.oai_namespace;
        if name.is_empty() {
            return Ok(Namespace::Stays);
        }
        let merged = self.merged(sites, data)?;
        let read = Configuration::read(merged.path(), &Saved::from([(self.site.0, settings)]))?;
        let (site, layers) = (read.sites.get(&manifest.sld), read.layers.get(&manifest.sld));
        // A site that is not served, because something else in its configuration is wrong here, is served when it is corrected.
        if site.is_some_and(|site| site.oai_namespace(&read.platform.domain) == *name)
            || layers.is_some_and(|layers| states_namespace(layers))
        {
            return Ok(Namespace::Stays);
        }
        let lost = |reason: String| {
            Namespace::Lost(format!("OAI identifiers of the site no longer begin with oai:{name}, because {reason}"))
        };
        if let Some(by) = layers.and_then(|layers| layers.lock_of(OAI_NAMESPACE)) {
            return Ok(lost(format!("{by} locks {OAI_NAMESPACE}")));
        }
        if Library::is_oai_namespace(name) {
            return Ok(Namespace::Saved(name.clone()));
        }
        Ok(lost(format!("{OAI_NAMESPACE} cannot be {name:?}: write a name there that can stay")))
    }

    /// The folder of the sites as the load leaves it: links to what stays, and the files that are written.
    fn merged(&self, sites: &Path, data: &Path) -> anyhow::Result<Scratch> {
        let root = scratch::root(data);
        let making = || format!("making a temporary folder in {}", root.display());
        let folder = Scratch::new(&root, "sites-").with_context(making)?;
        self.merge(sites, folder.path()).with_context(making)?;
        Ok(folder)
    }

    fn merge(&self, sites: &Path, to: &Path) -> io::Result<()> {
        let sites = fs::canonicalize(sites)?;
        for part in ["", GROUPS] {
            fs::create_dir_all(to.join(part))?;
            let entries = fs::read_dir(sites.join(part)).into_iter().flatten().flatten();
            for entry in entries.filter(|entry| entry.file_name() != GROUPS) {
                std::os::unix::fs::symlink(entry.path(), to.join(part).join(entry.file_name()))?;
            }
        }
        for file in self.files.iter().filter(|file| !file.path.starts_with(ASSETS)) {
            let target = to.join(&file.path);
            if target.is_symlink() {
                fs::remove_file(&target)?;
            }
            fs::write(target, &file.content)?;
        }
        Ok(())
    }

    fn assets(&mut self, folder: &Path, sites: &Path, keeps: bool) -> anyhow::Result<()> {
        let assets = folder.join(ASSETS);
        for entry in walkdir::WalkDir::new(&assets).sort_by_file_name().into_iter().flatten() {
            let Some(name) = entry.path().strip_prefix(&assets).ok().and_then(Path::to_str) else { continue };
            if entry.file_type().is_file() {
                // Loading a bundle of the first version has never replaced a file.
                let rule = if keeps { Rule::Keep } else { Rule::Replace };
                self.file(sites, format!("{ASSETS}/{name}"), fs::read(entry.path())?, rule)?;
            }
        }
        Ok(())
    }

    /// The file of the site's group. Other sites belong to it, so that a group that the installation has stays as it is.
    fn group(&mut self, folder: &Path, sites: &Path, document: &toml::Value) -> anyhow::Result<()> {
        let name = document.get("group").and_then(toml::Value::as_str).unwrap_or_default();
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let file = folder.join("group.toml");
        if plain && file.is_file() {
            self.file(sites, format!("{GROUPS}/{name}.toml"), fs::read(file)?, Rule::Keep)?;
        }
        Ok(())
    }

    fn file(&mut self, sites: &Path, path: String, content: Vec<u8>, rule: Rule) -> anyhow::Result<()> {
        let (action, known) = match fs::read(sites.join(&path)) {
            Ok(known) if known == content => return Ok(()),
            Ok(known) => (if rule == Rule::Keep { FileAction::Kept } else { FileAction::Replaced }, known),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (FileAction::New, Vec::new()),
            Err(error) => return Err(error).with_context(|| format!("reading {}", sites.join(path).display())),
        };
        let (mut versions, mut changes) = (String::new(), FieldChanges::default());
        if action == FileAction::Replaced && path.ends_with(".toml") {
            changes = FieldChanges::of_files(&known, &content);
        }
        if action != FileAction::Kept {
            versions = format!("{} {}", Digest::of(&known).hex(), Digest::of(&content).hex());
            self.files.push(ConfigurationFile { path: path.clone(), content });
        }
        self.changes.push(FileChange { path, action, changes, versions });
        Ok(())
    }
}

/// Whether the configuration states the namespace of OAI identifiers.
fn states_namespace(layers: &Layers) -> bool {
    layers.figment().extract_inner::<String>(OAI_NAMESPACE).is_ok_and(|name| !name.is_empty())
}

/// What to do where the installation has another version of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Keep,
    Replace,
}

/// The name under which the database knows the folder of the sites.
pub fn folder_name(sites: &Path) -> anyhow::Result<String> {
    let path = fs::canonicalize(sites).with_context(|| format!("opening {}", sites.display()))?;
    Ok(path.display().to_string())
}

/// Writes the configuration files of sites that were loaded, if the load ended before it wrote them. A load ends with this; commands and
/// the host begin with it, so that a load that was killed is completed.
///
/// # Errors
/// A message, if the database cannot be read or a file cannot be written.
pub async fn finish_loading(store: &Store, sites: &Path) -> anyhow::Result<()> {
    // A folder that does not exist is reported by whatever needs it.
    let Ok(folder) = folder_name(sites) else { return Ok(()) };
    for file in store.loaded_configuration(&folder).await? {
        write(sites, &file).with_context(|| {
            format!(
                "writing {}, which belongs to a site that was loaded; correct this, and start again",
                sites.join(&file.path).display()
            )
        })?;
        store.configuration_is_written(&folder, &file).await?;
    }
    Ok(())
}

/// Writes a file under another name, and renames it: a reader sees the former file or the new one.
fn write(sites: &Path, file: &ConfigurationFile) -> io::Result<()> {
    let path = Path::new(&file.path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(io::Error::other("the path leads out of the folder"));
    }
    let target = sites.join(path);
    let parent = target.parent().unwrap_or(sites);
    fs::create_dir_all(parent)?;
    let mut temporary = tempfile::Builder::new().prefix(".").suffix(".new").tempfile_in(parent)?;
    temporary.write_all(&file.content)?;
    temporary.as_file().sync_all()?;
    // Temporary files are for their owner alone; the configuration has its former permissions, or those that an editor would give it.
    let mode = fs::metadata(&target).map(|known| known.permissions());
    let mode = mode.unwrap_or_else(|_| std::os::unix::fs::PermissionsExt::from_mode(0o644));
    temporary.as_file().set_permissions(mode)?;
    temporary.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const PLATFORM: &str = include_str!("../../../../sites/platform.toml");

    #[test]
    fn oai_identifiers_stay_unless_the_installation_states_others() {
        let folder = tempfile::tempdir().unwrap();
        let (sites, data) = (folder.path().join("sites"), folder.path().join("data"));
        let platform = PLATFORM.replace("domain = \"localhost\"", "domain = \"other.example\"");
        assert_ne!(platform, PLATFORM);
        let manifest = |name: &str| Manifest {
            version: 2,
            site_id: 9,
            sld: "tides".to_owned(),
            oai_namespace: name.to_owned(),
            ..Manifest::default()
        };
        let bundle = "id = 9\ncolorId = 7\nlanguages = [\"en\"]\nname = { en = \"Tides\" }\n[header]\n";
        let unpacked = folder.path().join("bundle");
        let planned = |written: &str, own: Option<&str>, name: &str, settings: Vec<(String, Value)>| {
            let _ = fs::remove_dir_all(&sites);
            fs::create_dir_all(&sites).unwrap();
            fs::create_dir_all(&unpacked).unwrap();
            fs::write(sites.join("platform.toml"), &platform).unwrap();
            fs::write(unpacked.join("site.toml"), written).unwrap();
            if let Some(own) = own {
                fs::write(sites.join("tides.toml"), own).unwrap();
            }
            let plan = Plan::of(&unpacked, &sites, &manifest(name), own.is_some()).unwrap();
            plan.namespace_to_save(&sites, &data, &manifest(name), settings).unwrap()
        };
        let stated = |name: &str| format!("{bundle}\n[library]\noaiNamespace = \"{name}\"\n");
        let setting = |name: &str| vec![(OAI_NAMESPACE.to_owned(), Value::from(name))];
        let (here, there) = ("tides.other.example", "tides.localhost");
        let saved = Namespace::Saved(there.to_owned());
        assert_eq!(planned(bundle, None, there, vec![]), saved, "the platform has another domain");
        assert_eq!(planned(bundle, Some(bundle), there, vec![]), saved, "the installation keeps its file");
        assert_eq!(planned(bundle, None, here, vec![]), Namespace::Stays, "it is the same without a setting");
        assert_eq!(planned(bundle, None, "", vec![]), Namespace::Stays, "a bundle of before");
        assert_eq!(planned(&stated("one.example"), None, "one.example", vec![]), Namespace::Stays);
        assert_eq!(planned(bundle, None, "one.example", setting("one.example")), Namespace::Stays);
        let kept = planned(bundle, Some(&stated("two.example")), there, vec![]);
        assert_eq!(kept, Namespace::Stays, "the installation states another one");
        let of_bundle = planned(&stated("one.example"), Some(bundle), "one.example", vec![]);
        assert_eq!(of_bundle, Namespace::Saved("one.example".to_owned()), "the file that states it is not used");
        let locked = format!("locked = [\"library\"]\n{bundle}");
        for (written, name, words) in [(&*locked, there, "site tides locks"), (bundle, "3d.localhost", "cannot be")] {
            let lost = planned(written, None, name, vec![]);
            assert!(matches!(&lost, Namespace::Lost(reason) if reason.contains(words)), "{lost:?}");
        }
        assert_eq!(fs::read_dir(scratch::root(&data)).unwrap().count(), 0, "nothing is left behind");
    }

    #[test]
    fn what_becomes_of_a_file_names_both_versions() {
        let sites = tempfile::tempdir().unwrap();
        let planned = |known: &str, new: &str, rule| {
            fs::write(sites.path().join("a.toml"), known).unwrap();
            let mut plan = Plan { site: SiteId(1), changes: Vec::new(), files: Vec::new() };
            plan.file(sites.path(), "a.toml".to_owned(), new.as_bytes().to_vec(), rule).unwrap();
            plan.changes
        };
        let first = planned("one", "new", Rule::Replace);
        assert_eq!(first[0].action, FileAction::Replaced);
        assert_eq!(planned("one", "new", Rule::Replace), first);
        assert_ne!(planned("two", "new", Rule::Replace), first, "somebody has changed the file since");
        assert_ne!(planned("one", "newer", Rule::Replace), first);
        assert_eq!(planned("one", "new", Rule::Keep), planned("two", "new", Rule::Keep), "it stays in any case");
        assert!(planned("new", "new", Rule::Replace).is_empty());
    }
}
