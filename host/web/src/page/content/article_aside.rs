//! The column beside an article, which follows it on narrow screens: its PDF, how to cite it, how often it was read, and similar articles.

use masthead_content::{
    citation::{self, CitationStyle, LandingPage},
    files,
};
use masthead_domain::{
    Lang,
    article::{ArticleFile, ArticleMeta},
    card::ArticleCard,
    link::LinkKind,
    publication::Journal,
};
use masthead_runtime::{Call, hook_types::Download};
use masthead_store::{StoredArticle, Totals};
use maud::{Markup, html};

use crate::failure::download_denied;
use crate::page::{
    article_format::{FORMATS, Format},
    content::{
        account,
        bidi::{self, tag},
        list, number,
        plugin_contributions::{self, Added},
    },
    context::{Context, PageError},
};
use crate::search_service;

/// Similar articles on a page.
const MAX_SIMILAR: usize = 5;
/// The formats for reference managers, with their names.
const FILES: [(Format, &str); 3] = [(Format::Ris, "RIS"), (Format::Bibtex, "BibTeX"), (Format::Csl, "CSL-JSON")];

/// What the column shows besides the article's own metadata.
pub(super) struct AsideContent {
    /// Views and downloads.
    totals: Totals,
    /// Similar articles with their addresses.
    similar: Vec<(ArticleCard, String)>,
    /// Files besides the PDF that this reader may download: names and addresses.
    files: Vec<(String, String)>,
    /// Key of the message for a reader who may read the article and not download its files.
    denied: Option<&'static str>,
}

/// Reads what the column shows.
///
/// # Errors
/// [`PageError::Store`].
pub(super) async fn surroundings(
    context: &Context<'_>,
    call: &mut Call,
    article: &StoredArticle,
) -> Result<AsideContent, PageError> {
    let totals = context.store.totals("article", article.id.0).await?;
    // The index would rank by the words of all sites of the installation: a copy of the site would show other articles, and a page that
    // is cached would keep them while they change.
    let similar = search_service::with_common_labels(&context.store, article, MAX_SIMILAR).await?;
    let cards = context.store.cards_by_id(&similar).await?;
    let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
    let (rights, access) = (&context.rights, article.access());
    let offered: Vec<&ArticleFile> = article.files.iter().filter(|file| file.offered).collect();
    let denied = rights.download(access).is_none();
    let told = denied && rights.read(access).is_some() && (article.pdf().is_some() || !offered.is_empty());
    let files = if denied { Vec::new() } else { offered.iter().filter_map(|file| address_of(article, file)).collect() };
    Ok(AsideContent {
        totals,
        similar: cards.into_iter().zip(hrefs).collect(),
        files,
        denied: told.then(|| download_denied(rights, access)),
    })
}

/// The name of a file of the article without folders, and the address at which its downloads are counted.
fn address_of(article: &StoredArticle, file: &ArticleFile) -> Option<(String, String)> {
    let digest = files::digest(&file.address)?;
    let name = file.name.rsplit('/').next().unwrap_or_default();
    let address = format!("/rc-pub/front/front-article/download?id={}&type=file&file={digest}", article.id);
    Some((name.to_owned(), address))
}

