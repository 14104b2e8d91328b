//! The article reader: what was rendered at import, in the reader's order, with headings in the reader's language.

use std::ops::Range;

use axum::body::Bytes;
use masthead_documents::html::{RenderedArticle, RenderedSection, SectionKind, link_keywords};
use masthead_domain::{
    ArticleId, Doi,
    access::FullText,
    article::{ArticleMeta, Contributor, Dates, pick},
    card::ArticleCard,
    content::{KeywordGroup, text::plain},
    lang::{direction, for_reader, same_language},
    link,
    notice::NoticeMark,
    publication::Journal,
    route::Route,
    text::without_tags,
};
use masthead_runtime::{Call, Hook};
use masthead_store::{StoredArticle, WithdrawnArticle};
use maud::{Markup, PreEscaped, html};

use crate::page::{
    content::{
        account, article_aside, article_comments,
        article_headings::{self, Heading},
        article_languages, article_notices,
        article_origin::{self, Origin},
        article_people,
        bidi::{self, tag},
        issue, list, member_actions, message,
        plugin_contributions::{self, Added},
    },
    context::{Context, Page, PageError},
};
use crate::{
    failure::{Failure, read_denied},
    page::types::{NoticeView, OutlineLink, PageView},
    page::{head::Head, notices as notice_views, signposting},
};
use masthead_content::{
    citation::{self, LandingPage},
    compressed_html::{self, CompressedHtml},
    host_services,
    notices::{self, LinkedNotice},
    readable_article,
};

/// Bytes of a title beyond which it scrolls in a box, which takes the focus for the keys that scroll.
const LONG_TITLE: usize = 2_000;

/// Keywords that a subscription is suggested for.
const MAX_SUGGESTED: usize = 5;

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
    message(context, Failure::ArticleRemoved)
}

/// "Article id is not exist".
pub fn missing(context: &Context<'_>) -> Page {
    message(context, Failure::ArticleUnknown)
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
    let reason = article.withdrawal.reason.chosen(context.lang());
    // Title and reason may be in another language than the page, with another direction.
    let main = html! {
        div.message-page data-withdrawn=(article.id) {
            p.message-code { (status) }
            h1 lang=[tag(&lang)] dir="auto" { (heading) }
            @if !authors.is_empty() { p dir="auto" { (authors.join(", ")) } }
            @if let Some(doi) = &meta.doi { p { (texts.get("doi")) " " bdi { (doi) } } }
            p { strong { (message) } }
            p { (texts.format("withdrawn_on", &[("date", &article.withdrawal.date)])) }
            p { (texts.get("withdrawn_reason")) ": " @if let Some((lang, reason)) = reason { bdi lang=(lang.tag()) { (reason) } } }
            a.button href=(context.addresses.route(&Route::Home)) { (texts.get("home")) }
        }
    };
    let title = format!("{message}: {heading}");
    Page {
        compressed: Vec::new(),
        refused: false,
        status,
        head: Head { robots: "noindex", ..Head::page(&title) },
        title,
        main,
        view: PageView::Message { status, message },
        cacheable: false,
        article: None,
    }
}

