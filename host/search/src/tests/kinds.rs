//! Tests of kinds, advanced conditions, orders and counts by value.

use masthead_domain::{SiteId, resource::ResourceKind};

use super::{Tested, assert_bounded};
use crate::{
    Clause, Entry, EntryKind, ExactField, Facet, Field, Filter, Join, Order, Query, Sites, SortKey, Subject, Target,
    Update, compile, counts,
};

const SITE: SiteId = SiteId(1);
const OTHER: SiteId = SiteId(2);
const PICTURE: EntryKind = EntryKind::Resource(ResourceKind::Picture);

fn article(id: i64, title: &str, date: &str) -> Entry {
    Entry {
        id,
        article: id,
        title: title.into(),
        date: date.into(),
        year: date.get(..4).and_then(|year| year.parse().ok()),
        journal: "coast".into(),
        article_type: "research-article".into(),
        ..Entry::default()
    }
}

fn picture(id: i64, article: i64, title: &str) -> Entry {
    Entry { kind: PICTURE, id, article, title: title.into(), journal: "coast".into(), ..Entry::default() }
}

fn index() -> Tested {
    let index = Tested::new();
    let first = Entry {
        authors: "Ada Ellingham\nLin Wei".into(),
        people: vec!["Ada Ellingham".into(), "Lin Wei".into()],
        company: "Institute of Tidal Studies".into(),
        keywords: "seagrass\nblue carbon".into(),
        summary: "Meadows of seagrass keep carbon in the sediment.".into(),
        doi: "10.5555/coast.2024.1".into(),
        columns: vec!["Review".into(), "Coast".into()],
        exact_values: vec![
            (ExactField::FirstPage, "17".into()),
            (ExactField::LastPage, "29".into()),
            (ExactField::Part, "B".into()),
        ],
        open_access: Some(true),
        references: 40,
        issue: "10".into(),
        first_status: 3,
        online_first: Some(true),
        updated: Some(10),
        ..article(1, "Carbon in seagrass meadows", "2024-05-02")
    };
    let second = Entry {
        authors: "Ellis Tidal".into(),
        people: vec!["Ellis Tidal".into()],
        keywords: "seagrass\nblue carbon\nloss".into(),
        summary: "Seagrass loss frees carbon.".into(),
        columns: vec!["Review".into()],
        references: 5,
        issue: "2".into(),
        online_first: Some(false),
        updated: Some(20),
        ..article(2, "Loss of meadows", "2024-07")
    };
    let third = Entry { references: 12, ..article(3, "Inscriptions in stone", "2021-01-01") };
    let journal = Entry {
        kind: EntryKind::Publication,
        title: "Coastal Carbon".into(),
        company: "Institute of Tidal Studies".into(),
        journal: "coast".into(),
        exact_values: vec![(ExactField::Issn, "1234-567X".into()), (ExactField::Cn, "11-2345/P".into())],
        ..Entry::default()
    };
    let update = |subject, entries| Update { site: SITE, subject, entries };
    let batch = [
        update(Subject::Article(1), vec![first, picture(7, 1, "Figure 1\nCarbon by depth")]),
        update(Subject::Article(2), vec![second, picture(8, 2, "Figure 1\nCarbon by year")]),
        update(Subject::Article(3), vec![third]),
        update(Subject::Publication("coast".into()), vec![journal]),
        Update {
            site: OTHER,
            subject: Subject::Article(4),
            entries: vec![article(4, "Carbon elsewhere", "2024-01-01"), picture(9, 4, "Carbon elsewhere")],
        },
    ];
    index.apply(&batch, 5);
    index
}

fn ids(index: &Tested, query: &Query) -> Vec<i64> {
    index.search(SITE, query, 0, 20).hits.into_iter().map(|hit| hit.id).collect()
}

fn sorted(index: &Tested, query: &Query) -> Vec<i64> {
    let mut found = ids(index, query);
    found.sort_unstable();
    found
}

