//! Adds links to the DOI and the licence of an article to the head of its page. Replace this with the code of your plugin.

use masthead_plugin::{Context, Head, HeadLink, HeadPage, Tag, register};

struct MyPlugin;

fn link(rel: &str, href: String) -> Tag {
    Tag::Link(HeadLink { rel: rel.to_owned(), href, media_type: String::new(), title: String::new() })
}

impl Head for MyPlugin {
    fn contribute(_: &Context, page: HeadPage) -> Result<Vec<Tag>, String> {
        let Some(article) = page.article else { return Ok(Vec::new()) };
        let mut tags = Vec::new();
        if !article.doi.is_empty() {
            tags.push(link("cite-as", format!("https://doi.org/{}", article.doi)));
        }
        if !article.license_url.is_empty() {
            tags.push(link("license", article.license_url));
        }
        Ok(tags)
    }
}

register!(MyPlugin: Head);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn an_article_names_its_doi() {
        let mut page = HeadPage {
            title: "Tides".to_owned(),
            canonical: "https://journals.example.org/test/en/article/17".to_owned(),
            article: Some(testing::article(17)),
        };
        let tags = MyPlugin::contribute(&testing::context("en"), page.clone()).unwrap();
        assert_eq!(tags[0], link("cite-as", "https://doi.org/10.5555/test.17".to_owned()));
        page.article = None;
        assert!(MyPlugin::contribute(&testing::context("en"), page).unwrap().is_empty());
    }
}
