//! The article reader: what was rendered at import, in the reader's order, with headings in the reader's language.

use std::ops::Range;

use axum::body::Bytes;
use masthead_documents::html::{RenderedArticle, RenderedSection, SectionKind};
use masthead_domain::{
    ArticleId, Doi, Lang, LocalText,
    access::FullText,
    article::{ArticleMeta, Contributor, Dates, RelatedArticle, pick},
    content::text::plain,
    link,
    notice::NoticeTarget,
    publication::Journal,
    route::Route,
    text::without_tags,
};
use masthead_runtime::{Call, Hook};
use masthead_store::{StoredArticle, WithdrawnArticle};
use maud::{Markup, PreEscaped, html};

use crate::page::{
    content::{
        article_people, message,
        plugin_contributions::{self, Added},
        tag,
    },
    context::{Context, Page, PageError},
};
use crate::{
    failure::Failure,
    page::types::{NoticeView, OutlineLink, PageView},
    page::{head::Head, notices as notice_views, signposting},
};
use masthead_content::{
    citation::{self, Landing},
    compressed_html::{self, CompressedHtml},
    host_services,
    notices::{self, LinkedNotice},
    reading,
};

/// The article with a number.
pub async fn by_id(context: &Context<'_>, call: &mut Call, id: ArticleId) -> Result<Page, PageError> {
    match context.store.article_with_compressed_html(id).await? {
        Some((article, compressed)) => found(context, call, &article, compressed).await,
        None => match context.store.withdrawn_article(id).await? {
            Some(article) => Ok(withdrawn(context, &article)),
            None if context.store.removed_article(id).await?.is_some() => Ok(removed(context)),
            None => Ok(missing(context)),
        },
    }
}

/// The article with a DOI.
pub async fn by_doi(context: &Context<'_>, call: &mut Call, doi: &Doi) -> Result<Page, PageError> {
    let id = match context.store.article_id_by_doi(doi).await? {
        Some(id) => Some(id),
        None => context.store.withdrawn_id_by_doi(doi).await?,
    };
    match id {
        Some(id) => by_id(context, call, id).await,
        None if context.store.removed_article_by_key(&format!("doi:{}", doi.key())).await?.is_some() => {
            Ok(removed(context))
        }
        None => Ok(missing(context)),
    }
}

/// The page of an article that was here: neither it nor another one is to be looked for at this address.
fn removed(context: &Context<'_>) -> Page {
    message(&context.texts, Failure::ArticleRemoved, Some(context.addresses.route(&Route::Home)))
}

/// "Article id is not exist".
pub fn missing(context: &Context<'_>) -> Page {
    message(&context.texts, Failure::ArticleUnknown, Some(context.addresses.route(&Route::Home)))
}

/// The page of a withdrawn article: what it was, since when it is withdrawn, and why.
fn withdrawn(context: &Context<'_>, article: &WithdrawnArticle) -> Page {
    let texts = &context.texts;
    let failure = Failure::ArticleWithdrawn;
    let (status, message) = (failure.status().as_u16(), texts.get(failure.key()).to_owned());
    let meta = &article.meta;
    let (heading, lang) = match pick(&meta.titles, context.lang().tag()) {
        Some(title) => (title.plain.clone(), title.lang.clone()),
        None => (message.clone(), context.lang().tag().to_owned()),
    };
    let authors: Vec<String> = meta.authors().map(Contributor::display_name).collect();
    let (reason, of_reason) = in_language(&article.withdrawal.reason, context.lang());
    // Title and reason may be in another language than the page, with another direction.
    let main = html! {
        div.message-page data-withdrawn=(article.id) {
            p.message-code { (status) }
            h1 lang=[tag(&lang)] dir="auto" { (heading) }
            @if !authors.is_empty() { p dir="auto" { (authors.join(", ")) } }
            @if let Some(doi) = &meta.doi { p { (texts.get("doi")) " " bdi { (doi) } } }
            p { strong { (message) } }
            p { (texts.format("withdrawn_on", &[("date", &article.withdrawal.date)])) }
            p { (texts.get("withdrawn_reason")) ": " bdi lang=[of_reason.map(Lang::tag)] { (reason) } }
            a.button href=(context.addresses.route(&Route::Home)) { (texts.get("home")) }
        }
    };
    let title = format!("{message}: {heading}");
    Page {
        compressed: Vec::new(),
        status,
        head: Head { robots: "noindex", ..Head::page(&title) },
        title,
        main,
        view: PageView::Message { status, message },
        cacheable: false,
        article: None,
    }
}

