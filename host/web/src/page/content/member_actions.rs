//! Buttons for members on pages: to collect an item or add it to an album, to subscribe, to save a search, and to select entries of a list. What
//! they do is the shell's (`ui-shell/src/later/members.tsx`), which finds them by `data-member`. What only members can do is a link to the sign-in
//! for others.

use masthead_domain::resource::ResourceKind;
use maud::{Markup, html};

use crate::page::{content::account, context::Context};

/// What a subscription is suggested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alert<'a> {
    /// New issues.
    Current,
    /// Articles that are published online first.
    OnlineFirst,
    /// Articles with one of these words, between semicolons.
    Keywords(&'a str),
    /// Articles of a column, by its name.
    Column(&'a str),
}

impl<'a> Alert<'a> {
    /// The kind of the subscription, its keywords and its column.
    const fn parts(self) -> (&'static str, Option<&'a str>, Option<&'a str>) {
        match self {
            Self::Current => ("current", None, None),
            Self::OnlineFirst => ("onlineFirst", None, None),
            Self::Keywords(words) => ("keywords", Some(words), None),
            Self::Column(name) => ("column", None, Some(name)),
        }
    }
}

/// The buttons of an article, which `keywords` describe, between semicolons. `here` is the address of the page.
pub fn of_article(context: &Context<'_>, id: i64, here: &str, keywords: &str) -> Markup {
    let alert = Some(Alert::Keywords(keywords)).filter(|_| !keywords.is_empty());
    of_item(context, ("article", &id.to_string()), here, alert)
}

/// The buttons of a journal.
pub fn of_journal(context: &Context<'_>, key: &str, here: &str) -> Markup {
    of_item(context, ("publication", key), here, None)
}

/// The buttons of a resource.
pub fn of_resource(context: &Context<'_>, kind: ResourceKind, id: i64, here: &str) -> Markup {
    of_item(context, (kind.as_str(), &id.to_string()), here, None)
}

fn of_item(context: &Context<'_>, (kind, id): (&str, &str), here: &str, alert: Option<Alert<'_>>) -> Markup {
    let texts = &context.texts;
    html! {
        @if has_members(context) {
            div.member-actions data-item={ (kind) " " (id) } {
                @if context.user.is_some() {
                    button.button type="button" data-member="collect" aria-pressed="false" { (star()) (texts.get("member_collect")) }
                    button.button type="button" data-member="add" { (texts.get("member_add")) }
                } @else {
                    a.button href=(account::sign_in_address(context, here)) rel="nofollow" { (star()) (texts.get("member_collect")) }
                }
                @if let Some(alert) = alert { (subscribe(context, alert)) }
            }
        }
    }
}

/// The buttons of a list: selecting its entries and, where its content can be subscribed to, the subscription.
pub fn of_list(context: &Context<'_>, alert: Option<Alert<'_>>) -> Markup {
    html! {
        div.member-actions {
            @if let Some(alert) = alert.filter(|_| has_members(context)) { (subscribe(context, alert)) }
            (select(context))
        }
    }
}

/// The buttons of the results of a search. `name` is what it is called when it is saved, `here` the address of the results.
pub fn of_search(context: &Context<'_>, name: &str, here: &str, alert: Option<Alert<'_>>) -> Markup {
    let texts = &context.texts;
    html! {
        div.member-actions {
            @if has_members(context) {
                @if context.user.is_some() {
                    button.button type="button" data-member="search" data-name=(name) { (texts.get("member_save_search")) }
                } @else {
                    a.button href=(account::sign_in_address(context, here)) rel="nofollow" { (texts.get("member_save_search")) }
                }
                @if let Some(alert) = alert { (subscribe(context, alert)) }
            }
            (select(context))
        }
    }
}

fn has_members(context: &Context<'_>) -> bool {
    context.entry.site.accounts.enabled
}

fn subscribe(context: &Context<'_>, alert: Alert<'_>) -> Markup {
    let (kind, keywords, column) = alert.parts();
    html! {
        button.button type="button" data-member="subscribe" data-type=(kind) data-keywords=[keywords] data-column=[column] {
            (context.texts.get("member_subscribe"))
        }
    }
}

fn select(context: &Context<'_>) -> Markup {
    html! { button.button type="button" data-member="select" aria-pressed="false" { (context.texts.get("member_select")) } }
}

fn star() -> Markup {
    html! {
        svg.icon viewBox="0 0 24 24" aria-hidden="true" {
            path d="M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8L7 19l1.1-5.5L4 9.7l5.6-.7z" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alert_says_what_it_is_about() {
        assert_eq!(Alert::Current.parts(), ("current", None, None));
        assert_eq!(Alert::OnlineFirst.parts(), ("onlineFirst", None, None));
        assert_eq!(Alert::Keywords("a;b").parts(), ("keywords", Some("a;b"), None));
        assert_eq!(Alert::Column("Notes").parts(), ("column", None, Some("Notes")));
    }
}
