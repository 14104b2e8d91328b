//! Adds the parameter `from` to the links of search results, so that visits through a knowledge base can be recognized.

use masthead_plugin::{Context, Link, LinkKind, Links, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    from: String,
}

struct KnowledgeBase;

impl Links for KnowledgeBase {
    fn rewrite(_: &Context, mut links: Vec<Link>) -> Result<Vec<Link>, String> {
        let Settings { from } = settings()?;
        for link in links.iter_mut().filter(|link| link.kind == LinkKind::ResultArticle) {
            link.query.retain(|(name, _)| name != "from");
            link.query.push(("from".to_owned(), from.clone()));
        }
        Ok(links)
    }
}

register!(KnowledgeBase: Links);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn only_result_links_get_the_parameter_and_only_once() {
        testing::set_settings(r#"{"from":"xszsk"}"#);
        let link = |kind| Link {
            kind,
            path: "article/17".to_owned(),
            query: vec![("from".to_owned(), "x".to_owned()), ("index".to_owned(), "-1".to_owned())],
        };
        let given = vec![link(LinkKind::ResultArticle), link(LinkKind::ListArticle)];
        let links = KnowledgeBase::rewrite(&testing::context("zh"), given.clone()).unwrap();
        let marked = [("index".to_owned(), "-1".to_owned()), ("from".to_owned(), "xszsk".to_owned())];
        assert_eq!(links[0].query, marked);
        assert_eq!(links[1], given[1]);
    }
}
