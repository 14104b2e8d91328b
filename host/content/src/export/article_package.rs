//! Article packages: a folder with `article.xml` and the article's files, under the names that the JATS source uses for them.
//! Importing the folder gives the same article.

use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use masthead_documents::jats::{self, ExportOptions};
use masthead_domain::{
    ArticleId,
    article::{Article, ArticleFile, RelatedArticle},
};
use masthead_store::SiteStore;

use crate::{files, notices};

/// Name of the JATS file in a package.
pub const SOURCE: &str = "article.xml";

/// An article and its files.
#[derive(Debug)]
pub struct ArticlePackage {
    /// The article.
    pub article: Article,
    /// Notices that only the sources of other articles name.
    pub related: Vec<RelatedArticle>,
    /// Its files: the path in the package, and the path in the data folder.
    pub files: Vec<(String, PathBuf)>,
}

impl ArticlePackage {
    /// Reads an article; its files stay in the data folder.
    ///
    /// # Errors
    /// A message, if the site has no such article.
    pub async fn read(store: &SiteStore, data: &Path, id: ArticleId) -> anyhow::Result<Self> {
        let missing = || anyhow::anyhow!("the site has no article {id}");
        let stored = store.article(id).await?.ok_or_else(missing)?;
        let body = store.body(id).await?.ok_or_else(missing)?;
        let path = |file: &ArticleFile| files::path(data, files::digest(&file.address).unwrap_or_default());
        let files = stored.files.iter().filter_map(|file| Some((name(file)?, path(file)))).collect();
        // A package is read elsewhere, so that pages of this site are not named in it.
        let related = notices::related(&notices::of_article(store, id, |_| String::new()).await?);
        Ok(Self { article: Article { meta: stored.meta, body: body.unseal() }, related, files })
    }

    /// The article as JATS.
    #[must_use]
    pub fn source(&self) -> String {
        jats::export(&self.article, &ExportOptions { related: &self.related, ..ExportOptions::default() })
    }

    /// Writes the package to a folder, and returns the path of the JATS file.
    ///
    /// # Errors
    /// A message, if a file is missing or cannot be written.
    pub async fn write(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        for (name, stored) in &self.files {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                tokio::fs::create_dir_all(parent).await?;
            }
            tokio::fs::copy(stored, &path).await.with_context(|| format!("copying the file {name} of the article"))?;
        }
        let path = folder.join(SOURCE);
        tokio::fs::write(&path, self.source()).await?;
        Ok(path)
    }
}

/// Path of a file in the package: the name that the source uses, with the extension of the file added if the name has none.
/// `None` for a name that would lead out of the folder or overwrite `article.xml`.
pub(crate) fn name(file: &ArticleFile) -> Option<String> {
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
        let of = |name_: &str| {
            name(&ArticleFile {
                name: name_.to_owned(),
                address: "/media/1/ab.svg".to_owned(),
                ..ArticleFile::default()
            })
        };
        assert_eq!(of("figures/f1.tif").as_deref(), Some("figures/f1.tif"));
        assert_eq!(of("figures/f1").as_deref(), Some("figures/f1.svg"));
        assert_eq!(of("10.1_f1.v2-full").as_deref(), Some("10.1_f1.v2-full.svg"));
        for bad in ["../x.png", "/etc/passwd", "article.xml", ""] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }
}