async fn found(
    context: &Context<'_>,
    call: &mut Call,
    article: &StoredArticle,
    compressed: FullText<Vec<u8>>,
) -> Result<Page, PageError> {
    let permit = context.rights.read(article.access());
    let rendered = readable_article::rendered(article, permit.as_ref())
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
    let is_readers = |section: &RenderedSection| {
        same_language(article_headings::language_of(section, &meta.language), context.lang().tag())
    };
    for one_kind in sections.chunk_by_mut(|one, next| one.kind == next.kind && one.kind.is_before_text()) {
        one_kind.sort_by_key(|section| !is_readers(section));
    }
    let headings = article_headings::headings(&context.texts, &meta.language, &sections);
    let mut outline = article_headings::outline(&rendered, &sections, &headings);
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
    let comments = article_comments::of_article(context, article.id).await?;
    outline.extend(comments.as_ref().map(|_| article_comments::outline_link(context)));
    let title = meta.title(context.lang().tag()).to_owned();
    let canonical = context.addresses.route(&Route::Article(article.id));
    let address = format!("{}{canonical}", context.origin);
    let landing = citation::landing(article, &address, &context.rights);
    let page = |id| format!("{}{}", context.origin, context.addresses.route(&Route::Article(id)));
    let notices = notices::of_article(&context.store, article.id, page).await?;
    let notice_views = notice_views::views(&context.app.messages, &context.addresses, &notices);
    let around = article_aside::surroundings(context, call, article).await?;
    let related = notices::related_here(&context.store, meta).await?;
    let origin = article_origin::origin(context, article.id).await?;
    let mark = notices::mark(&notices);
    let (lang, dir) = (context.lang().tag(), context.lang().dir());
    let denied = permit.is_none().then(|| {
        html! { p.alert role="note" lang=(lang) dir=(dir) { (context.texts.get(read_denied(&context.rights))) (account::sign_in(context, &canonical)) } }
    });
    // The article has its language, and the direction of the page, as which it is arranged; what the page says itself has its own language,
    // and each section its own direction.
    let main = html! {
        article.reader data-article=(article.id) lang=(meta.language) dir=(dir) data-notice=[is_marked(mark)] data-translate=[context.entry.translates.then_some("")] {
            (head(context, article, &rendered, (journal, &landing), (&added, &notice_views, &related, &origin)))
            div data-slot="article.toolbar" lang=(lang) dir=(dir) {}
            (article_languages::links(context, meta, &sections))
            div.reader-grid {
                nav.reader-outline data-outline lang=(lang) dir=(dir) aria-label=(context.texts.get("outline")) { (article_headings::list(&outline)) }
                div.reader-body data-body {
                    (sections_html(context, meta, (sections.as_slice(), headings.as_slice()), denied.as_ref()))
                    (plugin_contributions::sections(&added.sections))
                    div data-slot="article.sections" lang=(lang) dir=(dir) {}
                    (information(context, meta))
                }
                (article_aside::aside(context, (meta, &canonical), (journal, &landing), &added, &around))
            }
            @if let Some(comments) = &comments { (article_comments::section(context, comments, &canonical)) }
            (article_notices::watermark(context, mark))
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
            ..Head::page(&description(&rendered, context.lang().tag(), &title))
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
        title: if mark == NoticeMark::Retracted {
            context.texts.format("retracted_title", &[("title", &title)])
        } else {
            title
        },
        main,
        article: described,
        cacheable: origin.is_cacheable(),
        refused: permit.is_none(),
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
    (landing, notices): (&LandingPage<'_>, &[LinkedNotice]),
    sections: &[&RenderedSection],
) -> String {
    if !context.entry.site.library.signposting {
        return String::new();
    }
    signposting::header(&signposting::links(meta, landing, &context.origin, sections, notices), landing.address)
}

fn description(rendered: &RenderedArticle, lang: &str, title: &str) -> String {
    let abstracts = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    let abstracts: Vec<&RenderedSection> = abstracts.collect();
    let text =
        for_reader(&abstracts, lang, |one| &one.lang).map(|section| without_tags(&section.html)).unwrap_or_default();
    if text.is_empty() { title.to_owned() } else { text }
}

/// The name of a mark, if the article has one.
fn is_marked(mark: NoticeMark) -> Option<&'static str> {
    (mark != NoticeMark::None).then(|| mark.as_str())
}

/// The sections. Where the text would begin, a reader who may not read it is told so, with what can be done.
fn sections_html(
    context: &Context<'_>,
    meta: &ArticleMeta,
    (sections, headings): (&[&RenderedSection], &[Option<Heading>]),
    denied: Option<&Markup>,
) -> Markup {
    let before_text = sections.iter().take_while(|section| section.kind.is_before_text()).count();
    html! {
        @for (number, (section, heading)) in sections.iter().zip(headings).enumerate() {
            @if number == before_text { @if let Some(denied) = denied { (denied) } }
            (section_html(context, meta, section, heading.as_ref()))
        }
        @if before_text == sections.len() { @if let Some(denied) = denied { (denied) } }
    }
}

fn section_html(
    context: &Context<'_>,
    meta: &ArticleMeta,
    section: &RenderedSection,
    heading: Option<&Heading>,
) -> Markup {
    let kind = section.kind.name();
    let lang = article_headings::language_of(section, &meta.language);
    html! {
        section.reader-section data-section=(kind) data-kind=(kind) id=(section.id) lang=[tag(&section.lang)] dir=(direction(lang)) {
            @if let Some(heading) = heading { h2 { (heading.html(context.lang(), lang)) } }
            @match section.kind {
                // Translations and comments that are articles have keywords of their own.
                SectionKind::Keywords | SectionKind::SubArticle | SectionKind::ExpertComment => {
                    (PreEscaped(link_keywords(&section.html, |keyword| context.addresses.phrase(keyword))))
                }
                SectionKind::Contributions => { (PreEscaped(article_people::contributions(context, &section.html))) }
                _ => { (PreEscaped(&section.html)) }
            }
        }
    }
}

fn head(
    context: &Context<'_>,
    article: &StoredArticle,
    rendered: &RenderedArticle,
    (journal, landing): (Option<&Journal>, &LandingPage<'_>),
    (added, notices, related, origin): (&Added, &[NoticeView], &[(Doi, ArticleCard)], &Origin),
) -> Markup {
    let meta = &article.meta;
    let card_place = place(context, meta, journal);
    let canonical = context.addresses.route(&Route::Article(article.id));
    // The title that readers of this language are told in lists is the heading; the others follow.
    let own = for_reader(&rendered.title_html, context.lang().tag(), |(lang, _)| lang);
    let others = rendered.title_html.iter().filter(|one| !own.is_some_and(|own| std::ptr::eq(*one, own)));
    html! {
        header.reader-head lang=(context.lang().tag()) dir=(context.lang().dir()) {
            (article_notices::banner(context, notices))
            (origin.link(context))
            p.kicker {
                @if let Some(subject) = meta.subjects.first() { (list::column(context, subject, "kicker-subject")) " · " }
                (card_place)
                (list::status(context, meta.first_status))
            }
            @if let Some((lang, title)) = own {
                @let long = title.len() > LONG_TITLE;
                h1 lang=[tag(lang)] dir=(bidi::dir(lang)) class=[long.then_some("long-title")] tabindex=[long.then_some("0")] { (PreEscaped(title)) }
            } @else {
                h1 { (context.texts.get("untitled")) }
            }
            @for (lang, title) in others {
                @let long = title.len() > LONG_TITLE;
                p.alt-title.long-title[long] lang=[tag(lang)] dir=(bidi::dir(lang)) tabindex=[long.then_some("0")] { (PreEscaped(title)) }
            }
            (plugin_contributions::badges(context, &added.badges))
            @for subtitle in &meta.subtitles {
                p.subtitle lang=[tag(&subtitle.lang)] dir=(bidi::dir(&subtitle.lang)) { (subtitle.plain) }
            }
            (article_people::head(context, meta))
            (facts(context, meta, landing))
            (member_actions::of_article(context, article.id.0, &canonical, &keywords(context, meta)))
            (article_notices::related(context, meta, notices, related))
        }
    }
}

fn place(context: &Context<'_>, meta: &ArticleMeta, journal: Option<&Journal>) -> Markup {
    let texts = &context.texts;
    let title = match journal {
        Some(journal) => issue::journal_link(context, journal),
        None if meta.journal.title.is_empty() => html! {},
        None => bidi::isolated(&meta.journal.title),
    };
    let mut parts = vec![title];
    if let (Some(year), false) = (meta.year, meta.issue.is_empty()) {
        let year = year.to_string();
        parts.push(bidi::message(texts.get("issue_title"), &[("year", year.as_str()), ("issue", meta.issue.as_str())]));
    }
    // Both are shown: the pages lead to the printed article, the number identifies the electronic one.
    for pages in [&meta.page_range('–'), &meta.elocation_id].into_iter().filter(|pages| !pages.is_empty()) {
        parts.push(list::pages(texts, pages));
    }
    parts.retain(|part| !part.0.is_empty());
    bidi::joined(&parts, " · ")
}

fn facts(context: &Context<'_>, meta: &ArticleMeta, landing: &LandingPage<'_>) -> Markup {
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
                @if !date.is_empty() { div { dt { (context.texts.get(key)) } dd { (bidi::date(date)) } } }
            }
            @if let Some(doi) = &meta.doi {
                div { dt { (context.texts.get("doi")) } dd { a href=(doi.url()) rel="noopener" dir="ltr" { (doi) } } }
            }
            @if link::is_web(&meta.license_url) {
                div { dt { (context.texts.get("license")) } dd { a href=(meta.license_url) rel="license noopener" { (license_name(&meta.license_url)) } } }
            }
            @if landing.pdf {
                div.reader-pdf { dt { (context.texts.get("full_text")) } dd { a href=(landing.pdf_address()) type="application/pdf" rel="external" { "PDF" } } }
            }
        }
    }
}

