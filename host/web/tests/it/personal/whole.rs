//! Export and erasure of all that a member owns.

use std::{
    collections::BTreeMap,
    io::{Cursor, Read as _},
};

use masthead_domain::resource::Comment;
use masthead_store::{Store, Window};
use serde_json::{Value, json};

use super::{ALBUMS, CIRCUITS, MEMBERS, OCEAN, PASSWORD, PNG, PORTAL, Reader, article};

/// Fills every list of a member.
fn fill(reader: &Reader, id: i64) {
    let items = json!({ "items": [{ "type": "article", "id": id }] });
    reader.data("POST", &format!("{MEMBERS}/collect"), &items);
    let cover = reader.upload("albumCover", "c.png", PNG).json()["data"]["id"].clone();
    let album =
        reader.data("POST", &format!("{ALBUMS}/saveAlbum"), &json!({ "name": "Tides", "cover": cover }))["id"].clone();
    let items = json!({ "albumId": album, "items": [{ "type": "article", "id": id }] });
    reader.data("POST", &format!("{ALBUMS}/res/addList"), &items);
    let search = json!({ "name": "Waves", "address": "/en/search?q=wave" });
    reader.data("POST", &format!("{MEMBERS}/searches"), &search);
    assert_eq!(reader.get(&format!("/rc-pub/front/page?path=/en/article/{id}")).status, 200);
    assert_eq!(reader.get(&format!("/rc-pub/front/front-article/download?id={id}&type=ris")).status, 200);
    let comment = Comment {
        article: id,
        text: "Well measured".into(),
        date: "2026-01-01T00:00:00Z".into(),
        ..Comment::default()
    };
    let comment = Comment { key: reader.token.chars().take(8).collect(), ..comment };
    let mine = PORTAL.app.store.site(reader.site).of_member(reader.id);
    PORTAL.run(mine.add_comment(&comment)).unwrap();
}

/// The files of an export.
fn export(reader: &Reader) -> BTreeMap<String, Vec<u8>> {
    let answer = reader.get(&format!("{MEMBERS}/export"));
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/zip"), "{:?}", answer.headers);
    assert!(answer.header("content-disposition").starts_with("attachment;"));
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let mut zip = zip::ZipArchive::new(Cursor::new(answer.bytes)).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

fn json_of(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Value {
    serde_json::from_slice(&files[name]).unwrap()
}

#[test]
fn an_export_has_everything_and_nothing_to_sign_in_with() {
    let (reader, other) = (Reader::new(OCEAN, "exporter"), Reader::new(OCEAN, "other-exporter"));
    fill(&reader, article());
    let files = export(&reader);
    let account = json_of(&files, "account.json");
    assert_eq!((&account["userName"], &account["email"]), (&json!("exporter"), &json!("exporter@example.org")));
    let favourites = json_of(&files, "favourites.json");
    let address = format!("http://oceanledger.localhost/en/article/{}", article());
    assert_eq!(favourites[0]["address"].as_str().map(|found| found.replace(&port(), "")), Some(address));
    let albums = json_of(&files, "albums.json");
    assert_eq!((&albums[0]["name"], albums[0]["items"].as_array().map(Vec::len)), (&json!("Tides"), Some(1)));
    for name in ["views.json", "downloads.json", "searches.json", "comments.json"] {
        assert_eq!(json_of(&files, name).as_array().map(Vec::len), Some(1), "{name}");
    }
    assert_eq!(json_of(&files, "sign-in.json")["sessions"].as_array().map(Vec::len), Some(1));
    let pictures: Vec<&String> = files.keys().filter(|name| name.starts_with("files/")).collect();
    assert_eq!(pictures.len(), 1, "{pictures:?}");
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".json")) {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(
            !text.contains("argon2") && !text.contains(&reader.token) && !text.contains("other-exporter"),
            "{name}"
        );
    }
    let empty = export(&other);
    assert_eq!(json_of(&empty, "favourites.json"), json!([]), "somebody else's is not in it");
}

fn port() -> String {
    format!(":{}", PORTAL.address.port())
}

#[test]
fn an_erased_account_is_gone_with_everything_in_it() {
    let (reader, other) = (Reader::new(OCEAN, "leaver"), Reader::new(OCEAN, "stayer"));
    let namesake = Reader::new(CIRCUITS, "leaver");
    fill(&reader, article());
    fill(&other, article());
    let path = format!("{MEMBERS}/account");
    let erase = |body: &Value| reader.said("DELETE", &path, body);
    assert_eq!(erase(&json!({})), (400, "Please enter the original password".to_owned()));
    assert_eq!(erase(&json!({ "password": "Wrong-Basin7" })).0, 400);
    assert_eq!(erase(&json!({ "code": "123456" })).0, 400);
    assert_eq!(reader.content(&format!("{MEMBERS}/collects")).len(), 1, "nothing is erased without a proof");
    // What is noted and not written when the account goes does not come back.
    reader.get(&format!("/rc-pub/front/page?path=/en/article/{}", article()));
    let answer = reader.ask("DELETE", &path, &json!({ "password": PASSWORD }));
    assert_eq!((answer.status, answer.json()["data"].clone()), (200, json!(true)), "{}", answer.text());
    assert_eq!(answer.json()["message"], "Your account and everything in it have been deleted");
    let cookies: Vec<_> =
        answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect();
    assert!(
        cookies.iter().any(|cookie| cookie.contains("mh_session=;") && cookie.contains("Max-Age=0")),
        "{cookies:?}"
    );
    assert_eq!(reader.get(&format!("{MEMBERS}/info")).status, 401);
    PORTAL.run(async {
        PORTAL.app.member_uses.flush(&PORTAL.app.store).await.unwrap();
        assert!(nothing_is_left(&PORTAL.app.store, &reader).await);
    });
    assert_eq!(other.content(&format!("{MEMBERS}/collects")).len(), 1);
    assert_eq!(namesake.get(&format!("{MEMBERS}/info")).status, 200, "the account of another site is another one");
    // The name is free again.
    Reader::new(OCEAN, "leaver");
}

async fn nothing_is_left(store: &Store, reader: &Reader) -> bool {
    let mine = store.site(reader.site).of_member(reader.id);
    let uses = [masthead_domain::member::Use::View, masthead_domain::member::Use::Download];
    let mut used = 0;
    for act in uses {
        used += mine.uses(act, Window::ALL).await.unwrap().total;
    }
    mine.member().await.unwrap().is_none()
        && mine.files().await.unwrap().is_empty()
        && mine.comments().await.unwrap().is_empty()
        && mine.searches().await.unwrap().is_empty()
        && mine.albums("", Window::ALL).await.unwrap().entries.is_empty()
        && mine.favourites(masthead_store::ItemFilter::default(), Window::ALL).await.unwrap().entries.is_empty()
        && used == 0
}
