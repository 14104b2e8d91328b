//! The pages of readers' accounts (`login`, `register`, `personal`, ...), and the way back from them.

mod forms;
mod personal;
mod registration;
pub mod security;
mod sign_in;

use masthead_domain::route::AccountPage;
use maud::{Markup, html};

use crate::page::{
    content::bidi,
    context::{Context, Page},
    head::Head,
};

/// The page. Its address may name another one of this site to return to.
#[must_use]
pub fn page(context: &Context<'_>, page: AccountPage) -> Page {
    if page == AccountPage::Personal && context.user.is_some() && context.entry.site.accounts.enabled {
        return personal::page(context);
    }
    let texts = &context.texts;
    let title = texts.get(heading(page)).to_owned();
    let asked = context.parameter("url");
    let back = context.addresses.return_path(asked);
    let is_home = asked.is_empty() || back != asked;
    let main = html! {
        div.page-head { h1 { (title) } }
        section.account {
            (content(context, page, &back))
            @if context.user.is_none() { p { (texts.get("account_unneeded")) } }
            p { a href=(back) { (texts.get(if is_home { "home" } else { "account_back" })) } }
        }
    };
    Page {
        head: Head { robots: "noindex", ..Head::page(&title) },
        // Addresses to return to are unbounded in number.
        cacheable: false,
        refused: page == AccountPage::Personal && context.entry.site.accounts.enabled,
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

/// What the reader can do now.
fn content(context: &Context<'_>, page: AccountPage, back: &str) -> Markup {
    if !context.entry.site.accounts.enabled {
        return html! { p.account-state { (context.texts.get("accounts_off")) } };
    }
    match page {
        AccountPage::ForgetCode => registration::reset(context, back),
        _ if context.user.is_some() => signed_in(context),
        AccountPage::Login | AccountPage::QuickLogin => sign_in::main(context, page, back),
        AccountPage::Register => registration::register(context, back),
        AccountPage::AccountBinding => registration::bind(context, back),
        AccountPage::Personal => sign_in_first(context),
    }
}

/// What a reader who is signed in is told on the pages of those who are not.
fn signed_in(context: &Context<'_>) -> Markup {
    let texts = &context.texts;
    let name = context.user.as_ref().map(crate::auth::session::User::masked).unwrap_or_default();
    html! {
        p { (bidi::message(texts.get("account_signed_in"), &[("name", &name)])) }
        p.form-actions {
            a.button.button-primary href=(context.addresses.path(AccountPage::Personal.name())) { (texts.get("account_personal")) }
            a.button href=(context.addresses.path("logout")) rel="nofollow external" { (texts.get("account_sign_out")) }
        }
    }
}

/// What is to be done before a page of members can be shown.
#[must_use]
pub fn sign_in_first(context: &Context<'_>) -> Markup {
    let texts = &context.texts;
    let here = context.addresses.path(AccountPage::Personal.name());
    html! {
        p.account-state { (texts.get("account_members_only")) }
        p.form-actions {
            a.button.button-primary href=(sign_in::address(context, AccountPage::Login, &here)) rel="nofollow" { (texts.get("account_login")) }
            @if context.entry.site.accounts.registration {
                a.button href=(sign_in::address(context, AccountPage::Register, &here)) rel="nofollow" { (texts.get("account_register")) }
            }
        }
    }
}

/// The address of the sign-in that leads back to `here`.
#[must_use]
pub fn sign_in_address(context: &Context<'_>, here: &str) -> String {
    sign_in::address(context, AccountPage::Login, here)
}

/// Links to the sign-in and, where readers can register, to the registration, for a reader who is not signed in. Both lead back to `here`.
#[must_use]
pub fn sign_in(context: &Context<'_>, here: &str) -> Markup {
    let accounts = &context.entry.site.accounts;
    html! {
        @if context.user.is_none() && accounts.enabled {
            " " a href=(sign_in_address(context, here)) rel="nofollow" { (context.texts.get("account_login")) }
            @if accounts.registration {
                " " a href=(sign_in::address(context, AccountPage::Register, here)) rel="nofollow" { (context.texts.get("account_register")) }
            }
        }
    }
}