/// The keywords in the reader's language, or else those of the article, between semicolons: what a subscription is suggested for.
fn keywords(context: &Context<'_>, meta: &ArticleMeta) -> String {
    let of_authors = |group: &&KeywordGroup| group.kind.is_empty() || group.kind == "author";
    let groups: Vec<&KeywordGroup> = meta.keywords.iter().filter(of_authors).collect();
    let group = for_reader(&groups, context.lang().tag(), |group| &group.lang);
    let words = group.map(|group| group.plain.as_slice()).unwrap_or_default();
    words.iter().map(|word| word.replace(';', ",")).take(MAX_SUGGESTED).collect::<Vec<_>>().join(";")
}

/// What readers look for last: the authors' lives, subjects, copyright and licence.
fn information(context: &Context<'_>, meta: &ArticleMeta) -> Markup {
    let lives = article_people::lives(meta);
    let license = plain(&meta.license);
    let rows = [("copyright", meta.copyright.clone()), ("license", license)];
    let empty = lives.is_empty() && meta.subjects.is_empty() && rows.iter().all(|(_, text)| text.is_empty());
    html! {
        @if !empty {
            section.article-information lang=(context.lang().tag()) {
                h2 { (context.texts.get("about_article")) }
                dl.reader-facts {
                    @if !lives.is_empty() {
                        div {
                            dt { (context.texts.get("about_authors")) }
                            @for life in &lives { dd dir="auto" { (life) } }
                        }
                    }
                    @if !meta.subjects.is_empty() {
                        div {
                            dt { (context.texts.get("subjects")) }
                            dd {
                                @for (index, subject) in context.sections().distinct(&meta.subjects).into_iter().enumerate() {
                                    @if index > 0 { "; " }
                                    (list::column(context, subject, "subject"))
                                }
                            }
                        }
                    }
                    @for (key, text) in rows {
                        @if !text.is_empty() { div { dt { (context.texts.get(key)) } dd dir="auto" { (text) } } }
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
