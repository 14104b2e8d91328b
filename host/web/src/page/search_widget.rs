//! What a page tells its search widget: scopes with the lists that they lead to, the first condition of each, words and links.

use masthead_domain::{
    LocalText,
    route::Route,
    site::{QuickEntry, ResourceType, search_fields, search_type},
};

use crate::{
    page::{
        context::Context,
        types::{OptionView, ScopeView, SearchLink, SearchView},
    },
    search_service::SearchScope,
};

/// The search widget of the page's site, in the page's language.
#[must_use]
pub fn search(context: &Context<'_>) -> SearchView {
    let lang = context.lang();
    let site = &context.entry.site;
    let texts = |all: &[LocalText]| all.iter().map(|text| text.get(lang).to_owned()).collect();
    let scope = |scope: &ResourceType| ScopeView {
        kind: scope.kind.clone(),
        name: scope.name.get(lang).to_owned(),
        target: target(&scope.kind).map(|path| context.addresses.path(&path)),
        option: if scope.is_open_config == 1 { first_condition(context, &scope.kind) } else { None },
    };
    let offered = site.search.resource_type.iter().filter(|scope| site.header.offers_scope(&scope.kind));
    SearchView {
        action: context.addresses.route(&Route::Search),
        title: site.search.title.get(lang).to_owned(),
        slogans: texts(&site.search.slogans),
        scopes: offered.map(scope).collect(),
        hot_words: texts(&site.search.hot_words),
        option_label: context.texts.get("search_field").to_owned(),
        advanced: site.header.adv_search.then(|| SearchLink {
            label: context.texts.get("advanced_search").to_owned(),
            href: advanced_form(context),
        }),
        quick_entry: quick_entry(context, &site.search.quick_entry),
    }
}

/// The address of the empty form of the advanced search. It keeps the site of a group that the reader has chosen on a page of results.
pub fn advanced_form(context: &Context<'_>) -> String {
    let path = context.addresses.route(&Route::AdvancedSearch);
    let chosen = context.parameter("site");
    let several = context.app.sites.load().others_of_group(&context.entry.site).next().is_some();
    if several && SearchScope::choice(context.app, context.entry, chosen).is_some() {
        format!("{path}?site={chosen}")
    } else {
        path
    }
}

/// The list that shows the results of a search for a type (specification section 2, "Search result navigation"), as a path after the language;
/// `None` where the page of results does: for articles, and for types whose list is not searched by words, such as experts.
fn target(kind: &str) -> Option<String> {
    let (path, query) = match kind {
        "publication" | "periodical" => {
            ("searchPublication", "type=publication&searchType=singleSearch&index=-1".into())
        }
        "picture" | "table" => ("textList", format!("type={kind}&index=-1")),
        "video" | "audio" => ("audioList", format!("type={kind}&index=-1")),
        "other" => ("othersList", "type=other&index=-1".into()),
        "news" | "wechat" => ("informationList", format!("type={kind}&index=-1")),
        "onlineVideo" | "patent" | "standard" | "mixed" => ("currencyList", format!("type={kind}&issearch=1&index=-1")),
        "book" => ("bookList", "type=book&issearch=1&index=-1".into()),
        _ => return None,
    };
    Some(format!("{path}?{query}"))
}

/// The first condition of a type, as the call `search-conditions` lists it.
fn first_condition(context: &Context<'_>, kind: &str) -> Option<OptionView> {
    let kind = search_type(kind)?;
    let (label, field) = match context.entry.site.search.conditions.get(kind) {
        Some(own) => own.first().map(|own| (own.condition.get(context.lang()), own.field.as_str()))?,
        None => search_fields(kind).first().map(|first| (context.texts.get(first.label), first.field))?,
    };
    Some(OptionView { label: label.to_owned(), field: if field.is_empty() { "0" } else { field }.to_owned() })
}

fn quick_entry(context: &Context<'_>, entry: &QuickEntry) -> Option<SearchLink> {
    let label = entry.name.get(context.lang());
    if label.is_empty() || entry.link_value.is_empty() {
        return None;
    }
    let href = entry.link_value.strip_prefix('/').map(|path| context.addresses.path(path));
    Some(SearchLink { label: label.to_owned(), href: href.unwrap_or_else(|| entry.link_value.clone()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_not_searched_by_words_is_no_target() {
        let parse = |path: &str| Route::parse(&[path], &std::collections::BTreeMap::new());
        for kind in ["article", "thesis", "unknown", ""] {
            assert_eq!(target(kind), None, "{kind}");
        }
        for kind in ["publication", "picture", "table", "video", "audio", "other", "news", "book", "patent", "expert"] {
            let Some(path) = target(kind) else { continue };
            let route = parse(path.split('?').next().unwrap_or_default());
            assert!(route.is_some_and(|route| route.parameters().contains(&"q")), "{kind}: {path}");
        }
    }
}
