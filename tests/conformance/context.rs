//! A running portal with the demo content and a specimen: a site, articles and site states that use everything in the specification
//! that the demo does not use.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use serde_json::Value;

use masthead_test_support::{Answer, Portal, Setup, repository};

/// The main test site: Ocean Ledger.
pub const OCEAN: &str = "oceanledger";
/// A site with all four journals, and with books, patents and other resources.
pub const SHELF: &str = "openshelf";
/// A site that has no content of Ocean Ledger.
pub const OTHER: &str = "scriptstone";
/// The site of the specimen.
pub const SPECIMEN: &str = "specimen";

/// Closed sites: short name, number, state.
pub const CLOSED: [(&str, i64, &str); 3] =
    [("closed", 9011, "maintenance"), ("lapsed", 9012, "expired"), ("hidden", 9013, "forbidden")];

/// The context of the checks.
pub struct Context {
    /// The portal.
    pub portal: Portal,
    /// Its OpenAPI document.
    pub document: Value,
    examples: RefCell<BTreeMap<String, String>>,
    payloads: RefCell<BTreeMap<String, Rc<Value>>>,
}

impl Context {
    /// Starts the portal.
    pub fn start() -> Self {
        let portal = Portal::start("conformance", Setup::default(), |sites| {
            let write = |path: &str, text: &str| {
                let path = sites.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            };
            write("specimen.toml", include_str!("specimen/site.toml"));
            write("demo/specimen/journal.toml", include_str!("specimen/journal.toml"));
            write("demo/specimen/articles/specimen.xml", include_str!("specimen/article.xml"));
            let nodes = repository("host/documents/tests/fixtures/all-nodes.xml");
            write("demo/specimen/articles/all-nodes.xml", &std::fs::read_to_string(nodes).unwrap());
            for file in ["drop", "small", "print"] {
                let svg = format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><title>{file}</title></svg>"
                );
                write(&format!("demo/specimen/articles/figures/{file}.svg"), &svg);
            }
            for (sld, id, state) in CLOSED {
                let text = format!("id = {id}\nstate = \"{state}\"\nname = {{ zh = \"站\", en = \"Site\" }}\n");
                write(&format!("{sld}.toml"), &text);
            }
        });
        let document = portal.with(&host(OCEAN), "/openapi.json", &[]).json();
        Self { portal, document, examples: RefCell::default(), payloads: RefCell::default() }
    }

    /// Sends a request to a site in a language.
    pub fn ask(&self, method: &str, site: &str, path: &str, lang: &str, body: &str) -> Answer {
        let mut headers = vec![("language", lang)];
        if !body.is_empty() {
            headers.push(("content-type", "application/json"));
        }
        self.portal.ask(method, &host(site), path, &headers, body)
    }

    /// The payload of a GET request that must succeed.
    pub fn data(&self, site: &str, path: &str, lang: &str) -> Result<Value, String> {
        let answer = self.ask("GET", site, path, lang, "");
        let envelope: Value = serde_json::from_slice(&answer.bytes)
            .map_err(|_| format!("{site} {path}: {} without JSON", answer.status))?;
        if answer.status == 200 && envelope["status"] == 0 {
            Ok(envelope["data"].clone())
        } else {
            Err(format!("{site} {path}: {} {envelope}", answer.status))
        }
    }

    /// The same in Chinese, cached.
    pub fn payload(&self, site: &str, path: &str) -> Result<Rc<Value>, String> {
        let key = format!("{site} {path}");
        let known = self.payloads.borrow().get(&key).map(Rc::clone);
        if let Some(known) = known {
            return Ok(known);
        }
        let data = Rc::new(self.data(site, path, "zh")?);
        self.payloads.borrow_mut().insert(key, Rc::clone(&data));
        Ok(data)
    }

    /// The payload of a call on each of these sites, with examples of that site.
    pub fn payloads(&self, sites: &[&str], path: &str) -> Result<Vec<Rc<Value>>, String> {
        sites.iter().map(|site| self.payload(site, &self.filled(site, path)?)).collect()
    }

    /// The payload of a call on every site.
    pub fn everywhere(&self, path: &str) -> Result<Vec<Rc<Value>>, String> {
        self.sites().iter().map(|site| self.payload(site, path)).collect()
    }

    /// The payload of a call for each handwritten article of the demo and of the specimen; `{}` is replaced with its number.
    pub fn of_articles(&self, path: &str) -> Result<Vec<Rc<Value>>, String> {
        let mut all = Vec::new();
        for site in [SHELF, SPECIMEN] {
            for id in self.articles(site)? {
                all.push(self.payload(site, &path.replace("{}", &id.to_string()))?);
            }
        }
        Ok(all)
    }

    /// Replaces `{name}` with examples that the site itself lists.
    pub fn filled(&self, site: &str, text: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or_else(|| format!("{text}: missing closing brace"))?;
            filled.push_str(before);
            filled.push_str(&self.example(site, name)?);
            rest = after;
        }
        Ok(filled + rest)
    }

    fn example(&self, site: &str, name: &str) -> Result<String, String> {
        let key = format!("{site} {name}");
        if let Some(known) = self.examples.borrow().get(&key) {
            return Ok(known.clone());
        }
        let (path, pointer) = source(name).ok_or_else(|| format!("there is no example {name}"))?;
        let data = self.data(site, &self.filled(site, path)?, "zh")?;
        let found = match data.pointer(pointer) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => return Err(format!("{site} has no {name}: {path} has no {pointer}")),
        };
        self.examples.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    /// The numbers of all articles of a site.
    fn articles(&self, site: &str) -> Result<Vec<i64>, String> {
        let mut ids = BTreeSet::new();
        for page in 0.. {
            let path = format!("/rc-pub/front/advSearch?type=article&yearFrom=1&size=100&page={page}");
            let data = self.data(site, &path, "zh")?;
            let content = data["content"].as_array().cloned().unwrap_or_default();
            ids.extend(content.iter().filter_map(|hit| hit["id"].as_i64()));
            if content.len() < 100 {
                break;
            }
        }
        Ok(ids.into_iter().collect())
    }

    /// Short names of the sites that are not closed.
    pub fn sites(&self) -> Vec<String> {
        let table = self.portal.app.sites.load_full();
        let all = table.iter().map(|entry| entry.site.sld.clone());
        all.filter(|sld| CLOSED.iter().all(|(closed, ..)| closed != sld)).collect()
    }
}

