//! Adds a badge to the title of open-access articles. Replace this with the code of your plugin.

use masthead_plugin::{Additions, Article, ArticleDecorate, Badge, Context, Tone, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    label: String,
}

struct MyPlugin;

impl ArticleDecorate for MyPlugin {
    fn decorate(_: &Context, article: Article) -> Result<Additions, String> {
        let mut additions = Additions::default();
        if article.open_access {
            let Settings { label } = settings()?;
            additions.badges.push(Badge { href: article.license_url, ..Badge::new(label, Tone::Good) });
        }
        Ok(additions)
    }
}

register!(MyPlugin: ArticleDecorate);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn only_open_access_articles_get_the_badge() {
        testing::set_settings(r#"{"label":"Open"}"#);
        let mut article = testing::article(17);
        let additions = MyPlugin::decorate(&testing::context("en"), article.clone()).unwrap();
        assert_eq!(additions.badges[0].label, "Open");
        article.open_access = false;
        let additions = MyPlugin::decorate(&testing::context("en"), article).unwrap();
        assert_eq!(additions, Additions::default());
    }
}
