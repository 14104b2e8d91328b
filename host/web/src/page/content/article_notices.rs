//! What readers must know of an article before they read it, and the articles that belong to it: notices, comments, companions.

use masthead_domain::{
    Doi,
    article::{ArticleMeta, RelatedArticle},
    card::ArticleCard,
    link,
    notice::{NoticeMark, NoticeSide, NoticeTarget},
    route::Route,
};
use maud::{Markup, html};

use crate::page::{
    content::{
        bidi::{self, tag},
        list::{mark, rich},
    },
    context::Context,
    types::NoticeView,
};

/// Greatest number of comments and replies above the title. Where there are more, all of them are listed below it.
const COMMENTS_ABOVE: usize = 3;

/// The notices above the title, and the comments and replies below it.
fn placed(notices: &[NoticeView]) -> (Vec<&NoticeView>, Vec<&NoticeView>) {
    let comments = notices.iter().filter(|one| !one.kind.stands_above_the_title()).count();
    notices.iter().partition(|one| one.kind.stands_above_the_title() || comments <= COMMENTS_ABOVE)
}

/// Whether a notice says that the article of the page is not valid any more.
fn is_strong(one: &NoticeView) -> bool {
    one.side == NoticeSide::Affected && one.kind.mark() == NoticeMark::Retracted
}

/// The banner: that the article is retracted or corrected, or what it retracts, corrects or comments on itself.
pub(super) fn banner(context: &Context<'_>, notices: &[NoticeView]) -> Markup {
    let (above, _) = placed(notices);
    html! {
        @if !above.is_empty() {
            section.article-notices aria-label=(context.texts.get("notices")) {
                @for one in above { (notice(one)) }
            }
        }
    }
}

/// One notice of the banner. A retraction has a heading, so that it is found by those who listen to the page; its frame and sign show it
/// without colours.
fn notice(one: &NoticeView) -> Markup {
    let strong = is_strong(one);
    html! {
        div.article-notice role=[(!strong).then_some("note")] data-kind=(one.kind.as_str()) data-side=(one.side.as_str()) data-weight=(if strong { "strong" } else { "quiet" }) {
            @if strong {
                h2 {
                    svg viewBox="0 0 24 24" aria-hidden="true" { path d="M12 3l9.5 17h-19zM12 10v4.5M12 17.4v.1" {} }
                    (one.text)
                }
                p { (other(one)) }
            } @else {
                p { strong { (one.text) } " " (other(one)) }
            }
        }
    }
}

/// The other article of a notice, as a link where its address is one, with the date of its publication, and for print its DOI.
fn other(one: &NoticeView) -> Markup {
    let (lang, dir) = (tag(&one.language), bidi::dir(&one.language));
    html! {
        @if link::is_own_or_web(&one.href) { a href=(one.href) lang=[lang] dir=(dir) { (one.title) } }
        @else { bdi lang=[lang] dir=(dir) { (one.title) } }
        @if !one.published.is_empty() { " " (bidi::date(&one.published)) }
        @if !one.doi.is_empty() && one.title != one.doi { span.print-only { " " (bidi::ltr(&format!("https://doi.org/{}", one.doi))) } }
    }
}

/// The line on the page of a figure or table whose article lists mark: readers who come to it from a search have not seen the article. It leads
/// there, where the notices are. The card has the mark already, so that the notices need not be read.
pub(super) fn of_exhibit(context: &Context<'_>, article: Option<&ArticleCard>, href: &str) -> Markup {
    let Some((card, key)) = article.and_then(|card| Some((card, exhibit_key(card.notice)?))) else { return html! {} };
    let title = card.title(context.lang().tag());
    let strong = card.notice == NoticeMark::Retracted;
    html! {
        div.article-notice role="note" data-kind=(card.notice.as_str()) data-side=(NoticeSide::Affected.as_str()) data-weight=(if strong { "strong" } else { "quiet" }) {
            p {
                strong { (context.texts.get(key)) } " "
                a href=(href) lang=[title.and_then(|title| tag(&title.lang))] dir=[title.map(|title| bidi::dir(&title.lang))] { (rich(title)) }
            }
        }
    }
}

/// The key of what readers of a figure or table are told of its article.
const fn exhibit_key(notice: NoticeMark) -> Option<&'static str> {
    match notice {
        NoticeMark::None => None,
        NoticeMark::Corrected => Some("exhibit_of_corrected"),
        NoticeMark::Concern => Some("exhibit_of_concern"),
        NoticeMark::Retracted => Some("exhibit_of_retracted"),
    }
}

/// The word that stands on each printed page of a retracted article. It is no content of its own for other readers: the banner says it.
pub(super) fn watermark(context: &Context<'_>, mark: NoticeMark) -> Markup {
    html! {
        @if mark == NoticeMark::Retracted {
            div.retraction-watermark aria-hidden="true" lang=(context.lang().tag()) dir=(context.lang().dir()) {
                (context.texts.get("mark_retracted"))
            }
        }
    }
}

