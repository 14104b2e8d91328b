//! A host on a full disk while members upload pictures, register and collect: each is told so in the reader's language, nothing is stored by
//! halves, what was there is served, and everything goes on when there is room.

use std::{collections::BTreeSet, fs, path::Path};

use masthead_accounts::installation_key::token_digest;
use masthead_domain::member::{CodePurpose, MemberName};
use masthead_store::{ItemFilter, Store, Window};
use masthead_test_support::{MailServer, PASSWORD, until};
use serde_json::{Value, json};

use crate::{
    editing::Desk,
    full_disk::Mounted,
    readers::{self, HostAnswer, PERSONAL, Reader, SITE, articles, now, png, send_code},
    serve::Running,
    stored::with_store,
};

/// An answer that says that nothing can be stored at the moment, in the language of the reader.
fn is_refused(what: &str, lang: &str, answer: &HostAnswer) {
    let said = String::from_utf8_lossy(&answer.body);
    assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{what}: {said}");
    let message = match lang {
        "zh" => "服务暂时不可用，请稍后重试。",
        _ => "The service is temporarily unavailable. Please try again shortly.",
    };
    assert_eq!(answer.json(), json!({ "status": 503, "data": null, "message": message }), "{what}");
}

/// A reader with a portrait in the profile, and a favourite. The session was used some time ago, so that its next use is to be noted.
fn settled(host: &Running, data: &Path, articles: &[i64]) -> (Reader, String) {
    let mut reader = Reader::new("kelper", host.address());
    reader.token = reader.register().unwrap().data()["token"].as_str().unwrap().to_owned();
    let portrait = reader.upload("portrait", &png(300)).unwrap().data()["id"].as_str().unwrap().to_owned();
    reader.save_profile(&portrait).unwrap().data();
    reader.collect(&articles[..1]).unwrap().data();
    let digest = token_digest(&reader.token);
    let earlier = now() - 600_000;
    with_store(data, async |store| store.site(SITE).use_session(&digest, earlier).await.unwrap());
    (reader, portrait)
}

/// The pictures of a member, and the articles that the member has collected.
async fn owned(store: &Store, reader: &Reader) -> (BTreeSet<String>, BTreeSet<String>) {
    let site = store.site(SITE);
    let member = site.member_by_name(&MemberName::account(&reader.name).unwrap()).await.unwrap().unwrap();
    let mine = site.of_member(member);
    let files = mine.files().await.unwrap().into_iter().map(|file| file.id).collect();
    let collected = mine.favourites(ItemFilter::default(), Window::ALL).await.unwrap().entries;
    (files, collected.into_iter().map(|one| one.item.item.id).collect())
}

/// What is stored until nothing fits any more: pictures, and then favourites, which need less room.
struct Stored {
    pictures: BTreeSet<String>,
    collected: BTreeSet<String>,
}

impl Stored {
    fn until_full(reader: &Reader, portrait: &str, articles: &[i64]) -> Self {
        let mut stored = Self { pictures: [portrait.to_owned()].into(), collected: [articles[0].to_string()].into() };
        let cover = png(600);
        // The database has some room of its own before it needs more of the disk.
        for attempt in 0.. {
            let answer = reader.upload("albumCover", &cover).unwrap();
            if answer.status != 200 {
                is_refused("a cover", reader.lang, &answer);
                break;
            }
            assert!(attempt < 50, "the disk is not full");
            stored.pictures.insert(answer.data()["id"].as_str().unwrap().to_owned());
        }
        for attempt in 0.. {
            let answer = reader.collect(&articles[1..]).unwrap();
            let there = answer.status == 200;
            if there {
                stored.collected.extend(articles[1..].iter().map(i64::to_string));
            }
            let rest = format!("type=article&id={}&type=article&id={}", articles[1], articles[2]);
            let removal = format!("{PERSONAL}/unCollectByIdAndType?{rest}");
            let removed = reader.call("DELETE", &removal, &Value::Null).unwrap();
            if removed.status == 200 {
                stored.collected.retain(|id| *id == articles[0].to_string());
            }
            if !there && removed.status != 200 {
                is_refused("a favourite", reader.lang, &answer);
                is_refused("the end of a favourite", reader.lang, &removed);
                return stored;
            }
            assert!(attempt < 100, "the disk is not full");
        }
        stored
    }
}

