//! The bootstrap: the data about site, frame and page that the shell receives with every page.

use std::{collections::BTreeMap, sync::Arc};

use masthead_domain::{
    Lang, SiteId,
    route::{AccountPage, Route},
    site::Site,
};
use masthead_runtime::{
    Call, Hook,
    hook_types::{NavigationEntry, NavigationMenu},
};

use crate::{
    i18n::Texts,
    page::types::{
        Bootstrap, ButtonView, FooterLink, FooterView, GroupSite, GroupView, HeaderView, LanguageLink, MenuLink,
        PageView, SessionView, SiteView,
    },
    page::{channel_links::Targets, context::Context, menu::menu, search_widget::search},
    schema::{FromDomain, Permissions, SiteKind},
    sites::{SiteEntry, SiteTable, addresses::Addresses, scope::Scope},
    ui::{CONTRACT, SlotModule},
};

/// Greatest number of other sites in the header of a group site.
const GROUP_SITES: usize = 12;

/// Builds the bootstrap of a page. `path` is the page's path within the site, after the language segment.
///
/// # Errors
/// The store's error, when the issues for the menu cannot be read.
pub async fn bootstrap(
    context: &Context<'_>,
    call: &mut Call,
    page: PageView,
    path: &str,
) -> Result<Bootstrap, masthead_store::StoreError> {
    let site = &context.entry.site;
    let lang = context.lang();
    let menu = if is_without_navigation(path) { Vec::new() } else { navigation(context, call, path).await? };
    let entrance = entrance(context);
    Ok(Bootstrap {
        contract: CONTRACT,
        site: site_view(site, lang),
        lang,
        base: context.addresses.base.clone(),
        languages: languages(&context.entry.languages, &context.addresses, path),
        menu,
        header: HeaderView {
            group: group(context, &entrance),
            group_entrance: entrance,
            ..header(site, &context.addresses, path)
        },
        footer: footer(site, &context.addresses, &context.texts),
        search: search(context),
        slots: slots(context, call).await,
        session: session(context),
        translate: context.entry.translations(),
        permissions: Permissions::from_domain(context.rights.permissions()),
        page,
    })
}

/// The navigation of a page: the channels of the site's menu as links, after the plugins' hooks. `path` is the page's path within the site.
///
/// # Errors
/// The store's error, when the issues or experts that it links to cannot be read.
pub async fn navigation(
    context: &Context<'_>,
    call: &mut Call,
    path: &str,
) -> Result<Vec<MenuLink>, masthead_store::StoreError> {
    let experts = context.first_experts().await?;
    let targets = Targets { issues: context.issues().await?, experts, languages: &context.entry.languages, path };
    let links = menu(&context.entry.site, &context.addresses, &targets, &context.addresses.path(path));
    Ok(adjust(context, call, links).await)
}

/// Whether a page has no navigation in its header: those of accounts (specification section 2, layout).
fn is_without_navigation(path: &str) -> bool {
    let first = path.split(['/', '?']).next().unwrap_or_default();
    AccountPage::ALL.iter().any(|page| page.name() == first)
}

/// The address of the group's site, to which the header of a site leads: the configured one or, where a short name is configured, `home` of
/// that site; "" if there is none.
#[must_use]
pub fn group_entrance(site: &Site, table: &SiteTable, home: impl FnOnce(&Arc<SiteEntry>) -> String) -> String {
    match table.entrance(site) {
        Some(entry) => home(entry),
        None if site.header.group_site().is_some() => String::new(),
        None => site.header.group_entrance.clone(),
    }
}

/// The address of the group's site for the reader of a page.
fn entrance(context: &Context<'_>) -> String {
    let table = context.app.sites.load();
    group_entrance(&context.entry.site, &table, |entry| {
        let lang = entry.lang_or_default(Some(context.lang()));
        context.address_of_site(entry, &table.platform.domain, lang)
    })
}