#[test]
fn a_value_that_is_rare_in_a_part_of_the_index_is_counted_there_too() {
    let index = Tested::new();
    let named = |id: i64, names: Vec<String>| Update {
        site: SITE,
        subject: Subject::Article(id),
        entries: vec![Entry { people: names, ..article(id, "Carbon", "2024-01-01") }],
    };
    // In the first part everybody writes with Ada, in the others she writes once, and 900 others write twice.
    let first: Vec<Update> =
        (0..400).map(|id| named(id, vec!["Ada Ellingham".into(), format!("First {id}")])).collect();
    index.apply(&first, 1);
    for part in 1..4_i64 {
        let others = (0..1_800).map(|id| named(part * 10_000 + id, vec![format!("Other {}", id % 900)]));
        let ada = std::iter::once(named(part * 10_000 + 5_000, vec!["ada ellingham".into()]));
        index.apply(&others.chain(ada).collect::<Vec<_>>(), part + 1);
    }
    let clusters = index.clusters(SITE, &Query::typed("carbon"));
    let authors = clusters.of(Facet::Author);
    assert_eq!(authors[0], ("Ada Ellingham".to_owned(), 403));
    assert!(authors[1..].iter().all(|(name, hits)| *hits == 6 && name.starts_with("Other ")), "{authors:?}");
    assert_eq!(authors.len(), 50);
}

#[test]
fn counts_of_kinds_and_filters_are_those_of_each_search() {
    let index = index();
    let article = vec![EntryKind::Article];
    let wanted = vec![
        (article.clone(), Vec::new()),
        (vec![PICTURE], Vec::new()),
        (article.clone(), vec![Filter::YearFrom(2024)]),
        (vec![EntryKind::Publication, PICTURE], Vec::new()),
        (article.clone(), vec![Filter::YearFrom(2022), Filter::YearTo(2021)]),
        (Vec::new(), Vec::new()),
        (vec![PICTURE], vec![Filter::YearFrom(2024)]),
    ];
    for text in ["carbon", "meadows", "elsewhere", "stone"] {
        let search = compile(&Query::typed(text)).unwrap();
        let sites = Sites::one(SITE);
        let counted = index.runtime.block_on(counts(&index.index, &sites, &search, &wanted)).unwrap();
        let each: Vec<usize> = wanted
            .iter()
            .map(|(kinds, filters)| {
                let query = Query { kinds: kinds.clone(), filters: filters.clone(), ..Query::typed(text) };
                index.search(SITE, &query, 0, 20).total
            })
            .collect();
        assert_eq!(counted, each, "{text}");
    }
    let search = compile(&Query::typed("carbon")).unwrap();
    assert_eq!(index.runtime.block_on(counts(&index.index, &Sites::one(SITE), &search, &[])).unwrap(), [0_usize; 0]);
}

fn clause(join: Join, target: Target, text: &str, precise: bool) -> Clause {
    Clause { join, target, text: text.into(), precise }
}

fn advanced(clauses: Vec<Clause>) -> Query {
    Query { kinds: vec![EntryKind::Article], clauses, ..Query::default() }
}

#[test]
fn kinds_are_found_separately_and_together_on_their_site_only() {
    let index = index();
    let of = |kinds: &[EntryKind]| Query { kinds: kinds.to_vec(), ..Query::typed("carbon") };
    assert_eq!(sorted(&index, &of(&[EntryKind::Article])), [1, 2]);
    assert_eq!(sorted(&index, &of(&[PICTURE])), [7, 8]);
    assert_eq!(sorted(&index, &of(&[])), [0, 1, 2, 7, 8]);
    let journals = index.search(SITE, &of(&[EntryKind::Publication]), 0, 9);
    assert_eq!((journals.total, journals.hits[0].journal.as_str()), (1, "coast"));
    assert_eq!(index.search(OTHER, &of(&[PICTURE]), 0, 9).hits[0].id, 9);
}

