//! Changes by hand: versions, the audit trail, fields that imports keep, withdrawn articles.

use masthead_domain::{
    ArticleId, Doi, Lang, LocalText, SiteId,
    article::{JournalRef, RelatedArticle, Withdrawal},
    publication::{Issue, Journal},
    resource::{News, Picture, ResourceKind},
};
use masthead_store::{
    AuditEntry, AuditQuery, CardQuery, Changed, Count, EARLIER_DOIS, HarvestWindow, ImportedCount, IssueRenaming,
    Media, MovedArticle, NewArticle, Ranking, RecordChange, RedirectTarget, Saved, SiteStore, Store, StoreError,
    edits_stamp, subjects,
};
use serde_json::{Value, json};

const SITE: SiteId = SiteId(7301);

fn entry(who: &str, subject: &str) -> AuditEntry {
    AuditEntry {
        who: who.to_owned(),
        action: "changed".to_owned(),
        subject: subject.to_owned(),
        before: json!({ "a": 1 }),
        after: json!({ "a": 2 }),
    }
}

type Fields = Vec<(String, Option<Value>)>;

fn change<'a>(from: Option<&'a str>, entry: &'a AuditEntry, fields: &'a [(String, Option<Value>)]) -> RecordChange<'a> {
    RecordChange { from, entry, fields }
}

pub async fn suite(store: &Store) {
    let site = store.site(SITE);
    two_editors(store, &site).await;
    imports_keep_edits(&site).await;
    records_in_use_stay(store, &site).await;
    articles_are_edited(&site).await;
    articles_are_withdrawn(store, &site).await;
    counts_that_were_taken_over_are_forgotten_with_a_withdrawn_article(&site).await;
    journals_are_in_the_order_of_the_editors_and_then_of_their_addition(&store.site(SiteId(7309))).await;
    an_article_is_known_by_its_earlier_dois(&store.site(SiteId(7302))).await;
    an_issue_gets_another_number(store, SiteId(7303)).await;
}

async fn two_editors(store: &Store, site: &SiteStore) {
    let (tides, none) = (entry("ada", "journal/tides"), Fields::new());
    let journal = Journal { key: "tides".into(), title: LocalText::of(Lang::En, "Tides"), ..Journal::default() };
    assert_eq!(site.edit_journal(&journal, change(None, &tides, &none)).await.unwrap(), Changed::Made);
    assert_eq!(site.edit_journal(&journal, change(None, &tides, &none)).await.unwrap(), Changed::Stale, "it is there");
    let (read, version) = site.journal_record("tides").await.unwrap().unwrap();
    assert_eq!(read, journal);
    let first = Journal { frequency: LocalText::of(Lang::En, "Quarterly"), ..journal.clone() };
    let second = Journal { cn: "11-2345/P".into(), ..journal };
    assert_eq!(site.edit_journal(&first, change(Some(&version), &tides, &none)).await.unwrap(), Changed::Made);
    let before = store.latest_change().await.unwrap();
    let grace = entry("grace", "journal/tides");
    assert_eq!(site.edit_journal(&second, change(Some(&version), &grace, &none)).await.unwrap(), Changed::Stale);
    assert_eq!(site.journal_record("tides").await.unwrap().unwrap().0, first, "the first change is not lost");
    assert_eq!(site.latest_audit("journal/tides").await.unwrap().unwrap().entry, tides);
    assert_eq!(store.latest_change().await.unwrap(), before, "a refused change logs nothing");
    let all = |subject: &str, site| AuditQuery { site, subject: subject.into(), limit: 10, ..AuditQuery::default() };
    let lines = store.audit(&all("journal", Some(SITE))).await.unwrap();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].id > lines[1].id && lines.iter().all(|line| line.site == SITE && line.entry.who == "ada"));
    assert_eq!(store.audit(&all("journal/tide", Some(SITE))).await.unwrap(), [], "a subject is not a prefix");
    assert_eq!(store.audit(&all("JOURNAL", Some(SITE))).await.unwrap(), [], "capitals are other letters");
    assert_eq!(store.audit(&all("journal", Some(SiteId(448)))).await.unwrap(), []);
    let older = AuditQuery { older_than: Some(lines[0].id), ..all("journal/tides", None) };
    assert_eq!(store.audit(&older).await.unwrap(), lines[1..]);
    for subject in ["token/import", "journals/tides", "news/opening"] {
        site.note_audit(&entry("root", subject)).await.unwrap();
    }
    for (kinds, subject, expected) in [
        (vec!["journal"], "", &["journal/tides", "journal/tides"][..]),
        (vec!["journal", "news"], "", &["news/opening", "journal/tides", "journal/tides"]),
        (vec!["journal", "news"], "news", &["news/opening"]),
        (vec!["journal", "news"], "token", &[]),
        (subjects::kinds_of_records(), "", &["news/opening", "journal/tides", "journal/tides"]),
    ] {
        let query = AuditQuery { kinds, ..all(subject, Some(SITE)) };
        let found: Vec<String> =
            store.audit(&query).await.unwrap().into_iter().map(|line| line.entry.subject).collect();
        assert_eq!(found, expected, "{query:?}");
    }
}

