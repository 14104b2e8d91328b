//! Names of sections that differ by case or spacing are one section.

use masthead_domain::{Lang, LocalText, SiteId, card::ArticleCard, resource::Column, section::SectionNames};
use masthead_store::{BrowseBy, CardQuery, ChangeAction, ChangeKind, NewArticle, Saved, SiteStore, Store};

use super::article;

fn in_sections(number: u32, subjects: &[&str]) -> NewArticle {
    let mut new = article(&format!("10.5555/section.{number}"), "Section", &number.to_string());
    new.article.meta.subjects = subjects.iter().map(|&subject| subject.to_owned()).collect();
    new.card = ArticleCard::of(&new.article, &[], &[]);
    new
}

/// The sections of the cards of a site, oldest number first.
async fn of_cards(site: &SiteStore) -> Vec<String> {
    let mut cards = site.cards(&CardQuery::Latest, None, 50).await.unwrap();
    cards.sort_by_key(|card| card.id);
    cards.into_iter().map(|card| card.subject).collect()
}

pub async fn suite(store: &Store) {
    let site = store.site(SiteId(52));
    let first = in_sections(1, &["Case Report", "Tides"]);
    let id = site.save_article(&first).await.unwrap().id();
    let batch = [in_sections(2, &["CASE  REPORT", "case report", "TIDES"]), in_sections(3, &["Case\u{a0}report"])];
    assert!(site.save_articles(&batch).await.iter().all(Result::is_ok));
    assert_eq!(of_cards(&site).await, ["Case Report"; 3], "the first spelling");
    let second = site.articles(&[masthead_domain::ArticleId(id.0 + 1)]).await.unwrap();
    assert_eq!(second.values().next().unwrap().meta.subjects, ["Case Report", "Tides"], "each section once");
    assert_eq!(
        site.browse_labels(BrowseBy::Subject, "", 9).await.unwrap(),
        [("case report".to_owned(), 3), ("tides".to_owned(), 2)]
    );
    for name in ["case report", "CASE REPORT", "CaseReport"] {
        assert_eq!(site.browse_articles(BrowseBy::Subject, name, 9).await.unwrap().len(), 3, "{name}");
    }
    assert_eq!(site.section("cAsE rEpOrT").await.unwrap().as_deref(), Some("Case Report"));
    assert_eq!(site.section("Report").await.unwrap(), None);
    let before = store.latest_change().await.unwrap();
    assert_eq!(site.save_articles(&batch).await.len(), 2);
    assert_eq!(store.latest_change().await.unwrap(), before, "the same source again changes nothing");
    assert_eq!(site.save_article(&first).await.unwrap(), Saved::Unchanged(id));
    // A section keeps its spelling when its first article is gone.
    assert!(site.remove_article(id).await.unwrap());
    site.save_article(&in_sections(4, &["case REPORT"])).await.unwrap();
    assert_eq!(of_cards(&site).await, ["Case Report"; 3]);
    assert_eq!(store.site(SiteId(53)).section("Case Report").await.unwrap(), None);
}