/// A text for readers of a language, and the language that it is in.
fn in_language(text: &LocalText, lang: Lang) -> (&str, Option<Lang>) {
    let shown = text.get(lang);
    let own = text.exact(lang).map(|_| lang);
    (shown, own.or_else(|| text.0.iter().find(|(_, other)| *other == shown).map(|(other, _)| *other)))
}

async fn found(
    context: &Context<'_>,
    call: &mut Call,
    article: &StoredArticle,
    compressed: FullText<Vec<u8>>,
) -> Result<Page, PageError> {
    let permit = context.rights.read(article.access());
    let rendered = reading::rendered(article, permit.as_ref())
        .map_err(|source| PageError::Rendered { id: article.id.0, source })?;
    // The compressed sections belong to the whole article: what is left of it for other readers is short, and compressed with the page.
    let compressed = Bytes::from(permit.and_then(|permit| compressed.open(&permit)).unwrap_or_default());
    let journals = context.journals().await?;
    let journal = journals.iter().find(|journal| journal.key == article.journal);
    let meta = &article.meta;
    let mut sections: Vec<&RenderedSection> = rendered.sections.iter().collect();
    if !context.entry.site.publication.show_abstract {
        sections.retain(|section| section.kind != SectionKind::Abstract);
    }
    let mut outline = outline(context, &rendered, &sections);
    let chain = &context.entry.chain;
    let wanted = chain.has_hook(Hook::ArticleDecorate) || chain.has_hook(Hook::Head);
    let described = wanted.then(|| host_services::public(article, Some(&rendered)));
    let added = match &described {
        Some(described) => Added::new(call.decorate_article(described).await),
        None => Added::default(),
    };
    outline.extend(added.sections.iter().map(|(plugin, section)| OutlineLink {
        id: plugin_contributions::anchor(plugin, section),
        level: 1,
        title: section.heading.clone(),
    }));
    let title = meta.title(context.lang().tag()).to_owned();
    let canonical = context.addresses.route(&Route::Article(article.id));
    let address = format!("{}{canonical}", context.origin);
    let landing = citation::landing(article, &address, &context.rights);
    let page = |id| format!("{}{}", context.origin, context.addresses.route(&Route::Article(id)));
    let notices = notices::of_article(&context.store, article.id, page).await?;
    let notice_views = notice_views::views(&context.app.messages, &context.addresses, &notices);
    let main = html! {
        article.reader data-article=(article.id) lang=(meta.language) data-translate=[context.entry.translates.then_some("")] {
            (head(context, article, &rendered, (journal, &landing), (&added, &notice_views)))
            div data-slot="article.toolbar" {}
            div.reader-grid {
                nav.reader-outline aria-label=(context.texts.get("outline")) {
                    ol { @for line in &outline { li data-level=(line.level) { a href={ "#" (line.id) } { (line.title) } } } }
                }
                div.reader-body {
                    @for section in &sections { (section_html(context, section)) }
                    (plugin_contributions::sections(&added.sections))
                    (information(context, meta))
                    @if permit.is_none() {
                        p.alert role="note" { (context.texts.get("read_full_text_denied")) }
                    }
                }
                aside.reader-aside {
                    (plugin_contributions::downloads(context, &added.downloads))
                    div data-slot="article.aside" {}
                }
            }
        }
    };
    let compressed = compressed_sections(&main.0, &rendered, &compressed);
    Ok(Page {
        status: 200,
        compressed,
        head: Head {
            canonical,
            citation: citation::tags(meta, journal, &landing),
            json_ld: citation::json_ld(meta, journal, &rendered, &landing, &notices),
            signposts: signposts(context, meta, (&landing, &notices), &sections),
            ..Head::page(&description(&rendered, &title))
        },
        view: PageView::Article {
            id: article.id,
            doi: meta.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
            title: title.clone(),
            language: meta.language.clone(),
            outline,
            citation: citation::text(meta, journal, context.lang()),
            notices: notice_views,
        },
        title,
        main,
        article: described,
        cacheable: true,
    })
}

