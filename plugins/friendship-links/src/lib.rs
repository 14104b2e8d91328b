//! A row of friendship links (links to partner sites) in the footer.

use std::collections::BTreeMap;

use masthead_plugin::{Context, Contribution, Layout, log, register, settings};
use serde::{Deserialize, Serialize};

type Texts = BTreeMap<String, String>;

#[derive(Deserialize, Serialize)]
struct Row {
    title: Texts,
    links: Vec<FriendshipLink>,
}

#[derive(Deserialize, Serialize)]
struct FriendshipLink {
    name: Texts,
    address: String,
}

struct FriendshipLinks;

impl Layout for FriendshipLinks {
    fn contribute(_: &Context) -> Result<Vec<Contribution>, String> {
        let mut row: Row = settings()?;
        row.links.retain(|link| {
            let web = link.address.starts_with("https://") || link.address.starts_with("http://");
            if !web {
                log::warn!("omitted {:?}: not an http(s) address", link.address);
            }
            web
        });
        if row.links.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Contribution::new("footer.rows", "footer-friendship-links", &row)?])
    }
}

register!(FriendshipLinks: Layout);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    fn row(addresses: &[&str]) -> Vec<Contribution> {
        let links: Vec<_> =
            addresses.iter().map(|address| format!(r#"{{"name":{{"en":"A"}},"address":"{address}"}}"#)).collect();
        testing::set_settings(&format!(r#"{{"title":{{"en":"Links"}},"links":[{}]}}"#, links.join(",")));
        FriendshipLinks::contribute(&testing::context("en")).unwrap()
    }

    #[test]
    fn only_http_addresses_are_linked() {
        let modules = row(&["https://a.example.org/", "javascript:alert(1)"]);
        let links = r#"[{"name":{"en":"A"},"address":"https://a.example.org/"}]"#;
        assert_eq!(modules[0].props, format!(r#"{{"title":{{"en":"Links"}},"links":{links}}}"#));
        assert_eq!(testing::logged(), ["warn: omitted \"javascript:alert(1)\": not an http(s) address"]);
        assert!(row(&["ftp://a.example.org/"]).is_empty());
    }
}
