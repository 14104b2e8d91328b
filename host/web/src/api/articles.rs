//! Calls about articles.

use std::collections::BTreeSet;

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use masthead_content::readable_article;
use masthead_documents::html::{RenderedSection, SectionKind};
use masthead_domain::{
    ArticleId, Doi,
    access::{ArticleAccess, DownloadPermit, ReadPermit},
    card::ArticleCard,
    link::{Link, LinkKind},
    member::{ItemRef, ItemType, Use},
    resource::{FigureOrTable, Stored},
    route::Route,
};
use masthead_store::StoredArticle;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    article_data::{self, ArticleData},
    envelope::{ApiError, Caller},
    types::{BadgeView, Envelope},
};
use crate::failure::{Failure, download_denied, read_denied};
use crate::page::caching::Caching;
use crate::schema::{self, ArticleBody, FromDomain, Reference};
use crate::usage::UsageAction;

/// An article in a list, with its address.
#[derive(Serialize, ToSchema)]
pub struct LinkedCard {
    /// The article.
    #[serde(flatten)]
    pub(super) card: schema::ArticleCard,
    /// The article's address on this site, after the `links` hook.
    pub(super) href: String,
    /// Badges that the site's plugins attach to a search hit.
    pub(super) badges: Vec<BadgeView>,
}

impl LinkedCard {
    /// Adds addresses to article cards, in one call of the `links` hook.
    pub async fn all(caller: &Caller, kind: LinkKind, cards: Vec<ArticleCard>) -> Vec<Self> {
        let mut call = caller.plugin_call("api");
        let hrefs = caller.addresses().cards(&mut call, kind, &cards).await;
        cards
            .into_iter()
            .zip(hrefs)
            .map(|(card, href)| Self { card: FromDomain::from_domain(card), href, badges: Vec::new() })
            .collect()
    }
}

pub async fn stored(caller: &Caller, id: i64) -> Result<StoredArticle, ApiError> {
    match caller.store().article(ArticleId(id)).await.map_err(caller.store_failed())? {
        Some(article) => Ok(article),
        None => Err(absent(caller, ArticleId(id)).await),
    }
}

/// The failure for an article that is not there: it was withdrawn or removed, or it is unknown.
async fn absent(caller: &Caller, id: ArticleId) -> ApiError {
    match Failure::of_absent_article(&caller.store(), id).await {
        Ok(failure) => caller.failed(failure),
        Err(error) => caller.store_failed()(error),
    }
}

