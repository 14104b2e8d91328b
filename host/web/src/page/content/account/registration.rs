//! A new account, a new password, and the connection of an account with one of another service.

use masthead_domain::link;
use maud::{Markup, html};

use super::{
    forms::{Field, Form},
    sign_in,
};
use crate::page::context::Context;

/// What a new account is made of.
const FIELDS: [Field; 5] = [
    Field { hint: "name_format", ..Field::text("userName", "account_field_user_name", "username") },
    Field { autocomplete: "email", ..Field::target() },
    Field::code(),
    Field { label: "account_field_password", ..Field::new_password() },
    Field::repeated(),
];

/// The page of a new account.
pub(super) fn register(context: &Context<'_>, back: &str) -> Markup {
    html! {
        @if context.entry.site.accounts.registration {
            (Form { kind: "register", back, fields: &FIELDS, submit: "account_register" }.markup(context, &agreement(context, "register")))
            (sign_in::services(context, back))
        } @else {
            p.account-state { (context.texts.get("registration_off")) }
        }
    }
}

/// The page of a new password for an account whose password is forgotten, or that has none.
pub(super) fn reset(context: &Context<'_>, back: &str) -> Markup {
    let fields = [Field::target(), Field::code(), Field::new_password(), Field::repeated()];
    html! {
        p.form-note { (context.texts.get("account_reset_intro")) }
        (Form { kind: "forgetCode", back, fields: &fields, submit: "account_forgot" }.markup(context, &html! {}))
    }
}

/// The page on which an identity of another service gets an account: one that the reader has, or a new one. A signed cookie holds the
/// identity.
pub(super) fn bind(context: &Context<'_>, back: &str) -> Markup {
    let texts = &context.texts;
    let name = Field::text("userName", "account_field_name", "username");
    let with_password = [name, Field::password("password", "account_field_password")];
    let with_code = [Field::target(), Field::code()];
    let none = html! {};
    html! {
        p.form-note { (texts.get("account_binding_intro")) }
        div.panels {
            section.panel {
                h2 { (texts.get("account_binding_existing")) }
                (Form { kind: "bind", back, fields: &with_password, submit: "account_bind" }.markup(context, &none))
            }
            section.panel {
                h2 { (texts.get("account_binding_code")) }
                (Form { kind: "bindByCode", back, fields: &with_code, submit: "account_bind" }.markup(context, &none))
            }
            @if context.entry.site.accounts.registration {
                section.panel {
                    h2 { (texts.get("account_binding_new")) }
                    (Form { kind: "bindNew", back, fields: &FIELDS, submit: "account_register" }.markup(context, &agreement(context, "bindNew")))
                }
            }
        }
    }
}

/// The user agreement, and the box by which a reader accepts it.
fn agreement(context: &Context<'_>, form: &str) -> Markup {
    let texts = &context.texts;
    let id = format!("{form}-agreement");
    let asked = &context.entry.site.accounts.agreement;
    let address = match asked.as_str() {
        "" => None,
        web if link::is_web(web) => Some(web.to_owned()),
        path => Some(context.addresses.path(path)),
    };
    html! {
        div.check {
            input id=(id) name="agreement" type="checkbox" value="true" required;
            label for=(id) { (texts.get("account_agree")) }
        }
        @match address {
            Some(address) => p.form-note { a href=(address) target="_blank" rel="noopener" { (texts.get("account_agreement")) } }
            None => details.form-note { summary { (texts.get("account_agreement")) } p { (texts.get("account_agreement_text")) } }
        }
    }
}
