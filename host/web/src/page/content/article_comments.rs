//! What readers have written about an article: the newest of the comments that an editor has approved and, for members, the form for another
//! one. The shell appends older comments (`ui-shell/src/reader/Comments.tsx`) and sends the form (`ui-shell/src/reader/CommentForm.tsx`), which
//! can be read without scripts.

use jiff::tz::TimeZone;
use masthead_domain::{
    ArticleId,
    resource::{Comment, CommentState, Stored},
};
use masthead_store::StoreError;
use maud::{Markup, html};

use crate::page::{
    content::{account, bidi, number},
    context::Context,
    types::OutlineLink,
};
use crate::usage::dates;

/// The id of the section.
const ID: &str = "comments";
/// Comments on the page.
const SHOWN: u8 = 20;

/// The comments of an article that its page shows, newest first.
pub(super) struct Comments {
    shown: Vec<Stored<Comment>>,
    /// The number of the last one that is shown, if there are older ones.
    next: Option<i64>,
    total: i64,
}

/// Reads the comments; `None` on a site whose readers may not comment, where nothing is read.
///
/// # Errors
/// [`StoreError`].
pub(super) async fn of_article(context: &Context<'_>, id: ArticleId) -> Result<Option<Comments>, StoreError> {
    if !context.entry.site.enable_comment {
        return Ok(None);
    }
    let store = &context.store;
    let mut shown = store.comments(id.0, CommentState::Shown, i64::MAX, i64::from(SHOWN) + 1).await?;
    let has_more = shown.len() > usize::from(SHOWN);
    shown.truncate(usize::from(SHOWN));
    let next = shown.last().filter(|_| has_more).map(|last| last.id);
    let total = match next {
        // All of them were read: they need not be counted by another statement.
        None => i64::try_from(shown.len()).unwrap_or(i64::MAX),
        Some(_) => store.comment_counts(&[id.0]).await?.get(&id.0).copied().unwrap_or_default(),
    };
    Ok(Some(Comments { shown, next, total }))
}

/// The line of the outline that leads to the comments.
pub(super) fn outline_link(context: &Context<'_>) -> OutlineLink {
    OutlineLink { id: ID.to_owned(), level: 1, title: context.texts.get("comments_title").to_owned() }
}

/// The section with the comments. `here` is the address of the page.
pub(super) fn section(context: &Context<'_>, comments: &Comments, here: &str) -> Markup {
    let (texts, lang) = (&context.texts, context.lang());
    let total = u64::try_from(comments.total).unwrap_or_default();
    html! {
        section.article-comments id=(ID) lang=(lang.tag()) dir=(lang.dir()) {
            h2 {
                (texts.get("comments_title"))
                @if total > 0 { " " span.comments-count { "(" (number::grouped(lang, total)) ")" } }
            }
            @if context.user.is_some() {
                (form(context))
            } @else if context.entry.site.accounts.enabled {
                p.alert role="note" { (texts.get("sign_in_needed_to_comment")) (account::sign_in(context, here)) }
            }
            @if comments.shown.is_empty() {
                p.comments-none { (texts.get("comments_none")) }
            } @else {
                ul.comments-list data-comments-list {
                    @for stored in &comments.shown { (comment(&stored.value, &context.entry.zone)) }
                }
            }
            @if let Some(next) = comments.next {
                button.button type="button" data-comments-more=(next) hidden { (texts.get("list_more")) }
            }
        }
    }
}

/// A comment, which is plain text in an unknown language.
fn comment(comment: &Comment, zone: &TimeZone) -> Markup {
    html! {
        li.comment {
            p.comment-by { (bidi::isolated(&comment.author)) " " (bidi::day(&dates::local(&comment.date, zone))) }
            div.comment-text dir="auto" { (comment.text) }
        }
    }
}

/// The form. Its button works as soon as the shell sends it.
fn form(context: &Context<'_>) -> Markup {
    let texts = &context.texts;
    let longest = Comment::MAX_LENGTH.to_string();
    html! {
        form.form data-comment-form method="post" novalidate {
            noscript { p.form-status { (texts.get("comment_needs_scripts")) } }
            div.field {
                label for="comment-text" { (texts.get("comment_label")) }
                textarea id="comment-text" name="text" rows="4" dir="auto" required aria-describedby="comment-text-hint" {}
                p.field-hint id="comment-text-hint" { (texts.format("comment_hint", &[("count", &longest)])) }
            }
            div.form-actions {
                button.button.button-primary type="submit" disabled { (texts.get("comment_send")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_plain_text_with_the_day_of_the_site() {
        let written = Comment {
            author: "r<der".into(),
            text: "One.\n<b>Two</b>".into(),
            date: "2026-03-05T23:30:00Z".into(),
            ..Comment::default()
        };
        let shanghai = TimeZone::fixed(jiff::tz::offset(8));
        assert_eq!(
            comment(&written, &shanghai).into_string(),
            "<li class=\"comment\"><p class=\"comment-by\"><bdi>r&lt;der</bdi> \
             <time datetime=\"2026-03-06\" dir=\"ltr\">2026-03-06</time></p>\
             <div class=\"comment-text\" dir=\"auto\">One.\n&lt;b&gt;Two&lt;/b&gt;</div></li>"
        );
    }
}
