//! An article's data with the fields of the specification (section 3, "Article").

use masthead_content::{notices, readable_article};
use masthead_documents::html::{RenderedArticle, RenderedSection, SectionKind};
use masthead_domain::{Lang, article::ArticleMeta, link::is_web, resource::Topic, route::Route};
use masthead_store::{StoredArticle, Totals};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::envelope::{ApiError, Caller};
use crate::page::{notices as notice_views, types::NoticeView};
use crate::schema::{self, FromDomain};
use masthead_domain::text::without_tags;

/// Greatest number of topics that are searched for the topic of an article.
const MAX_TOPICS: i64 = 200;

/// An article's data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArticleData {
    /// The article's id.
    id: schema::ArticleId,
    /// The site's id.
    site_id: schema::SiteId,
    /// Bibliographic metadata.
    #[serde(flatten)]
    meta: schema::ArticleMeta,
    /// The citation as text.
    citation: String,
    /// Plain title in the reader's language, else the original (spec `resName_tic`).
    title: String,
    /// Names of the authors.
    authors: Vec<String>,
    /// Institutions of the authors.
    author_company: Vec<String>,
    /// Biographies of the authors.
    author_bio: Vec<AuthorBio>,
    /// Abstract in the reader's language, else the first, as plain text.
    summary: String,
    /// Views.
    visits: i64,
    /// Downloads.
    downloads: i64,
    /// Number of visible comments.
    comment_count: i64,
    /// Name of the proofing state in the reader's language; "" for none.
    first_status_label: String,
    /// First page in print.
    first_page_num: String,
    /// Last page in print.
    last_page_num: String,
    /// Date of print publication, ISO 8601.
    ppub_date: String,
    /// Date for sorting and citation, ISO 8601.
    publish_date: String,
    /// Date of receipt, ISO 8601.
    received: String,
    /// Date of receipt of the last revision, ISO 8601.
    revised: String,
    /// Date of acceptance, ISO 8601.
    accepted: String,
    /// Date of publication in an issue, ISO 8601; "" without an issue.
    published: String,
    /// Date of online publication, ISO 8601.
    published_online: String,
    /// Funders with their award numbers.
    funds: Vec<String>,
    /// Key of the journal.
    index_id: String,
    /// Key of the topic that lists the article, or "".
    topic_id: String,
    /// Form of the list entry: 1 with the graphical abstract, 0 without.
    show_list_type: u8,
    /// Path of the article's page inside the site, after the language segment.
    path: String,
    /// Address of the graphical abstract, or "".
    graphic_abstract: String,
    /// 0 formal publication, 1 online first.
    publish_type: u8,
    /// 0 open access, 1 otherwise.
    access: u8,
    /// Number of the document in the publisher's document service (identifier type `vas`), or "".
    vas_doc_id: String,
    /// Address of the document in that service (identifier type `vas-link`), or "".
    vas_doc_link: String,
    /// Number of the document in the data centre (identifier type `adcs`), or "".
    adcs_doc_id: String,
    /// Notices about the article, and what it is itself a notice about; the weightiest first.
    #[serde(default)]
    notices: Vec<NoticeView>,
}

/// An author's biography.
#[derive(Serialize, ToSchema)]
pub struct AuthorBio {
    /// The author.
    author: String,
    /// The biography as plain text.
    bio: String,
}

/// Usage counts of an article.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    /// Views and downloads.
    pub totals: Totals,
    /// Number of visible comments.
    pub comments: i64,
}

/// Reads the usage counts of an article.
pub async fn numbers(caller: &Caller, id: i64) -> Result<Numbers, ApiError> {
    let store = caller.store();
    let totals = store.totals("article", id).await.map_err(caller.store_failed())?;
    let comments = store.comment_counts(&[id]).await.map_err(caller.store_failed())?;
    Ok(Numbers { totals, comments: comments.get(&id).copied().unwrap_or(0) })
}

