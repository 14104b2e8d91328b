//! The menu: channels with unknown codes, and channels that lead to no page.

use masthead_domain::{
    resource::{Composite, NewsType, ResourceKind},
    route::Route,
    site::{Site, is_channel_code},
};
use masthead_store::{SiteStore, StoreError};

use super::{Notes, Subject, readable};

const CHECK: &str = "menu";

/// The channels of a site.
pub fn check(subject: &Subject<'_>, notes: &mut Notes<'_>) {
    let site = subject.site;
    for (index, channel) in site.channels.iter().enumerate() {
        let code = channel.code.as_str();
        let is_page = || Route::parse(&[code], &site.aliases).is_some();
        let is_known = is_channel_code(code) || site.common_codes.iter().any(|known| known == code);
        if !is_known && ResourceKind::parse(code).is_none() && !is_page() {
            let message = format!("{code:?} is not a channel code");
            notes.error(
                CHECK,
                format!("channels[{index}].code"),
                message,
                "use a code of the specification, such as news",
            );
        }
        if !matches!(channel.enable.as_str(), "" | "0" | "1") {
            let message = format!("{:?} leaves the channel out; only \"1\" shows it", channel.enable);
            notes.warning(CHECK, format!("channels[{index}].enable"), message, "write \"1\" or \"0\"");
        }
        let tab = channel.news_data_type.as_str();
        if !tab.is_empty() && !NewsType::ALL.iter().any(|kind| kind.as_str() == tab) {
            let known = NewsType::ALL.map(NewsType::as_str).join(", ");
            let message = format!("{tab:?} is not a tab of the news; there are {known}");
            notes.error(CHECK, format!("channels[{index}].newsDataType"), message, "name one of the tabs");
        }
    }
    for (index, path) in &subject.menu {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        if !matches!(Route::of_site(&segments, site), Some(route) if route != Route::ArticleMissing) {
            let channel = &site.channels[*index];
            let message = format!(
                "the menu item {:?} leads to /{path}, which is no page of this host",
                channel.own_label(site.default_lang()).unwrap_or(&channel.code)
            );
            let fix = "set enable = \"0\", give the channel a code or route with a page, or use the code jump with a linkValue";
            notes.error(CHECK, format!("channels[{index}]"), message, fix);
        }
    }
}

/// Channels that show a composite page which is not stored.
pub async fn check_composites(site: &Site, store: &SiteStore, notes: &mut Notes<'_>) -> Result<(), StoreError> {
    for (index, channel) in site.channels.iter().enumerate() {
        let key = channel.new_composite_id.as_str();
        if key.is_empty() {
            continue;
        }
        if let Some(None) = readable(store.resource_by_key::<Composite>(key).await)? {
            let message = format!("the site has no composite page {key:?}");
            let fix = "import the page, or correct the key";
            notes.error(CHECK, format!("channels[{index}].newCompositeId"), message, fix);
        }
    }
    Ok(())
}
