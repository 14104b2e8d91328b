//! What the site and its plugins make of a query before it is searched.

use masthead_domain::site::{SearchConfig, SearchWeights};
use masthead_runtime::{
    Call,
    hook_types::{PluginSearchQuery, SearchBoost, SearchField, SearchFilter, SearchSynonym},
};
use masthead_search::{Field, Filter, Query, Synonym, title_key};

/// Limits on the input of plugins. The contract limits input plus additions, so room is left for additions.
const MAX_GIVEN_SYNONYMS: usize = PluginSearchQuery::MAX_SYNONYMS / 2;
const MAX_GIVEN_FILTERS: usize = PluginSearchQuery::MAX_FILTERS / 2;
const MAX_GIVEN_BOOSTS: usize = PluginSearchQuery::MAX_BOOSTS - FIELDS.len();

/// The fields of the contract, with those of the index.
const FIELDS: [(SearchField, Field); 5] = [
    (SearchField::Title, Field::Title),
    (SearchField::Keywords, Field::Keywords),
    (SearchField::Authors, Field::Authors),
    (SearchField::Summary, Field::Summary),
    (SearchField::Body, Field::Body),
];

/// Passes what was typed, with the conditions of an advanced search as a part of the text ([`Query::said`]), through the `search.rewrite` hooks
/// of the site's plugins, and adds what the site's configuration says of every search. Plugins are given the reader's filters, and the weights
/// and synonyms of the site, as far as the contract can say them; what they change of these holds. Filters that the reader chose are kept;
/// plugins can only add to them.
pub async fn rewritten(call: &mut Call, site: &SearchConfig, query: Query) -> Query {
    let (said, synonyms) = (query.said(), SiteSynonyms::of(site, &query));
    if said.trim().is_empty() {
        return configured(site, query, synonyms.without(&[]));
    }
    let given = for_plugins(site, &query, said, &synonyms);
    let returned = call.rewrite_search(given.clone()).await;
    changed(site, query, synonyms, &given, returned)
}

/// The query as plugins are given it.
fn for_plugins(site: &SearchConfig, query: &Query, text: String, synonyms: &SiteSynonyms) -> PluginSearchQuery {
    let is_word = |text: &String| text.len() <= SearchSynonym::MAX_WORD_BYTES && !text.contains(char::is_control);
    let fits = |Synonym { term, alternatives }: &&Synonym| {
        is_word(term) && alternatives.len() <= SearchSynonym::MAX_ALTERNATIVES && alternatives.iter().all(is_word)
    };
    let synonym = |Synonym { term, alternatives }: Synonym| SearchSynonym { term, alternatives };
    let weights = weights(site.weights);
    let boost = |(field, own): (SearchField, Field)| {
        let (_, percent) = weights.iter().find(|(weighed, _)| *weighed == own)?;
        Some(SearchBoost { field, percent: *percent })
    };
    PluginSearchQuery {
        text,
        synonyms: synonyms.likely.iter().filter(fits).take(MAX_GIVEN_SYNONYMS).cloned().map(synonym).collect(),
        boosts: FIELDS.into_iter().filter_map(boost).take(MAX_GIVEN_BOOSTS).collect(),
        filters: query.filters.iter().filter_map(said_filter).take(MAX_GIVEN_FILTERS).collect(),
    }
}

/// The query with what plugins changed of what they were given, and with what the site's configuration says of every search.
fn changed(
    site: &SearchConfig,
    query: Query,
    own: SiteSynonyms,
    given: &PluginSearchQuery,
    returned: PluginSearchQuery,
) -> Query {
    let PluginSearchQuery { text, synonyms, boosts, filters } = returned;
    let synonym = |SearchSynonym { term, alternatives }: SearchSynonym| Synonym { term, alternatives };
    let removed = given.synonyms.iter().filter(|one| !synonyms.contains(one)).cloned().map(synonym);
    let removed: Vec<Synonym> = removed.collect();
    let new = synonyms.into_iter().filter(|one| !given.synonyms.contains(one)).map(synonym);
    let mut all = query.filters.clone();
    all.extend(added(&given.filters, filters).into_iter().map(filter));
    let rewritten = Query {
        synonyms: new.collect(),
        boosts: changed_weights(&given.boosts, &boosts),
        filters: all,
        ..query.saying(&text)
    };
    // Other words have other synonyms.
    let own = if text == given.text { own } else { SiteSynonyms::of(site, &rewritten) };
    configured(site, rewritten, own.without(&removed))
}