/// Builds the data of an article.
pub async fn data(caller: &Caller, article: StoredArticle) -> Result<ArticleData, ApiError> {
    let numbers = numbers(caller, article.id.0).await?;
    let topic_id = topic(caller, &article.meta).await?;
    let rendered = readable_article::rendered(&article, None).map_err(|error| caller.internal_error(&error))?;
    let addresses = caller.addresses();
    let page = |id| addresses.route(&Route::Article(id));
    let found = notices::of_article(&caller.store(), article.id, page).await.map_err(caller.store_failed())?;
    let notices = notice_views::views(&caller.app.messages, &addresses, &found);
    let (meta, dates, lang) = (&article.meta, &article.meta.dates, caller.lang);
    let graphic_abstract = rendered.sections.iter().find_map(picture).unwrap_or_default();
    let identifier = |kind: &str| {
        meta.ids.iter().find(|(known, _)| known == kind).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    Ok(ArticleData {
        id: FromDomain::from_domain(article.id),
        site_id: FromDomain::from_domain(caller.entry().site.id),
        citation: masthead_content::citation::text(meta, None, lang),
        title: meta.title(lang.tag()).to_owned(),
        authors: meta.authors().map(masthead_domain::article::Contributor::display_name).collect(),
        author_company: meta.affiliations.iter().map(|place| place.text.clone()).collect(),
        author_bio: biographies(meta),
        summary: summary(&rendered, lang),
        visits: numbers.totals.visits,
        downloads: numbers.totals.downloads,
        comment_count: numbers.comments,
        first_status_label: crate::api::labels::first_status(&caller.app.messages, caller.lang, meta.first_status),
        first_page_num: meta.first_page.clone(),
        last_page_num: meta.last_page.clone(),
        ppub_date: dates.print.clone(),
        publish_date: dates.published().to_owned(),
        received: dates.received.clone(),
        revised: dates.revised.clone(),
        accepted: dates.accepted.clone(),
        published: if meta.issue.is_empty() { String::new() } else { dates.published().to_owned() },
        published_online: dates.online.clone(),
        funds: meta.funding.iter().map(fund).filter(|fund| !fund.is_empty()).collect(),
        index_id: article.journal,
        topic_id,
        show_list_type: u8::from(!graphic_abstract.is_empty()),
        path: Route::Article(article.id).path(),
        graphic_abstract,
        publish_type: u8::from(meta.is_online_first()),
        access: u8::from(!meta.open_access),
        vas_doc_id: identifier("vas"),
        vas_doc_link: Some(identifier("vas-link")).filter(|address| is_web(address)).unwrap_or_default(),
        adcs_doc_id: identifier("adcs"),
        notices,
        meta: FromDomain::from_domain(article.meta),
    })
}

/// The abstract in the given language, else the first abstract, as plain text.
pub fn summary(rendered: &RenderedArticle, lang: Lang) -> String {
    let abstracts = || rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    let own = abstracts().find(|section| masthead_domain::lang::same_language(&section.lang, lang.tag()));
    own.or_else(|| abstracts().next()).map(|section| without_tags(&section.html)).unwrap_or_default()
}

fn biographies(meta: &ArticleMeta) -> Vec<AuthorBio> {
    meta.authors()
        .filter(|person| !person.bio.is_empty())
        .map(|person| AuthorBio {
            author: person.display_name(),
            bio: masthead_domain::content::text::plain(&person.bio),
        })
        .collect()
}

fn fund(fund: &masthead_domain::article::Funding) -> String {
    let awards = fund.awards.join(", ");
    match (fund.source.as_str(), awards.as_str()) {
        (source, "") => source.to_owned(),
        ("", awards) => awards.to_owned(),
        (source, awards) => format!("{source} ({awards})"),
    }
}

/// The address of the first picture of a graphical abstract.
fn picture(section: &RenderedSection) -> Option<String> {
    if section.kind != SectionKind::GraphicAbstract {
        return None;
    }
    let (_, rest) = section.html.split_once(" src=\"")?;
    let (address, _) = rest.split_once('"')?;
    Some(html_escape::decode_html_entities(address).into_owned())
}

async fn topic(caller: &Caller, meta: &ArticleMeta) -> Result<String, ApiError> {
    let topics = caller.store().resources::<Topic>("", None, MAX_TOPICS).await.map_err(caller.store_failed())?;
    let doi = meta.doi.as_ref().map(masthead_domain::Doi::key).unwrap_or_default();
    // An editor may have changed the DOI by which the item names the article.
    let imported = meta.source_key.strip_prefix("doi:").unwrap_or_default();
    let is = |doi: &str, key: &str| !doi.is_empty() && key.eq_ignore_ascii_case(doi);
    let names = |key: &str| key == meta.source_key || is(&doi, key) || is(imported, key);
    let found = topics.into_iter().find(|topic| topic.value.items.iter().any(|item| names(&item.key)));
    Ok(found.map(|topic| topic.value.key).unwrap_or_default())
}