/// The host name of a site.
pub fn host(site: &str) -> String {
    format!("{site}.localhost")
}

/// The source of an example: a call, and a JSON pointer into its payload.
fn source(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "article" => ("/rc-pub/front/front-article/getArticleByDoi?doi=10.5555/ocl.2026.06.01.0001", "/id"),
        "siteId" => ("/rc-pub/front/site/getBasicInfo", "/site/id"),
        "channel" => ("/rc-pub/front/site/getChannelList", "/channels/0/id"),
        "journal" => ("/rc-pub/front/site/getBasicInfo", "/journals/0/key"),
        "period" => ("/rc-pub/front/front-period/getFirstTwoPeriods", "/0/id"),
        "picture" => ("/rc-pub/front/pictures?article={article}", "/content/0/id"),
        "table" => ("/rc-pub/front/tables?article={article}", "/content/0/id"),
        "rank" => ("/rc-pub/front/rankList", "/0/id"),
        "news" => ("/rc-pub/front/front-news/list", "/content/0/id"),
        "information" => ("/rc-pub/front/front-information/list", "/content/0/id"),
        "album" => ("/rc-pub/front/album", "/content/0/id"),
        "virtual" => ("/rc-pub/front/front-virtual/list", "/content/0/id"),
        "topic" => ("/rc-pub/front/front-topic/list", "/content/0/id"),
        "topicKey" => ("/rc-pub/front/front-topic/list", "/content/0/key"),
        "composite" => ("/rc-pub/front/front-composite/list", "/content/0/id"),
        "expert" => ("/rc-pub/front/front-expert/list", "/0/content/0/id"),
        "board" => ("/rc-pub/front/front-expert/boards", "/content/0/id"),
        "video" => ("/rc-pub/front/vod/video/list", "/content/0/id"),
        "audio" => ("/rc-pub/front/vod/audio/list", "/content/0/id"),
        "book" => ("/rc-pub/front/rc-book/list", "/content/0/id"),
        "document" => ("/rc-pub/front/science-document/list", "/content/0/id"),
        "tool" => ("/rc-pub/front/tools", "/content/0/id"),
        "patent" => ("/rc-pub/front/front-patent/list", "/content/0/id"),
        "standard" => ("/rc-pub/front/front-standard/list", "/content/0/id"),
        _ => return None,
    })
}
