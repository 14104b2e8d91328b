//! Icons of the host's pages, drawn in the colour of the text. The link or button around one has the name.

use maud::{Markup, html};

/// An envelope.
pub fn mail() -> Markup {
    html! { svg.icon viewBox="0 0 24 24" aria-hidden="true" { path d="M4 6h16v12H4zM4 7l8 6 8-6" {} } }
}

/// The letters of ORCID in a circle.
pub fn orcid() -> Markup {
    html! {
        svg.icon viewBox="0 0 24 24" aria-hidden="true" {
            path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.6 10.2v6M8.6 7.6v.01M11.6 8.2v8h2.2a4 4 0 0 0 0-8z" {}
        }
    }
}