async fn imports_keep_edits(site: &SiteStore) {
    let of = JournalRef { title: "Tides".into(), ..JournalRef::default() };
    let imported = Issue {
        year: 2026,
        issue: "3".into(),
        date: "2026-05".into(),
        title: LocalText::of(Lang::En, "On salt"),
        ..Issue::default()
    };
    site.merge_issue(&of, &imported).await.unwrap();
    let (issue, version) = site.issue_record("tides", 2026, "3").await.unwrap().unwrap();
    let edited = Issue { title: LocalText::of(Lang::En, "On silt"), ..issue };
    let line = entry("ada", "issue/tides/2026/3");
    let fields: Fields = vec![("title.en".into(), Some(json!("On silt")))];
    let made = site.edit_issue(&edited, change(Some(&version), &line, &fields)).await.unwrap();
    assert_eq!(made, Changed::Made);
    assert_eq!(site.merge_issue(&of, &imported).await.unwrap(), Saved::Unchanged(()));
    assert_eq!(site.kept_of_issue(&of, &imported).await.unwrap(), ["title.en"]);
    let dated = Issue { date: "2026-06".into(), ..imported.clone() };
    assert_eq!(site.merge_issue(&of, &dated).await.unwrap(), Saved::Updated(()));
    let (merged, version) = site.issue_record("tides", 2026, "3").await.unwrap().unwrap();
    assert_eq!((merged.title.get(Lang::En), merged.date.as_str()), ("On silt", "2026-06"));
    let released: Fields = vec![("title".into(), None)];
    site.edit_issue(&merged, change(Some(&version), &line, &released)).await.unwrap();
    assert_eq!(site.edits(&subjects::issue("tides", 2026, "3")).await.unwrap(), []);
    site.merge_issue(&of, &dated).await.unwrap();
    let (merged, _) = site.issue_record("tides", 2026, "3").await.unwrap().unwrap();
    assert_eq!(merged.title.get(Lang::En), "On salt", "a field that was given back is imported again");

    let news = News { key: "opening".into(), author: "Ada".into(), ..News::default() };
    site.save_resource(&news).await.unwrap();
    let (_, news, version) = site.resource_record::<News>("opening").await.unwrap().unwrap();
    let edited = News { author: "Grace".into(), ..news.clone() };
    let (line, fields) = (entry("ada", "news/opening"), vec![("author".to_owned(), Some(json!("Grace")))]);
    site.edit_resource(&edited, change(Some(&version), &line, &fields)).await.unwrap();
    let again = News { source: "Harbour".into(), ..news };
    let (saved, kept) = site.import_resource(&again).await.unwrap();
    assert!(matches!(saved, Saved::Updated(_)) && kept == ["author"]);
    let (_, stored, version) = site.resource_record::<News>("opening").await.unwrap().unwrap();
    assert_eq!((stored.author.as_str(), stored.source.as_str()), ("Grace", "Harbour"));
    let (none, kind) = (Fields::new(), ResourceKind::News);
    let stale = site.remove_resource_record(kind, "opening", change(Some("0"), &line, &none)).await.unwrap();
    assert_eq!(stale, Changed::Stale);
    let gone = site.remove_resource_record(kind, "opening", change(Some(&version), &line, &none)).await.unwrap();
    assert_eq!(gone, Changed::Made);
    assert_eq!(site.edits("news/opening").await.unwrap(), [], "what is removed has no edits");
}