/// Corrections, retractions, commentaries and data, as printed; those of which nothing is printed by their title or address. Comments and
/// replies that are not in the banner, and of which the source prints nothing, follow. `known` are the articles of this site among them.
pub(super) fn related(
    context: &Context<'_>,
    meta: &ArticleMeta,
    notices: &[NoticeView],
    known: &[(Doi, ArticleCard)],
) -> Markup {
    let printed_already =
        |notice: &NoticeView| meta.related.iter().any(|one| !one.text.is_empty() && same_doi(&one.href, &notice.doi));
    let (above, below) = placed(notices);
    let further: Vec<&NoticeView> = below.into_iter().filter(|one| !printed_already(one)).collect();
    // What a notice on this page says with the same words, or with more than an address, is not repeated.
    let repeated = |one: &RelatedArticle| {
        let same = |notice: &NoticeView| one.text.is_empty() || one.text == notice.title;
        above.iter().chain(&further).any(|notice| same(notice) && same_doi(&one.href, &notice.doi))
    };
    let printed: Vec<&RelatedArticle> = meta.related.iter().filter(|one| !repeated(one)).collect();
    html! {
        @if !(printed.is_empty() && further.is_empty()) {
            ul.related-articles aria-label=(context.texts.get("related_articles")) {
                @for one in printed { li data-kind=(one.kind) { (printed_one(context, one, known)) } }
                @for one in further {
                    li data-kind=(one.kind.as_str()) { (one.text) " " (other(one)) (mark(context, one.mark)) }
                }
            }
        }
    }
}

/// A related article as its source prints it: on its page here if the site has it, else where its DOI or address leads.
fn printed_one(context: &Context<'_>, one: &RelatedArticle, known: &[(Doi, ArticleCard)]) -> Markup {
    let here = known.iter().find(|(doi, _)| Doi::parse(&one.href).is_ok_and(|own| own == *doi)).map(|(_, card)| card);
    let title = here.and_then(|card| card.title(context.lang().tag()));
    html! {
        @if let Some(card) = here {
            @let href = context.addresses.route(&Route::Article(card.article_id()));
            @if let Some(title) = title.filter(|_| one.text.is_empty()) {
                a href=(href) lang=[tag(&title.lang)] dir=(bidi::dir(&title.lang)) { (title.plain) }
            } @else { a href=(href) dir="auto" { (text(one)) } }
            (mark(context, card.notice))
        } @else if let Some(target) = NoticeTarget::parse(&one.href) {
            a href=(target.address()) rel="noopener" dir="auto" { (text(one)) }
        } @else { bdi { (text(one)) } }
    }
}

/// What is printed of a related article, else its address.
fn text(one: &RelatedArticle) -> &str {
    if one.text.is_empty() { &one.href } else { &one.text }
}

fn same_doi(one: &str, other: &str) -> bool {
    Doi::parse(one).is_ok_and(|doi| Doi::parse(other).is_ok_and(|other| other == doi))
}

#[cfg(test)]
mod tests {
    use masthead_domain::notice::NoticeKind;

    use super::*;

    fn view(kind: NoticeKind, side: NoticeSide) -> NoticeView {
        NoticeView {
            kind,
            side,
            text: "Said.".into(),
            article: None,
            doi: "10.5555/r".into(),
            href: "/ar/article/2".into(),
            title: "On <tides>".into(),
            language: "en".into(),
            mark: NoticeMark::None,
            published: "2026-03-01".into(),
        }
    }

    #[test]
    fn a_retraction_has_a_heading_and_other_notices_have_none() {
        let retraction = notice(&view(NoticeKind::Retraction, NoticeSide::Affected)).into_string();
        assert!(retraction.contains("data-weight=\"strong\"") && retraction.contains("<h2><svg"), "{retraction}");
        for (kind, side) in [
            (NoticeKind::Retraction, NoticeSide::Notice),
            (NoticeKind::Concern, NoticeSide::Affected),
            (NoticeKind::Correction, NoticeSide::Affected),
            (NoticeKind::Comment, NoticeSide::Affected),
        ] {
            let quiet = notice(&view(kind, side)).into_string();
            assert!(quiet.contains("role=\"note\"") && quiet.contains("data-weight=\"quiet\""), "{quiet}");
            assert!(quiet.contains("<strong>Said.</strong>") && !quiet.contains("<h2"), "{quiet}");
        }
    }

    #[test]
    fn the_other_article_is_isolated_from_the_sentence() {
        assert_eq!(
            other(&view(NoticeKind::Comment, NoticeSide::Notice)).into_string(),
            "<a href=\"/ar/article/2\" lang=\"en\" dir=\"ltr\">On &lt;tides&gt;</a> \
             <time datetime=\"2026-03-01\" dir=\"ltr\">2026-03-01</time>\
             <span class=\"print-only\"> <bdi dir=\"ltr\">https://doi.org/10.5555/r</bdi></span>"
        );
    }

    #[test]
    fn many_comments_stand_below_the_title() {
        let correction = view(NoticeKind::Correction, NoticeSide::Affected);
        let few = vec![view(NoticeKind::Reply, NoticeSide::Affected); COMMENTS_ABOVE];
        let all: Vec<_> = few.iter().cloned().chain([correction]).collect();
        assert_eq!(placed(&all).0.len(), COMMENTS_ABOVE + 1);
        let many: Vec<_> = all.into_iter().chain([view(NoticeKind::Comment, NoticeSide::Affected)]).collect();
        let (above, below) = placed(&many);
        assert_eq!((above.len(), below.len()), (1, COMMENTS_ABOVE + 1));
    }
}
