//! Sign-in with a password, a passkey or a code, and at other services.

use masthead_domain::{
    link::{Link, LinkKind},
    route::{AccountPage, Route},
};
use masthead_runtime::Hook;
use maud::{Markup, html};

use super::forms::{Field, Form};
use crate::page::context::Context;

/// The page with a password and a passkey, and the one with a code.
pub(super) fn main(context: &Context<'_>, page: AccountPage, back: &str) -> Markup {
    let texts = &context.texts;
    let with_code = page == AccountPage::QuickLogin;
    let form = if with_code {
        Form { kind: "quickLogin", back, fields: &[Field::target(), Field::code()], submit: "account_login" }
    } else {
        let name = Field::text("userName", "account_field_name", "username");
        let fields = [name, Field::password("password", "account_field_password")];
        return html! {
            (ways(context, page, back))
            (Form { kind: "login", back, fields: &fields, submit: "account_login" }.markup(context, &html! {}))
            div data-part="passkey" {}
            (services(context, back))
            (others(context, &[AccountPage::Register, AccountPage::ForgetCode], back))
        };
    };
    html! {
        (ways(context, page, back))
        p.form-note { (texts.get("account_code_intro")) }
        (form.markup(context, &html! {}))
        (services(context, back))
        (others(context, &[AccountPage::Register], back))
    }
}

/// The two ways to sign in, as links.
fn ways(context: &Context<'_>, page: AccountPage, back: &str) -> Markup {
    let texts = &context.texts;
    let ways = [(AccountPage::Login, "account_with_password"), (AccountPage::QuickLogin, "account_with_code")];
    html! {
        nav.tabs aria-label=(texts.get("account_login")) {
            ul {
                @for (way, label) in ways {
                    li { a href=(address(context, way, back)) rel="nofollow" aria-current=[(way == page).then_some("page")] { (texts.get(label)) } }
                }
            }
        }
    }
}

/// The services at which readers of the site can sign in.
pub(super) fn services(context: &Context<'_>, back: &str) -> Markup {
    let texts = &context.texts;
    html! {
        @if context.entry.chain.has_hook(Hook::IdentityBegin) {
            p.form-or { (texts.get("account_or")) }
            p { (texts.get("account_external")) }
            ul.providers { li { a.button href=(external(context, back)) rel="nofollow external" { (texts.get("account_external_sign_in")) } } }
        }
    }
}

/// Links to other pages of accounts.
fn others(context: &Context<'_>, pages: &[AccountPage], back: &str) -> Markup {
    let registration = context.entry.site.accounts.registration;
    html! {
        ul.form-links {
            @for page in pages.iter().filter(|page| registration || **page != AccountPage::Register) {
                li { a href=(address(context, *page, back)) rel="nofollow" { (context.texts.get(super::heading(*page))) } }
            }
        }
    }
}

/// The address of a page of accounts that leads back.
pub(super) fn address(context: &Context<'_>, page: AccountPage, back: &str) -> String {
    let query = vec![("url".to_owned(), back.to_owned())];
    context.addresses.link(&Link { kind: LinkKind::Other, path: Route::Account(page).path(), query })
}

/// The address that leads to the site's identity service.
fn external(context: &Context<'_>, back: &str) -> String {
    let query = vec![("url".to_owned(), back.to_owned())];
    context.addresses.link(&Link { kind: LinkKind::Other, path: "login/external".to_owned(), query })
}