fn article(doi: &str, title: &str) -> NewArticle {
    let mut new = crate::article(doi, title, "1");
    new.article.meta.journal = JournalRef { title: "Tides".into(), ..JournalRef::default() };
    (new.article.meta.issue, new.article.meta.year) = ("3".into(), Some(2026));
    new
}

async fn saved(site: &SiteStore, new: &NewArticle) -> ArticleId {
    site.save_article(new).await.unwrap().id()
}

async fn records_in_use_stay(store: &Store, site: &SiteStore) {
    let id = saved(site, &article("10.5555/tides.1", "One")).await;
    let (line, none) = (entry("ada", "journal/tides"), Fields::new());
    let (_, version) = site.journal_record("tides").await.unwrap().unwrap();
    let refused = site.remove_journal("tides", change(Some(&version), &line, &none)).await.unwrap();
    assert_eq!(refused, Changed::InUse(1));
    let (issue, version) = site.issue_record("tides", 2026, "3").await.unwrap().unwrap();
    let refused = site.remove_issue(&issue, change(Some(&version), &line, &none)).await.unwrap();
    assert_eq!(refused, Changed::InUse(1));
    site.remove_article(id).await.unwrap();
    let before = store.latest_change().await.unwrap();
    let removed = site.remove_issue(&issue, change(Some(&version), &line, &none)).await.unwrap();
    assert_eq!(removed, Changed::Made);
    assert_eq!(site.issue_record("tides", 2026, "3").await.unwrap(), None);
    assert_eq!(store.latest_change().await.unwrap(), before + 1, "pages and search follow the change log");
}

async fn articles_are_edited(site: &SiteStore) {
    let new = article("10.5555/tides.2", "Two");
    let id = saved(site, &new).await;
    let version = site.article_version(id).await.unwrap().unwrap();
    let mut edited = article("10.5555/tides.2", "Two, corrected");
    let (line, fields) = (entry("ada", "article/2"), vec![("titles.en".to_owned(), Some(json!("Two, corrected")))]);
    let stale = site.edit_article(id, &edited, change(Some("0"), &line, &fields)).await.unwrap();
    assert_eq!(stale, Changed::Stale);
    let made = site.edit_article(id, &edited, change(Some(&version), &line, &fields)).await.unwrap();
    assert_eq!(made, Changed::Made);
    assert_eq!(site.article(id).await.unwrap().unwrap().meta.title("en"), "Two, corrected");
    // An import that was converted before the edit would undo it.
    let refused = site.save_article(&new).await.unwrap_err();
    assert!(matches!(refused, StoreError::EditedMeanwhile(number) if number == id.0), "{refused}");
    let (known, edits) = site.edits_of_article("doi:10.5555/tides.2").await.unwrap().unwrap();
    assert_eq!((known, edits.len()), (id, 1));
    edited.article.meta.volume = "4".into();
    edited.edits = edits_stamp(&edits);
    assert_eq!(site.save_article(&edited).await.unwrap(), Saved::Updated(id));
    let gone = site.remove_article_record(id, change(Some("0"), &line, &Fields::new())).await.unwrap();
    assert_eq!(gone, Changed::Stale);
    site.remove_article(id).await.unwrap();
    assert_eq!(site.edits_of_article("doi:10.5555/tides.2").await.unwrap(), None);
}

