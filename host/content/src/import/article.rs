//! Preparation of one JATS file for storage: reads and converts it, stores its media files, renders it. The only rows written here
//! are those of media files.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use masthead_documents::{
    figures_and_tables,
    html::{self, StoredFile},
    jats::{self, Imported, Limits, Report},
};
use masthead_domain::{
    ArticleId,
    article::{Article, ArticleFile},
    card::{ArticleCard, CardText},
    content::ArticleBody,
    resource::Renditions,
};
use masthead_formats::JatsFault;
use masthead_store::NewArticle;
use sha2::{Digest as _, Sha256};

use crate::{
    article_fields, compressed_html,
    export::article_package,
    files,
    import::{
        FileObserver, Item,
        assets::{self, Asset, MediaWriter, StoredAsset},
        edited::STAYS_WITHDRAWN,
    },
};

/// Version of the conversion. Increase it when the same source gives a different article than before; sources that were imported
/// earlier are then converted again.
const CONVERTER_VERSION: u32 = 8;

/// Converts the files of one import run.
#[derive(Clone, Debug)]
pub struct Converter {
    /// Stores the media files.
    pub media_writer: MediaWriter,
    /// Whether to convert only and store nothing.
    pub dry_run: bool,
    /// Limits for the size and structure of a source.
    pub limits: Limits,
    /// Receives the name of each file before it is read.
    pub reading: FileObserver,
}

/// The result of preparing a file.
pub struct Prepared {
    /// The item of the report.
    pub item: Item,
    /// The prepared article, or the reason why the file cannot be imported.
    pub ready: anyhow::Result<Ready>,
}

/// A prepared article.
pub struct Ready {
    /// The article's source key.
    pub key: String,
    /// SHA-256 digest of the source.
    pub digest: Vec<u8>,
    /// What to do with it.
    pub decision: Decision,
}

/// What to do with a prepared article.
pub enum Decision {
    /// Nothing: it was converted successfully in a dry run.
    Valid,
    /// Nothing: it was imported before, and neither the source nor its files have changed.
    Known(ArticleId),
    /// Store it.
    New(Box<NewArticle>),
}

/// A source file.
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// Its name in the report.
    pub shown: String,
}

/// The folder in which the files of an article are searched.
#[derive(Clone, Copy, Debug)]
pub struct SourceFolder<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Name of the source without its extension, to find the article's PDF by; "" if the source is not a file of its own.
    pub stem: &'a str,
}