/// Where the sections that were compressed at import stand in the page's content.
fn compressed_sections(main: &str, rendered: &RenderedArticle, stored: &Bytes) -> Vec<(Range<usize>, CompressedHtml)> {
    let (mut found, mut from) = (Vec::new(), 0);
    for (section, compressed) in rendered.sections.iter().zip(compressed_html::decode(stored, rendered)) {
        let Some(compressed) = compressed else { continue };
        let Some(start) = position(main, &section.html, from) else { continue };
        from = start + section.html.len();
        found.push((start..from, compressed));
    }
    found
}

/// Where a long text stands in another, at or behind `from`. Its beginning is searched for and the whole then compared, which takes as long as a copy.
/// A place within a beginning that does not go on as the text is passed over: the section is then compressed with the page.
fn position(whole: &str, text: &str, mut from: usize) -> Option<usize> {
    const BEGINNING: usize = 64;
    let beginning = &text[..text.floor_char_boundary(BEGINNING)];
    loop {
        let start = from + whole.get(from..)?.find(beginning)?;
        if whole[start..].starts_with(text) {
            return Some(start);
        }
        from = start + beginning.len().max(1);
    }
}

fn signposts(
    context: &Context<'_>,
    meta: &ArticleMeta,
    (landing, notices): (&Landing<'_>, &[LinkedNotice]),
    sections: &[&RenderedSection],
) -> String {
    if !context.entry.site.library.signposting {
        return String::new();
    }
    signposting::header(&signposting::links(meta, landing, &context.origin, sections, notices), landing.address)
}

fn description(rendered: &RenderedArticle, title: &str) -> String {
    let abstract_html = rendered.sections.iter().find(|section| section.kind == SectionKind::Abstract);
    let text = abstract_html.map(|section| without_tags(&section.html)).unwrap_or_default();
    if text.is_empty() { title.to_owned() } else { text }
}

fn section_html(context: &Context<'_>, section: &RenderedSection) -> Markup {
    let kind = section.kind.name();
    let heading = heading(context, section);
    html! {
        section.reader-section data-kind=(kind) id=(section.id) lang=[tag(&section.lang)] {
            @if let Some(heading) = heading { h2 lang=[section.title.is_empty().then(|| context.lang().tag())] { (heading) } }
            (PreEscaped(&section.html))
        }
    }
}

/// The source's heading, else the reader's own in the page's language. The body has its own headings inside.
fn heading(context: &Context<'_>, section: &RenderedSection) -> Option<String> {
    if !section.title.is_empty() {
        return Some(section.title.clone());
    }
    let key = match section.kind {
        SectionKind::Body => return None,
        SectionKind::GraphicAbstract => "graphical_abstract".to_owned(),
        other => other.name().replace('-', "_"),
    };
    let lang_differs = section.kind == SectionKind::Abstract || section.kind == SectionKind::Keywords;
    let own = masthead_domain::Lang::from_tag(&section.lang).filter(|_| lang_differs);
    Some(context.app.messages.get(own.unwrap_or(context.lang()), &key).to_owned())
}

fn outline(context: &Context<'_>, rendered: &RenderedArticle, sections: &[&RenderedSection]) -> Vec<OutlineLink> {
    let mut lines = Vec::new();
    for section in sections {
        if let Some(title) = heading(context, section) {
            lines.push(OutlineLink { id: section.id.clone(), level: 1, title });
        }
        if section.kind == SectionKind::Body {
            lines.extend(rendered.outline.iter().filter(|entry| entry.section == SectionKind::Body).map(|entry| {
                let title = if entry.label.is_empty() {
                    entry.title.clone()
                } else {
                    format!("{} {}", entry.label, entry.title)
                };
                OutlineLink { id: entry.id.clone(), level: entry.level, title }
            }));
        }
    }
    lines
}

fn head(
    context: &Context<'_>,
    article: &StoredArticle,
    rendered: &RenderedArticle,
    (journal, landing): (Option<&Journal>, &Landing<'_>),
    (added, notices): (&Added, &[NoticeView]),
) -> Markup {
    let meta = &article.meta;
    let card_place = place(context, meta, journal);
    html! {
        header.reader-head {
            (notices_above_the_title(context, notices))
            p.kicker {
                @if let Some(subject) = meta.subjects.first() { span.kicker-subject { (subject) } " · " }
                (card_place)
            }
            @for (index, (lang, title)) in rendered.title_html.iter().enumerate() {
                @if index == 0 { h1 lang=[tag(lang)] { (PreEscaped(title)) } }
                @else { p.alt-title lang=[tag(lang)] { (PreEscaped(title)) } }
            }
            (plugin_contributions::badges(context, &added.badges))
            @for subtitle in &meta.subtitles { p.subtitle lang=[tag(&subtitle.lang)] { (subtitle.plain) } }
            (article_people::head(context, meta))
            (facts(context, meta, landing))
            (related(context, meta, notices))
        }
    }
}

/// What readers must know of an article before they read it: that it is retracted or corrected, or what it retracts or corrects itself.
fn notices_above_the_title(context: &Context<'_>, notices: &[NoticeView]) -> Markup {
    let shown: Vec<&NoticeView> = notices.iter().filter(|one| one.kind.stands_above_the_title()).collect();
    html! {
        @if !shown.is_empty() {
            div.article-notices role="note" aria-label=(context.texts.get("notices")) lang=(context.lang().tag()) {
                @for one in shown {
                    p data-kind=(one.kind.as_str()) data-side=(one.side.as_str()) { strong { (one.text) } " " (notice_link(one)) }
                }
            }
        }
    }
}

/// The other article of a notice, as a link where its address is one, and the date of its publication.
fn notice_link(one: &NoticeView) -> Markup {
    html! {
        @if link::is_own_or_web(&one.href) { a href=(one.href) { (one.title) } } @else { (one.title) }
        @if !one.published.is_empty() { " " time datetime=(one.published) { (one.published) } }
    }
}

fn place(context: &Context<'_>, meta: &ArticleMeta, journal: Option<&Journal>) -> String {
    let mut parts = Vec::new();
    parts.push(journal.map_or(meta.journal.title.as_str(), |journal| journal.title.get(context.lang())).to_owned());
    if let (Some(year), false) = (meta.year, meta.issue.is_empty()) {
        parts.push(context.texts.format("issue_title", &[("year", &year.to_string()), ("issue", &meta.issue)]));
    }
    let pages = match (meta.first_page.as_str(), meta.last_page.as_str()) {
        ("", _) => String::new(),
        (first, last) if last.is_empty() || first == last => first.to_owned(),
        (first, last) => format!("{first}–{last}"),
    };
    for pages in [&pages, &meta.elocation_id].into_iter().filter(|pages| !pages.is_empty()) {
        parts.push(context.texts.format("pages", &[("pages", pages)]));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

fn facts(context: &Context<'_>, meta: &ArticleMeta, landing: &Landing<'_>) -> Markup {
    let Dates { received, revised, accepted, print, online } = &meta.dates;
    let (published, in_print) = if online.is_empty() { (print, online) } else { (online, print) };
    let dates = [
        ("received", received),
        ("revised", revised),
        ("accepted", accepted),
        ("published", published),
        ("published_in_print", in_print),
    ];
    html! {
        dl.reader-facts {
            @for (key, date) in dates {
                @if !date.is_empty() { div { dt { (context.texts.get(key)) } dd { time datetime=(date) { (date) } } } }
            }
            @if let Some(doi) = &meta.doi {
                div { dt { (context.texts.get("doi")) } dd { a href=(doi.url()) rel="noopener" { (doi) } } }
            }
            @if link::is_web(&meta.license_url) {
                div { dt { (context.texts.get("license")) } dd { a href=(meta.license_url) rel="license noopener" { (license_name(&meta.license_url)) } } }
            }
            @if landing.pdf {
                div.reader-pdf { dt { (context.texts.get("full_text")) } dd { a href=(landing.pdf_address()) type="application/pdf" { "PDF" } } }
            }
        }
    }
}

/// Corrections, retractions, commentaries and data, as printed; those of which nothing is printed by their address. Comments and replies of
/// which the source prints nothing follow.
fn related(context: &Context<'_>, meta: &ArticleMeta, notices: &[NoticeView]) -> Markup {
    let printed_already = |notice: &NoticeView| {
        let same = |one: &RelatedArticle| Doi::parse(&one.href).is_ok_and(|doi| Doi::parse(&notice.doi) == Ok(doi));
        meta.related.iter().any(|one| !one.text.is_empty() && same(one))
    };
    let further = notices.iter().filter(|one| !one.kind.stands_above_the_title() && !printed_already(one));
    let further: Vec<&NoticeView> = further.collect();
    // What a notice on this page says with the same words, or with more than an address, is not repeated.
    let repeated = |one: &RelatedArticle| {
        let same = |notice: &NoticeView| one.text.is_empty() || one.text == notice.title;
        let shown = notices.iter().filter(|one| one.kind.stands_above_the_title()).chain(further.iter().copied());
        Doi::parse(&one.href).is_ok_and(|doi| {
            shown.filter(|notice| same(notice)).any(|notice| Doi::parse(&notice.doi).is_ok_and(|other| other == doi))
        })
    };
    let printed: Vec<&RelatedArticle> = meta.related.iter().filter(|one| !repeated(one)).collect();
    html! {
        @if !(printed.is_empty() && further.is_empty()) {
            ul.related-articles aria-label=(context.texts.get("related_articles")) {
                @for one in printed {
                    @let text = if one.text.is_empty() { &one.href } else { &one.text };
                    li data-kind=(one.kind) {
                        @if let Some(target) = NoticeTarget::parse(&one.href) { a href=(target.address()) rel="noopener" { (text) } }
                        @else { (text) }
                    }
                }
                @for one in further {
                    li data-kind=(one.kind.as_str()) lang=(context.lang().tag()) { (one.text) " " (notice_link(one)) }
                }
            }
        }
    }
}

/// What readers look for last: the authors' lives, subjects, copyright and licence.
fn information(context: &Context<'_>, meta: &ArticleMeta) -> Markup {
    let lives = article_people::lives(meta);
    let license = plain(&meta.license);
    let rows = [("subjects", meta.subjects.join("; ")), ("copyright", meta.copyright.clone()), ("license", license)];
    let empty = lives.is_empty() && rows.iter().all(|(_, text)| text.is_empty());
    html! {
        @if !empty {
            section.article-information {
                h2 { (context.texts.get("about_article")) }
                dl.reader-facts {
                    @if !lives.is_empty() {
                        div {
                            dt { (context.texts.get("about_authors")) }
                            @for life in &lives { dd { (life) } }
                        }
                    }
                    @for (key, text) in rows {
                        @if !text.is_empty() { div { dt { (context.texts.get(key)) } dd { (text) } } }
                    }
                }
            }
        }
    }
}

/// `CC BY 4.0` for a Creative Commons address, else the address.
fn license_name(url: &str) -> String {
    let Some((_, path)) = url.split_once("creativecommons.org/licenses/") else { return url.to_owned() };
    let mut parts = path.split('/');
    match (parts.next(), parts.next()) {
        (Some(terms), Some(version)) => format!("CC {} {version}", terms.to_uppercase()),
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_behind_what_only_begins_like_it() {
        let text = format!("{}y", "x".repeat(200));
        let whole = format!("{}-{text}-{text}", "x".repeat(150));
        assert_eq!(position(&whole, &text, 0), Some(151));
        assert_eq!(position(&whole, &text, 152), Some(353));
        assert_eq!(position(&whole, &text, 354), None);
    }

    #[test]
    fn licences_have_short_names() {
        assert_eq!(license_name("https://creativecommons.org/licenses/by-nc/4.0/"), "CC BY-NC 4.0");
        assert_eq!(license_name("https://example.org/terms"), "https://example.org/terms");
    }
}
