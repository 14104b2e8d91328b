//! Checks of the demo's resource files: validity, completeness, and references to items and files.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use masthead_domain::{
    Lang, LocalText,
    resource::{
        Album, Audio, Board, Book, Collection, Column, Comment, Composite, Conference, Document, Expert, FriendLink,
        Information, ItemKind, ItemRef, News, NewsType, Patent, RankList, Resource, ResourceKind, Role, Standard, Tool,
        Topic, Video, Wechat,
    },
};

use masthead_content::import::{
    self,
    resources::{files, path_in_folder, read, value},
};

fn folder_of(folder: &Path) -> PathBuf {
    folder.join("resources")
}

/// The items of a file; empty if the file does not exist.
fn items(path: &Path) -> anyhow::Result<Vec<toml::Table>> {
    if path.exists() { Ok(read(path)?.1) } else { Ok(Vec::new()) }
}

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sites/demo")
}

const JOURNALS: [&str; 4] = ["ocean-ledger", "quiet-circuits", "field-notes-pedagogy", "script-and-stone"];

/// All resources of a kind in a demo folder.
fn all<T: Resource>(folder: &str) -> Vec<T> {
    let path = folder_of(&demo().join(folder)).join(format!("{}.toml", T::KIND.as_str()));
    let one = |item| value::<T>(item).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
    items(&path).unwrap_or_else(|error| panic!("{error:#}")).into_iter().map(one).collect()
}

fn keys<T: Resource>(folder: &str) -> BTreeSet<String> {
    all::<T>(folder).iter().map(|one| one.list_keys().key.to_owned()).collect()
}

/// DOIs of the handwritten articles in a demo folder.
fn dois(folder: &str) -> BTreeSet<String> {
    let files = import::collect(&[demo().join(folder).join("articles")]);
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    let doi = |text: String| {
        let (_, after) = text.split_once("<article-id pub-id-type=\"doi\">").unwrap();
        after.split('<').next().unwrap().to_owned()
    };
    texts.map(doi).collect()
}

fn both(text: &LocalText, what: &str) {
    for lang in [Lang::Zh, Lang::En] {
        assert!(text.exact(lang).is_some(), "{what} has no text in {lang}");
    }
}

#[test]
fn every_file_is_valid_and_every_kind_has_items() {
    let folders = JOURNALS.into_iter().chain(["library"]);
    for folder in folders {
        let resources = folder_of(&demo().join(folder));
        for entry in std::fs::read_dir(&resources).unwrap().flatten().filter(|entry| entry.path().is_file()) {
            let path = entry.path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            assert!(ResourceKind::parse(&name).is_some(), "{} is not named after a resource kind", path.display());
            assert!(!items(&path).unwrap().is_empty(), "{} is empty", path.display());
        }
    }
    for folder in JOURNALS {
        for count in [
            all::<Information>(folder).len(),
            all::<Column>(folder).len(),
            all::<Wechat>(folder).len(),
            all::<FriendLink>(folder).len(),
            all::<Composite>(folder).len(),
            all::<Album>(folder).len(),
            all::<Topic>(folder).len(),
            all::<Audio>(folder).len(),
            all::<Video>(folder).len(),
            all::<Conference>(folder).len(),
        ] {
            assert!(count > 0, "{folder} lacks items of a kind");
        }
        assert!(all::<Column>(folder).iter().any(|column| !column.parent.is_empty()), "{folder} has no nested column");
        let months: BTreeSet<u32> = all::<RankList>(folder).iter().map(|list| list.months).collect();
        assert_eq!(months, BTreeSet::from([0, 3, 6, 12, 24, 36]), "{folder}");
        let news = all::<News>(folder);
        assert!(news.len() >= 8, "{folder}");
        let kinds: Vec<bool> = NewsType::ALL.iter().map(|kind| news.iter().any(|one| one.kind == *kind)).collect();
        assert_eq!(kinds, [true; 4], "{folder}");
        let years: BTreeSet<String> = news.iter().map(|one| one.date[..4].to_owned()).collect();
        assert_eq!(years.len(), 3, "{folder}: news from three years");
        for one in &news {
            [&one.title, &one.summary, &one.content].into_iter().for_each(|text| both(text, &one.key));
        }
    }
    assert!(all::<Book>("library").len() >= 6);
    assert_eq!(all::<Document>("library").iter().map(|one| one.kind.as_str()).collect::<BTreeSet<_>>().len(), 3);
    assert!(
        !all::<Patent>("library").is_empty()
            && !all::<Standard>("library").is_empty()
            && !all::<Tool>("library").is_empty()
    );
}

