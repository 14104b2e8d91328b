//! Import of JATS files: read, convert, keep the figures, render, store. One file's failure is one line of the report.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

use masthead_documents::{
    html::{self, StoredFile},
    jats::{self, Imported, Limits},
    picture,
};
use masthead_domain::{SiteId, card::ArticleCard};
use masthead_store::{Media, NewArticle, Saved, SiteStore, Store};
use serde::Serialize;

use crate::{files, ui};

/// Largest figure that is taken in.
const LARGEST_FIGURE: u64 = 64 << 20;
/// Endings that are tried where the source names a figure without one, or one of a form that browsers do not show.
const ENDINGS: [&str; 7] = ["svg", "png", "jpg", "jpeg", "gif", "webp", "avif"];

/// What became of one file.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The file.
    pub path: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Its article's number, when it is stored.
    pub article: Option<i64>,
    /// Its DOI.
    pub doi: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// Line of the failure, from 1.
    pub line: Option<u32>,
    /// Column of the failure, from 1.
    pub column: Option<u32>,
    /// What a librarian should look at.
    pub warnings: Vec<String>,
    /// Elements that were not understood and how often; their text is kept.
    pub unknown: BTreeMap<String, u32>,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A new article (or it would be, in a dry run).
    Created,
    /// A changed article replaced the one before.
    Updated,
    /// The same article was there already.
    Unchanged,
    /// It converts; nothing is written in a dry run.
    Valid,
    /// It cannot be imported.
    Failed,
}

/// Every file under the paths: XML files of folders in the order of their names, other paths as they are.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            // Links are not followed: a package must not lead out of its folder.
            let walk = walkdir::WalkDir::new(path).sort_by_file_name();
            files.extend(
                walk.into_iter()
                    .flatten()
                    .filter(|entry| entry.file_type().is_file())
                    .filter(|entry| entry.path().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml")))
                    .map(walkdir::DirEntry::into_path),
            );
        } else {
            files.push(path.clone());
        }
    }
    files
}

/// Imports files into one site.
pub struct Importer {
    site: SiteId,
    store: SiteStore,
    data: PathBuf,
    dry_run: bool,
    limits: Limits,
    /// Articles of this run: source key -> file and digest of the bytes.
    seen: HashMap<String, (String, Vec<u8>)>,
}

/// A file that was read and converted, before anything is written.
struct Converted {
    imported: Imported,
    digest: Vec<u8>,
}

impl Importer {
    /// An importer for a site; `data` is the data folder.
    #[must_use]
    pub fn new(store: &Store, site: SiteId, data: &Path, dry_run: bool) -> Self {
        Self {
            site,
            store: store.site(site),
            data: data.to_owned(),
            dry_run,
            limits: Limits::default(),
            seen: HashMap::new(),
        }
    }

    /// Imports one file.
    pub async fn file(&mut self, path: &Path) -> Item {
        let mut item = Item {
            path: path.display().to_string(),
            outcome: Outcome::Failed,
            article: None,
            doi: None,
            error: None,
            line: None,
            column: None,
            warnings: Vec::new(),
            unknown: BTreeMap::new(),
        };
        if let Err(error) = self.take(path, &mut item).await {
            item.outcome = Outcome::Failed;
            item.error = Some(format!("{error:#}"));
        }
        item
    }

    async fn take(&mut self, path: &Path, item: &mut Item) -> anyhow::Result<()> {
        let converted = self.convert(path, item).await?;
        let Converted { imported, digest } = converted;
        let meta = &imported.article.meta;
        item.doi = meta.doi.as_ref().map(ToString::to_string);
        item.warnings.clone_from(&imported.report.warnings);
        item.unknown.clone_from(&imported.report.unknown);
        // Two different files for one article in one run: nobody can say which is meant, so the second is refused.
        if let Some((first, known)) = self.seen.get(&meta.source_key) {
            anyhow::ensure!(
                *known == digest,
                "{} is in this run already, with other content, from {first}; import the one that is meant alone",
                meta.source_key
            );
        }
        self.seen.insert(meta.source_key.clone(), (item.path.clone(), digest));
        if self.dry_run {
            item.outcome = Outcome::Valid;
            return Ok(());
        }
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        let addresses = self.figures(&folder, &imported, &mut item.warnings).await?;
        let new = tokio::task::spawn_blocking(move || render(imported, &addresses)).await??;
        let saved = self.store.put_article(&new).await?;
        item.article = Some(saved.id().0);
        item.outcome = match saved {
            Saved::Created(_) => Outcome::Created,
            Saved::Updated(_) => Outcome::Updated,
            Saved::Unchanged(_) => Outcome::Unchanged,
        };
        Ok(())
    }

