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