#[test]
fn references_point_to_existing_items() {
    for folder in JOURNALS {
        let there = BTreeMap::from([
            (ItemKind::Article, dois(folder)),
            (ItemKind::Publication, BTreeSet::from([folder.to_owned()])),
            (ItemKind::Link, keys::<FriendLink>(folder)),
            (ItemKind::Wechat, keys::<Wechat>(folder)),
            (ItemKind::News, keys::<News>(folder)),
            (ItemKind::Album, keys::<Album>(folder)),
            (ItemKind::Audio, keys::<Audio>(folder)),
            (ItemKind::Video, keys::<Video>(folder)),
            (ItemKind::Expert, keys::<Expert>(folder)),
        ]);
        let look = |items: &[ItemRef], whose: &str| {
            for item in items {
                let known = there.get(&item.kind).is_some_and(|keys| keys.contains(&item.key));
                assert!(known, "{folder}: {whose} points to {item:?}, which does not exist");
            }
        };
        all::<Collection>(folder).iter().for_each(|one| look(&one.items, &one.key));
        all::<Album>(folder).iter().for_each(|one| look(&one.items, &one.key));
        all::<Topic>(folder).iter().for_each(|one| look(&one.items, &one.key));
        for page in all::<Composite>(folder) {
            page.blocks.iter().for_each(|block| look(&block.items, &page.key));
        }
        let article = |key: &str| key.is_empty() || there[&ItemKind::Article].contains(key);
        assert!(all::<Audio>(folder).iter().all(|one| article(&one.article_key)), "{folder}");
        assert!(all::<Video>(folder).iter().all(|one| article(&one.article_key)), "{folder}");
        let columns = keys::<Column>(folder);
        for column in all::<Column>(folder) {
            assert!(column.parent.is_empty() || columns.contains(&column.parent), "{}", column.key);
            assert_eq!(column.journal, folder);
        }
        let topics = keys::<Topic>(folder);
        for expert in all::<Expert>(folder) {
            assert!(expert.topic.is_empty() || topics.contains(&expert.topic), "{}", expert.key);
            both(&expert.name, &expert.key);
            assert!(passes(&expert.orcid), "{}", expert.orcid);
        }
        let boards = all::<Board>(folder);
        let seats: Vec<_> = boards.iter().flat_map(|board| &board.seats).collect();
        assert!(seats.iter().all(|seat| there[&ItemKind::Expert].contains(&seat.expert)), "{folder}");
        let roles: BTreeSet<Role> = seats.iter().map(|seat| seat.role).collect();
        assert_eq!(roles, Role::ALL.into_iter().collect(), "{folder}: every role is filled");
        assert!(there[&ItemKind::Expert].len() >= 8);
    }
}

/// ISO 7064 mod 11-2, as ORCID uses it.
fn passes(orcid: &str) -> bool {
    let digits: Vec<u32> =
        orcid.chars().filter(|c| *c != '-').map(|c| if c == 'X' { 10 } else { c.to_digit(10).unwrap() }).collect();
    let total = digits[..15].iter().fold(0, |total, digit| (total + digit) * 2);
    (12 - total % 11) % 11 == digits[15]
}

#[test]
fn isbns_have_valid_check_digits_and_are_not_assigned() {
    for book in all::<Book>("library") {
        let digits: Vec<u32> = book.key.chars().map(|c| c.to_digit(10).unwrap()).collect();
        assert_eq!(book.isbn.replace('-', ""), book.key);
        assert_eq!(digits.len(), 13);
        let sum: u32 = digits.iter().enumerate().map(|(at, digit)| digit * if at % 2 == 0 { 1 } else { 3 }).sum();
        assert_eq!(sum % 10, 0, "{}", book.isbn);
        assert!(book.isbn.starts_with("978-699-"), "{}: ISBNs of other groups may be assigned", book.isbn);
    }
}

#[test]
fn keys_are_unique_across_folders_and_files_exist() {
    let mut seen = BTreeSet::new();
    for folder in JOURNALS.into_iter().chain(["library"]) {
        let resources = folder_of(&demo().join(folder));
        for kind in ResourceKind::ALL {
            for mut item in items(&resources.join(format!("{}.toml", kind.as_str()))).unwrap() {
                let key = item["key"].as_str().unwrap().to_owned();
                // A site may list several folders.
                assert!(seen.insert((kind, key.clone())), "{key} is in two folders");
                for name in files(&mut item) {
                    let path = path_in_folder(&resources, name).unwrap();
                    assert!(path.is_file(), "{folder}: {key} names {name}");
                    let most = match path.extension().and_then(|ending| ending.to_str()) {
                        Some("webm") => 60_000,
                        Some("wav") => 40_000,
                        _ => 20_000,
                    };
                    assert!(path.metadata().unwrap().len() < most, "{name} is large");
                }
            }
        }
    }
    assert!(path_in_folder(Path::new("/a"), "../secret").is_err());
    assert!(path_in_folder(Path::new("/a"), "/etc/passwd").is_err());
}

