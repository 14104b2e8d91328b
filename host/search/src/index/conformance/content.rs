//! The entries of the suite, and short forms of its requests.

use masthead_domain::{SiteId, resource::ResourceKind};

use crate::{
    analysis,
    entry::{Entry, EntryKind, ExactField, Subject, Texts, Update},
    index::{Hits, Index, PageOfHits, Position, Sites},
    query::{Expansion, Field, Phrase, Scope, Search, Term, Tree},
};

pub const SITE: SiteId = SiteId(1);
pub const OTHER: SiteId = SiteId(2);
pub const PICTURE: EntryKind = EntryKind::Resource(ResourceKind::Picture);

/// All fields with the usual weights.
pub const WEIGHTS: [(Field, u32); 8] = [
    (Field::Title, 100),
    (Field::Keywords, 100),
    (Field::Authors, 100),
    (Field::Company, 100),
    (Field::Fund, 100),
    (Field::Publication, 100),
    (Field::Summary, 100),
    (Field::Body, 100),
];

pub fn article(id: i64, title: &str) -> Entry {
    Entry { id, article: id, title: title.into(), article_type: "research-article".into(), ..Entry::default() }
}

pub fn put(site: SiteId, entries: Vec<Entry>) -> Update {
    Update { site, subject: Subject::Article(entries.first().map_or(0, |entry| entry.article)), entries }
}

pub const fn at(change: i64) -> Position {
    Position { change, mark: change * 1_000 + 7 }
}

fn first() -> Entry {
    let title = Texts::from_iter([("en", "Carbon in seagrass meadows"), ("zh", "海草床中的碳")]);
    Entry {
        title,
        authors: "Ada Ellingham\nLin Wei".into(),
        people: vec!["Ada Ellingham".into(), "Lin Wei".into()],
        company: "Institute of Tidal Studies".into(),
        funds: vec!["Ocean Fund 17".into()],
        keywords: "seagrass\nblue carbon".into(),
        summary: "Meadows of seagrass keep carbon in the sediment.".into(),
        text: "The leaves slow the water; carbon stays below. 海草床固定大量碳。".into(),
        publication: "Coastal Letters".into(),
        doi: "10.5555/Coast.2024.1".into(),
        columns: vec!["Review".into(), "Coast".into()],
        languages: vec!["en".into(), "zh-Hans".into()],
        exact_values: vec![(ExactField::FirstPage, "17".into()), (ExactField::Part, "B".into())],
        open_access: Some(true),
        references: 40,
        citations: 3,
        issue: "10".into(),
        first_status: 3,
        online_first: Some(true),
        updated: Some(10),
        date: "2024-05-02".into(),
        print_date: "2024-06-01".into(),
        year: Some(2024),
        journal: "coast".into(),
        ..article(1, "")
    }
}

fn second() -> Entry {
    Entry {
        authors: "Ellis Tidal".into(),
        people: vec!["Ellis Tidal".into()],
        keywords: "seagrass\nblue carbon\nloss".into(),
        summary: "Seagrass loss frees carbon.".into(),
        columns: vec!["REVIEW".into()],
        languages: vec!["en".into()],
        references: 5,
        citations: 9,
        issue: "2".into(),
        open_access: Some(false),
        online_first: Some(false),
        updated: Some(20),
        date: "2024-07".into(),
        year: Some(2024),
        journal: "coast".into(),
        ..article(2, "Loss of meadows")
    }
}

/// Three articles with their figures, a journal, and an article of another site.
pub async fn fill(index: &dyn Index) {
    let third = Entry {
        date: "2021-01-01".into(),
        year: Some(2021),
        journal: "stones".into(),
        references: 12,
        ..article(3, "Inscriptions in stone")
    };
    let picture =
        |id, article, title: &str| Entry { kind: PICTURE, id, article, title: title.into(), ..Entry::default() };
    let journal = Entry {
        kind: EntryKind::Publication,
        title: "Coastal Carbon".into(),
        journal: "coast".into(),
        exact_values: vec![(ExactField::Issn, "1234-567X".into())],
        ..Entry::default()
    };
    let batch = vec![
        put(SITE, vec![first(), picture(7, 1, "Figure 1\nCarbon by depth")]),
        put(SITE, vec![second(), picture(8, 2, "Figure 1\nCarbon by year")]),
        put(SITE, vec![third]),
        Update { site: SITE, subject: Subject::Publication("coast".into()), entries: vec![journal] },
        put(OTHER, vec![article(4, "Carbon elsewhere"), picture(9, 4, "Carbon elsewhere")]),
    ];
    index.apply(batch, at(5)).await.unwrap();
}

/// Words as a query has them.
pub fn terms(text: &str, reach: Expansion) -> Vec<Term> {
    let term = |word: analysis::Word| Term { forms: word.forms, typed: word.typed, position: word.position, reach };
    analysis::words(text).into_iter().map(term).collect()
}

/// Adjacent words in these fields.
pub fn phrase(scope: Scope, text: &str) -> Tree {
    Tree::Phrase(Phrase { scope, terms: terms(text, Expansion::Same), names: Vec::new() })
}

/// A word that reaches others.
pub fn reaching(text: &str, reach: Expansion) -> Tree {
    Tree::Phrase(Phrase { scope: Scope::Everything, terms: terms(text, reach), names: Vec::new() })
}

/// Adjacent words in any field.
pub fn word(text: &str) -> Tree {
    phrase(Scope::Everything, text)
}

/// A search of articles.
pub fn searched(tree: impl Into<Option<Tree>>) -> Search {
    Search { kinds: vec![EntryKind::Article], tree: tree.into(), weights: WEIGHTS.to_vec(), ..Search::default() }
}

pub async fn hits(index: &dyn Index, search: &Search) -> Hits {
    index.search(Sites::one(SITE), search.clone(), PageOfHits::at(0, 50)).await.unwrap()
}

/// The numbers of the hits in their order.
pub async fn ranked(index: &dyn Index, search: &Search) -> Vec<i64> {
    hits(index, search).await.hits.into_iter().map(|hit| hit.id).collect()
}

/// The numbers of the hits in ascending order.
pub async fn found(index: &dyn Index, search: &Search) -> Vec<i64> {
    let mut ids = ranked(index, search).await;
    ids.sort_unstable();
    ids
}
