//! Figures and tables of articles as resources of their own: lists, details, files.

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
    response::Response,
};
use masthead_documents::figures_and_tables;
use masthead_domain::{
    ArticleId,
    member::{ItemRef, ItemType, Use},
    resource::{FigureOrTable, Picture, Renditions, ResourceKind, Stored, TableSheet},
    route::Route,
};
use masthead_formats::spreadsheet;
use masthead_store::{ResourceCursor, StoredResource};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    articles::{access, download_permit, for_reader},
    envelope::{ApiError, Caller, storable},
    listing::cut,
    types::Envelope,
};
use crate::discovery::{attachment::attachment, stored_file};
use crate::page::caching::Caching;
use crate::schema::{self, FromDomain};
use crate::usage::UsageAction;
use masthead_content::{files, readable_article};

/// Query of a list of figures or tables.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Browse {
    /// Key of a journal, or "" for all journals.
    #[serde(default)]
    journal: String,
    /// Id of an article: lists only its figures or tables, in the article's order.
    article: Option<i64>,
    /// Starts after this position: the value of `next` of the previous page.
    #[serde(default)]
    after: String,
    /// Entries on a page: 20 by default, at most 100.
    size: Option<i64>,
}

/// A figure with the address of its article.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PictureView {
    /// Id of the figure.
    id: i64,
    /// The figure.
    #[serde(flatten)]
    picture: schema::Picture,
    /// Address of the article's page.
    article_href: String,
}

/// A table with the address of its article.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableView {
    /// Id of the table.
    id: i64,
    /// The table, without its cells.
    #[serde(flatten)]
    table: schema::TableSheet,
    /// Address of the article's page.
    article_href: String,
}

/// A page of figures.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pictures {
    /// The figures.
    content: Vec<PictureView>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
    /// Number of all figures in the list.
    total_elements: i64,
}

/// A page of tables.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tables {
    /// The tables.
    content: Vec<TableView>,
    /// Value of `after` for the next page; null on the last page.
    next: Option<String>,
    /// Number of all tables in the list.
    total_elements: i64,
}

struct Page<T> {
    content: Vec<Stored<T>>,
    next: Option<String>,
    total: i64,
}

async fn page<T: StoredResource + FigureOrTable>(caller: &Caller, query: &Browse) -> Result<Page<T>, ApiError> {
    let store = caller.store();
    if let Some(article) = query.article {
        let content = store.resources_of_article::<T>(article).await.map_err(caller.store_failed())?;
        let total = i64::try_from(content.len()).unwrap_or(i64::MAX);
        return Ok(Page { content: for_reader(caller, content).await?, next: None, total });
    }
    let after = match query.after.as_str() {
        "" => None,
        text => {
            let cursor = storable(text).and_then(ResourceCursor::parse);
            Some(cursor.ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?)
        }
    };
    let journal = storable(&query.journal).ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
    let size = query.size.unwrap_or(20).clamp(1, 100);
    let found = store.resources::<T>(journal, after.as_ref(), size + 1).await;
    let mut content = found.map_err(caller.store_failed())?;
    let next = cut(&mut content, size).map(|last| ResourceCursor::behind(last).to_string());
    let total = store.resource_count(T::KIND, journal).await.map_err(caller.store_failed())?;
    Ok(Page { content: for_reader(caller, content).await?, next, total })
}

fn picture_view(caller: &Caller, stored: Stored<Picture>) -> PictureView {
    let article_href = caller.addresses().route(&Route::Article(ArticleId(stored.value.article)));
    PictureView { id: stored.id, picture: FromDomain::from_domain(stored.value), article_href }
}

fn table_view(caller: &Caller, stored: Stored<TableSheet>) -> TableView {
    let article_href = caller.addresses().route(&Route::Article(ArticleId(stored.value.article)));
    TableView { id: stored.id, table: FromDomain::from_domain(stored.value), article_href }
}