/// The weights of fields that differ from those that were given. Of the weights of a field, the last one holds, and a field without one has
/// its usual weight. The contract's authors include their institutions.
fn changed_weights(given: &[SearchBoost], returned: &[SearchBoost]) -> Vec<(Field, u32)> {
    let weight = |boosts: &[SearchBoost], field| {
        let said = boosts.iter().rev().find(|boost| boost.field == field);
        said.map_or(SearchWeights::USUAL, |boost| boost.percent)
    };
    let mut changed = Vec::new();
    for (field, own) in FIELDS {
        let percent = weight(returned, field);
        if percent == weight(given, field) {
            continue;
        }
        changed.push((own, percent));
        if own == Field::Authors {
            changed.push((Field::Company, percent));
        }
    }
    changed
}

/// The filters that were returned without those that were given, each as often as it was.
fn added(given: &[SearchFilter], returned: Vec<SearchFilter>) -> Vec<SearchFilter> {
    let mut given: Vec<&SearchFilter> = given.iter().collect();
    let is_new = |filter: &SearchFilter| match given.iter().position(|one| *one == filter) {
        Some(place) => {
            given.swap_remove(place);
            false
        }
        None => true,
    };
    returned.into_iter().filter(is_new).collect()
}

/// A filter as the contract says it; `None` for one that it has not.
fn said_filter(filter: &Filter) -> Option<SearchFilter> {
    Some(match filter {
        Filter::YearFrom(year) => SearchFilter::YearFrom(*year),
        Filter::YearTo(year) => SearchFilter::YearTo(*year),
        Filter::Journal(key) => SearchFilter::Journal(key.clone()),
        Filter::ArticleType(kind) => SearchFilter::Kind(kind.clone()),
        Filter::OpenAccess(open) => SearchFilter::OpenAccess(*open),
        Filter::OnlineFirst(_) | Filter::Column(_) | Filter::Author(_) | Filter::Fund(_) | Filter::Language(_) => {
            return None;
        }
    })
}

fn filter(filter: SearchFilter) -> Filter {
    match filter {
        SearchFilter::YearFrom(year) => Filter::YearFrom(year),
        SearchFilter::YearTo(year) => Filter::YearTo(year),
        SearchFilter::Journal(key) => Filter::Journal(key),
        SearchFilter::Kind(kind) => Filter::ArticleType(kind),
        SearchFilter::OpenAccess(open) => Filter::OpenAccess(open),
    }
}

/// Adds the weights and stop words of a site, and these synonyms of it. What a plugin says of a field or word goes before.
fn configured(site: &SearchConfig, query: Query, own: impl Iterator<Item = Synonym>) -> Query {
    // Of the weights of a field, the last one holds.
    let mut boosts = weights(site.weights);
    boosts.extend(&query.boosts);
    let mut synonyms = query.synonyms.clone();
    synonyms.extend(own);
    Query { boosts, synonyms, stop_words: site.stop_words.clone(), ..query }
}

/// The weights of a site that are not the usual ones.
fn weights(weights: SearchWeights) -> Vec<(Field, u32)> {
    let SearchWeights { title, keywords, authors, company, fund, publication, summary, body } = weights;
    let all = [
        (Field::Title, title),
        (Field::Keywords, keywords),
        (Field::Authors, authors),
        (Field::Company, company),
        (Field::Fund, fund),
        (Field::Publication, publication),
        (Field::Summary, summary),
        (Field::Body, body),
    ];
    let usual = SearchWeights::USUAL;
    // Without a weight of their own, institutions have that of their authors.
    let is_said = |field: Field, percent: u32| percent != usual || (field == Field::Company && authors != usual);
    all.into_iter().filter(|(field, percent)| is_said(*field, *percent)).collect()
}

/// The synonyms of a site for the words of a query. A query takes a limited number of synonyms, and a site may have more: those that are likely
/// to occur come first.
struct SiteSynonyms {
    likely: Vec<Synonym>,
    others: Vec<Synonym>,
}

impl SiteSynonyms {
    fn of(site: &SearchConfig, query: &Query) -> Self {
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
        Self { likely, others }
    }

    /// All but those that plugins removed or replaced.
    fn without(self, removed: &[Synonym]) -> impl Iterator<Item = Synonym> {
        self.likely.into_iter().chain(self.others).filter(move |one| !removed.contains(one))
    }
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