#[test]
fn figures_are_removed_with_their_article() {
    let index = index();
    let carbon = Query { kinds: vec![], ..Query::typed("carbon") };
    index.apply(&[Update { site: SITE, subject: Subject::Article(1), entries: vec![] }], 6);
    assert_eq!(sorted(&index, &carbon), [0, 2, 8]);
    let subject = Subject::Resource(ResourceKind::Picture, 8);
    index.apply(&[Update { site: SITE, subject, entries: vec![] }], 7);
    assert_eq!(sorted(&index, &carbon), [0, 2]);
    let again = Update { site: SITE, subject: Subject::Publication("coast".into()), entries: vec![] };
    index.apply(&[again], 8);
    assert_eq!(sorted(&index, &carbon), [2]);
    assert_eq!(index.search(OTHER, &carbon, 0, 9).total, 2, "another site's stay");
}

#[test]
fn conditions_search_their_field_only() {
    let index = index();
    let one = |target, text: &str, precise| sorted(&index, &advanced(vec![clause(Join::And, target, text, precise)]));
    assert_eq!(one(Target::Part(Field::Title), "seagrass", true), [1]);
    assert_eq!(one(Target::Part(Field::Keywords), "seagrass", true), [1, 2]);
    assert_eq!(one(Target::Part(Field::Authors), "tidal", true), [2]);
    assert_eq!(one(Target::Part(Field::Company), "tidal", true), [1]);
    assert_eq!(one(Target::Part(Field::Summary), "carbon AND NOT loss", true), [1]);
    assert_eq!(one(Target::Exact(ExactField::FirstPage), "17", true), [1]);
    assert_eq!(one(Target::Exact(ExactField::LastPage), "17", true), Vec::<i64>::new());
    assert_eq!(one(Target::Exact(ExactField::Part), "b", true), [1]);
    assert_eq!(one(Target::Doi, "https://doi.org/10.5555/COAST.2024.1", true), [1]);
    assert_eq!(one(Target::Doi, "10.5555/coast", true), Vec::<i64>::new());
    assert_eq!(one(Target::Doi, "10.5555/coast", false), [1], "a beginning");
    assert_eq!(one(Target::Everything, "tidal", true), [1, 2]);
    let journal = |target, text: &str| {
        ids(
            &index,
            &Query { kinds: vec![EntryKind::Publication], ..advanced(vec![clause(Join::And, target, text, true)]) },
        )
        .len()
    };
    assert_eq!(journal(Target::Exact(ExactField::Issn), "1234-567x"), 1);
    assert_eq!(journal(Target::Exact(ExactField::Cn), "11-2345/p"), 1);
    assert_eq!(journal(Target::Exact(ExactField::Cn), "1234-567x"), 0);
    assert_eq!(journal(Target::Part(Field::Company), "tidal studies"), 1);
}

#[test]
fn precise_conditions_match_as_typed_and_others_allow_for_one_letter() {
    let index = index();
    let title = |text: &str, precise| {
        sorted(&index, &advanced(vec![clause(Join::And, Target::Part(Field::Title), text, precise)]))
    };
    assert_eq!(title("seagrass carbon", true), Vec::<i64>::new());
    assert_eq!(title("seagrass carbon", false), [1]);
    assert_eq!(title("seagrass meadows", true), [1]);
    assert_eq!(title("seegrass", false), [1], "one letter differs");
    assert_eq!(title("seegrass", true), Vec::<i64>::new());
    assert_eq!(title("los", false), Vec::<i64>::new(), "short words match exactly");
}

#[test]
fn and_has_precedence_over_or_between_conditions() {
    let index = index();
    let title = |join, text: &str| clause(join, Target::Part(Field::Title), text, true);
    let found = |clauses| sorted(&index, &advanced(clauses));
    assert_eq!(found(vec![title(Join::And, "meadows"), title(Join::Not, "loss")]), [1]);
    assert_eq!(found(vec![title(Join::And, "stone"), title(Join::Or, "meadows"), title(Join::And, "loss")]), [2, 3]);
    assert_eq!(found(vec![title(Join::Not, "meadows")]), [3]);
    assert_eq!(
        found(vec![title(Join::Or, "stone"), title(Join::And, " ?! ")]),
        [3],
        "a condition without words is ignored"
    );
    assert_eq!(found(vec![title(Join::And, "")]), Vec::<i64>::new(), "nothing asked, nothing found");
    let both = Query { text: "carbon".into(), ..advanced(vec![title(Join::And, "loss")]) };
    assert_eq!(sorted(&index, &both), [2], "the typed text must match too");
    assert_eq!(sorted(&index, &Query { all: true, ..advanced(vec![]) }), [1, 2, 3]);
}

