//! Figures and tables of articles as things of their own: lists, details, files.

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
    response::Response,
};
use masthead_documents::figures_and_tables as exhibits;
use masthead_domain::{
    ArticleId,
    resource::{Picture, Renditions, ResourceKind, Stored, TableSheet},
    route::Route,
};
use masthead_formats::spreadsheet as sheet;
use masthead_store::{ResourceCursor, StoredResource};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    downloads::may_download,
    envelope::{ApiError, Caller, storable},
    types::Envelope,
};
use crate::discovery::attachment::attachment;
use crate::schema::{self, FromDomain};
use crate::usage::Act;
use masthead_content::files;

/// Which page of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Browse {
    /// Key of a journal, or all.
    #[serde(default)]
    journal: String,
    /// Number of an article: only its own, in their order.
    article: Option<i64>,
    /// Goes on behind this place, as the page before says.
    #[serde(default)]
    after: String,
    /// Things on a page, 20 where it is left out, at most 100.
    size: Option<i64>,
}

/// A figure with the address of its article.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PictureView {
    /// Its number.
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
    /// Its number.
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
    /// Value of `after` for the next page; "" at the end.
    next: String,
    /// Number of all.
    total_elements: i64,
}

/// A page of tables.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tables {
    /// The tables.
    content: Vec<TableView>,
    /// Value of `after` for the next page; "" at the end.
    next: String,
    /// Number of all.
    total_elements: i64,
}

struct Page<T> {
    content: Vec<Stored<T>>,
    next: String,
    total: i64,
}

async fn page<T: StoredResource>(caller: &Caller, query: &Browse) -> Result<Page<T>, ApiError> {
    let store = caller.store();
    if let Some(article) = query.article {
        let content = store.resources_of_article::<T>(article).await.map_err(caller.store_failed())?;
        let total = i64::try_from(content.len()).unwrap_or(i64::MAX);
        return Ok(Page { content, next: String::new(), total });
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
    let wanted = usize::try_from(size).unwrap_or(usize::MAX);
    let more = content.len() > wanted;
    content.truncate(wanted);
    let next = content.last().filter(|_| more).map(|last| ResourceCursor::behind(last).to_string());
    let total = store.resource_count(T::KIND, journal).await.map_err(caller.store_failed())?;
    Ok(Page { content, next: next.unwrap_or_default(), total })
}

fn picture_view(caller: &Caller, stored: Stored<Picture>) -> PictureView {
    let article_href = caller.addresses().route(&Route::Article(ArticleId(stored.value.article)));
    PictureView { id: stored.id, picture: FromDomain::from_domain(stored.value), article_href }
}

fn table_view(caller: &Caller, stored: Stored<TableSheet>) -> TableView {
    let article_href = caller.addresses().route(&Route::Article(ArticleId(stored.value.article)));
    TableView { id: stored.id, table: FromDomain::from_domain(stored.value), article_href }
}

/// Figures of the site's articles, newest first.
#[utoipa::path(get, path = "/rc-pub/front/pictures", tag = "article", params(Browse),
    responses((status = 200, body = Envelope<Pictures>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn pictures(caller: Caller, Query(query): Query<Browse>) -> Result<Json<Envelope<Pictures>>, ApiError> {
    let page = page::<Picture>(&caller, &query).await?;
    let content = page.content.into_iter().map(|one| picture_view(&caller, one)).collect();
    Ok(caller.ok(Pictures { content, next: page.next, total_elements: page.total }))
}

/// Tables of the site's articles, newest first.
#[utoipa::path(get, path = "/rc-pub/front/tables", tag = "article", params(Browse),
    responses((status = 200, body = Envelope<Tables>), (status = 400, body = Envelope<serde_json::Value>)))]
pub async fn tables(caller: Caller, Query(query): Query<Browse>) -> Result<Json<Envelope<Tables>>, ApiError> {
    let page = page::<TableSheet>(&caller, &query).await?;
    let content = page.content.into_iter().map(|one| table_view(&caller, one)).collect();
    Ok(caller.ok(Tables { content, next: page.next, total_elements: page.total }))
}

/// The thing with this number; a view of it is counted.
async fn one<T: StoredResource>(caller: &Caller, id: i64) -> Result<Stored<T>, ApiError> {
    let found = caller.store().resource::<T>(id).await.map_err(caller.store_failed())?;
    let found = found.ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    caller.app.counting.act(caller.entry().site.id, T::KIND.as_str(), id, Act::Visit, &caller.visitor);
    Ok(found)
}

/// A figure.
#[utoipa::path(get, path = "/rc-pub/front/pictures/{pictureId}", tag = "article",
    params(("pictureId" = i64, Path, description = "The figure's number")),
    responses((status = 200, body = Envelope<PictureView>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn picture(caller: Caller, Path(id): Path<i64>) -> Result<Json<Envelope<PictureView>>, ApiError> {
    let found = one::<Picture>(&caller, id).await?;
    Ok(caller.ok(picture_view(&caller, found)))
}

/// A table, without its cells.
#[utoipa::path(get, path = "/rc-pub/front/tables/{tableNumber}", tag = "article",
    params(("tableNumber" = i64, Path, description = "The table's number")),
    responses((status = 200, body = Envelope<TableView>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn table(caller: Caller, Path(id): Path<i64>) -> Result<Json<Envelope<TableView>>, ApiError> {
    let found = one::<TableSheet>(&caller, id).await?;
    Ok(caller.ok(table_view(&caller, found)))
}

/// The figure or table with this number, or with the key `article/element`.
async fn named<T: StoredResource>(caller: &Caller, name: &str) -> Result<Stored<T>, ApiError> {
    let name = storable(name.trim()).ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))?;
    let store = caller.store();
    let found = match name.parse::<i64>() {
        Ok(id) => store.resource::<T>(id).await,
        Err(_) => store.resource_by_key::<T>(name).await,
    };
    found.map_err(caller.store_failed())?.ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "no_data"))
}

/// Which table, and as what.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct TableDownload {
    /// The table's number, or the article's number, a slash and the table's id within the article.
    table_id: String,
    /// xls where it is left out, or csv.
    #[serde(default, rename = "type")]
    kind: String,
}