#[test]
fn every_list_has_pictures_and_everything_plays() {
    for folder in JOURNALS {
        let pictured = |kind: &str, key: &str, picture: &str| {
            assert!(!picture.is_empty(), "{folder}: the {kind} {key} has no picture");
        };
        all::<News>(folder).iter().for_each(|one| pictured("news", &one.key, &one.cover));
        all::<Wechat>(folder).iter().for_each(|one| pictured("post", &one.key, &one.cover));
        all::<Conference>(folder).iter().for_each(|one| pictured("conference", &one.key, &one.cover));
        all::<Expert>(folder).iter().for_each(|one| pictured("expert", &one.key, &one.photo));
        all::<Collection>(folder).iter().for_each(|one| pictured("collection", &one.key, &one.cover));
        let albums = all::<Album>(folder);
        assert!(albums.len() >= 2, "{folder}: one album is no list");
        for album in &albums {
            pictured("album", &album.key, &album.cover);
            let kinds: BTreeSet<ItemKind> = album.items.iter().map(|item| item.kind).collect();
            let tabs = [ItemKind::Article, ItemKind::Publication, ItemKind::Audio, ItemKind::Video];
            assert!(tabs.iter().all(|tab| kinds.contains(tab)), "{folder}: {} has an empty tab", album.key);
        }
        let recordings = all::<Audio>(folder);
        assert!(recordings.len() >= 2, "{folder}: one recording is no list");
        for one in &recordings {
            assert!(one.file.ends_with(".wav") && one.seconds > 0, "{folder}: {} does not play", one.key);
            pictured("recording", &one.key, &one.cover);
            both(&one.transcript, &one.key);
        }
        for one in all::<Video>(folder) {
            assert!(one.file.ends_with(".webm") && one.seconds > 0, "{folder}: {} does not play", one.key);
            pictured("film", &one.key, &one.cover);
            both(&one.transcript, &one.key);
            both(&one.captions, &one.key);
        }
    }
    for book in all::<Book>("library") {
        assert!(!book.cover.is_empty() && !book.catalogue.is_empty(), "{}", book.key);
        assert!(book.contributors.iter().any(|one| !one.bio.is_empty()), "{} says nothing of its authors", book.key);
    }
    assert!(all::<Document>("library").iter().all(|one| !one.cover.is_empty()));
    assert!(all::<Patent>("library").len() >= 4 && all::<Standard>("library").len() >= 4);
}

#[test]
fn recordings_and_films_are_as_long_as_they_say() {
    for folder in JOURNALS {
        for one in all::<Audio>(folder) {
            let bytes = std::fs::read(folder_of(&demo().join(folder)).join(&one.file)).unwrap();
            let rate = u32::from_le_bytes(bytes[28..32].try_into().unwrap());
            let sound = u32::try_from(bytes.len() - 44).unwrap();
            assert_eq!((&bytes[..4], sound / rate), (&b"RIFF"[..], one.seconds), "{}", one.key);
        }
        for one in all::<Video>(folder) {
            let resources = folder_of(&demo().join(folder));
            let bytes = std::fs::read(resources.join(&one.file)).unwrap();
            assert_eq!(bytes[..4], [0x1a, 0x45, 0xdf, 0xa3], "{} is no WebM", one.key);
            for captions in one.captions.0.values() {
                let text = std::fs::read_to_string(resources.join(captions)).unwrap();
                let end =
                    text.lines().filter_map(|line| line.split_once(" --> ")).map(|(_, end)| end).next_back().unwrap();
                let end: f64 = end.rsplit(':').next().unwrap().parse().unwrap();
                assert!(text.starts_with("WEBVTT") && end <= f64::from(one.seconds), "{}: {captions}", one.key);
            }
        }
    }
}

#[test]
fn comments_are_on_articles_of_their_journal() {
    let mut dates = Vec::new();
    for folder in JOURNALS {
        let Ok(text) = std::fs::read_to_string(demo().join(folder).join("comments.toml")) else { continue };
        let file: super::CommentsFile = toml::from_str(&text).unwrap();
        let there = dois(folder);
        for one in file.comment {
            assert!(there.contains(one.doi.as_str()), "{folder} has no article {}", one.doi);
            let length = one.text.trim().chars().count();
            assert!((1..=Comment::MAX_LENGTH).contains(&length), "{length} characters: {}", one.text);
            dates.push(one.date.parse::<jiff::Timestamp>().unwrap());
        }
    }
    assert!(dates.len() >= 3 && dates.is_sorted(), "{dates:?}");
}

#[test]
fn file_names_are_found_at_any_depth_and_addresses_are_skipped() {
    let mut item: toml::Table = toml::from_str(
        "key = 'a'\ncover = 'covers/a.svg'\nphoto = 'https://a.example.org/p.png'\nlogo = '/media/1/x.svg'\nfile = ''\n\
         attachments = [{ name = 'n', file = 'b.csv' }]\ncaptions = { zh = 'z.vtt', en = 'e.vtt' }\ntitle = { zh = 't' }",
    )
    .unwrap();
    let mut names: Vec<String> = files(&mut item).into_iter().map(|name| name.clone()).collect();
    names.sort();
    assert_eq!(names, ["b.csv", "covers/a.svg", "e.vtt", "z.vtt"]);
    assert!(value::<News>(toml::from_str("key = 'a'\nheadline = 'b'").unwrap()).is_err(), "unknown keys are rejected");
    assert!(value::<News>(toml::Table::new()).is_err(), "the key is required");
}