    fn synonym(term: &str, alternatives: &[&str]) -> Synonym {
        Synonym { term: term.into(), alternatives: alternatives.iter().map(|&text| text.to_owned()).collect() }
    }

    fn given(site: &SearchConfig, query: &Query) -> PluginSearchQuery {
        for_plugins(site, query, query.said(), &SiteSynonyms::of(site, query))
    }

    /// The query of a site whose plugins make this of what they are given.
    fn with(site: &SearchConfig, query: &Query, change: impl FnOnce(&mut PluginSearchQuery)) -> Query {
        let given = given(site, query);
        let mut returned = given.clone();
        change(&mut returned);
        changed(site, query.clone(), SiteSynonyms::of(site, query), &given, returned)
    }

    fn unchanged(site: &SearchConfig, query: &Query) -> Query {
        with(site, query, |_| ())
    }

    #[test]
    fn each_word_of_a_list_stands_for_the_others() {
        let query = unchanged(&site(&[&["CO2", "carbon dioxide", "二氧化碳"]]), &Query::typed("CO2"));
        let of = |term: &str| query.synonyms.iter().find(|synonym| synonym.term == term);
        assert_eq!(of("CO2").map(|synonym| synonym.alternatives.join("|")).as_deref(), Some("carbon dioxide|二氧化碳"));
        assert_eq!(of("二氧化碳").map(|synonym| synonym.alternatives.len()), Some(2));
        assert_eq!(query.synonyms.len(), 3, "a plugin that changes nothing adds none");
    }

    #[test]
    fn synonyms_of_typed_words_are_not_crowded_out() {
        let many: Vec<[String; 2]> = (0..MAX_SYNONYMS).map(|n| [format!("word{n}x"), format!("other{n}x")]).collect();
        let mut config = site(&[]);
        config.synonyms = many.iter().map(|list| list.to_vec()).collect();
        config.synonyms.push(vec!["estuary".into(), "河口".into()]);
        for typed in ["estuaries and carbon", "长江河口", "\"ESTUARY\""] {
            let query = unchanged(&config, &Query::typed(typed));
            let first = &query.synonyms[0].term;
            assert!(first == "estuary" || first == "河口", "{typed}: {first}");
        }
        let query = with(&config, &Query::typed("mouth"), |query| query.text = "mouth OR estuary".into());
        assert_eq!(query.synonyms[0].term, "estuary", "also those of a plugin's words");
    }

    #[test]
    fn a_plugin_goes_before_the_site() {
        let mut config = site(&[&["tide", "ebb"]]);
        config.weights.title = 300;
        config.weights.body = 0;
        config.stop_words = vec!["the".into()];
        let query = with(&config, &Query::typed("tide"), |query| {
            query.boosts.push(SearchBoost { field: SearchField::Title, percent: 50 });
            let alternatives = vec!["flow".to_owned()];
            query.synonyms.insert(0, SearchSynonym { term: "tide".into(), alternatives });
        });
        assert_eq!(query.boosts, [(Field::Title, 300), (Field::Body, 0), (Field::Title, 50)]);
        assert_eq!(query.synonyms, [synonym("tide", &["flow"]), synonym("tide", &["ebb"]), synonym("ebb", &["tide"])]);
        assert_eq!(query.stop_words, ["the"]);
        let plain = unchanged(&SearchConfig::default(), &Query::typed("tide"));
        assert_eq!(plain, Query::typed("tide"), "a site without these leaves the query as it is");
    }

    #[test]
    fn every_field_has_a_weight() {
        let mut config = site(&[]);
        config.weights.company = 20;
        config.weights.fund = 0;
        config.weights.publication = 300;
        let query = unchanged(&config, &Query::typed("tide"));
        assert_eq!(query.boosts, [(Field::Company, 20), (Field::Fund, 0), (Field::Publication, 300)]);
        let mut config = site(&[]);
        config.weights.authors = 0;
        let query = unchanged(&config, &Query::typed("tide"));
        assert_eq!(query.boosts, [(Field::Authors, 0), (Field::Company, 100)], "institutions have their own");
    }