/// The group of a site that leads to it: by the address of the group's site (`entrance`), or as a group site to the others.
fn group(context: &Context<'_>, entrance: &str) -> Option<GroupView> {
    let mut sites = group_sites(context);
    if sites.is_empty() && entrance.is_empty() {
        return None;
    }
    if sites.len() > GROUP_SITES {
        sites.truncate(GROUP_SITES);
        let name = context.texts.get("group_all").to_owned();
        sites.push(GroupSite { name, href: context.addresses.route(&Route::Navigation) });
    }
    let text = |key: &str| context.texts.get(key).to_owned();
    Some(GroupView { entrance: text("group_entrance"), title: text("group_sites"), sites })
}

/// The other open sites of a group site's group, by name. Other sites have none.
#[must_use]
pub fn group_sites(context: &Context<'_>) -> Vec<GroupSite> {
    let table = context.app.sites.load();
    let view = |entry: &Arc<SiteEntry>| {
        let lang = entry.lang_or_default(Some(context.lang()));
        let href = context.address_of_site(entry, &table.platform.domain, lang);
        GroupSite { name: entry.site.name.get(lang).to_owned(), href }
    };
    let mut sites: Vec<GroupSite> = table.others_of_group(&context.entry.site).map(view).collect();
    sites.sort_by(|a, b| a.name.cmp(&b.name));
    sites
}

/// The description of a site in one language.
#[must_use]
pub fn site_view(site: &Site, lang: Lang) -> SiteView {
    let logo = site.header.logo.get(lang);
    SiteView {
        id: site.id,
        sld: site.sld.clone(),
        name: site.name.get(lang).to_owned(),
        description: site.description.get(lang).to_owned(),
        kind: SiteKind::from_domain(site.kind),
        group_type: site.group_type,
        color_id: site.color_id,
        gray_type: site.gray_type,
        nav_style: site.header.nav_style,
        search_style: site.search.style,
        logo: picture(logo).unwrap_or_default(),
    }
}

/// The address of a picture among the sites' assets; `None` for an empty name.
#[must_use]
pub fn picture(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| format!("/assets/sites/{name}"))
}

/// The address of the site's own style sheet, if it has one. The address changes with the configuration, so that
/// browsers do not use a stale copy.
#[must_use]
pub fn sheet(scope: &Scope) -> Option<String> {
    (!scope.entry.sheet.is_empty())
        .then(|| format!("{}/static/mobile/site.css?v={:x}", scope.base, scope.entry.config_generation))
}

/// The menu after the `navigation` hooks. Plugins receive it as a flat list and return paths; entries that they do not
/// change remain as the host built them.
async fn adjust(context: &Context<'_>, call: &mut Call, links: Vec<MenuLink>) -> Vec<MenuLink> {
    if !context.entry.chain.has_hook(Hook::Navigation) {
        return links;
    }
    let prefix = context.addresses.path("");
    let flat = |link: &MenuLink, parent: i64| NavigationEntry {
        id: link.id,
        parent,
        code: link.code.clone(),
        label: link.label.clone(),
        target: link.href.strip_prefix(&prefix).unwrap_or(&link.href).to_owned(),
        new_tab: link.new_tab,
    };
    let mut channels = Vec::new();
    for link in &links {
        channels.push(flat(link, 0));
        channels.extend(link.children.iter().map(|child| flat(child, link.id)));
    }
    let languages = context.entry.languages.iter().map(|lang| lang.code().to_owned()).collect();
    let menu = call.adjust_navigation(NavigationMenu { channels, languages }).await;
    let known: BTreeMap<i64, &MenuLink> =
        links.iter().flat_map(|link| std::iter::once(link).chain(&link.children)).map(|link| (link.id, link)).collect();
    let href = |target: &str| if target.contains("://") { target.to_owned() } else { format!("{prefix}{target}") };
    let full = |channel: &NavigationEntry| {
        let own = known.get(&channel.id);
        // An address that is not below the prefix, such as that of another language, stays as it is.
        let same = own.filter(|link| flat(link, 0).target == channel.target);
        MenuLink {
            id: channel.id,
            code: channel.code.clone(),
            label: channel.label.clone(),
            href: same.map_or_else(|| href(&channel.target), |link| link.href.clone()),
            new_tab: channel.new_tab,
            current: own.is_some_and(|link| link.current),
            children: Vec::new(),
        }
    };
    let level = |parent: i64| menu.channels.iter().filter(move |channel| channel.parent == parent).map(full);
    level(0).map(|link| MenuLink { children: level(link.id).collect(), ..link }).collect()
}

