//! Imports that are killed at any moment: what the import has reported is stored as reported, and no article is there in part. 12 moments,
//! fewer in PostgreSQL, or as many as `MASTHEAD_KILLS` says. The process is that of an upload, which reports each item as soon as it is
//! stored.

use std::{
    collections::BTreeMap,
    io::Read as _,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use masthead_content::import::{
    Format,
    job::{self, Job, JobState},
};
use masthead_domain::{article::ArticleMeta, resource::Picture};
use masthead_store::CardQuery;
use masthead_test_support::repository;
use serde_json::Value;

use super::{Desk, FIGURE, SITE, jats, packages};
use crate::{
    backup::kills::{Moments, assert_interrupted, in_postgresql, kills},
    cluster::Cluster,
    installation::Installation,
};

/// Several batches of the import.
const ARTICLES: u32 = 80;

/// An article as it is stored, without what differs between two runs.
#[derive(Clone, Debug, PartialEq)]
struct Article {
    meta: ArticleMeta,
    rendered: String,
    /// Names and addresses of its files.
    files: Vec<(String, String)>,
    pictures: Vec<Picture>,
}

/// The articles of a site with their numbers, by source key.
type Articles = BTreeMap<String, (i64, Article)>;

/// A package of articles, each with a figure of its own.
fn package(desk: &Desk, name: &str, title: &str) -> PathBuf {
    let texts = (0..ARTICLES).map(|number| {
        let body = FIGURE.replace("f1.png", &format!("f{number}.svg"));
        let words = format!("<p>{}</p>", format!("{title} {number} of many. ").repeat(200));
        let article = jats(&format!("10.5555/killed.{number}"), &format!("{title} {number}"), &(body + &words));
        (format!("a{number}.xml"), article)
    });
    let figures = (0..ARTICLES).map(|number| {
        let figure = format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><title>{title} {number}</title></svg>");
        (format!("images/f{number}.svg"), figure)
    });
    let entries: Vec<(String, String)> = texts.chain(figures).collect();
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    desk.write(name, packages::tar_gz(&entries))
}

/// Puts an upload into a data folder, as the host does; returns the id of its job.
fn uploaded(data: &Path, package: &Path) -> String {
    let job = Job {
        id: job::new_id(),
        site_id: SITE.0,
        name: "package.tar.gz".to_owned(),
        format: Format::Auto,
        state: JobState::Running,
        attempts: 1,
        ..Job::default()
    };
    let folder = job::folder(data, &job.id).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(package, folder.join(&job.name)).unwrap();
    job::write(&folder, &job).unwrap();
    job.id
}

/// Runs the import of an upload, and kills it after a time. Returns the items that it has reported, and whether it had ended.
fn import(place: &Installation<'_>, id: &str, killed_after: Option<Duration>) -> (Vec<Value>, bool) {
    let mut command = place.command(&repository("sites"), &["import-job", id, "--memory-megabytes", "4096"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The process ends with its input.
    let input = child.stdin.take();
    let mut output = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        output.read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    });
    if let Some(time) = killed_after {
        std::thread::sleep(time);
        // SIGKILL: the process cannot clean up. It fails if the process has ended.
        let _ = child.kill();
    }
    let ended = child.wait().unwrap().success();
    place.wait_for_clients();
    drop(input);
    // The last line may be incomplete: it reports nothing.
    let text = reader.join().unwrap();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let items = lines.filter_map(|line| line.get("item").cloned()).filter(|item| item["kind"] == "article");
    (items.collect(), ended)
}

async fn articles(place: &Installation<'_>) -> Articles {
    let mut all = Articles::new();
    if place.database().is_none() && !place.data.join("masthead.db").exists() {
        return all;
    }
    let store = place.open().await;
    let site = store.site(SITE);
    let journals: Vec<String> = site.journals().await.unwrap().into_iter().map(|journal| journal.key).collect();
    for card in site.cards(&CardQuery::Latest, None, 1000).await.unwrap() {
        let stored = site.article(card.article_id()).await.unwrap().unwrap();
        assert!(journals.contains(&stored.journal), "{} is not among {journals:?}", stored.journal);
        let pictures = site.resources_of_article::<Picture>(stored.id.0).await.unwrap();
        let article = Article {
            rendered: stored.rendered.unseal(),
            files: stored.files.into_iter().map(|file| (file.name, file.address)).collect(),
            // The number of the article is compared beside it.
            pictures: pictures.into_iter().map(|one| Picture { article: 0, ..one.value }).collect(),
            meta: stored.meta,
        };
        all.insert(article.meta.source_key.clone(), (stored.id.0, article));
    }
    store.close().await;
    all
}

/// The bytes of the files that articles name.
fn assert_has_files(data: &Path, whole: &Path, found: &Articles, kill: u32) {
    for (_, article) in found.values() {
        assert!(!article.files.is_empty(), "kill {kill}: {article:?}");
        for (name, address) in &article.files {
            let digest = masthead_content::files::digest(address).unwrap();
            let read = |data: &Path| std::fs::read(data.join("media").join(&digest[..2]).join(digest));
            assert_eq!(read(data).ok(), Some(read(whole).unwrap()), "kill {kill}: {name} at {address}");
        }
    }
}

/// An installation with the first package, and one with the second package after it.
struct Wholes<'a> {
    packages: [PathBuf; 2],
    places: [Installation<'a>; 2],
    stored: [Articles; 2],
    /// How long each import takes.
    times: [Duration; 2],
}

fn wholes<'a>(desk: &Desk, cluster: Option<&'a Cluster>) -> Wholes<'a> {
    let packages = [package(desk, "first.tar.gz", "First"), package(desk, "second.tar.gz", "Second")];
    let places = ["first", "second"].map(|name| Installation::new(desk.folder.join(name), cluster));
    let run = |place: &Installation<'_>, package: &Path| {
        let id = uploaded(&place.data, package);
        let started = Instant::now();
        let (items, ended) = import(place, &id, None);
        assert!(ended && items.len() == ARTICLES as usize, "{items:?}");
        (started.elapsed(), desk.runtime.block_on(articles(place)))
    };
    places[0].clear();
    let (first_time, first) = run(&places[0], &packages[0]);
    std::fs::remove_dir_all(places[0].data.join("uploads")).unwrap();
    places[1].replace_by(&places[0]);
    let (second_time, second) = run(&places[1], &packages[1]);
    assert!(first.len() == ARTICLES as usize && first.keys().eq(second.keys()));
    assert!(first.values().zip(second.values()).all(|((_, first), (_, second))| first != second));
    Wholes { packages, places, stored: [first, second], times: [first_time, second_time] }
}

