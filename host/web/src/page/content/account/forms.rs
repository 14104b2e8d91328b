//! The parts of which forms of accounts consist. They can be read without scripts, and say what they need to be sent: the shell enables their
//! buttons (`ui-shell/src/account`), checks what was typed, encrypts passwords and makes the call. Nothing is sent by the browser itself, so that
//! no password gets into an address.

use maud::{Markup, html};

use crate::page::context::Context;

/// One field: what it is called, and what browsers and screen readers know about it.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// Name of the value in the call.
    pub name: &'static str,
    /// Key of the label.
    pub label: &'static str,
    /// Type of the control.
    pub kind: &'static str,
    /// What browsers may fill in.
    pub autocomplete: &'static str,
    /// Key of the text below the control, or "".
    pub hint: &'static str,
    /// Whether a code is typed here, which a button beside it asks for.
    pub is_code: bool,
}

impl Field {
    /// A field of text.
    pub const fn text(name: &'static str, label: &'static str, autocomplete: &'static str) -> Self {
        Self { name, label, kind: "text", autocomplete, hint: "", is_code: false }
    }

    /// A password that the account has.
    pub const fn password(name: &'static str, label: &'static str) -> Self {
        Self { kind: "password", ..Self::text(name, label, "current-password") }
    }

    /// A password that the account will have.
    pub const fn new_password() -> Self {
        let field = Self::password("password", "account_field_new_password");
        Self { autocomplete: "new-password", hint: "account_password_hint", ..field }
    }

    /// The same password once more.
    pub const fn repeated() -> Self {
        Self { autocomplete: "new-password", ..Self::password("repeated", "account_field_repeat") }
    }

    /// A mobile number or an e-mail address, to which a code is sent.
    pub const fn target() -> Self {
        Self::text("target", "account_field_target", "username")
    }

    /// The code that was sent.
    pub const fn code() -> Self {
        Self { is_code: true, ..Self::text("code", "account_field_code", "one-time-code") }
    }
}

/// A form. `kind` is what the shell knows it by. `back` is where it leads when it has done its work.
pub(super) struct Form<'a> {
    /// What the shell knows the form by: it has one rule for each.
    pub kind: &'static str,
    /// Where the reader goes afterwards; "" to stay.
    pub back: &'a str,
    /// The fields.
    pub fields: &'a [Field],
    /// Key of the words on the button.
    pub submit: &'static str,
}

impl Form<'_> {
    /// The form, with `more` between its fields and its button.
    pub fn markup(&self, context: &Context<'_>, more: &Markup) -> Markup {
        let texts = &context.texts;
        html! {
            form.form data-account=(self.kind) data-back=[Some(self.back).filter(|back| !back.is_empty())] method="post" novalidate {
                noscript { p.form-status { (texts.get("account_needs_scripts")) } }
                @for field in self.fields { (self.field(context, *field)) }
                (more)
                div data-part="below" {}
                div.form-actions {
                    button.button.button-primary.form-main type="submit" disabled { (texts.get(self.submit)) }
                }
            }
        }
    }

    fn field(&self, context: &Context<'_>, field: Field) -> Markup {
        let texts = &context.texts;
        let id = format!("{}-{}", self.kind, field.name);
        let hint = Some(field.hint).filter(|hint| !hint.is_empty());
        // Names, numbers and passwords are written from left to right in every language.
        let input = html! {
            input id=(id) name=(field.name) type=(field.kind) autocomplete=(field.autocomplete) dir="ltr" required
                inputmode=[field.is_code.then_some("numeric")] maxlength=[field.is_code.then_some("6")]
                autocapitalize="none" spellcheck="false" aria-describedby=[hint.map(|_| format!("{id}-hint"))];
        };
        html! {
            div.field {
                label for=(id) { (texts.get(field.label)) }
                @if field.is_code { div.field-row { (input) div data-part="send" {} } }
                @else { (input) }
                @if let Some(hint) = hint { p.field-hint id={ (id) "-hint" } { (texts.get(hint)) } }
            }
        }
    }
}
