//! Links within a site that lead to no page, file or article.

use std::{borrow::Cow, collections::BTreeSet, path::Path};

use masthead_config::{Level, RESERVED};
use masthead_domain::{
    Lang, link,
    route::{Route, TextPage},
    site::{Channel, Site},
};
use masthead_store::StoreError;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::{Installation, Notes, Subject, pictures, readable, stored::Stored};
use crate::{files, redirects};

const CHECK: &str = "links";
const FIX: &str = "correct the address, or remove the link";
/// The key of the link to the group's site, which is an address or names a site.
const GROUP_ENTRANCE: &str = "header.groupEntrance";
/// First segments of addresses that the host serves to readers besides [`RESERVED`], with and without a language before them.
const SERVED: [&str; 9] = [
    "oai",
    "sitemap.xml",
    "sitemap-pages.xml",
    "login",
    "logout",
    "feed.rss",
    "feed.atom",
    "opensearch.xml",
    "robots.txt",
];

/// Where an address leads, as far as the files of the installation tell.
#[derive(Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// To another site.
    Elsewhere,
    /// To something that the host always serves.
    Served,
    /// To a page; whether its content is there is stored.
    Page(Route),
    /// To a media file with this digest.
    Media(String),
    /// To nothing, with the reason.
    Dead(String),
}

/// What decides where the links of a site lead.
pub struct Links<'a> {
    site: &'a Site,
    languages: &'a [Lang],
    plugins: BTreeSet<&'a str>,
    hosts: BTreeSet<String>,
    path_hosts: BTreeSet<String>,
    redirects: &'a BTreeSet<String>,
    folder: &'a Path,
}

impl<'a> Links<'a> {
    pub fn new(installation: &'a Installation<'_>, subject: &'a Subject<'_>) -> Self {
        let (site, platform) = (subject.site, installation.platform);
        let own = format!("{}.{}", site.sld, platform.domain);
        Self {
            site,
            languages: &subject.languages,
            plugins: subject.plugins.iter().map(|(id, _)| id.as_str()).collect(),
            hosts: site.domains.iter().chain([&own]).map(|host| host.to_lowercase()).collect(),
            path_hosts: platform.path_hosts.iter().map(|host| host.to_lowercase()).collect(),
            redirects: &subject.redirects,
            folder: installation.folder,
        }
    }

    /// The hosts at which the site is reached, whatever the path.
    pub fn hosts(&self) -> BTreeSet<String> {
        self.hosts.union(&self.path_hosts).cloned().collect()
    }

    /// Where an address leads.
    pub fn target(&self, address: &str) -> LinkTarget {
        let address = address.trim();
        if address.is_empty() || address.starts_with('#') {
            return LinkTarget::Served;
        }
        match self.own_path(address) {
            Some(path) => match self.own(path) {
                LinkTarget::Dead(_) if self.is_redirected(path) => LinkTarget::Served,
                target => target,
            },
            None if link::scheme(address).is_some() || address.starts_with("//") => LinkTarget::Elsewhere,
            None => LinkTarget::Dead(format!("{address:?} is relative, and leads to another place from every page")),
        }
    }

    /// The digest of the file to which an address leads.
    pub fn file(&self, address: &str) -> Option<String> {
        match self.target(address) {
            LinkTarget::Media(digest) => Some(digest),
            _ => None,
        }
    }