/// Nothing more is stored, whatever a reader tries.
fn nothing_is_stored(reader: &Reader, newcomer: &Reader) {
    for lang in ["en", "zh"] {
        let reader = Reader { lang, ..reader.clone() };
        is_refused("a portrait", lang, &reader.upload("portrait", &png(300)).unwrap());
        is_refused("a cover", lang, &reader.upload("albumCover", &png(600)).unwrap());
        let erasure = json!({ "password": PASSWORD });
        let erased = reader.call("DELETE", &format!("{PERSONAL}/account"), &erasure).unwrap();
        is_refused("an erasure", lang, &erased);
        is_refused("a sign-in", lang, &reader.sign_in(PASSWORD).unwrap());
        let newcomer = Reader { lang, ..newcomer.clone() };
        is_refused("a registration", lang, &newcomer.register().unwrap());
    }
}

/// Registers a reader whose registration was refused. The code may have been spent when there was room for that and for no more: a reader asks
/// for another one then.
fn register(data: &Path, newcomer: &Reader) {
    if newcomer.register().unwrap().status == 400 {
        with_store(data, async |store| send_code(store, data, CodePurpose::Register, &newcomer.email()).await);
        newcomer.register().unwrap().data();
    }
}

/// What was there before is served, to members and to others.
fn what_was_there_is_served(host: &Running, reader: &Reader, portrait: &str, picture: &[u8]) {
    for path in ["/en/home", "/zh/home", "/en/issues", "/en/search?q=Article"] {
        let answer = host.get("one.localhost", path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", answer.lines().next().unwrap_or_default());
    }
    assert_eq!(reader.get("/en/home").status, 200, "for whoever is signed in");
    let info = reader.get(&format!("{PERSONAL}/info")).data();
    assert_eq!((&info["photo"], &info["name"]), (&json!(portrait), &json!("Ada Lovelace")));
    let served = reader.get(info["photoUrl"].as_str().unwrap());
    assert!(served.status == 200 && served.body == picture, "the portrait is served as it was");
    assert!(!reader.get(&format!("{PERSONAL}/collects")).data()["content"].as_array().unwrap().is_empty());
}

#[test]
fn members_of_a_host_on_a_full_disk_are_told_so_and_lose_nothing() {
    let (desk, server) = (Desk::new("full-members"), MailServer::start());
    readers::prepare(&desk, server.address.port());
    let data = desk.data();
    let Some(disk) = Mounted::holding(&desk) else { return };
    let host = Running::start(&desk.sites, &data, &[]);
    let newcomer = Reader::new("newcomer", host.address());
    let ids = with_store(&data, async |store| {
        send_code(store, &data, CodePurpose::Register, "kelper@example.org").await;
        send_code(store, &data, CodePurpose::Register, &newcomer.email()).await;
        articles(store).await
    });
    // Nothing else is written while the disk is full.
    let mut letters = 0;
    until("the letters with the codes", || {
        letters += server.received().len();
        (letters == 2).then_some(())
    });
    let (reader, portrait) = settled(&host, &data, &ids);
    let picture = reader.get(&format!("/rc-pub/front/files/picture?id={portrait}")).body;
    assert!(picture.len() > 1_000);

    let ballast = disk.fill();
    let stored = Stored::until_full(&reader, &portrait, &ids);
    nothing_is_stored(&reader, &newcomer);
    what_was_there_is_served(&host, &reader, &portrait, &picture);
    for id in &stored.pictures {
        assert_eq!(reader.get(&format!("/rc-pub/front/files/picture?id={id}")).status, 200, "{id} was acknowledged");
    }

    // There is room again, and nobody restarts the host.
    fs::remove_file(ballast).unwrap();
    let (files, collected) = with_store(&data, async |store| {
        let site = store.site(SITE);
        let name = MemberName::account(&newcomer.name).unwrap();
        assert_eq!(site.member_by_name(&name).await.unwrap(), None, "nobody was registered by halves");
        assert_eq!(site.member_count().await.unwrap(), 1);
        owned(store, &reader).await
    });
    assert_eq!((files, collected), (stored.pictures, stored.collected), "what was acknowledged, and nothing else");
    let other = reader.upload("portrait", &png(300)).unwrap().data()["id"].as_str().unwrap().to_owned();
    reader.upload("albumCover", &png(600)).unwrap().data();
    reader.save_profile(&other).unwrap().data();
    reader.collect(&ids).unwrap().data();
    register(&data, &newcomer);
    newcomer.sign_in(PASSWORD).unwrap().data();
    assert_eq!(reader.get(&format!("{PERSONAL}/info")).data()["photo"], other);
    let erased = reader.call("DELETE", &format!("{PERSONAL}/account"), &json!({ "password": PASSWORD })).unwrap();
    assert_eq!(erased.data(), true);
    until("readiness", || host.operator("/readyz").starts_with("HTTP/1.1 200").then_some(()));
    drop(host);
}