async fn articles_are_withdrawn(store: &Store, site: &SiteStore) {
    let digest = "e7".repeat(32);
    let mut new = article("10.5555/tides.3", "Three");
    new.rendered = format!("{{\"html\":\"<img src='/media/{SITE}/{digest}.png'>\"}}");
    new.pictures = vec![Picture { element: "f1".into(), ..Picture::default() }];
    site.save_media(&Media { digest: digest.clone(), name: "f1.png".into(), mime: "image/png".into(), bytes: 1 })
        .await
        .unwrap();
    let id = saved(site, &new).await;
    let (present, doi) = (site.article(id).await.unwrap().unwrap(), Doi::parse("10.5555/tides.3").unwrap());
    let count = Count { site: SITE, kind: "article".into(), entity: id.0, day: 20_000, visits: 3, downloads: 1 };
    store.add_counts(&[count], &[]).await.unwrap();
    let version = site.article_version(id).await.unwrap().unwrap();
    let withdrawal = Withdrawal { date: "2026-05-01".into(), reason: LocalText::of(Lang::En, "Salt in the data") };
    let (line, none) = (entry("ada", &subjects::article(id)), Fields::new());
    let fields: Fields = vec![("withdrawn".into(), Some(json!({ "date": "2026-05-01" })))];
    let made = site.withdraw_article(id, &withdrawal, change(Some(&version), &line, &fields)).await.unwrap();
    assert_eq!(made, Changed::Made);
    assert!(site.article(id).await.unwrap().is_none() && site.article_id_by_doi(&doi).await.unwrap().is_none());
    assert_eq!(site.cards(&CardQuery::Latest, None, 10).await.unwrap(), []);
    assert_eq!(site.resource_count(ResourceKind::Picture, "").await.unwrap(), 0);
    let window = HarvestWindow { until_ms: i64::MAX, ..HarvestWindow::default() };
    let harvested = site.article_changes(&window, 100).await.unwrap();
    assert!(harvested.iter().any(|one| one.id == id && one.removed), "harvesters are told that it is gone");
    let tombstone = site.withdrawn_article(id).await.unwrap().unwrap();
    assert_eq!((&tombstone.withdrawal, tombstone.meta.title("en")), (&withdrawal, "Three"));
    assert_eq!(site.withdrawn_id_by_doi(&doi).await.unwrap(), Some(id));
    assert_eq!(site.withdrawn_articles(0, 10).await.unwrap().len(), 1);
    let used = site.used_media(&digest).await.unwrap().unwrap();
    assert!(!used.elsewhere && used.articles.is_empty(), "its files are served to nobody: {used:?}");
    // Without the withdrawn article, nothing uses the file from the moment of the withdrawal on.
    let _: usize = store.remove_unused_media(-1_000_000, |_: &str| std::io::Result::Ok(())).await.unwrap();
    assert!(site.media(&digest).await.unwrap().is_some(), "and they are kept");
    assert!(ranked(site).await.is_empty(), "rankings leave it out");
    // The import of the same article does not bring it back.
    let refused = site.save_article(&new).await.unwrap_err();
    assert!(matches!(refused, StoreError::EditedMeanwhile(_)), "{refused}");
    assert!(site.withdrawn_article(id).await.unwrap().is_some() && site.removed_article(id).await.unwrap().is_some());

    let other = Withdrawal { date: "2026-05-02".into(), ..withdrawal };
    let stale = site.edit_withdrawal(id, &other, change(Some(&version), &line, &none)).await.unwrap();
    assert_eq!(stale, Changed::Stale, "the version of the article is not that of its withdrawal");
    let edited = site.edit_withdrawal(id, &other, change(Some(&tombstone.version), &line, &none)).await.unwrap();
    assert_eq!(edited, Changed::Made);
    let tombstone = site.withdrawn_article(id).await.unwrap().unwrap();
    assert_eq!(tombstone.withdrawal, other);
    let released: Fields = vec![("withdrawn".into(), None)];
    let back = site.reinstate_article(id, change(Some(&tombstone.version), &line, &released)).await.unwrap();
    assert_eq!(back, Changed::Made);
    let again = site.article(id).await.unwrap().unwrap();
    assert_eq!((&again.meta, again.rendered.unsealed()), (&present.meta, present.rendered.unsealed()));
    assert_eq!(site.article_version(id).await.unwrap(), Some(version));
    assert_eq!(site.resource_count(ResourceKind::Picture, "").await.unwrap(), 1);
    assert!(site.removed_article(id).await.unwrap().is_none() && site.withdrawn_article(id).await.unwrap().is_none());
    assert_eq!(site.used_media(&digest).await.unwrap().unwrap().articles, [id]);
    assert_eq!(ranked(site).await, [id.0], "its counts are back");
    assert_eq!(site.save_article(&new).await.unwrap(), Saved::Unchanged(id));
}

