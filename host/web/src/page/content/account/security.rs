//! The security of an account, a tab of the personal center: password, mobile number and e-mail, passkeys, identities of other services, and where
//! the account is signed in. The host draws the forms; the shell adds the lists, which only scripts can change.

use maud::{Markup, html};

use super::forms::{Field, Form};
use crate::page::context::Context;

/// The content of the tab.
#[must_use]
pub fn panels(context: &Context<'_>) -> Markup {
    let texts = &context.texts;
    let months = context.entry.site.accounts.password_months;
    html! {
        div.panels data-account-security data-months=(months) {
            (panel(context, "security_password", &html! {
                @if months > 0 { p { (texts.format("security_password_advice", &[("months", &months.to_string())])) } }
                p data-part="password" {}
                (change_password(context))
            }))
            (panel(context, "account_field_mobile", &html! {
                p data-part="mobile" {}
                (change_target(context, "changeMobile", Field::text("mobile", "account_field_new_mobile", "tel")))
            }))
            (panel(context, "account_field_email", &html! {
                p data-part="email" {}
                (change_target(context, "changeEmail", Field::text("email", "account_field_new_email", "email")))
            }))
            (list(context, "passkeys"))
            (list(context, "identities"))
            (list(context, "sessions"))
        }
    }
}

fn change_password(context: &Context<'_>) -> Markup {
    let old = Field::password("oldPassword", "account_field_old_password");
    let fields = [old, Field::new_password(), Field::repeated()];
    Form { kind: "changePwd", back: "", fields: &fields, submit: "security_change_password" }.markup(context, &html! {})
}

fn change_target(context: &Context<'_>, kind: &'static str, target: Field) -> Markup {
    let fields = [target, Field::code(), Field::password("password", "account_field_password")];
    Form { kind, back: "", fields: &fields, submit: "security_save" }.markup(context, &html! {})
}

/// A list that the shell fills. Each has a heading and a text of its own.
fn list(context: &Context<'_>, name: &'static str) -> Markup {
    let texts = &context.texts;
    let (heading, about) = match name {
        "passkeys" => ("security_passkeys", "security_passkeys_text"),
        "identities" => ("security_identities", "security_identities_text"),
        _ => ("security_sessions", "security_sessions_text"),
    };
    panel(
        context,
        heading,
        &html! {
            p { (texts.get(about)) }
            noscript { p.form-status { (texts.get("account_needs_scripts")) } }
            div data-part=(name) {}
        },
    )
}

fn panel(context: &Context<'_>, heading: &'static str, content: &Markup) -> Markup {
    html! { section.panel { h2 { (context.texts.get(heading)) } (content) } }
}
