//! Error and notice pages (specification sections 2 and 8), and the list of sites on the platform's own host.

use std::sync::Arc;

use masthead_domain::route::Route;
use maud::{DOCTYPE, Markup, html};

use crate::page::{
    context::{Context, Page},
    scheme,
};
use crate::{client, failure::Failure, i18n::Texts, page::head::Head, page::types::PageView, sites::SiteEntry};

/// A page inside a site's frame: a status, a message and a link to the home page.
#[must_use]
pub fn message(context: &Context<'_>, failure: Failure) -> Page {
    let texts = &context.texts;
    let (status, text) = (failure.status().as_u16(), texts.get(failure.key()).to_owned());
    let home = context.addresses.route(&Route::Home);
    Page {
        compressed: Vec::new(),
        refused: false,
        status,
        title: text.clone(),
        head: Head { robots: "noindex", ..Head::page(&text) },
        main: body(texts, status, &text, Some(&home)),
        view: PageView::Message { status, message: text },
        cacheable: false,
        article: None,
    }
}

/// The page for what the site does not have.
#[must_use]
pub fn absent(context: &Context<'_>) -> Page {
    message(context, Failure::NoData)
}

fn body(texts: &Texts<'_>, status: u16, text: &str, home: Option<&str>) -> Markup {
    html! {
        div.message-page {
            p.message-code { (status) }
            h1 { (text) }
            @if status == 404 { p { (texts.get("page_not_found_long")) } }
            @if status == 410 { p { (texts.get("article_removed_long")) } }
            @if status >= 500 {
                @if let Some(id) = client::request_id() { p.message-id { (texts.format("request_id", &[("id", &id)])) } }
            }
            @if let Some(home) = home { a.button href=(home) { (texts.get("home")) } }
        }
    }
}

/// The page for a site that cannot be found or is not available. It has no frame, since no site's configuration is at
/// hand; `home` is the address of a page that is there, if one is known.
#[must_use]
pub fn lookup_failure(texts: &Texts<'_>, css: &[String], status: u16, message: &str, home: Option<&str>) -> Markup {
    bare(texts, css, texts.get("error_title"), &body(texts, status, message, home))
}

/// The page for a file that this reader may not have, with the address of the sign-in if that would help.
#[must_use]
pub fn refused(texts: &Texts<'_>, css: &[String], message: &str, sign_in: Option<&str>) -> Markup {
    let content = html! {
        div.message-page {
            h1 { (message) }
            @if let Some(address) = sign_in { a.button href=(address) rel="nofollow" { (texts.get("account_login")) } }
        }
    };
    bare(texts, css, message, &content)
}

/// The list of an installation's sites, served on the platform's own host.
#[must_use]
pub fn directory<'a>(texts: &Texts<'_>, css: &[String], sites: impl Iterator<Item = &'a Arc<SiteEntry>>) -> Markup {
    let content = html! {
        div.page-head { h1 { (texts.get("sites")) } }
        ul.site-list {
            @for entry in sites {
                li { a href={ "/" (entry.site.sld) "/" } { (entry.site.name.get(texts.lang)) } " " span { (entry.site.sld) } }
            }
        }
    };
    bare(texts, css, texts.get("sites"), &content)
}

/// A document without the frame of a site, in the colours that the reader has chosen.
pub(super) fn bare(texts: &Texts<'_>, css: &[String], title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(texts.lang.tag()) dir=(texts.lang.dir()) data-theme=[scheme::chosen()] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) }
                @for href in css { link rel="stylesheet" href=(href); }
            }
            body { main #main { (content) } }
        }
    }
}
