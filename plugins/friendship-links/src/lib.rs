//! A row of links to befriended sites in the footer.

use std::collections::BTreeMap;

use masthead_plugin::{Context, Contribution, Layout, log, register, settings};
use serde::{Deserialize, Serialize};

type Texts = BTreeMap<String, String>;

#[derive(Deserialize, Serialize)]
struct Row {
    title: Texts,
    links: Vec<Friend>,
}

#[derive(Deserialize, Serialize)]
struct Friend {
    name: Texts,
    address: String,
}

struct FriendshipLinks;

impl Layout for FriendshipLinks {
    fn contribute(_: &Context) -> Result<Vec<Contribution>, String> {
        let mut row: Row = settings()?;
        row.links.retain(|friend| {
            let web = friend.address.starts_with("https://") || friend.address.starts_with("http://");
            if !web {
                log::warn!("left out {:?}: not an http(s) address", friend.address);
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
        testing::set_settings(&format!(r#"{{"title":{{"en":"Friends"}},"links":[{}]}}"#, links.join(",")));
        FriendshipLinks::contribute(&testing::context("en")).unwrap()
    }

    #[test]
    fn only_web_addresses_are_linked() {
        let modules = row(&["https://a.example.org/", "javascript:alert(1)"]);
        let links = r#"[{"name":{"en":"A"},"address":"https://a.example.org/"}]"#;
        assert_eq!(modules[0].props, format!(r#"{{"title":{{"en":"Friends"}},"links":{links}}}"#));
        assert_eq!(testing::logged(), ["warn: left out \"javascript:alert(1)\": not an http(s) address"]);
        assert!(row(&["ftp://a.example.org/"]).is_empty());
    }
}
