//! What uses which file, and the removal of files that nothing uses.

use masthead_domain::{
    ArticleId, SiteId,
    article::ArticleFile,
    publication::Journal,
    resource::{Comment, News},
};
use masthead_store::{Media, NewArticle, SiteStore, Store, UsedMedia};

use super::article;

const HERE: SiteId = SiteId(41);
const THERE: SiteId = SiteId(42);
const BATCHES: SiteId = SiteId(40);
const DAY: i64 = 24 * 60 * 60 * 1000;
/// Later than any moment that the other tests of the suite write.
const START: i64 = 8_000_000_000_000;

fn digest(letter: char) -> String {
    letter.to_string().repeat(64)
}

async fn save(site: &SiteStore, letter: char) {
    let media = Media { digest: digest(letter), name: "f".into(), mime: "image/png".into(), bytes: 1 };
    site.save_media(&media).await.unwrap();
}

async fn used(site: &SiteStore, letter: char) -> Option<(Vec<ArticleId>, bool)> {
    let used = site.used_media(&digest(letter)).await.unwrap();
    let together = site.files_in_use(&[&digest(letter), &digest('?')]).await.unwrap();
    let is_used = used.as_ref().is_some_and(|used| used.elsewhere || !used.articles.is_empty());
    assert_eq!(together.contains(&digest(letter)), is_used, "many files at once are told as one is");
    assert_eq!(together.len(), usize::from(is_used));
    used.map(|UsedMedia { articles, elsewhere, .. }| (articles, elsewhere))
}

/// An article of a site, with one file that came with it and one that its text shows.
fn with(site: SiteId, doi: &str, file: char, shown: char) -> NewArticle {
    let address = |letter| format!("/media/{site}/{}.png", digest(letter));
    NewArticle {
        files: vec![ArticleFile { name: "a.png".into(), address: address(file), ..ArticleFile::default() }],
        rendered: format!("{{\"html\":\"<img src=\\\"{}\\\">\"}}", address(shown)),
        ..article(doi, "With files", "1")
    }
}

async fn unused(store: &Store, days: i64) -> Vec<String> {
    let mut removed = Vec::new();
    let remove = |digest: &str| {
        removed.push(digest.to_owned());
        Ok(())
    };
    let count = store.remove_unused_media(days * DAY, remove).await.unwrap();
    assert_eq!(count, removed.len());
    removed
}

pub async fn suite(store: &Store, url: &str) {
    let (first, second) = uses_are_recorded(&store.clone().with_clock(|| START)).await;
    removed_files(store, first, second).await;
    articles_stored_together(store).await;
    rows_of_earlier_versions(store, url, second).await;
}

async fn uses_are_recorded(store: &Store) -> (ArticleId, ArticleId) {
    let site = store.site(HERE);
    for letter in ['a', 'b', 'c', 'd', 'e'] {
        save(&site, letter).await;
    }
    let first = site.save_article(&with(HERE, "10.5555/media.1", 'a', 'b')).await.unwrap().id();
    let second = site.save_article(&with(HERE, "10.5555/media.2", 'e', 'b')).await.unwrap().id();
    assert_eq!(used(&site, 'a').await, Some((vec![first], false)));
    assert_eq!(used(&site, 'b').await.unwrap().0.len(), 2, "both articles use it");
    assert_eq!(used(&site, 'd').await, None, "nothing has ever used it");
    assert_eq!(used(&store.site(THERE), 'a').await, None, "another site's");
    let address = |letter| format!("/media/{HERE}/{}.png", digest(letter));
    let journal = Journal { key: "media".into(), cover: address('c'), ..Journal::default() };
    site.save_journal(&journal).await.unwrap();
    assert_eq!(used(&site, 'c').await, Some((vec![], true)));
    // What readers write makes no file public.
    let comment = Comment { key: "k".into(), article: first.0, text: address('a'), ..Comment::default() };
    site.save_resource(&comment).await.unwrap();
    assert_eq!(used(&site, 'a').await, Some((vec![first], false)));
    let news = News { key: "n".into(), cover: address('d'), ..News::default() };
    site.save_resource(&news).await.unwrap();
    assert_eq!(used(&site, 'd').await, Some((vec![], true)));
    // A version that does not name a file any more ends its use.
    site.save_resource(&News { cover: String::new(), ..news.clone() }).await.unwrap();
    assert_eq!(used(&site, 'd').await, Some((vec![], false)));
    site.save_resource(&news).await.unwrap();
    (first, second)
}

