//! Several lists of a site are read by one statement, each as if it were read alone.

use masthead_domain::{
    ArticleId, LocalText, SiteId,
    card::ArticleCard,
    publication::{Issue, Journal},
    resource::{News, NewsType, ResourceKind},
};
use masthead_store::{BrowseBy, CardQuery, Count, ListQuery, Ranking, Searched, SiteStore, Store};

use super::article;

const SITE: SiteId = SiteId(51);

fn titles(cards: impl IntoIterator<Item = ArticleCard>) -> Vec<String> {
    cards.into_iter().map(|card| card.titles[0].plain.clone()).collect()
}

/// Three articles of an issue, the second with a PDF, and one online first; their numbers in this order.
async fn fill(store: &Store, site: &SiteStore) -> Vec<ArticleId> {
    let mut ids = Vec::new();
    for (doi, title, page) in
        [("10.5555/lists.1", "Ebb", "1"), ("10.5555/lists.2", "Flow", "2"), ("10.5555/lists.3", "Salt", "3")]
    {
        let mut new = article(doi, title, page);
        if title == "Flow" {
            new.article.meta.pdf = "flow.pdf".into();
        }
        ids.push(site.save_article(&new).await.unwrap().id());
    }
    let mut online = article("10.5555/lists.4", "Silt \"pdf\":\"x\"", "");
    online.article.meta.issue.clear();
    online.article.meta.dates.online = "2026-04-01".into();
    online.card = ArticleCard::of(&online.article, &[], &[]);
    ids.push(site.save_article(&online).await.unwrap().id());
    for (key, kind, date) in [
        ("a", NewsType::Dynamic, "2026-01-01"),
        ("b", NewsType::Statement, "2026-01-03"),
        ("c", NewsType::Dynamic, "2026-01-02"),
    ] {
        let news = News { key: key.into(), kind, date: date.into(), ..News::default() };
        site.save_resource(&news).await.unwrap();
    }
    let count = |article: ArticleId, day: i64, visits: i64, downloads: i64| {
        let kind = "article".to_owned();
        Count { site: SITE, kind, entity: article.0, day, visits, downloads }
    };
    let counts = [count(ids[0], 100, 9, 1), count(ids[1], 200, 3, 2), count(ids[2], 200, 5, 0)];
    let search = |words: &str, reader: &str| Searched {
        site: SITE,
        day: 200,
        words: words.to_owned(),
        reader: reader.to_owned(),
    };
    let searches = [search("tides", "r"), search("tides", "s"), search("mud", "r")];
    store.add_counts(&counts, &searches).await.unwrap();
    ids
}

fn of(issue: &Issue) -> CardQuery {
    CardQuery::Issue { journal: issue.journal.clone(), year: issue.year, issue: issue.issue.clone() }
}

