//! Tests of the key-value data of plugins.

use masthead_domain::SiteId;
use masthead_store::{PluginQuota, Put, Store};

const A: SiteId = SiteId(21);
const B: SiteId = SiteId(22);
const AMPLE: PluginQuota = PluginQuota { bytes: 1_000_000, keys: 1_000 };

pub async fn suite(store: &Store) {
    values_belong_to_a_site_and_a_plugin(store).await;
    any_bytes_are_kept(store).await;
    usage_follows_what_is_stored(store).await;
    a_quota_refuses_what_grows_beyond_it(store).await;
    keys_are_listed_by_prefix(store).await;
    writers_cannot_exceed_a_quota_together(store).await;
    clearing_and_writing_at_once_keeps_the_account(store).await;
}

async fn values_belong_to_a_site_and_a_plugin(store: &Store) {
    let before = store.latest_change().await.unwrap();
    let (a, b) = (store.site(A), store.site(B));
    assert_eq!(a.save_plugin_value("tags", "k", b"one", AMPLE).await.unwrap(), Put::Stored);
    assert_eq!(b.save_plugin_value("tags", "k", b"two", AMPLE).await.unwrap(), Put::Stored);
    assert_eq!(a.save_plugin_value("notes", "k", b"three", AMPLE).await.unwrap(), Put::Stored);
    assert_eq!(a.plugin_value("tags", "k").await.unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(b.plugin_value("tags", "k").await.unwrap().as_deref(), Some(&b"two"[..]));
    assert_eq!(a.plugin_value("notes", "k").await.unwrap().as_deref(), Some(&b"three"[..]));
    assert_eq!(b.plugin_value("notes", "k").await.unwrap(), None);
    assert_eq!(b.plugin_usage("notes").await.unwrap(), (0, 0));
    assert!(b.plugin_keys("notes", "", "", 10).await.unwrap().is_empty());
    assert!(!b.delete_plugin_value("notes", "k").await.unwrap());
    b.clear_plugin_values("notes").await.unwrap();
    b.clear_plugin_values("tags").await.unwrap();
    assert_eq!(b.plugin_value("tags", "k").await.unwrap(), None);
    assert_eq!(b.plugin_usage("tags").await.unwrap(), (0, 0));
    assert_eq!(a.plugin_usage("tags").await.unwrap(), (4, 1), "clearing is for one site and plugin");
    assert_eq!(a.plugin_usage("notes").await.unwrap(), (6, 1));
    assert_eq!(store.latest_change().await.unwrap(), before, "a plugin's state is not in the change log");
    assert_eq!(a.generation().await.unwrap(), 0);
}

async fn any_bytes_are_kept(store: &Store) {
    let site = store.site(A);
    let every: Vec<u8> = (0..=255).chain([0, 0, 39, 92]).collect();
    for (key, value) in [("every", every.as_slice()), ("none", b""), ("zero", b"\0"), ("digits", b"0123"), ("", b"e")] {
        assert_eq!(site.save_plugin_value("bytes", key, value, AMPLE).await.unwrap(), Put::Stored);
        assert_eq!(site.plugin_value("bytes", key).await.unwrap().as_deref(), Some(value), "{key}");
    }
    site.save_plugin_value("bytes", "with\0zero", b"z", AMPLE).await.unwrap();
    assert_eq!(site.plugin_value("bytes", "with").await.unwrap(), None);
    assert_eq!(site.plugin_keys("bytes", "with", "", 9).await.unwrap(), ["with\0zero"]);
}

async fn usage_follows_what_is_stored(store: &Store) {
    let site = store.site(A);
    site.save_plugin_value("usage", "海", &[1; 10], AMPLE).await.unwrap();
    assert_eq!(site.plugin_usage("usage").await.unwrap(), (13, 1), "a key counts in bytes");
    site.save_plugin_value("usage", "海", &[1; 4], AMPLE).await.unwrap();
    assert_eq!(site.plugin_usage("usage").await.unwrap(), (7, 1));
    site.save_plugin_value("usage", "海", &[1; 20], AMPLE).await.unwrap();
    site.save_plugin_value("usage", "b", b"", AMPLE).await.unwrap();
    assert_eq!(site.plugin_usage("usage").await.unwrap(), (24, 2));
    assert!(site.delete_plugin_value("usage", "海").await.unwrap());
    assert!(!site.delete_plugin_value("usage", "海").await.unwrap());
    assert_eq!(site.plugin_usage("usage").await.unwrap(), (1, 1));
    assert!(site.delete_plugin_value("usage", "b").await.unwrap());
    assert_eq!(site.plugin_usage("usage").await.unwrap(), (0, 0));
}

async fn a_quota_refuses_what_grows_beyond_it(store: &Store) {
    let site = store.site(A);
    let quota = PluginQuota { bytes: 10, keys: 2 };
    assert_eq!(site.save_plugin_value("quota", "a", &[1; 9], quota).await.unwrap(), Put::Stored, "just full");
    let over = Put::OverQuota { used: 10, limit: 10 };
    assert_eq!(site.save_plugin_value("quota", "b", b"", quota).await.unwrap(), over);
    assert_eq!(site.save_plugin_value("quota", "a", &[2; 10], quota).await.unwrap(), over);
    assert_eq!(
        site.plugin_value("quota", "a").await.unwrap(),
        Some(vec![1; 9]),
        "a refused write keeps the previous value"
    );
    assert_eq!(site.plugin_usage("quota").await.unwrap(), (10, 1));
    assert_eq!(site.save_plugin_value("quota", "a", &[3; 9], quota).await.unwrap(), Put::Stored, "as much as before");
    site.save_plugin_value("quota", "a", b"", quota).await.unwrap();
    site.save_plugin_value("quota", "b", b"", quota).await.unwrap();
    let full = Put::OverQuota { used: 2, limit: 2 };
    assert_eq!(site.save_plugin_value("quota", "c", b"", quota).await.unwrap(), full);
    assert_eq!(site.save_plugin_value("quota", "b", &[1; 8], quota).await.unwrap(), Put::Stored, "no new key");
    let lowered = PluginQuota { bytes: 4, keys: 1 };
    assert_eq!(site.save_plugin_value("quota", "b", &[1; 7], lowered).await.unwrap(), Put::Stored, "it shrinks");
    assert_eq!(site.plugin_usage("quota").await.unwrap(), (9, 2));
}

async fn keys_are_listed_by_prefix(store: &Store) {
    let site = store.site(A);
    let keys = ["a%", "a%b", "a_", "a_b", "ab", "aXb", "A", "é", "été", "海", "海一", "\u{10ffff}", "a\\", "a*", "a?"];
    for key in keys {
        site.save_plugin_value("keys", key, b"v", AMPLE).await.unwrap();
    }
    let list = async |prefix: &str, after: &str, limit| site.plugin_keys("keys", prefix, after, limit).await.unwrap();
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    assert_eq!(list("", "", 100).await, sorted, "in the order of bytes");
    assert_eq!(list("a%", "", 100).await, ["a%", "a%b"]);
    assert_eq!(list("a_", "", 100).await, ["a_", "a_b"]);
    assert_eq!(list("a\\", "", 100).await, ["a\\"]);
    assert_eq!(list("海", "", 100).await, ["海", "海一"]);
    assert_eq!(list("é", "", 100).await, ["é", "été"]);
    assert_eq!(list("é", "é", 100).await, ["été"]);
    assert_eq!(list("\u{10ffff}", "", 100).await, ["\u{10ffff}"]);
    assert!(list("b", "", 100).await.is_empty());
    let mut paged = Vec::new();
    while let page = list("", paged.last().map_or("", String::as_str), 4).await
        && !page.is_empty()
    {
        assert!(page.len() <= 4);
        paged.extend(page);
    }
    assert_eq!(paged, sorted);
}

async fn writers_cannot_exceed_a_quota_together(store: &Store) {
    // Several rounds, because in the first a writer may finish before the others have a connection.
    for round in 0..4 {
        race(store, &format!("race {round}")).await;
    }
}

async fn race(store: &Store, plugin: &str) {
    // A key and its value take 10 bytes: 12 of the 40 values fit, and no more than 12 calls may report theirs as stored.
    let quota = PluginQuota { bytes: 125, keys: 1_000 };
    let writers = (0..8).map(|writer| {
        let (site, plugin) = (store.site(A), plugin.to_owned());
        tokio::spawn(async move {
            let mut stored = 0;
            for number in 0..5 {
                let put =
                    site.save_plugin_value(&plugin, &format!("w{writer}-{number}"), &[7; 6], quota).await.unwrap();
                stored += usize::from(put == Put::Stored);
                assert!(site.plugin_usage(&plugin).await.unwrap().0 <= quota.bytes);
            }
            stored
        })
    });
    let mut stored = 0;
    for writer in writers.collect::<Vec<_>>() {
        stored += writer.await.unwrap();
    }
    let site = store.site(A);
    assert_eq!(stored, 12);
    assert_eq!(site.plugin_usage(plugin).await.unwrap(), (120, 12));
    assert_eq!(site.plugin_keys(plugin, "", "", 100).await.unwrap().len(), 12);
}

async fn clearing_and_writing_at_once_keeps_the_account(store: &Store) {
    let tasks = (0..6).map(|task| {
        let site = store.site(B);
        tokio::spawn(async move {
            for number in 0..8 {
                match task {
                    0 => site.clear_plugin_values("mixed").await.unwrap(),
                    1 => drop(site.delete_plugin_value("mixed", &format!("k{number}")).await.unwrap()),
                    _ => drop(
                        site.save_plugin_value("mixed", &format!("k{number}"), &vec![1; task * 3], AMPLE)
                            .await
                            .unwrap(),
                    ),
                }
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let site = store.site(B);
    let keys = site.plugin_keys("mixed", "", "", 100).await.unwrap();
    let mut bytes = 0;
    for key in &keys {
        bytes += key.len() + site.plugin_value("mixed", key).await.unwrap().unwrap().len();
    }
    let kept = (i64::try_from(bytes).unwrap(), i64::try_from(keys.len()).unwrap());
    assert_eq!(site.plugin_usage("mixed").await.unwrap(), kept);
}