async fn counts_that_were_taken_over_are_forgotten_with_a_withdrawn_article(site: &SiteStore) {
    let new = article("10.5555/tides.4", "Four");
    let id = saved(site, &new).await;
    let counts = [ImportedCount { article: id, day: Some(19_000), visits: 5, downloads: 1 }];
    assert_eq!(site.import_article_counts(&counts).await.unwrap(), 1);
    assert!(site.save_external_citations(id, 7).await.unwrap());
    let (line, none) = (entry("ada", &subjects::article(id)), Fields::new());
    let version = site.article_version(id).await.unwrap();
    let withdrawal = Withdrawal { date: "2026-05-01".into(), ..Withdrawal::default() };
    let made = site.withdraw_article(id, &withdrawal, change(version.as_deref(), &line, &none)).await.unwrap();
    assert_eq!(made, Changed::Made);
    let version = site.withdrawn_article(id).await.unwrap().unwrap().version;
    let gone = site.remove_article_record(id, change(Some(&version), &line, &none)).await.unwrap();
    assert_eq!(gone, Changed::Made);
    assert_eq!(saved(site, &new).await, id, "it has its number again");
    assert_eq!(site.totals("article", id.0).await.unwrap().visits, 0);
    assert_eq!(site.citation_counts(&[(id, None)]).await.unwrap().len(), 0);
    assert_eq!(site.import_article_counts(&counts).await.unwrap(), 1, "and gets its counts again");
    assert_eq!(site.totals("article", id.0).await.unwrap().visits, 5);
}

async fn journals_are_in_the_order_of_the_editors_and_then_of_their_addition(site: &SiteStore) {
    // Two journals have the same title; the order of their keys is another one than that in which they were added.
    for key in ["stone-b", "stone-a"] {
        let journal = Journal { key: key.into(), title: LocalText::of(Lang::En, "Stone"), ..Journal::default() };
        let line = entry("ada", &subjects::journal(key));
        assert_eq!(site.edit_journal(&journal, change(None, &line, &[])).await.unwrap(), Changed::Made);
    }
    let titled = |title: &str| {
        let mut new = article(&format!("10.5555/order.{title}"), title);
        new.article.meta.journal = JournalRef { title: title.into(), ..JournalRef::default() };
        new
    };
    let of = JournalRef { title: "Stone".into(), ..JournalRef::default() };
    let id = saved(site, &titled("Stone")).await;
    assert_eq!(site.journal_key(&of).await.unwrap().as_deref(), Some("stone-b"));
    assert_eq!(site.cards_by_id(&[id]).await.unwrap()[0].journal, "stone-b", "what is looked up is what is written");
    saved(site, &titled("Alder")).await;
    let keys: Vec<String> = site.journals().await.unwrap().into_iter().map(|journal| journal.key).collect();
    assert_eq!(keys, ["stone-b", "stone-a", "alder"]);
    // An editor puts one before the others; what is added later follows.
    let (alder, version) = site.journal_record("alder").await.unwrap().unwrap();
    let first = Journal { position: -1, ..alder };
    let line = entry("ada", &subjects::journal("alder"));
    assert_eq!(site.edit_journal(&first, change(Some(&version), &line, &[])).await.unwrap(), Changed::Made);
    saved(site, &titled("Elder")).await;
    let keys = async || site.journals().await.unwrap().into_iter().map(|journal| journal.key).collect::<Vec<_>>();
    assert_eq!(keys().await, ["alder", "stone-b", "stone-a", "elder"]);
    let (stone, version) = site.journal_record("stone-b").await.unwrap().unwrap();
    let line = entry("ada", &subjects::journal("stone-b"));
    let last = Journal { position: 5, ..stone };
    assert_eq!(site.edit_journal(&last, change(Some(&version), &line, &[])).await.unwrap(), Changed::Made);
    assert_eq!(keys().await, ["alder", "stone-a", "elder", "stone-b"]);
    assert_eq!(site.journal_key(&of).await.unwrap().as_deref(), Some("stone-a"));
    let mut another = article("10.5555/order.another", "Another");
    another.article.meta.journal = of;
    let id = saved(site, &another).await;
    let of_article = site.cards_by_id(&[id]).await.unwrap()[0].journal.clone();
    assert_eq!(of_article, "stone-a", "what is looked up is what is written");
}