pub async fn suite(store: &Store) {
    let site = store.site(SITE);
    assert_eq!(site.lists(&[]).await.unwrap(), []);
    let ids = fill(store, &site).await;
    let journal = site.journals().await.unwrap()[0].key.clone();
    let issue = Issue { journal: journal.clone(), year: 2026, issue: "2".into(), ..Issue::default() };
    let of_issue = CardQuery::Issue { journal: journal.clone(), year: 2026, issue: "2".into() };
    let queries = [
        ListQuery::Articles(of_issue, 10),
        ListQuery::Pdfs(issue.clone(), 0..10),
        ListQuery::Articles(CardQuery::OnlineFirst, 10),
        ListQuery::Articles(CardQuery::Latest, 2),
        ListQuery::Articles(CardQuery::Journal(journal.clone()), 1),
        ListQuery::Ranked(Ranking::Visits, None, 2),
        ListQuery::Ranked(Ranking::Downloads, Some(150), 10),
        ListQuery::Resources(ResourceKind::News, String::new(), 2),
        ListQuery::Resources(ResourceKind::News, "dynamic".into(), 10),
        ListQuery::Resources(ResourceKind::Album, String::new(), 10),
        ListQuery::Numbers(vec![ResourceKind::News, ResourceKind::Book]),
        ListQuery::Words { since: 150, readers: 2, limit: 10 },
        ListQuery::Named(ResourceKind::News, "b".into()),
        ListQuery::Named(ResourceKind::News, "b\0".into()),
    ];
    let lists = site.lists(&queries).await.unwrap();
    assert_eq!(titles(lists[0].cards_of(&issue).unwrap()), ["Ebb", "Flow", "Salt"]);
    let ordered = Issue { articles: vec!["doi:10.5555/lists.3".into()], ..issue.clone() };
    assert_eq!(titles(lists[0].cards_of(&ordered).unwrap()), ["Salt", "Ebb", "Flow"]);
    // The first in the order of the editor is the last in page order: a limit does not cut it off.
    let limited = site.lists(&[ListQuery::OfIssue(ordered.clone(), 0..1)]).await.unwrap();
    assert_eq!(titles(limited[0].cards_of(&ordered).unwrap())[0], "Salt");
    parts_of_an_issue(&site, &issue, &ordered, ids[1]).await;
    let unordered = Issue { articles: Vec::new(), ..ordered.clone() };
    let limited = site.lists(&[ListQuery::OfIssue(unordered.clone(), 0..2)]).await.unwrap();
    assert_eq!(titles(limited[0].cards_of(&unordered).unwrap()), ["Ebb", "Flow"]);
    let cards = async |limit| titles(site.cards(&of(&ordered), None, limit).await.unwrap());
    assert_eq!(cards(2).await, ["Ebb", "Flow"]);
    site.save_issue(&ordered).await.unwrap();
    assert_eq!(
        (cards(1).await, cards(9).await),
        (vec!["Salt".to_owned()], vec!["Salt".into(), "Ebb".into(), "Flow".into()])
    );
    assert_eq!(lists[1].numbers().collect::<Vec<_>>(), [ids[1].0], "a title that looks like the field is none");
    let of = |index: usize| titles(lists[index].cards().unwrap().into_iter().map(|(_, card)| card));
    assert_eq!((of(2).len(), of(3).len(), of(4).len()), (1, 2, 1));
    assert_eq!(of(3)[0], of(2)[0], "the newest one");
    let ranked = |index: usize| -> Vec<(i64, String)> {
        let cards = lists[index].cards().unwrap();
        cards.into_iter().map(|(count, card)| (count, card.titles[0].plain.clone())).collect()
    };
    assert_eq!(ranked(5), [(9, "Ebb".to_owned()), (5, "Salt".to_owned())]);
    assert_eq!(
        ranked(6),
        [(2, "Flow".to_owned())],
        "within the window, and what was never downloaded is in no ranking"
    );
    let news = |index: usize| -> Vec<String> {
        lists[index].resources::<News>().unwrap().into_iter().map(|stored| stored.value.key).collect()
    };
    assert_eq!((news(7), news(8)), (vec!["b".to_owned(), "c".to_owned()], vec!["c".to_owned(), "a".to_owned()]));
    assert_eq!(lists[9], masthead_store::List::default());
    let numbers = lists[10].by_name();
    assert_eq!((numbers["article"], numbers["issue"], numbers["news"], numbers.get("book")), (4, 1, 3, None));
    assert_eq!(lists[11].names().collect::<Vec<_>>(), ["tides"]);
    assert_eq!((news(12), news(13)), (vec!["b".to_owned()], Vec::new()));

    let other = store.site(SiteId(52)).lists(&queries).await.unwrap();
    assert!(other.iter().enumerate().all(|(index, list)| index == 10 || list.numbers().count() == 0), "{other:?}");
    archive(&site, &journal).await;
    parts_of_the_archive(&site, &journal).await;
    parts_of_labels(store).await;
}