    async fn convert(&self, path: &Path, item: &mut Item) -> anyhow::Result<Converted> {
        let length = tokio::fs::metadata(path).await?.len();
        anyhow::ensure!(
            length <= self.limits.max_bytes as u64,
            "the file has {length} bytes, more than the {} that are read; split it",
            self.limits.max_bytes
        );
        let bytes = tokio::fs::read(path).await?;
        let limits = self.limits;
        let (result, digest) = tokio::task::spawn_blocking(move || {
            use sha2::Digest as _;
            (jats::import(&bytes, &limits), sha2::Sha256::digest(&bytes).to_vec())
        })
        .await?;
        match result {
            Ok(imported) => Ok(Converted { imported, digest }),
            Err(error) => {
                (item.line, item.column) =
                    error.position().map_or((None, None), |(line, column)| (Some(line), Some(column)));
                Err(error.into())
            }
        }
    }

    /// Keeps every figure that is there; gives the address of each by its name in the source.
    async fn figures(
        &self,
        folder: &Path,
        imported: &Imported,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<HashMap<String, StoredFile>> {
        let mut addresses = HashMap::new();
        for name in &imported.assets {
            let Some(path) = find(folder, name) else {
                if !name.contains("://") {
                    warnings.push(format!("the file {name} is not beside the article"));
                }
                continue;
            };
            let url = keep(&self.store, self.site, &self.data, &path).await?;
            let size =
                tokio::task::spawn_blocking(move || std::fs::read(path).ok().and_then(|bytes| picture::size(&bytes)))
                    .await?;
            addresses.insert(name.clone(), StoredFile { url, size });
        }
        Ok(addresses)
    }
}

/// Takes a file into the site's media and gives its address.
///
/// # Errors
/// A message, when it is too large or cannot be read or written.
pub async fn keep(store: &SiteStore, site: SiteId, data: &Path, path: &Path) -> anyhow::Result<String> {
    let shown = path.display().to_string();
    let length = tokio::fs::metadata(path).await?.len();
    anyhow::ensure!(
        length <= LARGEST_FIGURE,
        "{shown} has {length} bytes, more than the {LARGEST_FIGURE} that are taken in"
    );
    let (owned, folder) = (path.to_owned(), data.to_owned());
    let digest =
        tokio::task::spawn_blocking(move || std::fs::read(owned).and_then(|bytes| files::keep(&folder, &bytes)))
            .await?
            .map_err(|error| anyhow::anyhow!("keeping {shown} in the data folder: {error}"))?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file").to_owned();
    let mime = ui::mime(&name).to_owned();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("bin").to_lowercase();
    store
        .put_media(&Media { digest: digest.clone(), name, mime, bytes: i64::try_from(length).unwrap_or(i64::MAX) })
        .await?;
    Ok(format!("/media/{site}/{digest}.{ending}"))
}

/// The file that a source names, inside the folder of the source. What a browser cannot show is looked for in a form
/// that it can.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let root = folder.canonicalize().ok()?;
    let inside = |path: PathBuf| {
        let real = path.canonicalize().ok()?;
        (real.starts_with(&root) && real.is_file()).then_some(real)
    };
    let named = Path::new(name);
    if named.is_absolute() || name.contains("://") {
        return None;
    }
    let shown = |path: &Path| {
        path.extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|ending| !matches!(ending, "tif" | "tiff" | "eps"))
    };
    let exact = inside(folder.join(named));
    if let Some(path) = &exact
        && shown(path)
    {
        return exact;
    }
    ENDINGS
        .iter()
        .flat_map(|ending| [folder.join(named.with_extension(ending)), folder.join(format!("{name}.{ending}"))])
        .find_map(inside)
        .or(exact)
}

fn render(imported: Imported, addresses: &HashMap<String, StoredFile>) -> anyhow::Result<NewArticle> {
    let article = imported.article;
    let rendered = html::render(&article, &|name| addresses.get(name).cloned());
    let summaries: Vec<(String, String)> = article
        .body
        .abstracts
        .iter()
        .filter(|part| part.kind.is_empty())
        .map(|part| (part.lang.clone(), masthead_documents::text::plain(&part.nodes)))
        .collect();
    let card = ArticleCard::of(&article, &rendered.title_html, &summaries);
    let rendered = serde_json::to_string(&rendered)?;
    Ok(NewArticle { article, card, rendered, ..NewArticle::default() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn figures_are_found_in_their_folder_only() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("package");
        std::fs::create_dir_all(folder.join("figures")).unwrap();
        for name in ["package/figures/f1.svg", "package/f2.tif", "package/f2.png", "package/f3.tif", "secret.png"] {
            std::fs::write(top.path().join(name), name).unwrap();
        }
        let name_of =
            |name: &str| find(&folder, name).map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        assert_eq!(name_of("figures/f1.svg").as_deref(), Some("f1.svg"));
        assert_eq!(name_of("figures/f1").as_deref(), Some("f1.svg"));
        assert_eq!(name_of("f2.tif").as_deref(), Some("f2.png"), "a browser shows no TIFF");
        assert_eq!(name_of("f3.tif").as_deref(), Some("f3.tif"));
        assert_eq!(name_of("../secret.png"), None);
        assert_eq!(name_of("/etc/passwd"), None);
        assert_eq!(name_of("https://a.example/f.png"), None);
        std::os::unix::fs::symlink(top.path().join("secret.png"), folder.join("link.png")).unwrap();
        assert_eq!(name_of("link.png"), None);
    }
}