/// Kills imports of a desk, with the database in a file or a cluster.
fn kill_imports(name: &str, cluster: Option<&Cluster>, kills: u32) {
    let desk = Desk::new(name);
    let wholes = wholes(&desk, cluster);
    let place = Installation::new(desk.data(), cluster);
    let mut moments = Moments { state: 23, within: Duration::ZERO };
    let (mut interrupted, mut reported) = (0, 0);
    for kill in 0..kills {
        // Into an empty folder, and in the place of former articles.
        let replaces = usize::from(kill % 2 == 1);
        let none = Articles::new();
        let (former, new) =
            if replaces == 1 { (&wholes.stored[0], &wholes.stored[1]) } else { (&none, &wholes.stored[0]) };
        if replaces == 1 {
            place.replace_by(&wholes.places[0]);
        } else {
            place.clear();
        }
        let id = uploaded(&place.data, &wholes.packages[replaces]);
        moments.within = wholes.times[replaces];
        let (items, ended) = import(&place, &id, Some(moments.next()));
        interrupted += u32::from(!ended);
        reported += items.len();

        let found = desk.runtime.block_on(articles(&place));
        for item in &items {
            let kept = found.values().find(|(id, _)| Some(*id) == item["article"].as_i64());
            let (_, article) = kept.unwrap_or_else(|| panic!("kill {kill}: lost after its report: {item}"));
            let expected = if replaces == 1 { "updated" } else { "created" };
            assert_eq!(item["outcome"], expected, "kill {kill}: {item}");
            assert_eq!(article, &new[&article.meta.source_key].1, "kill {kill}: not as it was reported");
        }
        for (key, (id, article)) in &found {
            let was = former.get(key);
            let is_former = was.is_some_and(|(_, was)| was == article);
            assert!(
                is_former || article == &new[key].1,
                "kill {kill}: {article:#?} is neither the former nor the new one"
            );
            assert!(was.is_none_or(|(was, _)| was == id), "kill {kill}: {key} has another number");
        }
        assert!(former.keys().all(|key| found.contains_key(key)), "kill {kill}: a former article is gone");
        assert_has_files(&place.data, &wholes.places[replaces].data, &found, kill);

        // The next run stores the rest, and finds again what was reported.
        job::clean(&place.data);
        let (again, ended) = import(&place, &id, None);
        let unchanged = again.iter().filter(|item| item["outcome"] == "unchanged").count();
        assert!(ended && again.len() == ARTICLES as usize && unchanged >= items.len(), "kill {kill}: {again:?}");
        let complete = desk.runtime.block_on(articles(&place));
        assert!(complete.keys().eq(new.keys()), "kill {kill}: repeated");
        assert!(complete.iter().all(|(key, (_, article))| article == &new[key].1), "kill {kill}: repeated");
        assert_has_files(&place.data, &wholes.places[replaces].data, &complete, kill);
    }
    assert_interrupted(interrupted > 0 && reported > 0, kills, cluster, "import that had reported items");
}

#[test]
fn a_killed_import_has_stored_what_it_reported_and_nothing_in_part() {
    kill_imports("import-kills", None, kills());
}

#[test]
fn a_killed_import_into_postgresql_has_stored_what_it_reported_and_nothing_in_part() {
    in_postgresql("imports", |cluster, kills| kill_imports("import-kills-postgresql", Some(cluster), kills));
}