    #[test]
    fn plugins_are_given_what_the_contract_can_say() {
        let long = "海".repeat(100);
        let mut config = site(&[&["tide", "ebb"], &["salt", "brine"], &["tides", long.as_str()]]);
        config.weights.title = 300;
        config.weights.fund = 0;
        let journal = Filter::Journal("coast".into());
        let filters = vec![Filter::YearFrom(2019), Filter::Author("Lin Wei".into()), journal, Filter::OpenAccess(true)];
        let query = Query { filters, ..Query::typed("tides") };
        let alternatives = vec!["ebb".to_owned()];
        assert_eq!(
            given(&config, &query),
            PluginSearchQuery {
                text: "tides".into(),
                synonyms: vec![SearchSynonym { term: "tide".into(), alternatives }],
                boosts: vec![SearchBoost { field: SearchField::Title, percent: 300 }],
                filters: vec![
                    SearchFilter::YearFrom(2019),
                    SearchFilter::Journal("coast".into()),
                    SearchFilter::OpenAccess(true),
                ],
            }
        );
        let unchanged = unchanged(&config, &query);
        assert_eq!((&unchanged.filters, unchanged.synonyms.len()), (&query.filters, 6), "what was not given stays");
        assert_eq!(unchanged.boosts, [(Field::Title, 300), (Field::Fund, 0)]);
    }

    #[test]
    fn what_plugins_are_given_leaves_room_for_what_they_add() {
        let words: Vec<String> = (0..40).map(|number| format!("tide{number}")).collect();
        let mut config = site(&[&["tide", "ebb"]]);
        config.synonyms.insert(0, words);
        config.weights =
            SearchWeights { title: 200, keywords: 200, authors: 200, summary: 200, body: 200, ..config.weights };
        let filters = (2000..2020).map(Filter::YearFrom).collect();
        let query = Query { filters, ..Query::typed("tide tide0") };
        let given = given(&config, &query);
        assert_eq!(given.synonyms.len(), 1, "a list of 40 words has more alternatives than a plugin may return");
        assert_eq!((given.boosts.len(), given.filters.len()), (3, 8));
        let all = unchanged(&config, &query);
        assert_eq!((all.filters, all.synonyms.len()), (query.filters.clone(), 42), "what was not given stays");
        assert_eq!(all.boosts.len(), 6, "of the five fields, and of the institutions");
    }

    #[test]
    fn the_filters_of_the_reader_stay_and_those_of_plugins_follow() {
        let own = vec![Filter::YearFrom(2019), Filter::OpenAccess(true), Filter::Column("Letters".into())];
        let query = Query { filters: own.clone(), ..Query::typed("tide") };
        let filters = |change: fn(&mut Vec<SearchFilter>)| {
            let mut filters = with(&site(&[]), &query, |query| change(&mut query.filters)).filters;
            let added = filters.split_off(own.len());
            assert_eq!(filters, own);
            added
        };
        assert_eq!(filters(|all| all.push(SearchFilter::YearTo(2024))), [Filter::YearTo(2024)]);
        assert_eq!(filters(|all| all.insert(0, SearchFilter::YearTo(2024))), [Filter::YearTo(2024)]);
        assert_eq!(filters(Vec::clear), [], "none is removed");
        assert_eq!(
            filters(|all| *all = vec![SearchFilter::YearFrom(2021), SearchFilter::OpenAccess(true)]),
            [Filter::YearFrom(2021)]
        );
        assert_eq!(
            filters(|all| all.push(SearchFilter::OpenAccess(true))),
            [Filter::OpenAccess(true)],
            "it holds also where hits are counted without the reader's own"
        );
    }

    #[test]
    fn what_plugins_change_of_weights_and_synonyms_holds() {
        let mut config = site(&[&["tide", "ebb"], &["salt", "brine"]]);
        config.weights.title = 300;
        let query = Query::typed("tide");
        let changed = with(&config, &query, |query| query.boosts.clear());
        assert_eq!(changed.boosts, [(Field::Title, 300), (Field::Title, 100)], "the usual weight");
        let authors = SearchBoost { field: SearchField::Authors, percent: 40 };
        let changed = with(&config, &query, |query| query.boosts.push(authors));
        assert_eq!(changed.boosts, [(Field::Title, 300), (Field::Authors, 40), (Field::Company, 40)]);
        let changed = with(&config, &query, |query| query.synonyms[0].alternatives.push("flow".into()));
        let others = [synonym("ebb", &["tide"]), synonym("salt", &["brine"]), synonym("brine", &["salt"])];
        assert_eq!(changed.synonyms[0], synonym("tide", &["ebb", "flow"]));
        assert_eq!(changed.synonyms[1..], others, "a term has its alternatives once");
        let changed = with(&config, &query, |query| query.synonyms.clear());
        assert_eq!(changed.synonyms, others, "those of other words were not given");
    }
}
