//! Downloads of an article: the list of formats, and the files.

use std::{
    fs::File,
    io::{self, BufWriter, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use axum::{
    Json,
    body::Body,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use futures::StreamExt as _;
use masthead_documents::jats::{self, ExportOptions};
use masthead_domain::{
    access::DownloadPermit,
    article::{Article, RelatedArticle},
    content::ArticleBody,
    member::{ItemRef, ItemType, Use},
    route::Route,
};
use masthead_formats::references::article as cite;
use masthead_store::StoredArticle;
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, SemaphorePermit};
use utoipa::{IntoParams, ToSchema};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::api::{
    articles::{self, ById, LinkedCard},
    envelope::{ApiError, Caller, storable},
    listing::cut,
    types::Envelope,
};
use crate::discovery::{
    attachment::{attachment, file_name, stem},
    stored_file,
};
use crate::failure::{Failure, download_denied};
use crate::page::caching::Caching;
use crate::usage::UsageAction;
use masthead_content::{files, notices, readable_article};

/// Greatest total size of the files in a package, in bytes. Files that do not fit are listed in the package by name.
const MAX_PACKAGE: u64 = 128 << 20;

/// Turns for writing packages: each takes a processor and up to [`MAX_PACKAGE`] of the disk for a while, and no memory to speak of.
static PACKAGES: Semaphore = Semaphore::const_new(4);

/// Room for packages on the disk: each is there until its response ends, which a slow reader decides. Further readers are asked to come back.
static PACKAGES_ON_DISK: Semaphore = Semaphore::const_new(32);

/// The article's own PDF, as a value of `type` and as a file extension.
const PDF: &str = "pdf";

/// A format in which every article can be downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DownloadFormat {
    /// JATS.
    Xml,
    /// JATS with its files.
    Zip,
    /// Plain text.
    Txt,
    /// Citation in RIS.
    Ris,
    /// Citation in BibTeX.
    Bib,
    /// Citation as CSL-JSON.
    Csl,
}

impl DownloadFormat {
    const ALL: [Self; 6] = [Self::Xml, Self::Zip, Self::Txt, Self::Ris, Self::Bib, Self::Csl];

    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Xml => ("xml", "xml", "application/xml"),
            Self::Zip => ("zip", "zip", "application/zip"),
            Self::Txt => ("txt", "txt", "text/plain; charset=utf-8"),
            Self::Ris => ("ris", "ris", "application/x-research-info-systems"),
            Self::Bib => ("bib", "bib", "application/x-bibtex"),
            Self::Csl => ("csl", "json", "application/vnd.citationstyles.csl+json"),
        }
    }
}

/// A download of an article.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttachType {
    /// Value of the parameter `type`: `pdf` if the article has one, `xml`, `zip`, `txt`, `ris`, `bib`, `csl`; `file`
    /// for another file of the article.
    #[serde(rename = "type")]
    kind: String,
    /// Name of the file.
    name: String,
    /// Media type.
    mime: String,
    /// Value of the parameter `file`, or "".
    file: String,
}

