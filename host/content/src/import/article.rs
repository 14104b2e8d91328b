//! One JATS file: read, converted, its files kept, rendered. Nothing of the database is written here but the names of files.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use masthead_documents::{
    figures_and_tables, html,
    jats::{self, Imported, Limits},
};
use masthead_domain::{
    ArticleId,
    article::Article,
    card::ArticleCard,
    content::{ArticleBody, Node},
};
use masthead_formats::JatsFault;
use masthead_store::NewArticle;
use sha2::{Digest as _, Sha256};

use crate::{
    compressed_html,
    import::{
        Item,
        assets::{self, Asset, Keeper, Kept},
    },
};

/// Raised when the same source becomes another article than before: sources that were imported are then looked at again.
const CONVERTER: u32 = 2;

/// What every file of a run shares.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Where files are kept.
    pub keeper: Keeper,
    /// Nothing is written.
    pub dry_run: bool,
    /// What a source may be.
    pub limits: Limits,
}

/// A file that is ready to be stored, or why it is not.
pub struct Prepared {
    /// Its line of the report.
    pub item: Item,
    /// What to store.
    pub ready: anyhow::Result<Ready>,
}

/// What is to be stored.
pub struct Ready {
    /// The article's source key.
    pub key: String,
    /// Digest of the source's bytes.
    pub digest: Vec<u8>,
    /// What becomes of it.
    pub what: What,
}

/// What becomes of a source.
pub enum What {
    /// It converts; in a dry run that is all.
    Valid,
    /// It was imported before and has not changed since, nor have its files.
    Known(ArticleId),
    /// It is to be stored.
    New(Box<NewArticle>),
}

/// A source's bytes, where they are looked for, and what they are called in the report.
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Its name in the report.
    pub shown: String,
}

/// Where an article's files are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Name of the source without its ending; a PDF of the same name is the article's. "" where the source is no file.
    pub stem: &'a str,
}

impl Beside<'_> {
    /// The PDF of the whole article: the one that the source names, else the one that lies beside it under its name. It is
    /// one of the article's files from then on.
    fn pdf(self, imported: &mut Imported, warnings: &mut Vec<String>) -> Option<(String, Asset)> {
        let meta = &mut imported.article.meta;
        let same = if self.stem.is_empty() { String::new() } else { format!("{}.pdf", self.stem) };
        let names = [meta.pdf.clone(), same].into_iter().filter(|name| !name.is_empty());
        // A picture of the same name is found in its place, and is none.
        let found = |name: String| Some((assets::find(self.folder, &name).filter(|asset| asset.ends_in("pdf"))?, name));
        let (asset, name) = names.filter_map(found).next()?;
        if !asset.is_pdf() {
            warnings.push(format!("the file {name} is no PDF, so the article has none"));
            meta.pdf.clear();
            return None;
        }
        meta.pdf.clone_from(&name);
        if imported.assets.contains(&name) {
            return None;
        }
        imported.assets.push(name.clone());
        Some((name, asset))
    }
}

impl Shared {
    /// Prepares one file.
    pub async fn prepare(self, source: Source) -> Prepared {
        let mut item = Item::of(source.shown, "article");
        let ready = self.take(&source.path, &mut item).await;
        Prepared { item, ready }
    }

    async fn take(&self, path: &Path, item: &mut Item) -> anyhow::Result<Ready> {
        let length = tokio::fs::metadata(path).await?.len();
        anyhow::ensure!(
            length <= self.limits.max_bytes as u64,
            "the file has {length} bytes, more than the {} that are read; split it",
            self.limits.max_bytes
        );
        let bytes = tokio::fs::read(path).await?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        self.convert(bytes, Beside { folder, stem }, item).await
    }

    /// Prepares an article out of JATS.
    async fn convert(&self, bytes: Vec<u8>, beside: Beside<'_>, item: &mut Item) -> anyhow::Result<Ready> {
        let limits = self.limits;
        let (result, digest) =
            tokio::task::spawn_blocking(move || (jats::import(&bytes, &limits), Sha256::digest(&bytes).to_vec()))
                .await?;
        let imported = result.inspect_err(|error| {
            (item.line, item.column) =
                error.position().map_or((None, None), |(line, column)| (Some(line), Some(column)));
        })?;
        item.warnings.clone_from(&imported.report.warnings);
        item.unknown.clone_from(&imported.report.unknown);
        self.store(imported, digest, beside, item).await
    }

