//! Packages (zip, tar): unpacked to a temporary folder, imported like a folder, and removed.

use std::path::Path;

use anyhow::Context as _;
use masthead_formats::archive::{self, PackageLimits, Unpacked};

use crate::{
    import::{Importer, Item, OnItem, article::Source},
    scratch::Scratch,
};

impl Importer {
    /// Imports a package. A package that is rejected or contains no XML is reported as one item.
    pub(super) async fn package(&mut self, path: &Path, on_item: OnItem<'_>) {
        let shown = path.display().to_string();
        match unpack(path, &self.scratch).await {
            Ok((folder, unpacked)) => {
                let files = sources(folder.path(), &unpacked, &shown);
                if files.is_empty() {
                    let reason =
                        "there is no XML file in the package; a package must contain the article's XML with its images";
                    on_item(Item::failed(shown, "package", &reason));
                } else {
                    self.articles(files, on_item).await;
                }
            }
            Err(error) => on_item(Item::of(shown, "package").fail(&error)),
        }
    }
}

/// Unpacks to a new folder below `root`, which is removed when the returned value is dropped. (If the process is killed, the next start
/// of the host removes it, or the host of the import job.)
///
/// # Errors
/// A message, which names the entry if one is rejected.
pub async fn unpack(path: &Path, root: &Path) -> anyhow::Result<(Scratch, Unpacked)> {
    let (path, root) = (path.to_owned(), root.to_owned());
    tokio::task::spawn_blocking(move || {
        let folder = Scratch::new(&root, "package-")
            .with_context(|| format!("making a temporary folder in {}", root.display()))?;
        let file = std::fs::File::open(&path)?;
        let unpacked = archive::unpack(std::io::BufReader::new(file), &PackageLimits::default(), folder.path())?;
        Ok((folder, unpacked))
    })
    .await?
}

fn sources(folder: &Path, unpacked: &Unpacked, package: &str) -> Vec<Source> {
    let is_xml = |name: &str| Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    let mut names: Vec<&str> =
        unpacked.files.iter().map(|file| file.name.as_str()).filter(|name| is_xml(name)).collect();
    names.sort_unstable();
    let source = |name: &str| Source { path: folder.join(name), shown: format!("{package}/{name}") };
    names.into_iter().map(source).collect()
}