fn session(context: &Context<'_>) -> SessionView {
    context
        .user
        .as_ref()
        .map_or_else(SessionView::default, |user| SessionView { signed_in: true, user_name: user.masked() })
}

fn languages(offered: &[Lang], addresses: &Addresses, path: &str) -> Vec<LanguageLink> {
    offered
        .iter()
        .map(|&code| LanguageLink {
            code,
            tag: code.tag().to_owned(),
            name: code.name().to_owned(),
            dir: code.dir().to_owned(),
            href: Addresses { lang: code, ..addresses.clone() }.path(path),
        })
        .collect()
}

/// Header configuration in one language, without what depends on other sites: `group` and `group_entrance`.
#[must_use]
pub fn header(site: &Site, addresses: &Addresses, path: &str) -> HeaderView {
    let here: String = url::form_urlencoded::byte_serialize(addresses.path(path).as_bytes()).collect();
    HeaderView {
        home_href: addresses.path("home/"),
        login_href: if site.header.show_login {
            format!("{}/login?lang={}&url={here}", addresses.base, addresses.lang)
        } else {
            String::new()
        },
        switch_language: site.header.switch_language,
        search_box: site.header.search_box,
        group_entrance: String::new(),
        buttons: site
            .header
            .buttons(addresses.lang)
            .map(|button| ButtonView {
                label: button.label(addresses.lang).to_owned(),
                href: button.custom_button_link_value.clone(),
                pc_picture: picture(&button.custom_button_pc_url),
                mobile_picture: picture(&button.custom_button_mobile_url),
            })
            .collect(),
        ceiling: site.header.ceiling.then_some(true),
        mobile_logo: picture(site.header.mobile_logo.get(addresses.lang)),
        dark_logo: picture(site.header.dark_logo.get(addresses.lang)),
        nav_distribution: Some(site.header.nav_distribution.clone()).filter(|text| !text.is_empty()),
        group: None,
    }
}

/// Footer configuration in one language.
#[must_use]
pub fn footer(site: &Site, addresses: &Addresses, texts: &Texts<'_>) -> FooterView {
    let footer = &site.footer;
    let all = [(Route::Home, "home"), (Route::Navigation, "site_navigation"), (Route::Search, "search")];
    let shown = if footer.toolbar_style == 0 { &all[1..2] } else { &all[..] };
    let link = |(route, key): &(Route, &str)| FooterLink {
        route: route.name().to_owned(),
        label: texts.get(key).to_owned(),
        href: addresses.route(route),
    };
    FooterView {
        copyright: footer.copyright_line(addresses.lang).to_owned(),
        icp: footer.icp.clone(),
        icp_href: footer.link_address.clone(),
        picp: footer.picp.clone(),
        picp_href: footer.picp_link.clone(),
        toolbar_style: footer.toolbar_style,
        links: shown.iter().map(link).collect(),
    }
}

/// The site's own modules, followed by the modules that plugins contribute. A plugin names a module; the host adds its
/// files.
async fn slots(context: &Context<'_>, call: &mut Call) -> BTreeMap<String, Vec<SlotModule>> {
    let mut slots = context.entry.slots.clone();
    let contributions = call.contribute_layout().await;
    let ui = context.app.ui.load();
    for contribution in contributions {
        match ui.module(&contribution.module) {
            Some(module) if module.slot == contribution.slot => {
                slots.entry(contribution.slot).or_default().push(module.with(contribution.props));
            }
            _ => tracing::warn!(
                site = %site_id(context.entry),
                slot = contribution.slot,
                module = contribution.module,
                "a plugin contributes a module that does not exist or does not fill this slot"
            ),
        }
    }
    slots
}

fn site_id(entry: &SiteEntry) -> SiteId {
    entry.site.id
}