async fn an_issue_gets_another_number(store: &Store, number: SiteId) {
    let site = &store.site(number);
    let id = saved(site, &article("10.5555/tides.8", "Eight")).await;
    let (from, version) = site.issue_record("tides", 2026, "3").await.unwrap().unwrap();
    let to = Issue { issue: "4".into(), ..from.clone() };
    let mut new = article("10.5555/tides.8", "Eight");
    new.article.meta.issue = "4".into();
    let of_article = site.article_version(id).await.unwrap().unwrap();
    let articles = [MovedArticle { id, version: of_article, new, entry: entry("ada", &subjects::article(id)) }];
    let fields: Fields = vec![("issue".into(), Some(json!("4")))];
    let [former, present] = ["/issue/2026/3", "/issue/2026/4"].map(|path| [path.to_owned()]);
    let renaming = IssueRenaming {
        from: &from,
        to: &to,
        articles: &articles,
        fields: &fields,
        former: &former,
        present: &present,
    };
    let (line, none) = (entry("ada", "issue/tides/2026/3"), Fields::new());

    // An article that came in the meantime would stay behind.
    let other = saved(site, &article("10.5555/tides.9", "Nine")).await;
    let before = store.latest_change().await.unwrap();
    let rename = async || site.rename_issue(renaming, change(Some(&version), &line, &none)).await.unwrap();
    assert_eq!(rename().await, Changed::Stale);
    assert_eq!(store.latest_change().await.unwrap(), before);
    assert!(site.issue_record("tides", 2026, "4").await.unwrap().is_none());
    assert!(site.remove_article(other).await.unwrap());
    assert_eq!(rename().await, Changed::Made);
    assert!(site.issue_record("tides", 2026, "3").await.unwrap().is_none());
    let place = CardQuery::Issue { journal: "tides".into(), year: 2026, issue: "4".into() };
    let cards = site.cards(&place, None, 9).await.unwrap();
    assert_eq!((cards.len(), cards[0].id), (1, id.0));
    let (_, kept) = site.edits_of_article("doi:10.5555/tides.8").await.unwrap().unwrap();
    assert_eq!(kept, [("issue".to_owned(), json!("4"))]);
    let target = RedirectTarget::Issue { journal: "tides".into(), year: 2026, issue: "4".into() };
    assert_eq!(store.redirect(number, "/issue/2026/3").await.unwrap(), Some(target));
    assert_eq!(rename().await, Changed::Stale, "it is not there any more");
}