impl SourceFolder<'_> {
    /// Finds the PDF of the article: the one that the source names, otherwise the one with the name of the source. Adds it to the
    /// article's files, and returns it if it was not among them.
    fn pdf(self, imported: &mut Imported, warnings: &mut Vec<String>) -> Option<(String, Asset)> {
        let meta = &mut imported.article.meta;
        let same = if self.stem.is_empty() { String::new() } else { format!("{}.pdf", self.stem) };
        let names = [meta.pdf.clone(), same].into_iter().filter(|name| !name.is_empty());
        // `assets::find` also returns an image of the same name, which is not the PDF.
        let found = |name: String| Some((assets::find(self.folder, &name).filter(|asset| asset.ends_in("pdf"))?, name));
        let (asset, name) = names.filter_map(found).next()?;
        if !asset.is_pdf() {
            warnings.push(format!("the file {name} is not a PDF; the article is imported without a PDF"));
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

impl Converter {
    /// Prepares one file.
    pub async fn prepare(self, source: Source) -> Prepared {
        self.reading.note(&source.shown);
        let mut item = Item::of(source.shown, "article");
        let ready = self.take(&source.path, &mut item).await;
        Prepared { item, ready }
    }

    async fn take(&self, path: &Path, item: &mut Item) -> anyhow::Result<Ready> {
        let length = tokio::fs::metadata(path).await?.len();
        anyhow::ensure!(
            length <= self.limits.max_bytes as u64,
            "the file has {length} bytes; the limit is {} bytes; split it",
            self.limits.max_bytes
        );
        let bytes = tokio::fs::read(path).await?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        self.convert(bytes, SourceFolder { folder, stem }, item).await
    }

    /// Prepares an article from the bytes of a JATS file.
    async fn convert(&self, bytes: Vec<u8>, source_folder: SourceFolder<'_>, item: &mut Item) -> anyhow::Result<Ready> {
        let (imported, digest) = self.read(bytes, item).await?;
        self.store(imported, digest, source_folder, item).await
    }

    /// Reads the bytes of a JATS file; returns the article and the digest of the bytes.
    ///
    /// # Errors
    /// A message, if the bytes are not a JATS article; the item has the position.
    pub async fn read(&self, bytes: Vec<u8>, item: &mut Item) -> anyhow::Result<(Imported, Vec<u8>)> {
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
        item.left_out.clone_from(&imported.report.left_out);
        Ok((imported, digest))
    }

    /// Prepares a converted article.
    ///
    /// # Errors
    /// A message, if a file of the article cannot be read or stored.
    pub async fn store(
        &self,
        mut imported: Imported,
        digest: Vec<u8>,
        source_folder: SourceFolder<'_>,
        item: &mut Item,
    ) -> anyhow::Result<Ready> {
        item.doi = imported.article.meta.doi.as_ref().map(ToString::to_string);
        // An editor may have changed the DOI of the article, to this one or from this one.
        if let Some(known) = self.media_writer.store.other_source_key(&imported.article.meta).await? {
            imported.article.meta.source_key = known;
        }
        let key = imported.article.meta.source_key.clone();
        let mut found = found(source_folder.folder, &imported.assets, &mut item.warnings);
        if let Some(pdf) = source_folder.pdf(&mut imported, &mut item.warnings) {
            found.push(pdf);
        }
        let (found, refused) = self.accepted(found, item.path.clone()).await?;
        item.warnings.extend(refused);
        if self.dry_run {
            return Ok(Ready { key, digest, decision: Decision::Valid });
        }
        let origin = origin(&digest, &found).await?;
        if let Some(id) = self.media_writer.store.article_id_by_origin(&origin).await? {
            return Ok(Ready { key, digest, decision: Decision::Known(id) });
        }
        if let Some(id) = self.media_writer.store.withdrawn_id_by_key(&key).await? {
            item.warnings.push(STAYS_WITHDRAWN.to_owned());
            return Ok(Ready { key, digest, decision: Decision::Known(id) });
        }
        let mut kept = HashMap::with_capacity(found.len());
        for (name, asset) in found {
            self.reading.note(&of_article(&name, &item.path));
            kept.insert(name, asset.keep(&self.media_writer, &mut item.warnings).await?);
        }
        let new = tokio::task::spawn_blocking(move || render(imported, &kept, origin)).await??;
        Ok(Ready { key, digest, decision: Decision::New(Box::new(new)) })
    }

    /// The files without the pictures that are refused, and the warnings about these.
    async fn accepted(&self, found: Assets, article: String) -> anyhow::Result<(Assets, Vec<String>)> {
        let reading = self.reading.clone();
        tokio::task::spawn_blocking(move || {
            let (mut accepted, mut warnings) = (Vec::with_capacity(found.len()), Vec::new());
            for (name, asset) in found {
                reading.note(&of_article(&name, &article));
                accepted.extend(asset.accepted(&mut warnings)?.map(|asset| (name, asset)));
            }
            Ok((accepted, warnings))
        })
        .await?
    }
}

/// The line of the report about fields that an import did not change, because they were edited by hand.
pub(super) fn kept_by_hand(paths: &[String]) -> Option<String> {
    (!paths.is_empty()).then(|| format!("kept as edited by hand: {}", paths.join(", ")))
}

/// Renders an article that is stored already and was changed. Its pictures have the renditions that they had; those that are not among its
/// figures and tables are made again.
///
/// # Errors
/// A message, if a file of the article cannot be read or stored.
pub async fn rendered_again(
    media_writer: &MediaWriter,
    article: Article,
    files: &[ArticleFile],
    renditions: &[Renditions],
) -> anyhow::Result<NewArticle> {
    let folder = tempfile::tempdir()?;
    let mut kept = HashMap::with_capacity(files.len());
    for file in files {
        let known = renditions.iter().find(|one| one.original == file.address);
        let asset = match known {
            Some(known) => StoredAsset { file: file.clone(), stored: StoredFile::of(known), renditions: known.clone() },
            None => kept_again(media_writer, file, folder.path()).await?,
        };
        kept.insert(file.name.clone(), asset);
    }
    let assets = files.iter().map(|file| file.name.clone()).collect();
    let imported = Imported { article, report: Report::default(), assets };
    tokio::task::spawn_blocking(move || render(imported, &kept, String::new())).await?
}

/// A file of an article that is stored already, with its renditions. `folder` takes a copy of it under its name.
async fn kept_again(media_writer: &MediaWriter, file: &ArticleFile, folder: &Path) -> anyhow::Result<StoredAsset> {
    let stored = files::path(&media_writer.data, files::digest(&file.address).unwrap_or_default());
    if let Some(name) = article_package::name(file) {
        let path = folder.join(&name);
        if let Some(parent) = path.parent() {
            tokio::fs::create_dir_all(parent).await?;
        }
        tokio::fs::copy(&stored, &path).await.with_context(|| format!("reading the file {name} of the article"))?;
        if let Some(asset) = assets::find(folder, &name) {
            let again = asset.keep(media_writer, &mut Vec::new()).await?;
            return Ok(StoredAsset { file: file.clone(), ..again });
        }
    }
    // A name that no folder can have: the file is shown as it is.
    let address = file.address.clone();
    let renditions =
        Renditions { small: address.clone(), big: address.clone(), original: address.clone(), width: 0, height: 0 };
    Ok(StoredAsset { file: file.clone(), stored: StoredFile::from(address), renditions })
}

/// Files by the names that an article gives them.
type Assets = Vec<(String, Asset)>;

/// The name of a file of an article for [`FileObserver`].
fn of_article(name: &str, article: &str) -> String {
    format!("{article} (its file {name})")
}

fn found(folder: &Path, names: &[String], warnings: &mut Vec<String>) -> Assets {
    let mut all = Vec::with_capacity(names.len());
    for name in names {
        match assets::find(folder, name) {
            Some(asset) => all.push((name.clone(), asset)),
            None if name.contains("://") => {}
            None => warnings.push(format!("the file {name} is not in the folder of the article")),
        }
    }
    all
}

/// Digest of everything that an article is made from: the source, its files and the version of the conversion. Used to detect sources
/// that were imported before.
async fn origin(source: &[u8], found: &[(String, Asset)]) -> anyhow::Result<String> {
    let (source, found) = (source.to_vec(), found.to_vec());
    tokio::task::spawn_blocking(move || {
        let mut hash = Sha256::new();
        hash.update(CONVERTER_VERSION.to_le_bytes());
        hash.update(source);
        found.iter().try_for_each(|(_, asset)| asset.digest(&mut hash))?;
        Ok(format!("sha256:{}", masthead_domain::text::hex(&hash.finalize())))
    })
    .await?
}

fn render(imported: Imported, kept: &HashMap<String, StoredAsset>, origin: String) -> anyhow::Result<NewArticle> {
    let article = imported.article;
    let rendered = html::render(&article, &|name| kept.get(name).map(|kept| kept.stored.clone()));
    let (pictures, tables) =
        figures_and_tables::of(&article, &|name| kept.get(name).map(|kept| kept.renditions.clone()));
    let card = ArticleCard::of(&article, &rendered.title_html, &summaries(&article.body));
    let compressed_html = compressed_html::encode(&rendered);
    let rendered = serde_json::to_string(&rendered)?;
    // Files are listed in the order of the source, so that the same source gives the same article.
    let mut files: Vec<ArticleFile> =
        imported.assets.iter().filter_map(|name| kept.get(name)).map(|kept| kept.file.clone()).collect();
    article_fields::mark_offered(&article, &mut files);
    Ok(NewArticle {
        article,
        card,
        rendered,
        compressed_html,
        pictures,
        tables,
        files,
        origin,
        ..NewArticle::default()
    })
}

/// The abstracts in short, for the card of the article.
pub(crate) fn summaries(body: &ArticleBody) -> Vec<CardText> {
    let whole = body.abstracts.iter().filter(|part| part.kind.is_empty());
    whole.map(|part| CardText::summary(&part.lang, &part.nodes)).collect()
}

/// An article that was converted from another format, with the names of its files, as if it were read from JATS; and the digest that
/// stands for its source.
///
/// # Errors
/// The encoder's.
pub fn from_other_format(article: Article, assets: Vec<String>) -> serde_json::Result<(Imported, Vec<u8>)> {
    let digest = Sha256::digest(serde_json::to_vec(&article)?).to_vec();
    Ok((Imported { article, report: Report::default(), assets }, digest))
}

/// Parses JATS that is embedded in a record of another format.
pub(super) fn read_jats(xml: &[u8]) -> Result<Article, JatsFault> {
    match jats::import(xml, &Limits::default()) {
        Ok(read) => Ok(read.article),
        Err(jats::ImportError::NotArticle { .. }) => Err(JatsFault::NotArticle),
        Err(error) => Err(JatsFault::Unreadable(error.to_string())),
    }
}