/// Returns the data of an article and counts a view.
#[utoipa::path(get, path = "/rc-pub/front/front-article/{id}", tag = "article",
    params(("id" = i64, Path, description = "The article's id")),
    responses((status = 200, body = Envelope<ArticleData>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn article(caller: Caller, Path(id): Path<i64>) -> Result<Json<Envelope<ArticleData>>, ApiError> {
    let article = stored(&caller, id).await?;
    let data = article_data::data(&caller, article).await?;
    caller.app.counting.record(caller.entry().site.id, "article", id, UsageAction::Visit, &caller.visitor);
    caller.note(Use::View, ItemRef::new(ItemType::Article, id)).await;
    Ok(caller.ok(data))
}

/// Query with a DOI.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ByDoi {
    /// The DOI.
    doi: String,
}

/// Returns the bibliographic data of the article with the given DOI.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getArticleByDoi", tag = "article", params(ByDoi),
    responses((status = 200, body = Envelope<ArticleData>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn by_doi(caller: Caller, Query(query): Query<ByDoi>) -> Result<Json<Envelope<ArticleData>>, ApiError> {
    let missing = || caller.fail(StatusCode::NOT_FOUND, "article_missing");
    let doi = Doi::parse(&query.doi).map_err(|_| missing())?;
    let store = caller.store();
    let mut id = store.article_id_by_doi(&doi).await.map_err(caller.store_failed())?;
    if id.is_none() {
        id = store.withdrawn_id_by_doi(&doi).await.map_err(caller.store_failed())?;
    }
    if id.is_none() {
        id = store.removed_article_by_key(&format!("doi:{}", doi.key())).await.map_err(caller.store_failed())?;
    }
    let article = stored(&caller, id.ok_or_else(missing)?.0).await?;
    Ok(caller.ok(article_data::data(&caller, article).await?))
}

/// A rendered section of an article.
#[derive(Serialize, ToSchema)]
pub struct SectionHtml {
    /// Kind of the section (`abstract`, `body`, `references`, ...).
    kind: String,
    /// BCP 47 tag, or "".
    lang: String,
    /// Heading in the source, or "".
    title: String,
    /// Id of the section's HTML element.
    id: String,
    /// Sanitized HTML.
    html: String,
}

impl From<RenderedSection> for SectionHtml {
    fn from(section: RenderedSection) -> Self {
        Self {
            kind: section.kind.name().to_owned(),
            lang: section.lang,
            title: section.title,
            id: section.id,
            html: section.html,
        }
    }
}

fn sections(
    caller: &Caller,
    article: &StoredArticle,
    permit: Option<&ReadPermit>,
) -> Result<Vec<RenderedSection>, ApiError> {
    Ok(readable_article::rendered(article, permit).map_err(|error| caller.internal_error(&error))?.sections)
}

/// The permit to read an article; the error 403, or 503 where it is not known who asks.
pub async fn read_permit(caller: &Caller, article: ArticleAccess) -> Result<ReadPermit, ApiError> {
    let rights = caller.rights().await;
    rights.read(article).ok_or_else(|| caller.denied(&rights, read_denied(&rights)))
}

/// The permit to download an article and its files; the error 403, or 503 where it is not known who asks.
pub async fn download_permit(caller: &Caller, article: ArticleAccess) -> Result<DownloadPermit, ApiError> {
    let rights = caller.rights().await;
    rights.download(article).ok_or_else(|| caller.denied(&rights, download_denied(&rights, article)))
}

/// The properties of an article on which the decision about reading depends; the error 404 if the site does not have it.
pub async fn access(caller: &Caller, id: i64) -> Result<ArticleAccess, ApiError> {
    let cards = caller.store().cards_by_id(&[ArticleId(id)]).await.map_err(caller.store_failed())?;
    match cards.first() {
        Some(card) => Ok(card.access()),
        None => Err(absent(caller, ArticleId(id)).await),
    }
}

/// Those of the articles whose full text the reader may read.
async fn readable(caller: &Caller, ids: BTreeSet<ArticleId>) -> Result<BTreeSet<ArticleId>, ApiError> {
    if ids.is_empty() {
        return Ok(ids);
    }
    let rights = caller.rights().await;
    if rights.reads_everything() {
        return Ok(ids);
    }
    let ids: Vec<ArticleId> = ids.into_iter().collect();
    let cards = caller.store().cards_by_id(&ids).await.map_err(caller.store_failed())?;
    Ok(cards.iter().filter_map(|card| rights.read(card.access())).map(|permit| permit.article()).collect())
}

/// Figures or tables as the reader may see them: those of articles that the reader may not read lose the text of the caption and the
/// pictures.
pub async fn for_reader<T: FigureOrTable>(
    caller: &Caller,
    mut found: Vec<Stored<T>>,
) -> Result<Vec<Stored<T>>, ApiError> {
    let readable = readable(caller, found.iter().map(|one| one.value.article_id()).collect()).await?;
    for one in found.iter_mut().filter(|one| !readable.contains(&one.value.article_id())) {
        one.value.close();
    }
    Ok(found)
}

/// Query with an article's id.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ById {
    /// The article's id.
    pub id: i64,
}

/// Returns an article as rendered HTML, section by section in reading order.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getHtml", tag = "article", params(ById),
    responses((status = 200, body = Envelope<Vec<SectionHtml>>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn html(
    caller: Caller,
    Query(query): Query<ById>,
) -> Result<(Caching, Json<Envelope<Vec<SectionHtml>>>), ApiError> {
    let article = stored(&caller, query.id).await?;
    let permit = read_permit(&caller, article.access()).await?;
    let sections = sections(&caller, &article, Some(&permit))?;
    Ok((Caching::of(&permit), caller.ok(sections.into_iter().map(SectionHtml::from).collect())))
}

/// Returns the body of an article as content nodes.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getBody", tag = "article", params(ById),
    responses((status = 200, body = Envelope<ArticleBody>), (status = 403, body = Envelope<serde_json::Value>),
        (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn body(
    caller: Caller,
    Query(query): Query<ById>,
) -> Result<(Caching, Json<Envelope<ArticleBody>>), ApiError> {
    let permit = read_permit(&caller, access(&caller, query.id).await?).await?;
    let body = caller.store().body(permit.article()).await.map_err(caller.store_failed())?;
    let body = body.and_then(|body| body.open(&permit));
    let body = body.ok_or_else(|| caller.fail(StatusCode::NOT_FOUND, "article_missing"))?;
    Ok((Caching::of(&permit), caller.ok(ArticleBody::from_domain(body))))
}

/// A reference list.
#[derive(Serialize, ToSchema)]
pub struct References {
    /// The list as rendered HTML.
    #[serde(flatten)]
    section: SectionHtml,
    /// The entries as data.
    references: Vec<Reference>,
}

/// Returns the references of an article, as rendered HTML and as data.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getReference", tag = "article", params(ById),
    responses((status = 200, body = Envelope<Vec<References>>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn references(
    caller: Caller,
    Query(query): Query<ById>,
) -> Result<Json<Envelope<Vec<References>>>, ApiError> {
    let article = stored(&caller, query.id).await?;
    let sections = sections(&caller, &article, None)?;
    let body = caller.store().body(article.id).await.map_err(caller.store_failed())?;
    let lists = body.map(|body| readable_article::body(body, None).reference_lists).unwrap_or_default().into_iter();
    let mut lists = lists.map(|list| Vec::<Reference>::from_domain(list.refs));
    let rendered = sections.into_iter().filter(|section| section.kind == SectionKind::References);
    let mut all: Vec<References> = rendered
        .map(|section| References { section: section.into(), references: lists.next().unwrap_or_default() })
        .collect();
    // Several lists that are rendered as one section are returned together in the last entry.
    if let Some(last) = all.last_mut() {
        last.references.extend(lists.flatten());
    }
    if all.is_empty() {
        let message = caller.app.messages.get(caller.lang, "no_citation").to_owned();
        return Ok(Json(Envelope { status: 0, data: Some(all), message }));
    }
    Ok(caller.ok(all))
}

/// Returns the address of an article on this site, after the `links` hook.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getJumpUrl", tag = "article", params(ById),
    responses((status = 200, body = Envelope<String>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn jump_url(caller: Caller, Query(query): Query<ById>) -> Result<Json<Envelope<String>>, ApiError> {
    let article = stored(&caller, query.id).await?;
    let mut call = caller.plugin_call("api");
    let link = Link { kind: LinkKind::ResultArticle, path: Route::Article(article.id).path(), query: Vec::new() };
    let links = call.rewrite_links(vec![link]).await;
    let href = links.first().map(|link| caller.addresses().link(link)).unwrap_or_default();
    Ok(caller.ok(href))
}