async fn an_article_is_known_by_its_earlier_dois(site: &SiteStore) {
    let notice = |doi: &str, about: &str| {
        let mut new = article(doi, "Correction");
        let related = RelatedArticle { kind: "corrected-article".into(), href: about.into(), text: String::new() };
        (new.article.meta.article_type, new.article.meta.related) = ("correction".into(), vec![related]);
        new
    };
    let id = saved(site, &article("10.5555/wrong", "Tide tables")).await;
    let early = saved(site, &notice("10.5555/n.1", "10.5555/wrong")).await;
    let doi = |text: &str| Doi::parse(text).unwrap();
    let mut corrected = article("10.5555/wrong", "Tide tables");
    corrected.article.meta.doi = Some(doi("10.5555/right"));
    let version = site.article_version(id).await.unwrap().unwrap();
    let line = entry("ada", &subjects::article(id));
    let fields: Fields = vec![
        ("doi".into(), Some(json!("10.5555/right"))),
        (EARLIER_DOIS.into(), Some(json!(["10.5555/first", "10.5555/Wrong"]))),
    ];
    let made = site.edit_article(id, &corrected, change(Some(&version), &line, &fields)).await.unwrap();
    assert_eq!(made, Changed::Made);
    for known in ["10.5555/right", "10.5555/WRONG", "10.5555/first"] {
        assert_eq!(site.article_id_by_doi(&doi(known)).await.unwrap(), Some(id), "{known}");
    }
    assert_eq!(site.article_id_by_doi(&doi("10.5555/other")).await.unwrap(), None);
    let names = site.article_ids_by_names(&["10.5555/wrong", "https://doi.org/10.5555/FIRST", "10.5555/x"]).await;
    let mut names: Vec<_> = names.unwrap().into_iter().collect();
    names.sort();
    assert_eq!(names, [("10.5555/wrong".to_owned(), id), ("https://doi.org/10.5555/FIRST".to_owned(), id)]);
    let named = site.named_articles(&["10.5555/first", "10.5555/right", "10.5555/wrong"]).await.unwrap();
    assert_eq!(named.iter().map(|article| article.id).collect::<Vec<_>>(), [id], "by whichever of its DOIs, once");
    let earlier = site.named_articles(&["10.5555/none", "https://doi.org/10.5555/WRONG"]).await.unwrap();
    assert_eq!(earlier, named, "with the same numbers of figures and tables");

    // A source is of this article, whichever of the DOIs it has.
    let key = async |of: &str| site.other_source_key(&article(of, "Tide tables").article.meta).await.unwrap();
    assert_eq!(key("10.5555/right").await.as_deref(), Some("doi:10.5555/wrong"));
    assert_eq!(key("10.5555/First").await.as_deref(), Some("doi:10.5555/wrong"));
    assert_eq!((key("10.5555/wrong").await, key("10.5555/other").await), (None, None));

    // So is a notice, of before or of later.
    let late = saved(site, &notice("10.5555/n.2", "10.5555/first")).await;
    for notice in [early, late] {
        let found = site.notices(&[notice]).await.unwrap();
        assert_eq!(found[&notice][0].article, Some(id));
    }

    let version = site.article_version(id).await.unwrap().unwrap();
    let withdrawal = Withdrawal { date: "2026-05-01".into(), ..Withdrawal::default() };
    let fields: Fields = vec![("withdrawn".into(), Some(json!({ "date": "2026-05-01" })))];
    let made = site.withdraw_article(id, &withdrawal, change(Some(&version), &line, &fields)).await.unwrap();
    assert_eq!(made, Changed::Made);
    for known in ["10.5555/right", "10.5555/wrong", "10.5555/first"] {
        assert_eq!(site.article_id_by_doi(&doi(known)).await.unwrap(), None, "{known}");
        assert_eq!(site.withdrawn_id_by_doi(&doi(known)).await.unwrap(), Some(id), "{known}");
    }
    assert_eq!(key("10.5555/right").await.as_deref(), Some("doi:10.5555/wrong"));
    assert_eq!(site.article_ids_by_names(&["10.5555/first"]).await.unwrap().len(), 0);
    assert_eq!(site.unlinked_notices(9).await.unwrap().len(), 2, "a withdrawn article has no notices");
}

/// The articles by views.
async fn ranked(site: &SiteStore) -> Vec<i64> {
    let all = site.ranking("article", Ranking::Visits, None, 10).await.unwrap();
    all.into_iter().map(|(id, _)| id).collect()
}