    /// Prepares a converted article.
    ///
    /// # Errors
    /// A message about a file.
    pub async fn store(
        &self,
        mut imported: Imported,
        digest: Vec<u8>,
        beside: Beside<'_>,
        item: &mut Item,
    ) -> anyhow::Result<Ready> {
        item.doi = imported.article.meta.doi.as_ref().map(ToString::to_string);
        let key = imported.article.meta.source_key.clone();
        let mut found = found(beside.folder, &imported.assets, &mut item.warnings);
        if let Some(pdf) = beside.pdf(&mut imported, &mut item.warnings) {
            found.push(pdf);
        }
        if self.dry_run {
            return Ok(Ready { key, digest, what: What::Valid });
        }
        let origin = origin(&digest, &found).await?;
        if let Some(id) = self.keeper.store.article_id_by_origin(&origin).await? {
            return Ok(Ready { key, digest, what: What::Known(id) });
        }
        let mut kept = HashMap::with_capacity(found.len());
        for (name, asset) in found {
            kept.insert(name, asset.keep(&self.keeper, &mut item.warnings).await?);
        }
        let new = tokio::task::spawn_blocking(move || render(imported, &kept, origin)).await??;
        Ok(Ready { key, digest, what: What::New(Box::new(new)) })
    }
}

fn found(folder: &Path, names: &[String], warnings: &mut Vec<String>) -> Vec<(String, Asset)> {
    let mut all = Vec::with_capacity(names.len());
    for name in names {
        match assets::find(folder, name) {
            Some(asset) => all.push((name.clone(), asset)),
            None if name.contains("://") => {}
            None => warnings.push(format!("the file {name} is not beside the article")),
        }
    }
    all
}

/// Names what an article is made from: the source, its files, and the converter.
async fn origin(source: &[u8], found: &[(String, Asset)]) -> anyhow::Result<String> {
    let (source, found) = (source.to_vec(), found.to_vec());
    tokio::task::spawn_blocking(move || {
        let mut hash = Sha256::new();
        hash.update(CONVERTER.to_le_bytes());
        hash.update(source);
        found.iter().try_for_each(|(_, asset)| asset.digest(&mut hash))?;
        Ok(format!("sha256:{}", masthead_domain::text::hex(&hash.finalize())))
    })
    .await?
}

fn render(imported: Imported, kept: &HashMap<String, Kept>, origin: String) -> anyhow::Result<NewArticle> {
    let article = imported.article;
    let rendered = html::render(&article, &|name| kept.get(name).map(|kept| kept.stored.clone()));
    let (pictures, tables) =
        figures_and_tables::of(&article, &|name| kept.get(name).map(|kept| kept.renditions.clone()));
    let card = ArticleCard::of(&article, &rendered.title_html, &summaries(&article.body));
    let compressed_html = compressed_html::encode(&rendered);
    let rendered = serde_json::to_string(&rendered)?;
    // In the order of the source, so that the same source gives the same article.
    let files = imported.assets.iter().filter_map(|name| kept.get(name)).map(|kept| kept.file.clone()).collect();
    Ok(NewArticle { article, card, rendered, compressed_html, pictures, tables, files, origin })
}

fn summaries(body: &ArticleBody) -> Vec<(String, String)> {
    let plain = |nodes: &[Node]| masthead_domain::content::text::plain(nodes);
    let whole = body.abstracts.iter().filter(|part| part.kind.is_empty());
    whole.map(|part| (part.lang.clone(), plain(&part.nodes))).collect()
}

/// Reads JATS that stands in a record of another format.
pub(super) fn read_jats(xml: &[u8]) -> Result<Article, JatsFault> {
    match jats::import(xml, &Limits::default()) {
        Ok(read) => Ok(read.article),
        Err(jats::ImportError::NotArticle { .. }) => Err(JatsFault::NotArticle),
        Err(error) => Err(JatsFault::Unreadable(error.to_string())),
    }
}
