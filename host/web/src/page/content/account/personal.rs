//! The personal center: heading, tabs, and the place of what each tab has. Lists and forms of members are the shell's (`ui-shell/src/personal`),
//! which finds the places by `data-personal`; the security of the account is drawn here.

use masthead_domain::{
    link::{Link, LinkKind},
    route::AccountPage,
};
use maud::{Markup, html};

use super::security;
use crate::page::{
    content::bidi,
    context::{Context, Page},
    head::Head,
};

/// Tabs: the value of the parameter `tab`, which is the specification's, and the key of the label.
const TABS: [(&str, &str); 8] = [
    ("collect", "personal_collect"),
    ("download", "personal_download"),
    ("history", "personal_history"),
    ("album", "personal_album"),
    ("infomation", "personal_information"),
    ("subscribe", "personal_subscriptions"),
    ("search", "personal_searches"),
    (ACCOUNT, "personal_account"),
];
/// The tab that the host draws itself.
const ACCOUNT: &str = "account";

/// The page for a signed-in member.
#[must_use]
pub fn page(context: &Context<'_>) -> Page {
    let texts = &context.texts;
    let asked = context.parameter("tab");
    let (tab, label) = TABS.into_iter().find(|(tab, _)| *tab == asked).unwrap_or(TABS[0]);
    let heading = texts.get("account_personal");
    let name = context.user.as_ref().map(crate::auth::session::User::masked).unwrap_or_default();
    let main = html! {
        div.page-head {
            h1 { (heading) }
            p.page-lead { (bidi::message(texts.get("account_signed_in"), &[("name", &name)])) }
            // Narrow headers have no room for it.
            p { a.button href=(context.addresses.path("logout")) rel="nofollow external" { (texts.get("account_sign_out")) } }
        }
        (tabs(context, tab))
        section.personal {
            h2.visually-hidden { (texts.get(label)) }
            @if tab == ACCOUNT {
                (security::panels(context))
                (place(context, "data"))
            } @else {
                (place(context, tab))
            }
        }
    };
    let title = format!("{} · {heading}", texts.get(label));
    Page {
        head: Head { robots: "noindex", ..Head::page(heading) },
        cacheable: false,
        ..Page::list(AccountPage::Personal.name(), title, main)
    }
}

fn tabs(context: &Context<'_>, current: &str) -> Markup {
    html! {
        nav.tabs aria-label=(context.texts.get("personal_tabs")) {
            ul {
                @for (tab, label) in TABS {
                    li { a href=(address(context, tab)) aria-current=[(tab == current).then_some("page")] rel="nofollow" { (context.texts.get(label)) } }
                }
            }
        }
    }
}

/// The address of a tab.
fn address(context: &Context<'_>, tab: &str) -> String {
    let query = vec![("tab".to_owned(), tab.to_owned())];
    context.addresses.link(&Link { kind: LinkKind::Other, path: AccountPage::Personal.name().to_owned(), query })
}

/// The place of what the shell draws.
fn place(context: &Context<'_>, name: &str) -> Markup {
    html! {
        div.personal-part data-personal=(name) {
            noscript { p.account-state { (context.texts.get("account_needs_scripts")) } }
        }
    }
}
