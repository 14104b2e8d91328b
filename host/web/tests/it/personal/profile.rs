//! The profile, and the pictures of members.

use masthead_accounts::codes::{Code, Codes};
use masthead_domain::{
    Lang,
    member::{CodePurpose, MemberName},
};
use serde_json::{Value, json};

use super::{CIRCUITS, MEMBERS, OCEAN, PASSWORD, PNG, PORTAL, Reader, bmp};

fn draft(reader: &Reader, changes: &Value) -> Value {
    let info = reader.data("GET", &format!("{MEMBERS}/info"), &Value::Null);
    let mut draft = json!({
        "name": "Ada Lovelace", "email": info["email"], "researchField": "tides", "region": "Europe", "major": "Mathematics",
        "institution": "Estuary University", "gender": "female", "photo": info["photo"],
    });
    for (name, value) in changes.as_object().unwrap() {
        draft[name] = value.clone();
    }
    draft
}

fn save(reader: &Reader, changes: &Value) -> (u16, String) {
    reader.said("PUT", &format!("{MEMBERS}/saveInfo"), &draft(reader, changes))
}

#[test]
fn a_profile_is_saved_and_read_with_the_number_masked() {
    let reader = Reader::new(OCEAN, "profiled");
    assert_eq!(save(&reader, &json!({})), (200, "Submitted successfully".to_owned()));
    let info = reader.data("GET", &format!("{MEMBERS}/info"), &Value::Null);
    assert_eq!(
        (&info["userName"], &info["name"], &info["gender"]),
        (&json!("****iled"), &json!("Ada Lovelace"), &json!("female"))
    );
    assert_eq!((&info["hasPassword"], &info["institutions"]), (&json!(true), &json!([])));
    let mobile = info["mobile"].as_str().unwrap();
    assert!(mobile.len() == 11 && &mobile[3..7] == "****", "{mobile}");
    let text = info.to_string();
    assert!(!text.contains("argon2") && !text.contains("handle"), "{text}");
}

#[test]
fn every_rule_has_the_message_of_the_specification() {
    let reader = Reader::new(OCEAN, "ruled");
    let long = "x".repeat(201);
    for (changes, message) in [
        (json!({ "name": " " }), "Please enter your name"),
        (json!({ "name": "<script>alert(1)</script>" }), "The format of the name is incorrect"),
        (json!({ "name": "13812345678" }), "The format of the name is incorrect"),
        (json!({ "email": "" }), "Please enter the e-mail address"),
        (json!({ "email": "a@b" }), "E-mail format is incorrect"),
        (json!({ "email": "a@example.org\r\nBcc: b@example.org" }), "E-mail format is incorrect"),
        (json!({ "researchField": "" }), "Please enter your research field"),
        (json!({ "region": long }), "A text may have at most 200 characters in one line"),
        (json!({ "major": "a\nb" }), "A text may have at most 200 characters in one line"),
        (json!({ "photo": "made-up" }), "The photo must be a JPG, PNG or BMP file under 5M"),
        (json!({ "email": "new@example.org" }), "Please enter the verification code."),
    ] {
        assert_eq!(save(&reader, &changes), (400, message.to_owned()), "{changes}");
    }
    assert_eq!(save(&reader, &json!({ "gender": "x" })).0, 400);
    assert_eq!(save(&reader, &json!({ "name": ["a"] })).0, 400);
    let info = reader.data("GET", &format!("{MEMBERS}/info"), &Value::Null);
    assert_eq!((&info["name"], &info["email"]), (&json!(""), &json!("ruled@example.org")), "nothing was saved");
}

#[test]
fn another_address_needs_the_code_that_was_sent_to_it_and_the_password() {
    let reader = Reader::new(OCEAN, "mover");
    let address = MemberName::email("moved@example.org").unwrap();
    PORTAL.run(async {
        let store = PORTAL.app.store.site(reader.site);
        let codes = Codes::new(&PORTAL.app.installation, &store, "", PORTAL.app.counting.now());
        codes.send(CodePurpose::Email, &address, Lang::En, &Code::of(42_137)).await.unwrap();
    });
    let change =
        |code: &str, password: &str| json!({ "email": "moved@example.org", "code": code, "password": password });
    assert_eq!(save(&reader, &change("042137", "")).1, "Please enter the original password");
    assert_eq!(save(&reader, &change("042137", "Wrong-Basin7")).0, 400);
    assert_eq!(save(&reader, &change("000000", PASSWORD)).0, 400);
    assert_eq!(save(&reader, &change("042137", PASSWORD)).0, 200);
    let info = reader.data("GET", &format!("{MEMBERS}/info"), &Value::Null);
    assert_eq!(info["email"], "moved@example.org");
    assert_eq!(save(&reader, &json!({ "email": "Moved@Example.org" })).0, 200, "the same address");
}

