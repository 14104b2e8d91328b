//! More interface languages, and a choice of them on article pages.

use masthead_plugin::{Context, Contribution, Layout, Menu, Navigation, register, serde_json::json, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    languages: Vec<String>,
}

/// These languages and the wanted ones that are not among them.
fn with(mut languages: Vec<String>, wanted: Vec<String>) -> Vec<String> {
    for language in wanted {
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    languages
}

struct MultilingualDissemination;

impl Navigation for MultilingualDissemination {
    fn adjust(_: &Context, mut menu: Menu) -> Result<Menu, String> {
        let wanted = settings::<Settings>()?.languages;
        menu.languages = with(menu.languages, wanted);
        Ok(menu)
    }
}

impl Layout for MultilingualDissemination {
    fn contribute(context: &Context) -> Result<Vec<Contribution>, String> {
        if context.route != "article" {
            return Ok(Vec::new());
        }
        // The module leaves out what the site does not offer.
        let languages = with(vec!["zh".to_owned(), "en".to_owned()], settings::<Settings>()?.languages);
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
    fn only_articles_have_the_choice() {
        testing::set_settings(r#"{"languages":["ru","ara"]}"#);
        let mut context = testing::context("zh");
        assert!(MultilingualDissemination::contribute(&context).unwrap().is_empty());
        context.route = "article".to_owned();
        let modules = MultilingualDissemination::contribute(&context).unwrap();
        assert_eq!(modules[0].props, r#"{"languages":["zh","en","ru","ara"]}"#);
    }
}
