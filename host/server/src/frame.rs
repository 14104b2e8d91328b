//! The bootstrap: what the shell is told about site, frame and page.

use std::collections::BTreeMap;

use masthead_domain::{Lang, SiteId, site::Site};
use masthead_runtime::Call;

use crate::{
    api::types::{
        Bootstrap, ButtonView, FooterView, HeaderView, LanguageLink, PageView, ScopeView, SearchView, SessionView,
        SiteView, SlotModule,
    },
    links::Addresses,
    menu::menu,
    pages::Context,
    sites::SiteEntry,
};

/// Version of the bootstrap's structure.
pub const CONTRACT: u32 = 1;
/// Custom buttons that a header shows (specification section 5).
const BUTTONS: usize = 3;

/// Builds the bootstrap of a page. `path` is the page's address within the site, after the language.
///
/// # Errors
/// The store's, when the issues for the menu cannot be read.
pub async fn bootstrap(
    context: &Context<'_>,
    call: &mut Call,
    page: PageView,
    path: &str,
) -> Result<Bootstrap, masthead_store::StoreError> {
    let site = &context.entry.site;
    let lang = context.lang();
    let issues = match context.store.journals().await?.first() {
        Some(journal) => context.store.issues(&journal.key).await?,
        None => Vec::new(),
    };
    Ok(Bootstrap {
        contract: CONTRACT,
        site: site_view(site, lang),
        lang,
        base: context.addresses.base.clone(),
        languages: languages(site, &context.addresses, path),
        menu: menu(site, &context.addresses, &issues, &context.addresses.path(path)),
        header: header(site, &context.addresses, path),
        footer: footer(site, lang),
        search: search(site, context),
        slots: slots(context, call).await,
        session: SessionView::default(),
        permissions: context.permissions,
        page,
    })
}

/// A site in one language.
#[must_use]
pub fn site_view(site: &Site, lang: Lang) -> SiteView {
    let logo = site.header.logo.get(lang);
    SiteView {
        id: site.id,
        sld: site.sld.clone(),
        name: site.name.get(lang).to_owned(),
        description: site.description.get(lang).to_owned(),
        kind: site.kind,
        group_type: site.group_type,
        color_id: site.color_id,
        gray_type: site.gray_type,
        nav_style: site.header.nav_style,
        search_style: site.search.style,
        logo: if logo.is_empty() { String::new() } else { format!("/assets/sites/{logo}") },
    }
}

fn languages(site: &Site, addresses: &Addresses, path: &str) -> Vec<LanguageLink> {
    site.languages
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

/// Header configuration in one language.
#[must_use]
pub fn header(site: &Site, addresses: &Addresses, path: &str) -> HeaderView {
    let name = |button: &masthead_domain::site::CustomButton| {
        if addresses.lang == Lang::Zh {
            button.custom_button_name.clone()
        } else {
            button.en_custom_button_name.clone()
        }
    };
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
        group_entrance: site.header.group_entrance.clone(),
        buttons: site
            .header
            .custom_button_list
            .iter()
            .filter(|button| button.custom_button_status == 1 && !name(button).trim().is_empty())
            .take(BUTTONS)
            .map(|button| ButtonView { label: name(button), href: button.custom_button_link_value.clone() })
            .collect(),
    }
}

/// Footer configuration in one language.
#[must_use]
pub fn footer(site: &Site, lang: Lang) -> FooterView {
    let footer = &site.footer;
    let copyright =
        if lang == Lang::Zh || footer.en_copyright.is_empty() { &footer.copyright } else { &footer.en_copyright };
    FooterView {
        copyright: copyright.clone(),
        icp: footer.icp.clone(),
        icp_href: footer.link_address.clone(),
        picp: footer.picp.clone(),
        picp_href: footer.picp_link.clone(),
    }
}

fn search(site: &Site, context: &Context<'_>) -> SearchView {
    let lang = context.lang();
    SearchView {
        action: context.addresses.route(&masthead_domain::route::Route::Search),
        title: site.search.title.get(lang).to_owned(),
        slogans: site.search.slogans.iter().map(|slogan| slogan.get(lang).to_owned()).collect(),
        scopes: site
            .search
            .resource_type
            .iter()
            .map(|scope| ScopeView { kind: scope.kind.clone(), name: scope.name.get(lang).to_owned() })
            .collect(),
        hot_words: site.search.hot_words.iter().map(|word| word.get(lang).to_owned()).collect(),
    }
}

/// The site's own modules, then what plugins contribute; a plugin names a module, the host knows its files.
async fn slots(context: &Context<'_>, call: &mut Call) -> BTreeMap<String, Vec<SlotModule>> {
    let mut slots = context.entry.slots.clone();
    for contribution in call.contribute_layout().await {
        match context.app.ui.module(&contribution.module) {
            Some(module) if module.slot == contribution.slot => {
                slots.entry(contribution.slot).or_default().push(module.with(contribution.props));
            }
            _ => tracing::warn!(
                site = %site_id(context.entry),
                slot = contribution.slot,
                module = contribution.module,
                "a plugin names a module that is not there or not made for this slot"
            ),
        }
    }
    slots
}

fn site_id(entry: &SiteEntry) -> SiteId {
    entry.site.id
}
