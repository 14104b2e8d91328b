//! What the index is given of articles and tables, with a real database.
#![allow(clippy::unwrap_used, clippy::panic)]

use masthead_documents::figures_and_tables;
use masthead_domain::{
    Doi, Lang, LocalText,
    article::{Article, ArticleMeta, Contributor, Funding, JournalRef, LangText},
    card::ArticleCard,
    content::{Cell, Citation, Grid, Node, RefList, Reference, Row, Table},
    resource::{Book, BookContributor, Expert, News},
};
use masthead_search::EntryKind;
use masthead_store::NewArticle;

use super::*;

const SITE: SiteId = SiteId(7);
const OTHER: SiteId = SiteId(8);

fn article(doi: &str, cited: &str) -> Article {
    let title = |lang: &str, plain: &str| LangText { lang: lang.into(), plain: plain.into(), nodes: Vec::new() };
    let cell = |text: &str| Cell { nodes: vec![Node::text(text)], ..Cell::default() };
    let row = Row { cells: vec![cell("Salinity"), cell("34.7 psu")] };
    let table = Table {
        id: "t1".into(),
        label: "Table 1".into(),
        grids: vec![Grid { bodies: vec![vec![row]], ..Grid::default() }],
        ..Table::default()
    };
    let citation = Citation { doi: cited.into(), ..Citation::default() };
    let reference = Reference { citations: vec![citation], ..Reference::default() };
    let meta = ArticleMeta {
        source_key: format!("doi:{doi}"),
        doi: Some(Doi::parse(doi).unwrap()),
        language: "en-GB".into(),
        journal: JournalRef { title: "Salt".into(), ..JournalRef::default() },
        titles: vec![title("", "Salt of the sea"), title("zh", "海盐")],
        funding: vec![Funding { source: "Sea Fund".into(), awards: vec!["S-1".into()], ..Funding::default() }],
        contributors: vec![Contributor {
            role: "author".into(),
            collab: "Salt Group".into(),
            ..Contributor::default()
        }],
        subjects: vec!["Chemistry".into()],
        ..ArticleMeta::default()
    };
    let mut article = Article { meta, ..Article::default() };
    article.body.body = vec![Node::Table(Box::new(table))];
    article.body.reference_lists = vec![RefList { refs: vec![reference], ..RefList::default() }];
    article
}

async fn save(store: &Store, site: SiteId, doi: &str, cited: &str) -> i64 {
    let article = article(doi, cited);
    let (pictures, tables) = figures_and_tables::of(&article, &|_| None);
    let card = ArticleCard::of(&article, &[], &[]);
    let new = NewArticle { article, card, pictures, tables, ..NewArticle::default() };
    store.site(site).save_article(&new).await.unwrap().id().0
}

fn texts(texts: &masthead_search::Texts) -> Vec<(String, String)> {
    texts.parts().map(|(lang, text)| (lang.to_owned(), text.to_owned())).collect()
}

#[tokio::test]
async fn an_article_and_its_table_are_found_by_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("masthead.db")).await.unwrap();
    let id = save(&store, SITE, "10.5555/one.1", "").await;
    let updates = current(&store, &[(SITE, Subject::Article(id))]).await.unwrap();
    let of_article = updates.iter().find(|update| update.subject == Subject::Article(id)).unwrap();
    let [entry, table] = &of_article.entries[..] else { panic!("{of_article:?}") };
    assert_eq!(texts(&entry.title), [("en-GB".into(), "Salt of the sea".into()), ("zh".into(), "海盐".into())]);
    assert_eq!((entry.languages.as_slice(), entry.funds.join("|").as_str()), (&["en".to_owned()][..], "Sea Fund|S-1"));
    assert!(matches!(table.kind, EntryKind::Resource(ResourceKind::Table)));
    assert!(texts(&table.text).iter().any(|(_, text)| text == "Salinity 34.7 psu"), "{table:?}");
    assert_eq!(table.doi, "10.5555/one.1");
    let row = Subject::Resource(ResourceKind::Table, table.id);
    let alone = current(&store, &[(SITE, row)]).await.unwrap();
    let alone = &alone[0].entries[0];
    assert_eq!(texts(&alone.text), texts(&table.text), "also where the table alone is read");
    for table in [table, alone] {
        let filtered = (table.open_access, table.languages.join("|"), table.people.join("|"), table.columns.join("|"));
        let of_article =
            (entry.open_access, entry.languages.join("|"), entry.people.join("|"), entry.columns.join("|"));
        assert_eq!(filtered, of_article, "by what its article is filtered by");
        assert_eq!((table.open_access, table.people.is_empty()), (Some(false), false));
    }
}