    /// The path of an address on one of the site's own hosts, with its query.
    fn own_path<'t>(&self, address: &'t str) -> Option<&'t str> {
        if let Some(rest) = without_scheme(address) {
            let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
            let host = host_of(authority);
            let in_path = self.path_hosts.contains(&host) && segments(path).first() == Some(&self.site.sld);
            return (in_path || self.hosts.contains(&host)).then_some(path);
        }
        (address.starts_with('/') && !address.starts_with("//")).then_some(address)
    }

    /// Whether a redirect of the site leads on from a path that has no page.
    fn is_redirected(&self, path: &str) -> bool {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let behind_name = path.strip_prefix('/').and_then(|rest| rest.strip_prefix(self.site.sld.as_str()));
        let below = behind_name.filter(|rest| rest.starts_with('/')).unwrap_or(path);
        redirects::forms(below).iter().any(|form| self.redirects.contains(form))
    }

    /// Where a path on one of the site's own hosts leads.
    fn own(&self, path: &str) -> LinkTarget {
        let mut rest = segments(path);
        if rest.first() == Some(&self.site.sld) {
            rest.remove(0);
        }
        match rest.first().map(String::as_str) {
            Some("assets") if rest.get(1).is_some_and(|part| part == "sites") => {
                let name = rest[2..].join("/");
                return pictures::fault(self.folder, &name).map_or(LinkTarget::Served, LinkTarget::Dead);
            }
            Some("media") => {
                let digest = files::digest(path.split(['?', '#']).next().unwrap_or_default());
                let named = digest.map(|digest| LinkTarget::Media(digest.to_owned()));
                return named
                    .unwrap_or_else(|| LinkTarget::Dead(format!("{path:?} is not the address of a stored file")));
            }
            // Plugins' pages are below a language.
            Some(first) if first != "plugins" && RESERVED.contains(&first) => return LinkTarget::Served,
            _ => {}
        }
        if let Some(lang) = rest.first().and_then(|segment| segment.parse::<Lang>().ok()) {
            if !self.languages.contains(&lang) {
                return LinkTarget::Dead(format!("{path:?} is a page in {lang}, which the site does not offer"));
            }
            rest.remove(0);
        }
        self.page(path, &rest)
    }

    /// Where the segments behind the language lead.
    fn page(&self, path: &str, rest: &[String]) -> LinkTarget {
        let mut rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        match rest.first() {
            None => return LinkTarget::Page(Route::Home),
            Some(&"plugins") => {
                let is_used = rest.get(1).is_some_and(|plugin| self.plugins.contains(plugin));
                if is_used {
                    return LinkTarget::Served;
                }
                return LinkTarget::Dead(format!("{path:?} is served by a plugin that the site does not use"));
            }
            Some(first) if SERVED.contains(first) || first.starts_with("sitemap-articles-") => {
                return LinkTarget::Served;
            }
            Some(_) => {}
        }
        if rest.len() == 3 && rest[2] == "linkset" {
            rest.pop();
        }
        let route = Route::of_site(&rest, self.site);
        match route.map(|route| route.searched(rest.len(), |name| parameter(path, name).is_some())) {
            Some(Route::ArticleMissing) | None => {
                LinkTarget::Dead(format!("no page of the host has the address {path:?}"))
            }
            Some(Route::Issue { which, .. }) => {
                LinkTarget::Page(Route::Issue { journal: parameter(path, "journal").unwrap_or_default(), which })
            }
            Some(route) => match self.lost_channel(&route) {
                Some(id) => {
                    LinkTarget::Dead(format!("{path:?} names the channel {id}, which the site does not have or use"))
                }
                None => LinkTarget::Page(route),
            },
        }
    }

    /// The number of the channel that an address names, if the site has none: the page is missing then, or another one is shown in its place.
    fn lost_channel(&self, route: &Route) -> Option<i64> {
        let (id, has_to_be_enabled) = match route {
            Route::HomeOf(id) | Route::Collections(Some(id)) => (*id, false),
            Route::Text(TextPage::News(id) | TextPage::NewsInfo(id, _) | TextPage::Board(id, _)) if *id > 0 => {
                (*id, true)
            }
            _ => return None,
        };
        let is_it = |channel: &Channel| channel.id == id && (!has_to_be_enabled || channel.enable == "1");
        (!self.site.channels.iter().any(is_it)).then_some(id)
    }

    /// Why an address leads to nothing, as far as files and stored content tell.
    pub async fn fault(&self, stored: &mut Stored<'_>, address: &str) -> Result<Option<String>, StoreError> {
        match self.target(address) {
            LinkTarget::Dead(reason) => Ok(Some(reason)),
            target => self.missing(stored, address, &target).await,
        }
    }

    /// What is missing at the target of an address, if something is and no redirect leads on from there.
    async fn missing(
        &self,
        stored: &mut Stored<'_>,
        address: &str,
        target: &LinkTarget,
    ) -> Result<Option<String>, StoreError> {
        let missing = match target {
            LinkTarget::Media(digest) => stored.file(digest).await,
            LinkTarget::Page(route) => stored.page(route).await,
            _ => return Ok(None),
        };
        // A damaged row is reported by itself.
        let missing = readable(missing)?.flatten();
        Ok(missing.filter(|_| !self.own_path(address.trim()).is_some_and(|path| self.is_redirected(path))))
    }

    /// Reports a link of the configuration whose page exists without its content; others are found without a database.
    pub async fn follow(
        &self,
        stored: &mut Stored<'_>,
        (key, address, level): (&str, &str, Level),
        notes: &mut Notes<'_>,
    ) -> Result<(), StoreError> {
        if let Some(fault) = self.missing(stored, address, &self.target(address)).await? {
            notes.add(level, CHECK, key, fault, FIX);
        }
        Ok(())
    }

    /// Reports a link of stored content that leads to nothing.
    pub async fn note(
        &self,
        stored: &mut Stored<'_>,
        key: String,
        address: &str,
        notes: &mut Notes<'_>,
    ) -> Result<(), StoreError> {
        if let Some(fault) = self.fault(stored, address).await? {
            self.dead(key, fault, notes);
        }
        Ok(())
    }

    /// Reports a link of stored content with its fault.
    pub fn dead(&self, key: String, fault: String, notes: &mut Notes<'_>) {
        notes.error(CHECK, key, fault, FIX);
    }
}