/// The column. `path` is the article's address on the site.
pub(super) fn aside(
    context: &Context<'_>,
    (meta, path): (&ArticleMeta, &str),
    (journal, landing): (Option<&Journal>, &LandingPage<'_>),
    added: &Added,
    around: &AsideContent,
) -> Markup {
    let is_citation = |file: &&Download| FILES.iter().any(|(format, _)| is_in(file, *format));
    let (citations, files): (Vec<&Download>, Vec<&Download>) = added.downloads.iter().partition(is_citation);
    html! {
        aside.reader-aside data-aside lang=(context.lang().tag()) dir=(context.lang().dir()) {
            // `external` keeps the shell from showing the address as a page.
            @if landing.pdf {
                p.aside-pdf { a.button href={ (path) "?format=" (Format::Pdf.name()) } type="application/pdf" rel="external" { "PDF" } }
            } @else if let Some(key) = around.denied {
                p.alert role="note" { (context.texts.get(key)) (account::sign_in(context, path)) }
            }
            (downloads(context, &around.files, &files))
            div data-slot="article.aside" {}
            (cite(context, (meta, path), journal, &citations))
            (metrics(context, meta, &around.totals))
            (similar(context, &around.similar))
        }
    }
}

/// The files of the article, and those of plugins.
fn downloads(context: &Context<'_>, own: &[(String, String)], of_plugins: &[&Download]) -> Markup {
    html! {
        @if !(own.is_empty() && of_plugins.is_empty()) {
            section.downloads-box aria-label=(context.texts.get("downloads")) {
                h2 { (context.texts.get("downloads")) }
                ul.downloads {
                    @for (name, address) in own { li { a href=(address) rel="external" download { bdi { (name) } } } }
                    @for file in of_plugins { li { (plugin_contributions::download(context, file)) } }
                }
            }
        }
    }
}

/// Whether a plugin's file is in a format, by its media type.
fn is_in(file: &Download, format: Format) -> bool {
    let kind = file.media_type.split(';').next().unwrap_or_default().trim();
    FORMATS.iter().any(|(known, media_type)| *known == format && kind.eq_ignore_ascii_case(media_type))
}

/// The files of plugins that are in a format.
fn given<'a>(citations: &[&'a Download], format: Format) -> Vec<&'a Download> {
    citations.iter().copied().filter(|file| is_in(file, format)).collect()
}

/// The article as a citation in each style, the reader's own open, and as files. The shell reads `data-citation-style`. Files of plugins,
/// `citations`, take the place of the host's own in the same format: this is where readers look for them, and each is offered once.
fn cite(
    context: &Context<'_>,
    (meta, path): (&ArticleMeta, &str),
    journal: Option<&Journal>,
    citations: &[&Download],
) -> Markup {
    let own = CitationStyle::of_readers(context.lang());
    html! {
        section.aside-part.aside-cite {
            h2 { (context.texts.get("cite")) }
            @for style in CitationStyle::ALL {
                details name="citation-style" data-citation-style=(style.id()) open[style == own] {
                    summary { (style.name()) }
                    p.citation-text data-citation-text dir="auto" { (citation::styled(meta, journal, style)) }
                }
            }
            ul.cite-files aria-label=(context.texts.get("cite_files")) {
                @for (format, name) in FILES {
                    @let of_plugins = given(citations, format);
                    @if of_plugins.is_empty() { li { a href={ (path) "?format=" (format.name()) } download { (name) } } }
                    @for file in of_plugins { li { (plugin_contributions::download(context, file)) } }
                }
            }
        }
    }
}

/// How often the article was read, when this page was made; the shell brings the numbers up to date by `data-metric`.
fn metrics(context: &Context<'_>, meta: &ArticleMeta, totals: &Totals) -> Markup {
    let read = [("visits", totals.visits), ("downloads", totals.downloads)];
    let shown = |count: i64| number::grouped(context.lang(), u64::try_from(count).unwrap_or_default());
    html! {
        section.aside-part.aside-metrics {
            h2 { (context.texts.get("metrics")) }
            dl {
                @for (key, count) in read {
                    div { dt { (context.texts.get(key)) } dd data-metric=(key) { (shown(count)) } }
                }
                @if meta.reference_count > 0 {
                    div { dt { (context.texts.get("references")) } dd { (shown(meta.reference_count.into())) } }
                }
            }
        }
    }
}

fn similar(context: &Context<'_>, articles: &[(ArticleCard, String)]) -> Markup {
    let lang = context.lang();
    html! {
        @if !articles.is_empty() {
            section.aside-part.aside-similar {
                h2 { (context.texts.get("similar_articles")) }
                ul {
                    @for (card, href) in articles {
                        @let title = card.title(lang.tag());
                        li {
                            a href=(href) lang=[title.and_then(|title| tag(&title.lang))] dir=[title.map(|title| bidi::dir(&title.lang))] { (list::rich(title)) }
                            (list::mark(context, card.notice))
                            p dir="auto" { (names(card, context.lang())) @if card.year > 0 { " (" (card.year) ")" } }
                        }
                    }
                }
            }
        }
    }
}

/// The first author, and whether there are more.
fn names(card: &ArticleCard, lang: Lang) -> String {
    let first = card.authors_for(lang.tag()).first().map(String::as_str).unwrap_or_default();
    if card.author_count > 1 { format!("{first}, …") } else { first.to_owned() }
}
