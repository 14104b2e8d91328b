//! Numbers and names that are given twice or point to nothing: channels, themes, languages, aliases.

use std::collections::{BTreeMap, BTreeSet};

use masthead_config::Platform;
use masthead_domain::{route::Route, site::Site};

use super::Notes;

const CHECK: &str = "ids";

/// Themes with the same number: the first is used.
pub fn of_platform(platform: &Platform, notes: &mut Notes<'_>) {
    let mut known = BTreeSet::new();
    for (index, theme) in platform.themes.iter().enumerate() {
        if !known.insert(theme.color_id) {
            let message = format!("an earlier theme has the colorId {} too; this one is never used", theme.color_id);
            notes.error(CHECK, format!("themes[{index}].colorId"), message, "give each theme a colorId of its own");
        }
    }
}

/// The channels, languages and aliases of a site.
pub fn check(site: &Site, notes: &mut Notes<'_>) {
    let mut known = BTreeMap::new();
    for (index, channel) in site.channels.iter().enumerate() {
        if channel.id == 0 {
            let message = "the channel has no id; 0 stands for the top of the menu";
            notes.error(CHECK, format!("channels[{index}]"), message, "give the channel a number from 1 up");
        } else if let Some(first) = known.insert(channel.id, index) {
            let message =
                format!("channels[{first}] has the id {} too, so that links and children are of both", channel.id);
            notes.error(CHECK, format!("channels[{index}].id"), message, "give each channel an id of its own");
        }
    }
    for (index, channel) in site.channels.iter().enumerate().filter(|(_, channel)| channel.parent_id != 0) {
        let key = format!("channels[{index}].parentId");
        match site.channels.iter().find(|parent| parent.id == channel.parent_id) {
            None => {
                let message =
                    format!("no channel has the id {}, so that the menu does not list this one", channel.parent_id);
                notes.error(CHECK, key, message, "name the id of a channel, or 0 for the first level");
            }
            Some(parent) if parent.id == channel.id => {
                notes.error(CHECK, key, "the channel is its own parent", "name the id of another channel, or 0");
            }
            Some(_) => {}
        }
    }
    let mut languages = BTreeSet::new();
    for (index, lang) in site.languages.iter().enumerate().filter(|(_, lang)| !languages.insert(**lang)) {
        notes.error(CHECK, format!("languages[{index}]"), format!("the language {lang} is listed twice"), "remove one");
    }
    for (alias, target) in &site.aliases {
        let own = BTreeMap::new();
        // Routes with parameters are no page by their name alone, and are known by the segment all the same.
        let is_route = ["", "1", "1/1"].iter().any(|rest| {
            let segments = std::iter::once(target.as_str()).chain(rest.split('/').filter(|part| !part.is_empty()));
            Route::parse(&segments.collect::<Vec<_>>(), &own).is_some()
        });
        if !is_route {
            let message = format!("no page has an address that begins with {target:?}");
            notes.error(
                CHECK,
                format!("aliases.{alias}"),
                message,
                "name the first segment of a page, such as article",
            );
        }
    }
}
