//! The page on which the recipient of alerts ends them. It works without scripts.

use maud::{Markup, html};

use super::message::bare;
use crate::i18n::Texts;

/// Where the recipient is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsubscribing {
    /// The page asks.
    Asked,
    /// It is done.
    Done,
}

/// The page; `site` is its name and the address of its home page. The form is sent to the address of the page.
#[must_use]
pub fn unsubscribe(texts: &Texts<'_>, css: &[String], site: (&str, &str), state: Unsubscribing) -> Markup {
    let (name, home) = site;
    let title = texts.get("unsubscribe_title");
    let content = html! {
        div.message-page {
            h1 { (title) }
            @match state {
                Unsubscribing::Asked => {
                    p { (texts.format("unsubscribe_question", &[("site", name)])) }
                    form method="post" {
                        button.button type="submit" name="List-Unsubscribe" value="One-Click" { (texts.get("unsubscribe_button")) }
                    }
                }
                Unsubscribing::Done => {
                    p role="status" { (texts.get("unsubscribe_success")) }
                    p { (texts.format("unsubscribe_done", &[("site", name)])) }
                    a.button href=(home) { (texts.get("home")) }
                }
            }
        }
    };
    bare(texts, css, title, &content)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::Lang;

    use super::*;
    use crate::i18n::Messages;

    #[test]
    fn the_page_asks_before_it_ends_anything() {
        let messages = Messages::load().unwrap();
        for lang in Lang::ALL {
            let texts = Texts::new(&messages, lang);
            let page = |state| unsubscribe(&texts, &[], ("<b>Ledger</b>", "/en/home/"), state).into_string();
            let (asked, done) = (page(Unsubscribing::Asked), page(Unsubscribing::Done));
            assert!(asked.contains("<form method=\"post\">") && !asked.contains("action="), "{lang}: {asked}");
            assert!(!done.contains("<form") && done.contains("/en/home/"), "{lang}: {done}");
            for page in [asked, done] {
                assert!(page.contains(&format!("<html lang=\"{}\" dir=\"{}\">", lang.tag(), lang.dir())), "{lang}");
                assert!(
                    page.contains("&lt;b&gt;Ledger") && !page.contains("<b>") && !page.contains("<script"),
                    "{lang}"
                );
            }
        }
    }
}