#[tokio::test]
async fn resources_are_found_by_their_text_in_its_languages() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("masthead.db")).await.unwrap();
    let site = store.site(SITE);
    let en = |text: &str| LocalText::of(Lang::En, text);
    let title = LocalText([(Lang::Zh, "盐场开放".to_owned()), (Lang::En, "Salt pans open".to_owned())].into());
    let content = en("<p class=\"strong\">Salt is <strong>har</strong>vested.</p><p>Next year too.</p>");
    let news = News { key: "pans".into(), title, content, source: "Salt Office".into(), ..News::default() };
    let name = LocalText::of(Lang::Zh, "林薇");
    let organization = en("Institute of Salt");
    let expert = Expert { key: "lin".into(), name, organization, topic: "chemistry".into(), ..Expert::default() };
    let author = BookContributor {
        name: "Ada Ellingham".into(),
        bio: "<p>Born by the sea</p>".into(),
        ..BookContributor::default()
    };
    let book = Book {
        key: "salt".into(),
        title: en("A Book of Salt"),
        edition: "Second edition".into(),
        publisher: "Salt Press".into(),
        contributors: vec![author],
        ..Book::default()
    };
    let saved = [
        (ResourceKind::News, site.save_resource(&news).await.unwrap().id()),
        (ResourceKind::Expert, site.save_resource(&expert).await.unwrap().id()),
        (ResourceKind::Book, site.save_resource(&book).await.unwrap().id()),
    ];
    let subjects = saved.map(|(kind, id)| (SITE, Subject::Resource(kind, id)));
    let updates = current(&store, &subjects).await.unwrap();
    let entry = |kind: ResourceKind| {
        let mut entries = updates.iter().flat_map(|update| &update.entries);
        entries.find(|entry| entry.kind == EntryKind::Resource(kind)).unwrap()
    };
    let (news, expert, book) = (entry(ResourceKind::News), entry(ResourceKind::Expert), entry(ResourceKind::Book));
    let text = "Salt is har vested. Next year too.".to_owned();
    assert_eq!(texts(&news.text), [("en".to_owned(), text)], "without tags and their attributes");
    assert_eq!(news.languages, ["en", "zh"]);
    assert_eq!((news.open_access, news.journal.as_str()), (None, ""), "only articles have access and a journal");
    assert_eq!((expert.authors.as_str(), expert.people.join("|").as_str()), ("林薇", "林薇"));
    assert_eq!(texts(&expert.company), [("en".to_owned(), "Institute of Salt".to_owned())]);
    assert_eq!(expert.journal, "", "a topic is no journal");
    let found: Vec<String> = texts(&book.text).into_iter().map(|(_, text)| text).collect();
    assert_eq!(found, ["Second edition", "Born by the sea"]);
    assert_eq!((book.authors.as_str(), texts(&book.company)[0].1.as_str()), ("Ada Ellingham", "Salt Press"));
}

#[tokio::test]
async fn what_a_changed_article_cites_is_counted_again_on_every_site() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("masthead.db")).await.unwrap();
    let cited = save(&store, SITE, "10.5555/cited.1", "").await;
    let before = store.log_end().await.unwrap().seq;
    let citing = save(&store, OTHER, "10.5555/citing.1", "10.5555/CITED.1").await;
    let changes = store.changes_after(before, 10).await.unwrap();
    let subjects = |updates: &[Update]| -> Vec<(SiteId, Subject)> {
        let articles = updates.iter().filter(|update| matches!(update.subject, Subject::Article(_)));
        articles.map(|update| (update.site, update.subject.clone())).collect()
    };
    let told = updates(&store, &changes, 0).await.unwrap();
    assert_eq!(subjects(&told), [(SITE, Subject::Article(cited)), (OTHER, Subject::Article(citing))]);
    let of_cited = told.iter().find(|update| update.site == SITE && update.subject == Subject::Article(cited)).unwrap();
    assert_eq!(of_cited.entries[0].citations, 1);
    let filling = updates(&store, &changes, i64::MAX).await.unwrap();
    assert_eq!(
        subjects(&filling),
        [(OTHER, Subject::Article(citing))],
        "an index that is filled reads each article once"
    );
    let before = store.log_end().await.unwrap().seq;
    store.site(OTHER).save_external_citations(ArticleId(citing), 12).await.unwrap();
    let told = updates(&store, &store.changes_after(before, 10).await.unwrap(), 0).await.unwrap();
    assert_eq!(subjects(&told), [(OTHER, Subject::Article(citing))], "its own number changes no other");
    let of_citing = told.iter().find(|update| matches!(update.subject, Subject::Article(_))).unwrap();
    assert_eq!(of_citing.entries[0].citations, 12);
}
