//! The pages of readers' accounts (`login`, `register`, `personal`, ...): what is possible on this site now, and the way back.

use masthead_domain::{
    link::{Link, LinkKind},
    route::{AccountPage, Route},
};
use masthead_runtime::Hook;
use maud::{Markup, html};

use crate::page::{
    content::bidi,
    context::{Context, Page},
    head::Head,
};

/// The page. Its address may name another one of this site to return to.
#[must_use]
pub fn page(context: &Context<'_>, page: AccountPage) -> Page {
    let texts = &context.texts;
    let title = texts.get(heading(page)).to_owned();
    let asked = context.parameter("url");
    let back = context.addresses.return_path(asked);
    let is_home = asked.is_empty() || back != asked;
    let main = html! {
        div.page-head { h1 { (title) } }
        section.account {
            (now(context, &back))
            p { (texts.get("account_unneeded")) }
            p { a href=(back) { (texts.get(if is_home { "home" } else { "account_back" })) } }
        }
    };
    Page {
        head: Head { robots: "noindex", ..Head::page(&title) },
        // Addresses to return to are unbounded in number.
        cacheable: false,
        ..Page::list(page.name(), title, main)
    }
}

const fn heading(page: AccountPage) -> &'static str {
    match page {
        AccountPage::Login => "account_login",
        AccountPage::QuickLogin => "account_quick",
        AccountPage::Register => "account_register",
        AccountPage::ForgetCode => "account_forgot",
        AccountPage::AccountBinding => "account_binding",
        AccountPage::Personal => "account_personal",
    }
}

/// What the reader can do now: sign out, sign in at the site's identity service, or nothing yet.
fn now(context: &Context<'_>, back: &str) -> Markup {
    let texts = &context.texts;
    match &context.user {
        Some(user) => html! {
            p { (bidi::message(texts.get("account_signed_in"), &[("name", &user.masked())])) }
            p { a.button href=(context.addresses.path("logout")) rel="nofollow external" { (texts.get("account_sign_out")) } }
        },
        None if context.entry.chain.has_hook(Hook::IdentityBegin) => html! {
            p { (texts.get("account_external")) }
            p { a.button href=(external(context, back)) rel="nofollow external" { (texts.get("account_login")) } }
        },
        None => html! { p.account-state { (texts.get("accounts_unavailable")) } },
    }
}

/// The address that leads to the site's identity service.
fn external(context: &Context<'_>, back: &str) -> String {
    let query = vec![("url".to_owned(), back.to_owned())];
    context.addresses.link(&Link { kind: LinkKind::Other, path: "login/external".to_owned(), query })
}

/// A link to the sign-in for a reader who is not signed in, which leads back to `here`.
#[must_use]
pub fn sign_in(context: &Context<'_>, here: &str) -> Markup {
    let path = Route::Account(AccountPage::Login).path();
    let address =
        context.addresses.link(&Link { kind: LinkKind::Other, path, query: vec![("url".to_owned(), here.to_owned())] });
    html! {
        @if context.user.is_none() { " " a href=(address) rel="nofollow" { (context.texts.get("account_login")) } }
    }
}
