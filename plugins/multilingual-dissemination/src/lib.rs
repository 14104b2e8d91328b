//! Adds interface languages to the site, and a language menu to article pages.

use masthead_plugin::{Context, Contribution, Layout, Menu, Navigation, register, serde_json::json, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    languages: Vec<String>,
}

/// Appends the additional languages that are not in the list yet.
fn merge(mut languages: Vec<String>, additional: Vec<String>) -> Vec<String> {
    for language in additional {
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    languages
}

struct MultilingualDissemination;

impl Navigation for MultilingualDissemination {
    fn adjust(_: &Context, mut menu: Menu) -> Result<Menu, String> {
        menu.languages = merge(menu.languages, settings::<Settings>()?.languages);
        Ok(menu)
    }
}

impl Layout for MultilingualDissemination {
    fn contribute(context: &Context) -> Result<Vec<Contribution>, String> {
        if context.route != "article" {
            return Ok(Vec::new());
        }
        // The module omits the languages that the site does not offer.
        let languages = merge(vec!["zh".to_owned(), "en".to_owned()], settings::<Settings>()?.languages);
        Ok(vec![Contribution::new("article.toolbar", "article-languages", &json!({ "languages": languages }))?])
    }
}

register!(MultilingualDissemination: Navigation, Layout);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn languages_are_added_once() {
        testing::set_settings(r#"{"languages":["ru","en","ru"]}"#);
        let menu = Menu { channels: Vec::new(), languages: vec!["en".to_owned(), "zh".to_owned()] };
        let menu = MultilingualDissemination::adjust(&testing::context("zh"), menu).unwrap();
        assert_eq!(menu.languages, ["en", "zh", "ru"]);
    }

    #[test]
    fn only_article_pages_have_the_menu() {
        testing::set_settings(r#"{"languages":["ru","ara"]}"#);
        let mut context = testing::context("zh");
        assert!(MultilingualDissemination::contribute(&context).unwrap().is_empty());
        context.route = "article".to_owned();
        let modules = MultilingualDissemination::contribute(&context).unwrap();
        assert_eq!(modules[0].props, r#"{"languages":["zh","en","ru","ara"]}"#);
    }
}
