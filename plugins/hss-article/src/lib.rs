//! Rewrites links to articles from `/article` to `/hssArticle`.

use masthead_plugin::{Context, Link, LinkKind, Links, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    path: String,
}

struct HssArticle;

impl Links for HssArticle {
    fn rewrite(_: &Context, mut links: Vec<Link>) -> Result<Vec<Link>, String> {
        let Settings { path } = settings()?;
        for link in &mut links {
            if matches!(link.kind, LinkKind::ListArticle | LinkKind::ResultArticle)
                && let Some(rest) =
                    link.path.strip_prefix("article").filter(|rest| rest.is_empty() || rest.starts_with('/'))
            {
                link.path = format!("{path}{rest}");
            }
        }
        Ok(links)
    }
}

register!(HssArticle: Links);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_articles_change() {
        masthead_plugin::testing::set_settings(r#"{"path":"hssArticle"}"#);
        let link = |kind, path: &str| Link { kind, path: path.to_owned(), query: Vec::new() };
        let given = vec![
            link(LinkKind::ListArticle, "article/17"),
            link(LinkKind::ListArticle, "articles"),
            link(LinkKind::Menu, "article/17"),
        ];
        let paths = HssArticle::rewrite(&masthead_plugin::testing::context("zh"), given).unwrap();
        assert_eq!(
            paths.iter().map(|link| link.path.as_str()).collect::<Vec<_>>(),
            ["hssArticle/17", "articles", "article/17"]
        );
    }
}
