//! Favourites, history and saved searches.

use serde_json::{Value, json};

use super::{CIRCUITS, MEMBERS, OCEAN, PORTAL, Reader, article, articles};

fn collect(reader: &Reader, items: &Value) -> (u16, String) {
    reader.said("POST", &format!("{MEMBERS}/collect"), &json!({ "items": items }))
}

fn is_collected(reader: &Reader, id: i64) -> bool {
    reader.data("GET", &format!("{MEMBERS}/isCollect?type=article&id={id}"), &Value::Null) == true
}

#[test]
fn what_a_member_collects_is_in_the_member_s_list_alone() {
    let (ada, eve, elsewhere) =
        (Reader::new(OCEAN, "ada-c"), Reader::new(OCEAN, "eve-c"), Reader::new(CIRCUITS, "ada-c"));
    let id = article();
    let items = json!([{ "type": "article", "id": id }, { "type": "thesis", "id": id.to_string() }]);
    assert_eq!(collect(&ada, &items), (200, "collection successful".to_owned()));
    assert_eq!(collect(&ada, &items), (200, "collection successful".to_owned()), "again");
    let list = ada.content(&format!("{MEMBERS}/collects"));
    let [entry] = &list[..] else { panic!("{list:?}") };
    assert_eq!(
        (&entry["type"], &entry["id"], &entry["available"]),
        (&json!("article"), &json!(id.to_string()), &json!(true))
    );
    assert!(entry["address"].as_str().unwrap().ends_with(&format!("/en/article/{id}")), "{entry}");
    assert!(!entry["title"].as_str().unwrap().is_empty() && entry["date"].as_str().unwrap().contains('T'), "{entry}");
    assert!(is_collected(&ada, id) && !is_collected(&eve, id) && !is_collected(&elsewhere, id));
    assert!(eve.content(&format!("{MEMBERS}/collects")).is_empty());
    assert!(elsewhere.content(&format!("{MEMBERS}/collects")).is_empty());
    let remove = format!("{MEMBERS}/unCollectByIdAndType?type=article&id={id}");
    assert_eq!(eve.said("DELETE", &remove, &Value::Null), (200, "cancellation successful".to_owned()));
    assert!(is_collected(&ada, id), "somebody else's favourite stays");
    assert_eq!(ada.said("DELETE", &remove, &Value::Null), (200, "cancellation successful".to_owned()));
    assert!(!is_collected(&ada, id));
}

#[test]
fn what_was_retracted_is_marked_in_the_member_s_lists() {
    let site = PORTAL.app.store.site(masthead_domain::SiteId(448));
    let save = |name: &str, article_type: &str, related: &str| {
        PORTAL.run(site.save_article(&crate::notices::article(name, article_type, related))).unwrap().id().0
    };
    let id = save("collected", "research-article", "");
    let reader = Reader::new(OCEAN, "careful");
    assert_eq!(
        collect(&reader, &json!([{ "type": "article", "id": id }, { "type": "article", "id": article() }])).0,
        200
    );
    let marks = || {
        let list = reader.content(&format!("{MEMBERS}/collects"));
        let of = |id: i64| list.iter().find(|entry| entry["id"] == id.to_string().as_str()).unwrap().clone();
        [of(id), of(article())].map(|entry| (entry["notice"].clone(), entry["noticeText"].clone()))
    };
    let none = (json!("none"), json!(""));
    assert_eq!(marks(), [none.clone(), none.clone()]);
    let retracts = "<related-article related-article-type=\"retracted-article\" ext-link-type=\"doi\" xlink:href=\"10.5555/notices.collected\"/>";
    save("retraction-of-collected", "retraction", retracts);
    assert_eq!(marks(), [(json!("retracted"), json!("Retracted")), none]);
}

#[test]
fn a_selection_has_one_to_five_items_of_the_site() {
    let reader = Reader::new(OCEAN, "chooser");
    let ids = articles(OCEAN, 6);
    let named = |ids: &[i64]| ids.iter().map(|id| json!({ "type": "article", "id": id })).collect::<Value>();
    assert_eq!(collect(&reader, &json!([])), (400, "No data selected".to_owned()));
    assert_eq!(collect(&reader, &named(&ids)), (400, "At most 5 selections".to_owned()));
    assert_eq!(collect(&reader, &named(&ids[..5])).0, 200);
    for wrong in [
        json!([{ "type": "comment", "id": 1 }]),
        json!([{ "type": "article", "id": "1 OR 1=1" }]),
        json!([{ "type": "article" }]),
        json!("x"),
    ] {
        assert_eq!(collect(&reader, &wrong).0, 400, "{wrong}");
    }
    let absent = json!([{ "type": "article", "id": ids[5] }, { "type": "video", "id": 987_654_321 }]);
    assert_eq!(collect(&reader, &absent), (404, "No data".to_owned()), "all or none");
    assert!(!is_collected(&reader, ids[5]));
    let page = reader.data("GET", &format!("{MEMBERS}/collects?page=1&size=2"), &Value::Null);
    assert_eq!((&page["totalElements"], &page["page"], &page["size"]), (&json!(5), &json!(1), &json!(2)));
    assert_eq!(page["content"].as_array().map(Vec::len), Some(2));
    assert!(reader.content(&format!("{MEMBERS}/collects?type=video")).is_empty());
    let query: String = ids[..4].iter().map(|id| format!("&id={id}")).collect();
    reader.data("DELETE", &format!("{MEMBERS}/unCollectByIdAndType?type=article{query}"), &Value::Null);
    assert_eq!(reader.content(&format!("{MEMBERS}/collects")).len(), 1);
    for wrong in ["", "?type=article", "?type=x&id=1", "?type=article&type=video&id=1"] {
        let path = format!("{MEMBERS}/unCollectByIdAndType{wrong}");
        assert_eq!(reader.said("DELETE", &path, &Value::Null).0, 400, "{wrong}");
    }
    let wrong = format!("{MEMBERS}/collects?type=nothing");
    assert_eq!(reader.said("GET", &wrong, &Value::Null).0, 400);
    assert_eq!(reader.said("GET", &format!("{MEMBERS}/collects?keyword=%00"), &Value::Null).0, 400);
    assert!(reader.content(&format!("{MEMBERS}/collects?keyword=%25")).is_empty(), "a percent sign stands for itself");
}

