//! What the site and its plugins make of a query before it is searched.

use masthead_domain::site::{SearchConfig, SearchWeights};
use masthead_runtime::{
    Call,
    hook_types::{PluginSearchQuery, SearchField, SearchFilter, SearchSynonym},
};
use masthead_search::{Field, Filter, Query, Synonym, title_key};

/// Passes what was typed, with the conditions of an advanced search as a part of the text ([`Query::said`]), through the `search.rewrite` hooks
/// of the site's plugins, and adds what the site's configuration says of every search. Filters that the reader chose are kept; plugins can
/// only add to them.
pub async fn rewritten(call: &mut Call, site: &SearchConfig, query: Query) -> Query {
    configured(site, by_plugins(call, query).await)
}

async fn by_plugins(call: &mut Call, query: Query) -> Query {
    let said = query.said();
    if said.trim().is_empty() {
        return query;
    }
    let typed = PluginSearchQuery { text: said, synonyms: vec![], boosts: vec![], filters: vec![] };
    let PluginSearchQuery { text, synonyms, boosts, filters } = call.rewrite_search(typed).await;
    let synonym = |SearchSynonym { term, alternatives }: SearchSynonym| Synonym { term, alternatives };
    let field = |field| match field {
        SearchField::Title => Field::Title,
        SearchField::Keywords => Field::Keywords,
        SearchField::Authors => Field::Authors,
        SearchField::Summary => Field::Summary,
        SearchField::Body => Field::Body,
    };
    let filter = |filter| match filter {
        SearchFilter::YearFrom(year) => Filter::YearFrom(year),
        SearchFilter::YearTo(year) => Filter::YearTo(year),
        SearchFilter::Journal(key) => Filter::Journal(key),
        SearchFilter::Kind(kind) => Filter::ArticleType(kind),
        SearchFilter::OpenAccess(open) => Filter::OpenAccess(open),
    };
    let query = query.saying(&text);
    let mut all = query.filters.clone();
    all.extend(filters.into_iter().map(filter));
    Query {
        synonyms: synonyms.into_iter().map(synonym).collect(),
        boosts: boosts.into_iter().map(|boost| (field(boost.field), boost.percent)).collect(),
        filters: all,
        ..query
    }
}

/// Adds the weights, synonyms and stop words of a site. What a plugin says of a field or word goes before.
fn configured(site: &SearchConfig, query: Query) -> Query {
    let SearchWeights { title, keywords, authors, summary, body } = site.weights;
    let weights = [
        (Field::Title, title),
        (Field::Keywords, keywords),
        (Field::Authors, authors),
        (Field::Summary, summary),
        (Field::Body, body),
    ];
    // Of the weights of a field, the last one holds.
    let mut boosts: Vec<(Field, u32)> =
        weights.into_iter().filter(|(_, percent)| *percent != SearchWeights::USUAL).collect();
    boosts.extend(&query.boosts);
    let mut synonyms = query.synonyms.clone();
    synonyms.extend(synonyms_of(site, &query));
    Query { boosts, synonyms, stop_words: site.stop_words.clone(), ..query }
}

/// The synonyms of a site for the words of a query. A query takes a limited number of synonyms, and a site may have more: those that are likely
/// to occur come first.
fn synonyms_of(site: &SearchConfig, query: &Query) -> Vec<Synonym> {
    let texts = query.clauses.iter().map(|clause| clause.text.as_str());
    let typed: Vec<String> = std::iter::once(query.text.as_str()).chain(texts).map(title_key).collect();
    let occurs = |term: &str| {
        let beginning = stem(&title_key(term)).to_owned();
        typed.iter().any(|text| text.contains(&beginning))
    };
    let (mut likely, mut others) = (Vec::new(), Vec::new());
    for list in &site.synonyms {
        for term in list {
            let alternatives = list.iter().filter(|other| *other != term).cloned().collect();
            let all = if occurs(term) { &mut likely } else { &mut others };
            all.push(Synonym { term: term.clone(), alternatives });
        }
    }
    likely.extend(others);
    likely
}

/// The part of a term that its inflected forms have too: all but the last two letters of a longer word in an alphabet.
fn stem(term: &str) -> &str {
    let long = term.is_ascii() && term.len() > 5;
    if long { &term[..term.len() - 2] } else { term }
}

#[cfg(test)]
mod tests {
    use masthead_search::MAX_SYNONYMS;

    use super::*;

    fn site(lists: &[&[&str]]) -> SearchConfig {
        let owned = |list: &&[&str]| list.iter().map(|word| (*word).to_owned()).collect();
        SearchConfig { synonyms: lists.iter().map(owned).collect(), ..SearchConfig::default() }
    }

    #[test]
    fn each_word_of_a_list_stands_for_the_others() {
        let query = configured(&site(&[&["CO2", "carbon dioxide", "二氧化碳"]]), Query::typed("CO2"));
        let of = |term: &str| query.synonyms.iter().find(|synonym| synonym.term == term);
        assert_eq!(of("CO2").map(|synonym| synonym.alternatives.join("|")).as_deref(), Some("carbon dioxide|二氧化碳"));
        assert_eq!(of("二氧化碳").map(|synonym| synonym.alternatives.len()), Some(2));
    }

    #[test]
    fn synonyms_of_typed_words_are_not_crowded_out() {
        let many: Vec<[String; 2]> = (0..MAX_SYNONYMS).map(|n| [format!("word{n}x"), format!("other{n}x")]).collect();
        let mut config = site(&[]);
        config.synonyms = many.iter().map(|list| list.to_vec()).collect();
        config.synonyms.push(vec!["estuary".into(), "河口".into()]);
        for typed in ["estuaries and carbon", "长江河口", "\"ESTUARY\""] {
            let query = configured(&config, Query::typed(typed));
            let first = &query.synonyms[0].term;
            assert!(first == "estuary" || first == "河口", "{typed}: {first}");
        }
    }

    #[test]
    fn a_plugin_goes_before_the_site() {
        let mut config = site(&[&["tide", "ebb"]]);
        config.weights.title = 300;
        config.weights.body = 0;
        config.stop_words = vec!["the".into()];
        let plugins = Query {
            boosts: vec![(Field::Title, 50)],
            synonyms: vec![Synonym { term: "tide".into(), alternatives: vec!["flow".into()] }],
            ..Query::typed("tide")
        };
        let query = configured(&config, plugins);
        assert_eq!(query.boosts, [(Field::Title, 300), (Field::Body, 0), (Field::Title, 50)]);
        assert_eq!(query.synonyms[0].alternatives, ["flow"]);
        assert_eq!(query.stop_words, ["the"]);
        let plain = configured(&SearchConfig::default(), Query::typed("tide"));
        assert_eq!(plain, Query::typed("tide"), "a site without these leaves the query as it is");
    }
}