/// Returns the downloads that an article offers.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getAttachTypes", tag = "article", params(ById),
    responses((status = 200, body = Envelope<Vec<AttachType>>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn types(caller: Caller, Query(query): Query<ById>) -> Result<Json<Envelope<Vec<AttachType>>>, ApiError> {
    let article = articles::stored(&caller, query.id).await?;
    let stem = stem(&article, caller.lang);
    let forms = DownloadFormat::ALL.into_iter().map(|form| {
        let (kind, ending, mime) = form.names();
        AttachType { kind: kind.into(), name: file_name(&stem, ending), mime: mime.into(), file: String::new() }
    });
    let own = article.pdf();
    let pdf = own.map(|_| AttachType {
        kind: PDF.into(),
        name: file_name(&stem, PDF),
        mime: "application/pdf".into(),
        file: String::new(),
    });
    let mut all: Vec<AttachType> = pdf.into_iter().chain(forms).collect();
    for file in article.files.iter().filter(|file| Some(*file) != own) {
        let Some(digest) = files::digest(&file.address) else { continue };
        let media = caller.store().media(digest).await.map_err(caller.store_failed())?;
        all.extend(media.map(|media| AttachType {
            kind: "file".to_owned(),
            name: file.name.clone(),
            mime: media.mime,
            file: digest.to_owned(),
        }));
    }
    Ok(caller.ok(all))
}

/// Query of a download.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Download {
    /// The article's id.
    id: i64,
    /// `xml` (default), `pdf`, `zip`, `txt`, `ris`, `bib`, `csl`, or `file`.
    #[serde(default, rename = "type")]
    kind: String,
    /// Which file, with `type=file`: the value of `file` in the list of downloads.
    #[serde(default)]
    file: String,
}

/// Returns an article as a file and counts the download. Readers without permission get the error 403.
#[utoipa::path(get, path = "/rc-pub/front/front-article/download", tag = "article", params(Download),
    responses((status = 200, content_type = "*/*", body = Vec<u8>),
        (status = 403, body = Envelope<serde_json::Value>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn download(caller: Caller, Query(query): Query<Download>) -> Result<Response, ApiError> {
    let article = articles::stored(&caller, query.id).await?;
    let response = if query.kind == "file" || query.kind == PDF {
        let permit = articles::download_permit(&caller, article.access()).await?;
        let digest = if query.kind == PDF {
            let file = article.pdf().ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
            files::digest(&file.address).unwrap_or_default()
        } else {
            query.file.as_str()
        };
        attached(&caller, &article, digest, &permit).await?
    } else {
        let kind = if query.kind.is_empty() { "xml" } else { query.kind.as_str() };
        let form = DownloadFormat::ALL.into_iter().find(|form| form.names().0 == kind);
        let form = form.ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
        convert(&caller, article, form).await?
    };
    if stored_file::begins(&response) {
        caller.app.counting.record(caller.entry().site.id, "article", query.id, UsageAction::Download, &caller.visitor);
        caller.note(Use::Download, ItemRef::new(ItemType::Article, query.id)).await;
    }
    Ok(response)
}

async fn attached(
    caller: &Caller,
    article: &StoredArticle,
    digest: &str,
    permit: &DownloadPermit,
) -> Result<Response, ApiError> {
    let missing = || caller.fail(StatusCode::NOT_FOUND, "no_data");
    let file = article.files.iter().find(|file| files::digest(&file.address) == Some(digest)).ok_or_else(missing)?;
    let media = caller.store().media(digest).await.map_err(caller.store_failed())?.ok_or_else(missing)?;
    let permit = readable_article::file_of_article(article, digest, permit).ok_or_else(missing)?;
    let opened = files::open(&caller.app.data_folder, &permit).await.map_err(|error| caller.internal_error(&error))?;
    let content = stored_file::stored(opened, digest, &media.mime, &caller.headers).await;
    let content = content.map_err(|error| caller.internal_error(&error))?;
    let name = file.name.rsplit('/').next().unwrap_or_default();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    Ok(attachment(content, &media.mime, stem, ending, Caching::shared(permit.is_public())))
}

async fn convert(caller: &Caller, article: StoredArticle, form: DownloadFormat) -> Result<Response, ApiError> {
    let (access, rights) = (article.access(), caller.rights().await);
    if !rights.downloads(access) {
        return Err(caller.denied(&rights, download_denied(&rights, access)));
    }
    let stem = stem(&article, caller.lang);
    let addresses = caller.addresses();
    let page = |id| format!("{}{}", caller.host.origin, addresses.route(&Route::Article(id)));
    let address = page(article.id);
    let content = match form {
        DownloadFormat::Ris => cite::ris(&article.meta, &address).into_response(),
        DownloadFormat::Bib => cite::bibtex(&article.meta, &address).into_response(),
        DownloadFormat::Csl => cite::csl_json(&article.meta, &address).to_string().into_response(),
        DownloadFormat::Txt => {
            let permit = articles::read_permit(caller, access).await?;
            let rendered =
                readable_article::rendered(&article, Some(&permit)).map_err(|error| caller.internal_error(&error))?;
            rendered.text.into_response()
        }
        DownloadFormat::Xml | DownloadFormat::Zip => {
            let permit = articles::download_permit(caller, access).await?;
            let body = caller.store().body(article.id).await.map_err(caller.store_failed())?;
            let body = body.and_then(|body| body.open(permit.read())).unwrap_or_default();
            let found = notices::of_article(&caller.store(), article.id, page).await.map_err(caller.store_failed())?;
            let related = notices::related(&found);
            if form == DownloadFormat::Zip {
                packed(caller, article, body, related, &permit).await?
            } else {
                let exported = tokio::task::spawn_blocking(move || export(article, body, &related));
                exported.await.map_err(|error| caller.internal_error(&error))?.into_response()
            }
        }
    };
    let (_, ending, mime) = form.names();
    Ok(attachment(content, mime, &stem, ending, Caching::shared(rights.is_same_for_all(access))))
}

/// The package of an article. It is written to an unnamed file in the data folder and sent from there.
async fn packed(
    caller: &Caller,
    article: StoredArticle,
    body: ArticleBody,
    related: Vec<RelatedArticle>,
    permit: &DownloadPermit,
) -> Result<Response, ApiError> {
    let Ok(room) = PACKAGES_ON_DISK.try_acquire() else { return Err(caller.failed(Failure::Unavailable)) };
    let contents = package_files(caller, &article, permit).await;
    let data = caller.app.data_folder.clone();
    let turn = PACKAGES.acquire().await.map_err(|error| caller.internal_error(&error))?;
    let written = tokio::task::spawn_blocking(move || {
        // Held here, because the work goes on if the reader disconnects.
        let _turn = turn;
        package(article, body, &related, &contents, &data)
    });
    let written = written.await.map_err(|error| caller.internal_error(&error))?;
    let (file, length) = written.map_err(|error| caller.internal_error(&error))?;
    Ok(held(stored_file::streamed(tokio::fs::File::from_std(file), length), room))
}

/// The response, which holds a permit until its body was sent or given up.
fn held(response: Response, permit: SemaphorePermit<'static>) -> Response {
    let keep = move |_: &_| _ = &permit;
    response.map(|body| Body::from_stream(body.into_data_stream().inspect(keep)))
}

/// The article as JATS, with the related articles that its own source does not name.
fn export(article: StoredArticle, body: ArticleBody, related: &[RelatedArticle]) -> String {
    jats::export(&Article { meta: article.meta, body }, &ExportOptions { related, ..ExportOptions::default() })
}

/// The files of an article with the names that its source gives them; `None` for a file that exceeds the total size.
async fn package_files(
    caller: &Caller,
    article: &StoredArticle,
    permit: &DownloadPermit,
) -> Vec<(String, Option<PathBuf>)> {
    let mut left = MAX_PACKAGE;
    let mut all = Vec::with_capacity(article.files.len());
    for file in &article.files {
        let Some(digest) = files::digest(&file.address) else { continue };
        let Ok(Some(media)) = caller.store().media(digest).await else { continue };
        let size = u64::try_from(media.bytes).unwrap_or(u64::MAX);
        let permit = readable_article::file_of_article(article, digest, permit).filter(|_| size <= left);
        let path = permit.map(|permit| permit.path(&caller.app.data_folder));
        left -= if path.is_some() { size } else { 0 };
        all.push((entry_name(&file.name), path));
    }
    all
}

/// A safe entry name: it cannot leave the folder into which the package is unpacked.
fn entry_name(name: &str) -> String {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    let name = parts.collect::<Vec<_>>().join("/");
    name.chars().filter(|c| !c.is_control() && *c != ':').take(200).collect()
}

/// Writes a package to an unnamed file in `folder`. Returns the file, at its beginning, and its length.
fn package(
    article: StoredArticle,
    body: ArticleBody,
    related: &[RelatedArticle],
    files: &[(String, Option<PathBuf>)],
    folder: &Path,
) -> Result<(File, u64), PackingError> {
    // Not in the system's folder for temporary files, which may be in memory.
    let mut zip = ZipWriter::new(BufWriter::new(tempfile::tempfile_in(folder)?));
    let packed = SimpleFileOptions::default();
    zip.start_file("article.xml", packed)?;
    zip.write_all(export(article, body, related).as_bytes())?;
    let mut names = std::collections::BTreeSet::from(["article.xml".to_owned(), "left-out.txt".to_owned()]);
    let mut left_out = String::new();
    for (name, path) in files {
        match path.as_deref().and_then(|path| File::open(path).ok()) {
            _ if name.is_empty() || !names.insert(name.clone()) => {}
            Some(mut file) => {
                // Stored without compression: pictures are already compressed.
                zip.start_file(name.as_str(), packed.compression_method(zip::CompressionMethod::Stored))?;
                io::copy(&mut file, &mut zip)?;
            }
            None => {
                left_out.push_str(name);
                left_out.push('\n');
            }
        }
    }
    if !left_out.is_empty() {
        zip.start_file("left-out.txt", packed)?;
        zip.write_all(left_out.as_bytes())?;
    }
    let mut file = zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    let length = file.metadata()?.len();
    file.rewind()?;
    Ok((file, length))
}

/// Why a package could not be written.
#[derive(Debug, thiserror::Error)]
enum PackingError {
    /// The zip container failed.
    #[error("writing a package: {0}")]
    Zip(#[from] zip::result::ZipError),
    /// Writing the content failed.
    #[error("writing a package: {0}")]
    Io(#[from] std::io::Error),
}

/// Query of the articles that are not yet in an issue.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct FirstPublished {
    /// -1 for accepted articles (just accepted); otherwise articles published online first.
    first_status: Option<i32>,
    /// Starts after this position: the value of `next` of the previous page.
    #[serde(default)]
    after: String,
    /// Articles on a page: 20 by default, at most 100.
    size: Option<i64>,
}

/// A page of articles.
#[derive(Serialize, ToSchema)]
pub struct CardPage {
    /// The articles.
    content: Vec<LinkedCard>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
}

/// Returns articles that are published online and not yet in an issue, newest first.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getFirstPublishArticles", tag = "article",
    params(FirstPublished),
    responses((status = 200, body = Envelope<CardPage>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn first_published(
    caller: Caller,
    Query(query): Query<FirstPublished>,
) -> Result<Json<Envelope<CardPage>>, ApiError> {
    use masthead_store::{CardCursor, CardQuery};
    let list = if query.first_status == Some(-1) { CardQuery::JustAccepted } else { CardQuery::OnlineFirst };
    let after = match query.after.as_str() {
        "" => None,
        text => {
            let cursor = storable(text).and_then(CardCursor::parse);
            Some(cursor.ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?)
        }
    };
    let size = query.size.unwrap_or(20).clamp(1, 100);
    let mut cards = caller.store().cards(&list, after.as_ref(), size + 1).await.map_err(caller.store_failed())?;
    let next = cut(&mut cards, size).map(|card| CardCursor::behind(card).to_string());
    let content = LinkedCard::all(&caller, masthead_domain::link::LinkKind::ListArticle, cards).await;
    Ok(caller.ok(CardPage { content, next }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn entry_names_stay_inside_the_package() {
        assert_eq!(entry_name("figures/f1.tif"), "figures/f1.tif");
        for odd in ["../../etc/passwd", "/etc/passwd", "C:\\x", "..", "a\u{0}b"] {
            let name = entry_name(odd);
            assert!(!name.starts_with('/') && !name.contains("..") && !name.contains([':', '\\', '\u{0}']), "{name}");
        }
    }

    #[test]
    fn a_permit_is_held_until_the_body_is_gone() {
        static ONE: Semaphore = Semaphore::const_new(1);
        let response = held(Response::new(Body::from("package")), ONE.try_acquire().unwrap());
        assert!(ONE.try_acquire().is_err());
        drop(response);
        assert!(ONE.try_acquire().is_ok());
    }

    #[test]
    fn only_media_addresses_hold_a_digest() {
        let digest_text = "a".repeat(64);
        assert_eq!(files::digest(&format!("/media/7/{digest_text}.png")), Some(digest_text.as_str()));
        for odd in ["", "/media/7/x.png", "https://example.org/media/7/x", "/assets/x"] {
            assert_eq!(files::digest(odd), None, "{odd}");
        }
    }
}
