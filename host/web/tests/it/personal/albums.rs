//! Albums of members.

use serde_json::{Value, json};

use super::{ALBUMS, CIRCUITS, OCEAN, PNG, Reader, article};

fn album(reader: &Reader, draft: &Value) -> i64 {
    reader.data("POST", &format!("{ALBUMS}/saveAlbum"), draft)["id"].as_i64().unwrap()
}

#[test]
fn a_member_makes_fills_changes_and_deletes_albums() {
    let reader = Reader::new(OCEAN, "collector");
    let cover = reader.upload("albumCover", "c.png", PNG).json()["data"].clone();
    let id = album(&reader, &json!({ "name": "潮汐", "enName": "Tides", "cover": cover["id"] }));
    album(&reader, &json!({ "name": "Other" }));
    let found = reader.content(&format!("{ALBUMS}/search?keyword=tIDe"));
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&only["id"], &only["coverUrl"], &only["items"]), (&json!(id), &cover["url"], &json!(0)));
    let add = json!({ "albumId": id, "items": [{ "type": "article", "id": article() }] });
    for _ in 0..2 {
        assert_eq!(
            reader.said("POST", &format!("{ALBUMS}/res/addList"), &add),
            (200, "Submitted successfully".to_owned())
        );
    }
    let items = format!("{ALBUMS}/res/search?albumId={id}");
    assert_eq!(reader.content(&items).len(), 1);
    assert!(reader.content(&format!("{items}&type=video")).is_empty());
    let change = json!({ "id": id, "name": "Ebb", "cover": "" });
    assert_eq!(reader.said("PUT", &format!("{ALBUMS}/editAlbum"), &change).0, 200);
    let info = reader.data("GET", &format!("{ALBUMS}/info?id={id}"), &Value::Null);
    assert_eq!((&info["name"], &info["enName"], &info["coverUrl"]), (&json!("Ebb"), &json!(""), &json!("")));
    let remove = format!("{ALBUMS}/res/delete?albumId={id}&type=article&id={}", article());
    assert_eq!(reader.said("DELETE", &remove, &Value::Null), (200, "Deleted successfully!".to_owned()));
    assert!(reader.content(&items).is_empty());
    reader.data("DELETE", &format!("{ALBUMS}/delete?id={id}"), &Value::Null);
    assert_eq!(reader.said("GET", &format!("{ALBUMS}/info?id={id}"), &Value::Null).0, 404);
    assert_eq!(reader.content(&format!("{ALBUMS}/search")).len(), 1);
}

#[test]
fn what_is_wrong_with_an_album_is_said() {
    let reader = Reader::new(OCEAN, "maker");
    let save = |draft: Value| reader.said("POST", &format!("{ALBUMS}/saveAlbum"), &draft);
    assert_eq!(save(json!({ "name": " " })), (400, "Please enter the name of the album".to_owned()));
    assert_eq!(save(json!({ "name": "a\nb" })).0, 400);
    assert_eq!(save(json!({ "name": "x".repeat(201) })).0, 400);
    let portrait = reader.upload("portrait", "p.png", PNG).json()["data"]["id"].clone();
    for cover in [json!("made-up"), json!("/etc/passwd"), json!("a\u{0}b"), portrait] {
        assert_eq!(save(json!({ "name": "A", "cover": cover })).0, 400, "{cover}");
    }
    let nowhere = json!({ "albumId": 987_654, "items": [{ "type": "article", "id": article() }] });
    let said = reader.said("POST", &format!("{ALBUMS}/res/addList"), &nowhere);
    assert_eq!(said, (404, "Please select one of the albums".to_owned()));
    // A script in a name comes back as the text that it is.
    let script = "<img src=x onerror=alert(1)>";
    let id = album(&reader, &json!({ "name": script }));
    let answer = reader.get(&format!("{ALBUMS}/info?id={id}"));
    assert_eq!((answer.header("content-type"), &answer.json()["data"]["name"]), ("application/json", &json!(script)));
}

#[test]
fn an_album_is_nobody_else_s() {
    let ada = Reader::new(OCEAN, "ada-a");
    let id =
        album(&ada, &json!({ "name": "Mine", "cover": ada.upload("albumCover", "c.png", PNG).json()["data"]["id"] }));
    let cover = ada.data("GET", &format!("{ALBUMS}/info?id={id}"), &Value::Null)["cover"].clone();
    let items = json!({ "albumId": id, "items": [{ "type": "article", "id": article() }] });
    ada.data("POST", &format!("{ALBUMS}/res/addList"), &items);
    for other in [Reader::new(OCEAN, "eve-a"), Reader::new(CIRCUITS, "ada-a")] {
        let said = |method, path: String, body: Value| other.said(method, &path, &body).0;
        assert_eq!(said("GET", format!("{ALBUMS}/info?id={id}"), Value::Null), 404);
        assert_eq!(said("GET", format!("{ALBUMS}/res/search?albumId={id}"), Value::Null), 404);
        assert_eq!(said("PUT", format!("{ALBUMS}/editAlbum"), json!({ "id": id, "name": "Theirs" })), 404);
        assert_eq!(said("POST", format!("{ALBUMS}/res/addList"), items.clone()), 404);
        let remove = format!("{ALBUMS}/res/delete?albumId={id}&type=article&id={}", article());
        assert_eq!(said("DELETE", remove, Value::Null), 404);
        assert_eq!(said("POST", format!("{ALBUMS}/saveAlbum"), json!({ "name": "A", "cover": cover })), 400);
        assert_eq!(said("DELETE", format!("{ALBUMS}/delete?id={id}"), Value::Null), 200, "as for one that is gone");
        assert!(other.content(&format!("{ALBUMS}/search")).is_empty());
    }
    assert_eq!(ada.data("GET", &format!("{ALBUMS}/info?id={id}"), &Value::Null)["name"], "Mine");
    assert_eq!(ada.content(&format!("{ALBUMS}/res/search?albumId={id}")).len(), 1);
}