#[test]
fn a_picture_is_decoded_written_anew_and_returned_to_its_owner_alone() {
    let reader = Reader::new(OCEAN, "pictured");
    let stored = reader.upload("portrait", "me.exe", &bmp(900, 600)).json()["data"].clone();
    let url = stored["url"].as_str().unwrap();
    let picture = reader.get(url);
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/jpeg"));
    assert_eq!(picture.header("x-content-type-options"), "nosniff");
    assert!(picture.header("cache-control").starts_with("private"), "{}", picture.header("cache-control"));
    assert!(picture.bytes.starts_with(b"\xff\xd8\xff"));
    assert_eq!(save(&reader, &json!({ "photo": stored["id"] })).0, 200);
    let info = reader.data("GET", &format!("{MEMBERS}/info"), &Value::Null);
    assert_eq!((&info["photo"], &info["photoUrl"]), (&stored["id"], &stored["url"]));
    for other in [Reader::new(OCEAN, "peeper"), Reader::new(CIRCUITS, "pictured")] {
        assert_eq!(other.get(url).status, 404);
        assert_eq!(save(&other, &json!({ "photo": stored["id"] })).0, 400);
    }
    assert_eq!(PORTAL.with(&reader.host, url, &[]).status, 401);
    // Another photo replaces it.
    assert_eq!(save(&reader, &json!({ "photo": "" })).0, 200);
    assert_eq!(reader.get(url).status, 404, "what nothing names any more is gone");
}

#[test]
fn what_is_no_picture_is_refused_whatever_it_is_called() {
    let reader = Reader::new(OCEAN, "confused");
    let said = |purpose: &str, bytes: &[u8]| {
        let answer = reader.upload(purpose, "photo.png", bytes);
        (answer.status, answer.json()["message"].as_str().unwrap().to_owned())
    };
    let (photo, cover) = (
        "The photo must be a JPG, PNG or BMP file under 5M".to_owned(),
        "The cover must be a JPG or PNG file of at most 3M".to_owned(),
    );
    for bytes in [
        &b"<html><script>alert(1)</script>"[..],
        b"<svg xmlns='x' onload='alert(1)'/>",
        b"GIF89a\x01\0\x01\0\0\0\0",
        b"%PDF-1.7",
    ] {
        assert_eq!(said("portrait", bytes), (400, photo.clone()));
    }
    assert_eq!(said("albumCover", &bmp(4, 4)), (400, cover.clone()));
    assert_eq!(said("portrait", b""), (400, "Please upload information pictures".to_owned()));
    assert_eq!(said("other", PNG).0, 400);
    // A picture of a few bytes that declares 60,000 by 60,000 pixels.
    let mut bomb = PNG.to_vec();
    bomb[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    assert_eq!(said("portrait", &bomb), (400, "The picture has too many pixels. Please make it smaller.".to_owned()));
    let mut padded = PNG.to_vec();
    padded.resize(3 << 20, 0);
    assert_eq!(said("albumCover", &padded).0, 200, "of at most 3M");
    padded.push(0);
    assert_eq!(said("albumCover", &padded), (400, cover));
    assert_eq!(said("portrait", &padded).0, 200);
    padded.resize(5 << 20, 0);
    assert_eq!(said("portrait", &padded), (400, photo));
}

#[test]
fn a_form_that_no_picture_needs_is_rejected_unread() {
    use tower::ServiceExt as _;
    let reader = Reader::new(OCEAN, "large");
    // Not over a connection: the host closes it while the client still sends.
    let request = axum::http::Request::post("/rc-pub/front/files/fileUpload")
        .header("host", reader.host.as_str())
        .header("token", reader.token.as_str())
        .header("content-type", "multipart/form-data; boundary=abc")
        .body(axum::body::Body::from("x".repeat(6 << 20)))
        .unwrap();
    let router = masthead_web::http::router(PORTAL.app.clone());
    assert_eq!(PORTAL.run(router.oneshot(request)).unwrap().status(), 413);
}

#[test]
fn a_form_of_another_site_uploads_nothing() {
    let reader = Reader::new(OCEAN, "framed");
    for headers in [
        &[("cookie", "a=b"), ("origin", "https://evil.example")][..],
        &[("cookie", "a=b"), ("sec-fetch-site", "cross-site")],
    ] {
        assert_eq!(reader.upload_with("portrait", "a.png", PNG, headers).status, 403);
    }
    let json = reader.ask("POST", "/rc-pub/front/files/fileUpload", &json!({ "file": "x" }));
    assert_eq!(json.status, 415);
    let own =
        [("host", reader.host.as_str()), ("token", reader.token.as_str()), ("content-type", "multipart/form-data")];
    assert_eq!(PORTAL.send("POST", "/rc-pub/front/files/fileUpload", &own, PNG.to_vec()).status, 400, "no boundary");
}