/// Returns the figures of the site's articles, newest first.
#[utoipa::path(get, path = "/rc-pub/front/pictures", tag = "article", params(Browse),
    responses((status = 200, body = Envelope<Pictures>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn pictures(caller: Caller, Query(query): Query<Browse>) -> Result<Json<Envelope<Pictures>>, ApiError> {
    let page = page::<Picture>(&caller, &query).await?;
    let content = page.content.into_iter().map(|one| picture_view(&caller, one)).collect();
    Ok(caller.ok(Pictures { content, next: page.next, total_elements: page.total }))
}

/// Returns the tables of the site's articles, newest first.
#[utoipa::path(get, path = "/rc-pub/front/tables", tag = "article", params(Browse),
    responses((status = 200, body = Envelope<Tables>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn tables(caller: Caller, Query(query): Query<Browse>) -> Result<Json<Envelope<Tables>>, ApiError> {
    let page = page::<TableSheet>(&caller, &query).await?;
    let content = page.content.into_iter().map(|one| table_view(&caller, one)).collect();
    Ok(caller.ok(Tables { content, next: page.next, total_elements: page.total }))
}

/// Reads the figure or table with the given id and counts a view.
async fn viewed<T: StoredResource + FigureOrTable>(caller: &Caller, id: i64) -> Result<Stored<T>, ApiError> {
    let missing = || caller.fail(StatusCode::NOT_FOUND, "no_data");
    let found = caller.store().resource::<T>(id).await.map_err(caller.store_failed())?.ok_or_else(missing)?;
    let found = for_reader(caller, vec![found]).await?.pop().ok_or_else(missing)?;
    caller.app.counting.record(caller.entry().site.id, T::KIND.as_str(), id, UsageAction::Visit, &caller.visitor);
    caller.note(Use::View, ItemRef::new(ItemType::Resource(T::KIND), id)).await;
    Ok(found)
}

/// Returns a figure and counts a view.
#[utoipa::path(get, path = "/rc-pub/front/pictures/{pictureId}", tag = "article",
    params(("pictureId" = i64, Path, description = "The figure's id")),
    responses((status = 200, body = Envelope<PictureView>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn picture(caller: Caller, Path(id): Path<i64>) -> Result<Json<Envelope<PictureView>>, ApiError> {
    let found = viewed::<Picture>(&caller, id).await?;
    Ok(caller.ok(picture_view(&caller, found)))
}

/// Returns a table without its cells and counts a view.
#[utoipa::path(get, path = "/rc-pub/front/tables/{tableNumber}", tag = "article",
    params(("tableNumber" = i64, Path, description = "The table's id")),
    responses((status = 200, body = Envelope<TableView>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn table(caller: Caller, Path(id): Path<i64>) -> Result<Json<Envelope<TableView>>, ApiError> {
    let found = viewed::<TableSheet>(&caller, id).await?;
    Ok(caller.ok(table_view(&caller, found)))
}

/// Reads the figure or table with the given id, or with the key `article/element`.
async fn by_id_or_key<T: StoredResource>(caller: &Caller, name: &str) -> Result<Stored<T>, ApiError> {
    let name = storable(name.trim()).ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let store = caller.store();
    let found = match name.parse::<i64>() {
        Ok(id) => store.resource::<T>(id).await,
        Err(_) => store.resource_by_key::<T>(name).await,
    };
    found.map_err(caller.store_failed())?.ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))
}

/// Query of a table download.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct TableDownload {
    /// The table's id; or the article's id, a slash and the id of the table within the article.
    table_id: String,
    /// `xls` (default) or `csv`.
    #[serde(default, rename = "type")]
    kind: String,
}

/// Returns a table as a spreadsheet file and counts the download.
#[utoipa::path(get, path = "/rc-pub/front/front-article/downloadTable", tag = "article", params(TableDownload),
    responses((status = 200, content((Vec<u8> = "application/vnd.ms-excel"), (Vec<u8> = "text/csv"))),
        (status = 400, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn download_table(caller: Caller, Query(query): Query<TableDownload>) -> Result<Response, ApiError> {
    let (ending, mime) = match query.kind.as_str() {
        "" | "xls" => ("xls", "application/vnd.ms-excel"),
        "csv" => ("csv", "text/csv; charset=utf-8"),
        _ => return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request")),
    };
    let found = by_id_or_key::<TableSheet>(&caller, &query.table_id).await?;
    let permit = download_permit(&caller, access(&caller, found.value.article).await?).await?;
    let missing = || caller.fail(StatusCode::NOT_FOUND, "no_data");
    let body = caller.store().body(ArticleId(found.value.article)).await.map_err(caller.store_failed())?;
    let body = body.and_then(|body| body.open(permit.read())).ok_or_else(missing)?;
    let table = figures_and_tables::table(&body, &found.value.element).cloned().ok_or_else(missing)?;
    // A table that its source gives as a picture has no cells.
    if table.grids.is_empty() {
        return Err(missing());
    }
    let stem = file_stem(&found.value.label, found.value.title.get(caller.lang), &query.table_id);
    let name = stem.clone();
    let written = tokio::task::spawn_blocking(move || {
        if ending == "xls" { spreadsheet::xls(&table, &name) } else { spreadsheet::csv(&table) }
    });
    let bytes = match written.await.map_err(|error| caller.internal_error(&error))? {
        Ok(bytes) => bytes,
        Err(spreadsheet::SheetError::TooLarge { .. }) => {
            return Err(caller.fail(StatusCode::BAD_REQUEST, "table_too_large"));
        }
        Err(error) => return Err(caller.internal_error(&error)),
    };
    count_download(&caller, ResourceKind::Table, found.id).await;
    Ok(attachment(bytes, mime, &stem, ending, Caching::of(permit.read())))
}

/// Query of a figure download.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ImageDownload {
    /// The figure's id; or the article's id, a slash and the id of the figure within the article.
    picture_id: String,
    /// Index of the picture within the figure, from 0.
    #[serde(default)]
    index: usize,
    /// `small`, `big` (default) or `original`. A missing size is replaced by the next larger one and finally by the
    /// original file, which may be TIFF.
    #[serde(default)]
    size: String,
}

/// Returns a figure as an image file and counts the download.
#[utoipa::path(get, path = "/rc-pub/front/front-article/downloadImage", tag = "article", params(ImageDownload),
    responses((status = 200, content_type = "image/*", body = Vec<u8>),
        (status = 400, body = Envelope<serde_json::Value>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn download_image(caller: Caller, Query(query): Query<ImageDownload>) -> Result<Response, ApiError> {
    let sizes: fn(&Renditions) -> [&String; 3] = match query.size.as_str() {
        "small" => |files| [&files.small, &files.big, &files.original],
        "" | "big" => |files| [&files.big, &files.original, &files.small],
        "original" => |files| [&files.original, &files.big, &files.small],
        _ => return Err(caller.fail(StatusCode::BAD_REQUEST, "bad_request")),
    };
    let found = by_id_or_key::<Picture>(&caller, &query.picture_id).await?;
    let permit = download_permit(&caller, access(&caller, found.value.article).await?).await?;
    let stem = file_stem(&found.value.label, found.value.title.get(caller.lang), &query.picture_id);
    let rendition = found.value.pictures.get(query.index).cloned().unwrap_or_default();
    // The specification's fallback: a missing rendition is replaced by the next in this order.
    for address in sizes(&rendition) {
        let Some(digest) = files::digest(address) else { continue };
        let media = caller.store().media(digest).await.map_err(caller.store_failed())?;
        let Some(file) = readable_article::file_of_figure(&found.value, digest, &permit) else { continue };
        let (Some(media), Ok(opened)) = (media, files::open(&caller.app.data_folder, &file).await) else { continue };
        let content = stored_file::stored(opened, digest, &media.mime, &caller.headers).await;
        let content = content.map_err(|error| caller.internal_error(&error))?;
        if stored_file::begins(&content) {
            count_download(&caller, ResourceKind::Picture, found.id).await;
        }
        let ending = address.rsplit_once('.').map_or("", |(_, ending)| ending);
        return Ok(attachment(content, &media.mime, &stem, ending, Caching::of(permit.read())));
    }
    Err(caller.fail(StatusCode::NOT_FOUND, "no_data"))
}

async fn count_download(caller: &Caller, kind: ResourceKind, id: i64) {
    caller.app.counting.record(caller.entry().site.id, kind.as_str(), id, UsageAction::Download, &caller.visitor);
    caller.note(Use::Download, ItemRef::new(ItemType::Resource(kind), id)).await;
}

fn file_stem(label: &str, title: &str, name: &str) -> String {
    let parts: Vec<&str> = [label, title].into_iter().filter(|part| !part.trim().is_empty()).collect();
    if parts.is_empty() { name.to_owned() } else { parts.join(" ") }
}