/// A table as a file for spreadsheets.
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
    let found = named::<TableSheet>(&caller, &query.table_id).await?;
    may_download(&caller).await?;
    let missing = || caller.fail(StatusCode::NOT_FOUND, "no_data");
    let body = caller.store().body(ArticleId(found.value.article)).await.map_err(caller.store_failed())?;
    let body = body.ok_or_else(missing)?;
    let table = exhibits::table(&body, &found.value.element).cloned().ok_or_else(missing)?;
    // A table that its source gives as a picture has no cells to write.
    if table.grids.is_empty() {
        return Err(missing());
    }
    let stem = titled(&found.value.label, found.value.title.get(caller.lang), &query.table_id);
    let name = stem.clone();
    let written =
        tokio::task::spawn_blocking(
            move || if ending == "xls" { sheet::xls(&table, &name) } else { sheet::csv(&table) },
        );
    let bytes = match written.await.map_err(|error| caller.broken(&error))? {
        Ok(bytes) => bytes,
        Err(sheet::SheetError::TooLarge { .. }) => return Err(caller.fail(StatusCode::BAD_REQUEST, "table_too_large")),
        Err(error) => return Err(caller.broken(&error)),
    };
    count(&caller, ResourceKind::Table, found.id);
    Ok(attachment(bytes, mime, &stem, ending))
}

/// Which figure, and in which size.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ImageDownload {
    /// The figure's number, or the article's number, a slash and the figure's id within the article.
    picture_id: String,
    /// Which of its pictures, from 0.
    #[serde(default)]
    index: usize,
    /// small, big (where it is left out) or original. What there is none of is answered with the next larger one, at last
    /// with the file as it came, which may be TIFF.
    #[serde(default)]
    size: String,
}

/// A figure as a file.
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
    let found = named::<Picture>(&caller, &query.picture_id).await?;
    may_download(&caller).await?;
    let stem = titled(&found.value.label, found.value.title.get(caller.lang), &query.picture_id);
    let rendition = found.value.pictures.get(query.index).cloned().unwrap_or_default();
    // The fallback of the specification: a form that cannot be had is replaced by the next, at last by the original.
    for address in sizes(&rendition) {
        let Some(digest) = files::digest(address) else { continue };
        let media = caller.store().media(digest).await.map_err(caller.store_failed())?;
        let (Some(media), Ok(bytes)) = (media, files::open(&caller.app.data_folder, digest).await) else { continue };
        count(&caller, ResourceKind::Picture, found.id);
        let ending = address.rsplit_once('.').map_or("", |(_, ending)| ending);
        return Ok(attachment(bytes, &media.mime, &stem, ending));
    }
    Err(caller.fail(StatusCode::NOT_FOUND, "no_data"))
}

fn count(caller: &Caller, kind: ResourceKind, id: i64) {
    caller.app.counting.act(caller.entry().site.id, kind.as_str(), id, Act::Download, &caller.visitor);
}

fn titled(label: &str, title: &str, name: &str) -> String {
    let parts: Vec<&str> = [label, title].into_iter().filter(|part| !part.trim().is_empty()).collect();
    if parts.is_empty() { name.to_owned() } else { parts.join(" ") }
}
