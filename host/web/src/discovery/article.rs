//! An article in formats other than HTML: by content negotiation, or by `?format=` on its address.

use axum::{
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_documents::{
    html::RenderedSection,
    jats::{ExportOptions, export},
};
use masthead_domain::{
    ArticleId,
    access::{FullText, ReadPermit},
    article::{Article, ArticleMeta, RelatedArticle},
    content::ArticleBody,
    member::{ItemRef, ItemType, Use},
    route::Route,
};
use masthead_formats::references::article as cite;
use masthead_store::{SiteStore, StoreError, StoredArticle};

use crate::discovery::{Open, attachment, negotiate, stored_file};
use crate::{
    app::App,
    failure::{Failure, download_denied},
    page::{
        article_format::{FORMATS, Format},
        caching::{self, Caching},
        context::PageError,
        pipeline::error_page,
        reader::{self, Reader},
        request::PageRequest,
        signposting,
    },
    sites::{addresses::Addresses, scope::Host},
    usage::{UsageAction, Visitor},
};
use masthead_content::{citation, files, notices, readable_article};

/// The formats that content negotiation can choose. HTML comes first, for clients that accept everything.
const OFFERS: [(Format, &str); 9] = [
    (Format::Html, "text/html"),
    FORMATS[0],
    FORMATS[1],
    FORMATS[2],
    FORMATS[3],
    (Format::Jats, "application/xml"),
    (Format::Jats, "text/xml"),
    FORMATS[4],
    (Format::Pdf, "application/pdf"),
];

/// The requested format of an article and its media type. The parameter `format` takes precedence over the header
/// `Accept`. `None` when no offered format is acceptable.
#[must_use]
pub fn requested_format(headers: &HeaderMap, parameter: &str) -> Option<(Format, &'static str)> {
    if !parameter.is_empty() {
        let mut named = OFFERS.iter();
        return named.find(|(format, _)| format.name() == parameter).copied();
    }
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    negotiate::best(&accepted.collect::<Vec<_>>().join(","), &OFFERS).copied()
}

/// The response 406 (Not Acceptable), which lists the offered formats.
#[must_use]
pub fn not_acceptable() -> Response {
    let types: Vec<&str> = OFFERS.iter().map(|(_, media_type)| *media_type).collect();
    let names: Vec<&str> = FORMATS.iter().map(|(format, _)| format.name()).collect();
    let text = format!(
        "An article is offered as {} (where it has one), and by ?format= as {}.\n",
        types.join(", "),
        names.join(", ")
    );
    let mut response = (StatusCode::NOT_ACCEPTABLE, text).into_response();
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
    response
}

/// The article in a format other than HTML; `None` when the article does not exist. A PDF is counted as a download of
/// `visitor`, if one is given.
///
/// # Errors
/// [`PageError`], when the article or one of its files cannot be read.
pub async fn serve(
    app: &App,
    request: &PageRequest,
    host: &Host,
    (reader, headers): (&Reader, &HeaderMap),
    (format, media_type): (Format, &'static str),
    visitor: Option<&Visitor>,
) -> Result<Option<Response>, PageError> {
    let store = app.store.site(request.scope.entry.site.id);
    let id = match request.article() {
        Some(Route::Article(id)) => Some(*id),
        Some(Route::ArticleByDoi(doi)) => store.article_id_by_doi(doi).await?,
        _ => None,
    };
    let Some(id) = id else { return Ok(None) };
    let Some(stored) = store.article(id).await? else { return Ok(None) };
    let base = format!("{}{}", host.origin, request.scope.base);
    let addresses = Addresses { base, lang: request.lang };
    let page_of = |id| addresses.route(&Route::Article(id));
    let page = page_of(id);
    let (access, rights) = (stored.access(), &reader.rights);
    let permit = rights.read(access);
    let (text, caching) = match format {
        Format::Bibtex => (cite::bibtex(&stored.meta, &page), Caching::Shared),
        Format::Ris => (cite::ris(&stored.meta, &page), Caching::Shared),
        Format::Csl => (cite::csl_json(&stored.meta, &page).to_string(), Caching::Shared),
        Format::Jats => {
            let related = notices::related(&notices::of_article(&store, id, page_of).await?);
            let text = jats(&store, &stored, &related, permit.as_ref(), false).await?;
            (text, permit.as_ref().map_or(Caching::Reader, Caching::of))
        }
        Format::Pdf => {
            let response = pdf(app, request, (reader, headers), &stored, visitor).await?;
            return Ok(Some(linked(response, request, &page, "collection")));
        }
        Format::JsonLd | Format::Html => {
            let journals = store.journals().await?;
            let journal = journals.iter().find(|journal| journal.key == stored.journal);
            let rendered = readable_article::rendered(&stored, None).map_err(of_rendered(&stored))?;
            let landing = citation::landing(&stored, &page, rights);
            let notices = notices::of_article(&store, id, page_of).await?;
            let text = citation::json_ld(&stored.meta, journal, &rendered, &landing, &notices).to_string();
            (text, Caching::shared(rights.is_same_for_all(access)))
        }
    };
    let response = (caching, [(header::CONTENT_TYPE, charset(media_type))], text).into_response();
    Ok(Some(linked(response, request, &page, "describes")))
}

/// The PDF, displayed by the browser and counted as a download. Readers without permission get a page with status 403.
async fn pdf(
    app: &App,
    request: &PageRequest,
    (reader, headers): (&Reader, &HeaderMap),
    stored: &StoredArticle,
    visitor: Option<&Visitor>,
) -> Result<Response, PageError> {
    let Some(file) = stored.pdf() else { return Ok(not_acceptable()) };
    let digest = files::digest(&file.address).unwrap_or_default();
    let permit = reader.rights.download(stored.access());
    let Some(permit) = permit.and_then(|permit| readable_article::file_of_article(stored, digest, &permit)) else {
        let message = app.messages.get(request.lang, download_denied(&reader.rights, stored.access()));
        let addresses = Addresses { base: request.scope.base.clone(), lang: request.lang };
        let back = format!("{}?format={}", addresses.route(&Route::Article(stored.id)), Format::Pdf.name());
        return Ok(error_page::refused(app, &addresses, reader.rights.refusal(), (message, &back)));
    };
    let unreadable = |source| PageError::File { id: stored.id.0, source };
    let opened = files::open(&app.data_folder, &permit).await.map_err(unreadable)?;
    let file = stored_file::stored(opened, digest, "application/pdf", headers).await.map_err(unreadable)?;
    if let Some(visitor) = visitor.filter(|_| stored_file::begins(&file)) {
        let site = request.scope.entry.site.id;
        app.counting.record(site, "article", stored.id.0, UsageAction::Download, visitor);
        let item = ItemRef::new(ItemType::Article, stored.id);
        app.note_use(site, reader.user.as_ref(), Use::Download, item, request.lang, visitor);
    }
    let caching = Caching::shared(permit.is_public());
    Ok(attachment::inline(file, "application/pdf", &attachment::stem(stored, request.lang), "pdf", caching))
}

/// Adds the headers that every format has: `Vary: Accept`, and the link to the article's page.
fn linked(mut response: Response, request: &PageRequest, page: &str, rel: &str) -> Response {
    let headers = response.headers_mut();
    caching::vary(headers, &[header::ACCEPT]);
    if request.scope.entry.site.library.signposting {
        let back = format!("<{page}>; rel=\"{rel}\"; type=\"text/html\"");
        headers.extend(HeaderValue::try_from(back).map(|value| (header::LINK, value)));
    }
    response
}

/// The media type with the charset. JSON media types have no charset parameter.
fn charset(media_type: &str) -> String {
    if media_type.ends_with("json") { media_type.to_owned() } else { format!("{media_type}; charset=utf-8") }
}

fn of_rendered(stored: &StoredArticle) -> impl FnOnce(serde_json::Error) -> PageError {
    let id = stored.id.0;
    move |source| PageError::Rendered { id, source }
}

/// The article as JATS. Readers without a permit get the metadata and the abstracts only. `related` are the related articles that its own
/// source does not name.
///
/// # Errors
/// [`StoreError`], when the body cannot be read.
pub async fn jats(
    store: &SiteStore,
    stored: &StoredArticle,
    related: &[RelatedArticle],
    permit: Option<&ReadPermit>,
    embedded: bool,
) -> Result<String, StoreError> {
    let body = store.body(stored.id).await?;
    let body = body.unwrap_or_else(|| FullText::new(stored.id, ArticleBody::default()));
    Ok(jats_of(stored.meta.clone(), body, related, permit, embedded))
}

/// The same for an article that has already been loaded.
pub fn jats_of(
    meta: ArticleMeta,
    body: FullText<ArticleBody>,
    related: &[RelatedArticle],
    permit: Option<&ReadPermit>,
    embedded: bool,
) -> String {
    let full = permit.is_some_and(|permit| body.opens_with(permit));
    let body = readable_article::body(body, permit);
    // The references are removed here rather than left to the writer's options: metadata for harvesters has none.
    let body = if full { body } else { ArticleBody { abstracts: body.abstracts, ..ArticleBody::default() } };
    export(
        &Article { meta, body },
        &ExportOptions { front_only: !full, embedded, portable: embedded, href: None, related },
    )
}

/// `/{lang}/article/{id}/linkset`: all typed links of an article.
pub async fn linkset(open: Open, Path((lang, id)): Path<(String, String)>) -> Response {
    match links_of(&open, &lang, &id).await {
        Ok(Ok((text, caching))) => {
            (caching, [(header::CONTENT_TYPE, "application/linkset+json")], text).into_response()
        }
        Ok(Err(response)) => response,
        Err(error) => {
            let own = open.scope.entry.lang_or_default(lang.parse().ok());
            error_page::page_failed(&open.app, open.place(), own, &error)
        }
    }
}

async fn links_of(open: &Open, lang: &str, id: &str) -> Result<Result<(String, Caching), Response>, PageError> {
    let lang = match open.offers(|library| library.signposting).and_then(|()| open.lang(lang)) {
        Ok(lang) => lang,
        Err(response) => return Ok(Err(response)),
    };
    let Some(id) = id.parse().ok().map(ArticleId) else { return Ok(Err(open.missing())) };
    let Some(stored) = open.store().article(id).await? else {
        let failure = Failure::of_absent_article(&open.store(), id).await?;
        return Ok(Err(error_page::lookup(&open.app, open.place(), &open.headers, failure)));
    };
    let rights = reader::rights(&open.app, &open.scope, &open.host, lang, (&open.headers, open.client)).await;
    let permit = rights.read(stored.access());
    let rendered = readable_article::rendered(&stored, permit.as_ref()).map_err(of_rendered(&stored))?;
    let sections: Vec<&RenderedSection> = rendered.sections.iter().collect();
    let addresses = open.addresses(lang);
    let page_of = |id| addresses.route(&Route::Article(id));
    let page = page_of(id);
    let landing = citation::landing(&stored, &page, &rights);
    let notices = notices::of_article(&open.store(), id, page_of).await?;
    let links = signposting::links(&stored.meta, &landing, &open.host.origin, &sections, &notices);
    let caching = Caching::shared(rights.is_same_for_all(stored.access()));
    Ok(Ok((signposting::linkset(&links, &page).to_string(), caching)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_format_parameter_takes_precedence_over_the_header() {
        let headers = HeaderMap::from_iter([(header::ACCEPT, "application/x-bibtex".parse().unwrap())]);
        assert_eq!(requested_format(&headers, "").map(|(format, _)| format), Some(Format::Bibtex));
        assert_eq!(requested_format(&headers, "ris"), Some((Format::Ris, "application/x-research-info-systems")));
        assert_eq!(requested_format(&headers, "html").map(|(format, _)| format), Some(Format::Html));
        assert_eq!(requested_format(&headers, "jats"), Some((Format::Jats, "application/vnd.jats+xml")));
        assert_eq!(requested_format(&headers, "pdf").map(|(format, _)| format), Some(Format::Pdf));
        assert_eq!(requested_format(&headers, "docx"), None);
    }
}