#[test]
fn what_a_member_opens_and_downloads_is_in_the_member_s_history() {
    let (reader, other) = (Reader::new(OCEAN, "historian"), Reader::new(OCEAN, "other-historian"));
    let id = article();
    let headers = [("token", reader.token.as_str()), ("language", "en")];
    let page = format!("/rc-pub/front/page?path=/en/article/{id}");
    assert_eq!(
        PORTAL.with("oceanledger.localhost", &page, &[&headers[..], &[("sec-purpose", "prefetch")]].concat()).status,
        200
    );
    assert!(reader.content(&format!("{MEMBERS}/historys")).is_empty(), "what a browser fetches ahead is no view");
    for _ in 0..2 {
        assert_eq!(PORTAL.with("oceanledger.localhost", &page, &headers).status, 200);
    }
    let download = format!("/rc-pub/front/front-article/download?id={id}&type=ris");
    assert_eq!(PORTAL.with("oceanledger.localhost", &download, &headers).status, 200);
    for list in ["historys", "downloads"] {
        let entries = reader.content(&format!("{MEMBERS}/{list}"));
        let [entry] = &entries[..] else { panic!("{list}: {entries:?}") };
        assert_eq!((&entry["type"], &entry["id"]), (&json!("article"), &json!(id.to_string())));
        assert!(other.content(&format!("{MEMBERS}/{list}")).is_empty());
        let record = entry["record"].as_i64().unwrap();
        let one = format!("{MEMBERS}/{list}?id={record}");
        other.data("DELETE", &one, &Value::Null);
        assert_eq!(
            reader.content(&format!("{MEMBERS}/{list}")).len(),
            1,
            "by its number, nobody removes another's entry"
        );
        assert_eq!(reader.said("DELETE", &one, &Value::Null), (200, "Deleted successfully!".to_owned()));
        assert!(reader.content(&format!("{MEMBERS}/{list}")).is_empty());
    }
    PORTAL.with("oceanledger.localhost", &page, &headers);
    assert_eq!(reader.said("DELETE", &format!("{MEMBERS}/historys?id=0"), &Value::Null).0, 400);
    reader.data("DELETE", &format!("{MEMBERS}/historys"), &Value::Null);
    assert!(reader.content(&format!("{MEMBERS}/historys")).is_empty());
}

#[test]
fn searches_of_this_site_are_saved_without_language_and_place() {
    let (reader, other) = (Reader::new(OCEAN, "searcher"), Reader::new(OCEAN, "other-searcher"));
    let path = format!("{MEMBERS}/searches");
    let draft = json!({ "name": " Tides ", "address": "/zh/search?q=tide&page=3&made=up", "alert": true });
    let id = reader.data("POST", &path, &draft)["id"].clone();
    let saved = reader.data("GET", &path, &Value::Null);
    assert_eq!(
        (&saved[0]["name"], &saved[0]["address"], &saved[0]["alert"]),
        (&json!("Tides"), &json!("/en/search?q=tide"), &json!(true))
    );
    for (name, address) in [
        ("", "/en/search?q=a"),
        ("a\nb", "/en/search?q=a"),
        ("a", "https://evil.example/en/search?q=a"),
        ("a", "//evil.example/en/search?q=a"),
        ("a", "javascript:alert(1)"),
        ("a", "/en/article/1?q=a"),
        ("a", "/en/search"),
        ("a", "/en/search?page=2"),
        ("a", "/en/textList?type=picture"),
        ("a", "/en/othersList?type=science&q=a"),
    ] {
        let draft = json!({ "name": name, "address": address });
        assert_eq!(reader.said("POST", &path, &draft).0, 400, "{draft}");
    }
    let change = json!({ "id": id, "name": "Waves", "address": "/en/search?q=wave" });
    assert_eq!(other.said("PUT", &path, &change), (404, "No data".to_owned()));
    other.data("DELETE", &format!("{path}?id={id}"), &Value::Null);
    assert_eq!(reader.said("PUT", &path, &change).0, 200);
    assert_eq!(reader.data("GET", &path, &Value::Null)[0]["name"], "Waves");
    reader.data("DELETE", &format!("{path}?id={id}"), &Value::Null);
    assert_eq!(reader.data("GET", &path, &Value::Null), json!([]));
    // The address of a list with words is that of a page of results.
    let figures = json!({ "name": "Figures", "address": "/zh/textList?type=picture&index=-1&q=tide&page=2" });
    reader.data("POST", &path, &figures);
    assert_eq!(reader.data("GET", &path, &Value::Null)[0]["address"], "/en/textList?q=tide&type=picture");
}