/// The links of the configuration, with their keys and how much it matters if they lead nowhere. Whether a setting of a plugin that looks
/// like an address of the site is a link, only the plugin knows.
pub fn configured(site: &Site) -> Vec<(String, Cow<'_, str>, Level)> {
    let own = of_site(site).into_iter().map(|(key, address)| (key, Cow::Borrowed(address), Level::Error));
    let mut all: Vec<_> = own.chain(of_slides(site)).collect();
    for (index, entry) in site.plugins.iter().enumerate() {
        of_settings(&entry.settings, &format!("plugins[{index}].settings"), &mut all);
    }
    all
}

/// The texts in a plugin's settings that are addresses: paths and web addresses.
fn of_settings<'s>(settings: &'s Value, key: &str, all: &mut Vec<(String, Cow<'s, str>, Level)>) {
    match settings {
        Value::String(text)
            if ["/", "https://", "http://"].iter().any(|start| without_prefix(text, start).is_some()) =>
        {
            all.push((key.to_owned(), Cow::Borrowed(text.as_str()), Level::Warning));
        }
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                of_settings(entry, &format!("{key}[{index}]"), all);
            }
        }
        Value::Object(entries) => {
            for (name, entry) in entries {
                of_settings(entry, &format!("{key}.{name}"), all);
            }
        }
        _ => {}
    }
}

/// The links of the site's own keys.
fn of_site(site: &Site) -> Vec<(String, &str)> {
    let mut all = vec![
        (GROUP_ENTRANCE.to_owned(), site.header.group_site().map_or(site.header.group_entrance.as_str(), |_| "")),
        ("footer.linkAddress".to_owned(), site.footer.link_address.as_str()),
        ("footer.picpLink".to_owned(), site.footer.picp_link.as_str()),
        ("search.quickEntry.linkValue".to_owned(), site.search.quick_entry.link_value.as_str()),
    ];
    for (index, channel) in site.channels.iter().enumerate().filter(|(_, channel)| channel.code == "jump") {
        all.push((format!("channels[{index}].linkValue"), &channel.link_value));
    }
    for (key, button) in site.buttons() {
        all.push((format!("{key}.customButtonLinkValue"), &button.custom_button_link_value));
    }
    all
}

/// The links of slides. One that is no address of the web is a path behind the language, as on the home page.
fn of_slides(site: &Site) -> impl Iterator<Item = (String, Cow<'_, str>, Level)> {
    let lang = site.default_lang();
    site.slides().filter(|(_, slide)| !slide.link.is_empty()).map(move |(key, slide)| {
        let address = match slide.link.as_str() {
            link if link::is_web(link) => Cow::Borrowed(link),
            path => Cow::Owned(format!("/{lang}/{path}")),
        };
        (format!("{key}.link"), address, Level::Error)
    })
}

/// The links of the configuration that lead to nothing, whatever is stored.
pub fn check(installation: &Installation<'_>, subject: &Subject<'_>, notes: &mut Notes<'_>) {
    let links = Links::new(installation, subject);
    for (key, address, level) in configured(subject.site) {
        if let LinkTarget::Dead(reason) = links.target(&address) {
            notes.add(level, CHECK, key, reason, FIX);
        }
    }
    if let Some(name) = subject.site.header.group_site().filter(|name| !installation.sites.contains(*name)) {
        let message = format!("the host serves no site with the short name {name:?}, and the header leads to no group");
        notes.error(CHECK, GROUP_ENTRANCE, message, "name a site of this installation, or write an address");
    }
}

/// Whether an address may lead into a site with these hosts, as far as its text alone tells. Addresses for which it is false lead elsewhere, or
/// to nothing that could be missing.
pub fn may_lead_to(hosts: &BTreeSet<String>, address: &str) -> bool {
    let address = address.trim();
    if address.is_empty() || address.starts_with('#') {
        return false;
    }
    match without_scheme(address) {
        Some(rest) => hosts.contains(&host_of(rest.split(['/', '?', '#']).next().unwrap_or_default())),
        None => !address.starts_with("//") && link::scheme(address).is_none(),
    }
}

/// What stands behind the scheme of a web address.
fn without_scheme(address: &str) -> Option<&str> {
    ["https://", "http://"].into_iter().find_map(|scheme| without_prefix(address, scheme))
}

/// The text behind a prefix, whose case does not matter.
fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// The host name in the authority of an address, in lower case.
fn host_of(authority: &str) -> String {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(host, _)| host);
    host.to_lowercase()
}

/// The decoded segments of a path without its query.
fn segments(path: &str) -> Vec<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned()).collect()
}

/// The decoded value of a parameter in the query of an address.
fn parameter(address: &str, name: &str) -> Option<String> {
    let (_, query) = address.split('#').next()?.split_once('?')?;
    let decoded = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.find_map(|(key, value)| (decoded(key) == name).then(|| decoded(value).trim().to_owned()))
}
