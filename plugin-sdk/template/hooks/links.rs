//! Adds a query parameter to article links in search results. Replace this with the code of your plugin.

use masthead_plugin::{Context, Link, LinkKind, Links, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    from: String,
}

struct MyPlugin;

impl Links for MyPlugin {
    fn rewrite(_: &Context, mut links: Vec<Link>) -> Result<Vec<Link>, String> {
        let Settings { from } = settings()?;
        for link in links.iter_mut().filter(|link| link.kind == LinkKind::ResultArticle) {
            link.query.push(("from".to_owned(), from.clone()));
        }
        Ok(links)
    }
}

register!(MyPlugin: Links);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn result_links_get_the_parameter() {
        testing::set_settings(r#"{"from":"here"}"#);
        let link = Link { kind: LinkKind::ResultArticle, path: "article/1".to_owned(), query: Vec::new() };
        let links = MyPlugin::rewrite(&testing::context("en"), vec![link]).unwrap();
        assert_eq!(links[0].query, [("from".to_owned(), "here".to_owned())]);
    }
}