/// Pages of an issue by number, with and without an order of its editor. The second article is the one with a PDF.
async fn parts_of_an_issue(site: &SiteStore, issue: &Issue, ordered: &Issue, with_pdf: ArticleId) {
    let page = async |issue: &Issue, offset: u64| {
        let page = site.issue_page(issue, offset, 2).await.unwrap();
        (page.total, titles(page.cards))
    };
    let expected = |total: u64, names: &[&str]| (total, names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
    assert_eq!(page(issue, 0).await, expected(3, &["Ebb", "Flow"]));
    assert_eq!(page(issue, 2).await, expected(3, &["Salt"]));
    assert_eq!(page(issue, u64::MAX).await, expected(3, &[]));
    assert_eq!(page(ordered, 0).await, expected(3, &["Salt", "Ebb"]));
    assert_eq!(page(ordered, 2).await, expected(3, &["Flow"]));
    assert_eq!(page(ordered, u64::MAX).await, expected(3, &[]));
    let none = Issue { issue: "none".into(), ..issue.clone() };
    assert_eq!(page(&none, 0).await, expected(0, &[]));
    let queries = [
        ListQuery::OfIssue(issue.clone(), 1..2),
        ListQuery::Pdfs(issue.clone(), 1..2),
        ListQuery::Pdfs(issue.clone(), 2..10),
        ListQuery::Pdfs(ordered.clone(), 2..10),
        ListQuery::SizeOfIssue(issue.clone()),
        ListQuery::SizeOfIssue(none),
    ];
    let lists = site.lists(&queries).await.unwrap();
    assert_eq!(titles(lists[0].cards_of(issue).unwrap()), ["Flow"]);
    let pdfs = |index: usize| lists[index].numbers().collect::<Vec<_>>();
    assert_eq!((pdfs(1), pdfs(2)), (vec![with_pdf.0], Vec::new()), "of the same places");
    assert_eq!(pdfs(3), [with_pdf.0], "an issue with an order is read whole");
    assert_eq!((lists[4].total(), lists[5].total()), (3, 0));
}

/// The articles under some labels by pages: each once, under however many of them it stands, newest first.
async fn parts_of_labels(store: &Store) {
    let site = store.site(SiteId(1051));
    for number in 1..=5_u32 {
        let mut new = article(&format!("10.5555/labels.{number}"), &format!("Title {number}"), &number.to_string());
        new.article.meta.dates.online = format!("2026-03-0{number}");
        new.article.meta.subjects = match number {
            1 | 2 => vec!["Tides".into(), "潮汐".into()],
            3 => vec!["潮汐".into()],
            4 => vec!["Mud".into()],
            _ => vec!["Tides".into()],
        };
        new.card = ArticleCard::of(&new.article, &[], &[]);
        site.save_article(&new).await.unwrap();
    }
    let page = async |labels: &[&str], offset: u64| {
        let page = site.browse_page(BrowseBy::Subject, labels, offset, 2).await.unwrap();
        (page.total, titles(page.cards))
    };
    let expected = |total: u64, numbers: &[u32]| {
        (total, numbers.iter().map(|number| format!("Title {number}")).collect::<Vec<_>>())
    };
    let both = ["tides", " 潮汐 "];
    assert_eq!(page(&both, 0).await, expected(4, &[5, 3]));
    assert_eq!(page(&both, 2).await, expected(4, &[2, 1]));
    assert_eq!(page(&both, 4).await, expected(4, &[]));
    assert_eq!(page(&["MUD", "mud"], 0).await, expected(1, &[4]));
    assert_eq!(page(&["silt"], 0).await, expected(0, &[]));
    assert_eq!(page(&[], 0).await, expected(0, &[]));
    let authors = site.browse_page(BrowseBy::Author, &both, 0, 2).await.unwrap();
    assert_eq!((authors.total, authors.cards.len()), (0, 0));
    let elsewhere = store.site(SITE).browse_page(BrowseBy::Subject, &both, 0, 2).await.unwrap();
    assert_eq!((elsewhere.total, elsewhere.cards.len()), (0, 0), "of another site");
}

async fn archive(site: &SiteStore, journal: &str) {
    let issue = |number: &str, shown: bool| Issue {
        journal: journal.into(),
        year: 2027,
        issue: number.into(),
        title: LocalText::default(),
        shown,
        ..Issue::default()
    };
    site.save_issue(&issue("1", true)).await.unwrap();
    site.save_issue(&issue("2", false)).await.unwrap();
    site.save_journal(&Journal { key: "abc".into(), ..Journal::default() }).await.unwrap();
    let earlier = Issue { journal: "abc".into(), ..issue("5", true) };
    site.save_issue(&earlier).await.unwrap();
    let all: Vec<(String, i32, String, i64)> = site
        .archive()
        .await
        .unwrap()
        .into_iter()
        .map(|(issue, articles)| (issue.journal, issue.year, issue.issue, articles))
        .collect();
    let row =
        |journal: &str, year: i32, number: &str, articles: i64| (journal.to_owned(), year, number.to_owned(), articles);
    assert_eq!(all, [row("abc", 2027, "5", 0), row(journal, 2027, "1", 0), row(journal, 2026, "2", 3)]);
}

/// The issues of [`archive`] by pages: of two journals in one year, and of the first one in the year before.
async fn parts_of_the_archive(site: &SiteStore, journal: &str) {
    let years = site.archive_years().await.unwrap();
    assert_eq!(years.iter().map(|one| (one.year, one.issues)).collect::<Vec<_>>(), [(2027, 1), (2027, 1), (2026, 1)]);
    let all = site.archive().await.unwrap();
    let [of_second, newest, oldest] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((newest.0.journal.as_str(), oldest.1), (journal, 3));
    let part = async |oldest_first: bool, at: std::ops::Range<u64>| site.archive_part(oldest_first, at).await.unwrap();
    assert_eq!(part(false, 0..9).await, all);
    assert_eq!(part(false, 0..1).await, std::slice::from_ref(newest), "the journal that was added first");
    assert_eq!(part(false, 1..3).await, [of_second.clone(), oldest.clone()]);
    assert_eq!(part(true, 0..2).await, [newest.clone(), oldest.clone()], "in the order of the archive");
    assert_eq!(part(true, 2..3).await, std::slice::from_ref(of_second));
    assert!(part(false, 3..9).await.is_empty());
}
