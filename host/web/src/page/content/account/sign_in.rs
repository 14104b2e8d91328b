//! Sign-in with a password, a passkey or a code, and at other services.

use masthead_domain::{
    link::{Link, LinkKind},
    route::{AccountPage, Route},
    site::{IdentityProvider, ProviderKind},
};
use maud::{Markup, html};

use super::forms::{Field, Form};
use crate::{page::context::Context, sites::identity_providers};

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
    let (texts, lang) = (&context.texts, context.lang());
    let providers = context.entry.identity_providers();
    let has_plugin = providers.iter().any(|(_, settings)| settings.kind == ProviderKind::Plugin);
    let label = |settings: &IdentityProvider| match identity_providers::title(settings, lang) {
        Some(name) => texts.format("account_provider", &[("name", &name)]),
        None => texts.get("account_external_sign_in").to_owned(),
    };
    html! {
        @if !providers.is_empty() {
            p.form-or { (texts.get("account_or")) }
            @if has_plugin { p { (texts.get("account_external")) } }
            ul.providers {
                @for (name, settings) in &providers {
                    li { a.button href=(external(context, name, back)) rel="nofollow external" { (label(settings)) } }
                }
            }
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

/// The address that leads to an identity provider, and from there back.
fn external(context: &Context<'_>, provider: &str, back: &str) -> String {
    let query = vec![("provider".to_owned(), provider.to_owned()), ("url".to_owned(), back.to_owned())];
    context.addresses.link(&Link { kind: LinkKind::Other, path: "login/external".to_owned(), query })
}
