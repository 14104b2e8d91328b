//! The same search in the other sites of a group.

use masthead_domain::{
    LocalText, SiteId,
    site::{Site, SiteState},
};

use super::Asked;
use crate::page::context::Context;

/// The other open sites of a group site's group: number, name, and address of the same search there, under the kind of address at which the
/// reader is. A site that is no group site has none.
pub fn other_sites(context: &Context<'_>, asked: &Asked) -> Vec<(SiteId, LocalText, String)> {
    let own = &context.entry.site;
    let address = asked.without_own().href(context);
    let Some(path) = address.strip_prefix(&context.addresses.path("")) else { return Vec::new() };
    if own.group_type != 1 || own.group.is_empty() {
        return Vec::new();
    }
    let table = context.app.sites.load();
    let is_other = |site: &Site| site.group == own.group && site.id != own.id && site.state == SiteState::Active;
    let others = table.iter().filter(|entry| is_other(&entry.site));
    others
        .map(|entry| {
            let lang = entry.lang_or_default(Some(context.lang()));
            let root = if context.addresses.base.is_empty() {
                at_own_host(&context.origin, &entry.site, &table.platform.domain)
            } else {
                format!("/{}", entry.site.sld)
            };
            (entry.site.id, entry.site.name.clone(), format!("{root}/{lang}/{path}"))
        })
        .collect()
}

/// Scheme, host and port of a site that is served at a host of its own, with scheme and port of this request.
fn at_own_host(origin: &str, site: &Site, domain: &str) -> String {
    let (scheme, host) = origin.split_once("://").unwrap_or(("http", origin));
    let (name, port) = host.rsplit_once(':').map_or((host, String::new()), |(name, port)| (name, format!(":{port}")));
    let below_platform = name.ends_with(&format!(".{}", domain.to_lowercase()));
    let own = match (site.canonical.host.as_str(), site.domains.first()) {
        ("", Some(first)) if !below_platform => first.to_lowercase(),
        ("", _) => format!("{}.{domain}", site.sld),
        (canonical, _) => canonical.to_lowercase(),
    };
    format!("{scheme}://{own}{port}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_site_is_at_its_own_host_with_the_scheme_and_port_of_the_request() {
        let site = |extra: serde_json::Value| -> Site {
            let mut value = serde_json::json!({
                "id": 1, "sld": "creek", "name": { "en": "C" }, "colorId": 1, "languages": ["en"], "header": {},
            });
            value.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            serde_json::from_value(value).unwrap()
        };
        let plain = site(serde_json::json!({}));
        let named = site(serde_json::json!({ "domains": ["Creek.Example.org"] }));
        assert_eq!(at_own_host("http://bay.localhost:8448", &plain, "localhost"), "http://creek.localhost:8448");
        assert_eq!(at_own_host("https://bay.example.org", &named, "localhost"), "https://creek.example.org");
        assert_eq!(at_own_host("http://bay.localhost", &named, "localhost"), "http://creek.localhost");
    }
}