async fn articles_stored_together(store: &Store) {
    let site = store.site(BATCHES);
    for letter in ['a', 'b', 'c'] {
        save(&site, letter).await;
    }
    let both = async |first: char, second: char| {
        let new = [with(BATCHES, "10.5555/media.4", first, first), with(BATCHES, "10.5555/media.5", second, second)];
        let saved = site.save_articles(&new).await;
        saved.into_iter().map(|one| one.unwrap().id()).collect::<Vec<ArticleId>>()
    };
    let ids = both('a', 'b').await;
    assert_eq!(used(&site, 'a').await, Some((vec![ids[0]], false)));
    assert_eq!(used(&site, 'b').await, Some((vec![ids[1]], false)));
    assert_eq!(both('c', 'b').await, ids);
    assert_eq!(used(&site, 'a').await, Some((vec![], false)), "its article names it no more");
    assert_eq!(used(&site, 'b').await, Some((vec![ids[1]], false)), "its article is the same");
    assert_eq!(used(&site, 'c').await, Some((vec![ids[0]], false)));
    both('a', 'a').await;
    assert_eq!(used(&site, 'a').await.unwrap().0.len(), 2, "both articles use it");
    assert_eq!(used(&site, 'c').await, Some((vec![], false)));
}

async fn removed_files(store: &Store, first: ArticleId, second: ArticleId) {
    let early = store.clone().with_clock(|| START);
    let later = store.clone().with_clock(|| START + 10 * DAY);
    let last = store.clone().with_clock(|| START + 60 * DAY);
    let (site, other) = (later.site(HERE), early.site(THERE));
    save(&other, 'a').await;
    let there = other.save_article(&with(THERE, "10.5555/media.3", 'a', 'a')).await.unwrap().id();
    assert!(site.remove_article(first).await.unwrap());
    assert_eq!(used(&site, 'a').await, Some((vec![], false)), "of a removed article only");
    assert_eq!(used(&site, 'b').await, Some((vec![second], false)), "another article uses it");
    assert!(unused(&later, 30).await.is_empty(), "it was used a moment ago");
    assert!(unused(&last, 30).await.is_empty(), "another site has a file with the same bytes");
    assert_eq!(used(&site, 'a').await, None, "but it is not this site's any more");
    assert_eq!(used(&other, 'a').await, Some((vec![there], false)));

    assert!(later.site(THERE).remove_article(there).await.unwrap());
    // A file that cannot be removed stays recorded and is tried again; one that an import has just stored again is kept.
    let failing = last.remove_unused_media(30 * DAY, |_| Err(std::io::ErrorKind::PermissionDenied.into()));
    assert_eq!(failing.await.unwrap(), 0);
    assert_eq!(used(&other, 'a').await, Some((vec![], false)));
    save(&last.site(THERE), 'a').await;
    assert!(unused(&last, 30).await.is_empty());
    let end = store.clone().with_clock(|| START + 100 * DAY);
    assert_eq!(unused(&end, 30).await, [digest('a')]);
    assert_eq!(other.media(&digest('a')).await.unwrap(), None);
    assert_eq!(used(&site, 'b').await, Some((vec![second], false)), "files in use are never removed");
}

/// Opening a database that an earlier version wrote records what its rows use.
async fn rows_of_earlier_versions(store: &Store, url: &str, second: ArticleId) {
    let older = sqlx::AnyPool::connect(url).await.unwrap();
    for statement in ["DELETE FROM media_uses", "UPDATE sequences SET value = 0 WHERE name = 'media_uses'"] {
        sqlx::query(statement).execute(&older).await.unwrap();
    }
    older.close().await;
    assert_eq!(used(&store.site(HERE), 'b').await, None);
    let opened = Store::open(url).await.unwrap();
    let site = opened.site(HERE);
    assert_eq!(used(&site, 'b').await, Some((vec![second], false)));
    assert_eq!(used(&site, 'e').await, Some((vec![second], false)));
    assert_eq!(used(&site, 'c').await, Some((vec![], true)));
    assert_eq!(used(&site, 'd').await, Some((vec![], true)));
    opened.close().await;
}
