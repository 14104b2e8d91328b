//! The page of a book: cover, edition, what it is about, contents, and its authors.

use masthead_domain::{
    LocalText,
    resource::{Book, BookContributor, ResourceKind},
};
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use super::{
    entry,
    facts::{self, number},
};
use crate::page::{
    content::{bidi, message::absent},
    context::{Context, Page, PageError},
    head::Head,
};

/// The page of a book.
pub async fn page(context: &Context<'_>, id: i64) -> Result<Page, PageError> {
    let Some(book) = context.store.resource::<Book>(id).await? else { return Ok(absent(context)) };
    let book = book.value;
    let pages = if book.pages > 0 {
        number(&book.pages.to_string())
    } else {
        html! {}
    };
    let main = html! {
        article.resource data-resource="book" {
            (facts::head(context, (ResourceKind::Book, id), "", &book.title, bidi::local(&book.subtitle, context.lang())))
            div.resource-grid {
                (facts::cover(&book.cover))
                div.resource-main {
                    @if !book.contributors.is_empty() { p.card-authors { (names(context, &book.contributors)) } }
                    (facts::list(context, &[
                        ("field_isbn", number(&book.isbn)),
                        ("edition", entry::name(&book.edition)),
                        ("publisher", entry::name(&book.publisher)),
                        ("chief_editor", entry::name(&book.chief_editor)),
                        ("first_published", entry::day(&book.first_published)),
                        ("page_count", pages),
                        ("language", number(&book.language)),
                        ("subjects", facts::words(&book.subjects)),
                    ]))
                    (facts::rich(context, &book.introduction))
                }
            }
            (facts::section(context, "catalogue", catalogue(&book.catalogue)))
            (facts::section(context, "about_authors", authors(context, &book.contributors)))
        }
    };
    let page = facts::page::<Book>(context, &book.title, &book.introduction, main);
    let head = Head { json_ld: described(context, &book, id), ..page.head };
    Ok(Page { head, ..page })
}

/// The names, each with what the person did unless they wrote it.
fn names(context: &Context<'_>, people: &[BookContributor]) -> Markup {
    let one = |person: &BookContributor| {
        let role = role(person).filter(|role| *role != "role_author");
        html! { (bidi::isolated(&person.name)) @if let Some(role) = role { " (" (context.texts.get(role)) ")" } }
    };
    let all: Vec<Markup> = people.iter().map(one).collect();
    bidi::joined(&all, " · ")
}

/// Key of the name of what a person did.
fn role(person: &BookContributor) -> Option<&'static str> {
    match person.role.as_str() {
        "author" => Some("role_author"),
        "editor" => Some("role_editor"),
        "translator" => Some("role_translator"),
        "illustrator" => Some("role_illustrator"),
        _ => None,
    }
}

fn catalogue(lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            ul.catalogue { @for line in lines { li dir="auto" { (line) } } }
        }
    }
}

/// The people with a biography.
fn authors(context: &Context<'_>, people: &[BookContributor]) -> Markup {
    let told: Vec<&BookContributor> = people.iter().filter(|person| !person.bio.trim().is_empty()).collect();
    html! {
        @for person in told {
            div.book-author {
                h3 {
                    (bidi::isolated(&person.name))
                    @if let Some(role) = role(person) { " " span.badge { (context.texts.get(role)) } }
                }
                // The HTML was sanitized when the book was imported.
                div.page-body dir="auto" { (PreEscaped(&person.bio)) }
            }
        }
    }
}

/// The book as schema.org describes books.
fn described(context: &Context<'_>, book: &Book, id: i64) -> serde_json::Value {
    let text = |text: &LocalText| text.get(context.lang()).to_owned();
    let of = |role: &str| -> Vec<_> {
        let people = book.contributors.iter().filter(|person| person.role == role);
        people.map(|person| json!({ "@type": "Person", "name": person.name })).collect()
    };
    let route = masthead_domain::route::Route::Resource(ResourceKind::Book, id);
    let all = json!({
        "@context": "https://schema.org",
        "@type": "Book",
        "url": format!("{}{}", context.origin, context.addresses.route(&route)),
        "name": text(&book.title),
        "alternativeHeadline": text(&book.subtitle),
        "isbn": book.isbn,
        "bookEdition": book.edition,
        "publisher": book.publisher,
        "datePublished": book.first_published,
        "inLanguage": book.language,
        "numberOfPages": book.pages,
        "author": of("author"),
        "editor": of("editor"),
        "translator": of("translator"),
    });
    facts::without_empty(all)
}