#[test]
fn hits_come_in_the_requested_order() {
    let index = index();
    let by = |order| ids(&index, &Query { all: true, order, ..advanced(vec![]) });
    assert_eq!(by(Order::Descending(SortKey::Date)), [2, 1, 3]);
    assert_eq!(by(Order::Ascending(SortKey::Date)), [3, 1, 2]);
    assert_eq!(by(Order::Descending(SortKey::Year)), [2, 1, 3], "equal ones by number");
    assert_eq!(by(Order::Descending(SortKey::Issue)), [1, 2, 3], "issue 10 is after issue 2; none is last");
    assert_eq!(by(Order::Ascending(SortKey::Issue)), [2, 1, 3], "none is last both ways");
    assert_eq!(by(Order::Descending(SortKey::References)), [1, 3, 2]);
    assert_eq!(by(Order::Descending(SortKey::FirstStatus)), [1, 3, 2]);
    assert_eq!(by(Order::Descending(SortKey::PrintDate)), [3, 2, 1]);
    assert_eq!(by(Order::Descending(SortKey::Updated)), [2, 1, 3]);
    assert_eq!(by(Order::Ascending(SortKey::Updated)), [1, 2, 3]);
}

#[test]
fn hits_are_counted_by_their_values() {
    let index = index();
    let all = Query { all: true, ..advanced(vec![]) };
    let clusters = index.clusters(SITE, &all);
    assert_eq!(clusters.total, 3);
    assert_eq!(*clusters.of(Facet::Year), [("2024".to_owned(), 2), ("2021".to_owned(), 1)]);
    assert_eq!(*clusters.of(Facet::Column), [("Review".to_owned(), 2), ("Coast".to_owned(), 1)]);
    assert_eq!(*clusters.of(Facet::Journal), [("coast".to_owned(), 3)]);
    assert_eq!(*clusters.of(Facet::ArticleType), [("research-article".to_owned(), 3)]);
    assert_eq!(clusters.of(Facet::Author).len(), 3);
    let under = |name: &str| Query { filters: vec![Filter::Column(name.into())], ..all.clone() };
    for name in ["Coast", " COAST ", "co\u{ad}ast"] {
        assert_eq!(ids(&index, &under(name)), [1], "{name:?}");
    }
    let published = |online| ids(&index, &Query { filters: vec![Filter::OnlineFirst(online)], ..all.clone() });
    assert_eq!((published(true), published(false)), (vec![1], vec![2]), "the third has no publish type");
    assert_eq!(*index.clusters(SITE, &under("Coast")).of(Facet::Year), [("2024".to_owned(), 1)]);
    assert_eq!(index.clusters(SITE, &Query::typed("")), crate::Clusters::default());
}

#[test]
fn extreme_conditions_do_not_fail() {
    let index = index();
    for text in ["(", "\"", "NOT ", "a OR ", "\"a b\" ", "海洋沉积物", "seagrasses ", "-", "\u{0}", "10.5555/"] {
        let long = text.repeat(10_000 / text.len());
        for target in [
            Target::Everything,
            Target::Part(Field::Body),
            Target::Part(Field::Company),
            Target::Doi,
            Target::Exact(ExactField::Cn),
        ] {
            for precise in [true, false] {
                let many = vec![clause(Join::Or, target, &long, precise); 40];
                let query = Query { text: long.clone(), ..advanced(many) };
                assert_bounded(&query);
                let hits = index.search(SITE, &query, 0, 20);
                assert!(hits.hits.iter().all(|hit| hit.id != 4), "{text}");
            }
        }
    }
}
