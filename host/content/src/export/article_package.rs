//! Article packages: a folder with `article.xml` and the article's files, under the names that the JATS source uses for them.
//! Importing the folder gives the same article.

use std::path::{Component, Path, PathBuf};

use masthead_documents::jats::{self, ExportOptions};
use masthead_domain::{
    ArticleId,
    article::{Article, ArticleFile},
};
use masthead_store::SiteStore;

use crate::files;

/// Name of the JATS file in a package.
pub const SOURCE: &str = "article.xml";

/// An article and the names of its files in a folder.
#[derive(Debug)]
pub struct ArticlePackage {
    /// The article.
    pub article: Article,
    /// Names of its files, relative to the folder.
    pub names: Vec<String>,
}

impl ArticlePackage {
    /// Writes the article as JATS to `article.xml` in the folder, and returns the path of that file.
    ///
    /// # Errors
    /// The error of the file system.
    pub fn write(&self, folder: &Path) -> std::io::Result<PathBuf> {
        let path = folder.join(SOURCE);
        std::fs::write(&path, jats::export(&self.article, &ExportOptions::default()))?;
        Ok(path)
    }
}

/// Writes the files of an article to a folder. The article itself is written by [`ArticlePackage::write`].
///
/// # Errors
/// A message, if the site has no such article, or one of its files is missing or cannot be written.
pub async fn unpack(store: &SiteStore, data: &Path, id: ArticleId, folder: &Path) -> anyhow::Result<ArticlePackage> {
    let missing = || anyhow::anyhow!("the site has no article {id}");
    let stored = store.article(id).await?.ok_or_else(missing)?;
    let body = store.body(id).await?.ok_or_else(missing)?;
    let mut names = Vec::with_capacity(stored.files.len());
    for file in &stored.files {
        let Some(name) = name(file) else { continue };
        let source = files::path(data, files::digest(&file.address).unwrap_or_default());
        let path = folder.join(&name);
        if let Some(parent) = path.parent() {
            tokio::fs::create_dir_all(parent).await?;
        }
        tokio::fs::copy(&source, &path)
            .await
            .map_err(|error| anyhow::anyhow!("copying {} of article {id}: {error}", file.name))?;
        names.push(name);
    }
    Ok(ArticlePackage { article: Article { meta: stored.meta, body: body.unseal() }, names })
}

/// Path of a file in the package: the name that the source uses, with the extension of the file added if the name has none.
/// `None` for a name that would lead out of the folder or overwrite `article.xml`.
fn name(file: &ArticleFile) -> Option<String> {
    let path = Path::new(&file.name);
    let inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside || file.name.is_empty() || file.name == SOURCE {
        return None;
    }
    let ending = file.address.rsplit('.').next().unwrap_or_default();
    let has = path.extension().and_then(|known| known.to_str()).is_some_and(|known| known.len() <= 5);
    Some(if has { file.name.clone() } else { format!("{}.{ending}", file.name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_stay_inside_the_package() {
        let of = |name_: &str| name(&ArticleFile { name: name_.to_owned(), address: "/media/1/ab.svg".to_owned() });
        assert_eq!(of("figures/f1.tif").as_deref(), Some("figures/f1.tif"));
        assert_eq!(of("figures/f1").as_deref(), Some("figures/f1.svg"));
        assert_eq!(of("10.1_f1.v2-full").as_deref(), Some("10.1_f1.v2-full.svg"));
        for bad in ["../x.png", "/etc/passwd", "article.xml", ""] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }
}