/// Articles tell the names of their sections in several languages.
pub async fn names(store: &Store) {
    let site = store.site(SiteId(68));
    let with_names = |number: u32, all: &[(Lang, &str)]| {
        let subjects: Vec<&str> = all.iter().map(|(_, name)| *name).collect();
        let mut new = in_sections(number, &subjects);
        let names = all.iter().map(|(lang, name)| (*lang, (*name).to_owned())).collect();
        new.article.meta.subject_names = vec![LocalText(names)];
        new
    };
    assert_eq!(site.shown_publications().await.unwrap().sections, SectionNames::new());
    site.save_article(&with_names(20, &[(Lang::Zh, "评论"), (Lang::En, "Commentary")])).await.unwrap();
    let second = [
        with_names(21, &[(Lang::En, "COMMENTARY"), (Lang::Fra, "Commentaire")]),
        with_names(22, &[(Lang::Zh, "潮汐"), (Lang::Fra, "Marées")]),
        in_sections(23, &["Letters"]),
    ];
    assert!(site.save_articles(&second).await.iter().all(Result::is_ok));
    let sections = site.shown_publications().await.unwrap().sections;
    for name in ["评论", "commentary", "Commentaire"] {
        let names = [Lang::Zh, Lang::En, Lang::Fra].map(|lang| sections.name(name, lang));
        assert_eq!(names, ["评论", "Commentary", "Commentaire"], "{name}");
    }
    assert_eq!(sections.name("Marées", Lang::En), "潮汐");
    assert_eq!(sections.of("Letters"), None);
    let stored = site.cards(&CardQuery::Latest, None, 9).await.unwrap();
    let id = stored.iter().find(|card| card.subject == "Commentary").unwrap().article_id();
    let meta = site.article(id).await.unwrap().unwrap().meta;
    assert_eq!(meta.subject_names[0].get(Lang::En), "Commentary", "in the spelling of the site");
    // A name is corrected by the next article that has it.
    site.save_article(&with_names(24, &[(Lang::Fra, "Commentaires"), (Lang::En, "Commentary")])).await.unwrap();
    let sections = site.shown_publications().await.unwrap().sections;
    assert_eq!(sections.name("评论", Lang::Fra), "Commentaires");
    // What the editors call a column stays, whatever articles call it.
    let title =
        LocalText([(Lang::Zh, "书评"), (Lang::En, "Letters")].map(|(lang, name)| (lang, name.to_owned())).into());
    let columns = [
        Column { key: "letters".to_owned(), title, ..Column::default() },
        Column { key: "tides".to_owned(), title: LocalText::of(Lang::Zh, "潮汐"), ..Column::default() },
    ];
    for column in &columns {
        site.save_resource(column).await.unwrap();
    }
    site.save_article(&with_names(25, &[(Lang::Zh, "来信"), (Lang::En, "Letters"), (Lang::Fra, "Lettres")]))
        .await
        .unwrap();
    let sections = site.shown_publications().await.unwrap().sections;
    for (name, zh) in [("letters", "书评"), ("书评", "书评"), ("来信", "来信")] {
        assert_eq!([Lang::Zh, Lang::En].map(|lang| sections.name(name, lang)), [zh, "Letters"], "{name}");
    }
    assert_eq!(sections.name("书评", Lang::Fra), "Letters");
    assert_eq!(sections.name("Letters", Lang::Fra), "Lettres");
    assert_eq!(sections.name("潮汐", Lang::Fra), "Marées", "a column with one name takes none away");
    assert_eq!(store.site(SiteId(69)).shown_publications().await.unwrap().sections, SectionNames::new());
}

/// Rows of versions that did not know sections are corrected when the database is opened.
pub async fn earlier_rows(store: &Store, url: &str) {
    let site = store.site(SiteId(54));
    let mut ids = Vec::new();
    for number in 10..13 {
        ids.push(site.save_article(&in_sections(number, &["Letters"])).await.unwrap().id());
    }
    let earlier = sqlx::AnyPool::connect(url).await.unwrap();
    for statement in [
        format!(
            "UPDATE articles SET work_key = '', meta = REPLACE(meta, 'Letters', 'LETTERS'), \
                 card = REPLACE(card, 'Letters', 'LETTERS') WHERE site_id = 54 AND id = {}",
            ids[1].0
        ),
        "DELETE FROM sections WHERE site_id = 54".to_owned(),
        "UPDATE sequences SET value = 0 WHERE name = 'sections'".to_owned(),
    ] {
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&earlier).await.unwrap();
    }
    assert_eq!(of_cards(&site).await, ["Letters", "LETTERS", "Letters"]);
    let before = store.latest_change().await.unwrap();
    for _ in 0..2 {
        Store::open(url).await.unwrap().close().await;
        assert_eq!(of_cards(&site).await, ["Letters"; 3]);
        let log = store.changes_after(before, 9).await.unwrap();
        let said: Vec<_> = log.iter().map(|line| (line.kind, line.action, line.entity.clone())).collect();
        assert_eq!(said, [(ChangeKind::Article, ChangeAction::Replaced, ids[1].0.to_string())], "once");
    }
    assert_eq!(site.article(ids[1]).await.unwrap().unwrap().meta.subjects, ["Letters"]);
    assert_eq!(site.browse_articles(BrowseBy::Subject, "letters", 9).await.unwrap().len(), 3);
    let key: String =
        sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT work_key FROM articles WHERE id = {}", ids[1].0)))
            .fetch_one(&earlier)
            .await
            .unwrap();
    assert_eq!(key.len(), 64);
    earlier.close().await;
}
