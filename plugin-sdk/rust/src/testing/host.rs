//! The capabilities as native functions with the same signatures as the generated bindings.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

// The types are those of the bindings, so that the capabilities can use this module and this module none of them.
use crate::{
    Article,
    bindings::capabilities::masthead::plugin::http::{Failure as HttpFailure, Request, Response},
};

pub struct World {
    pub settings: String,
    pub now: u64,
    pub random: u8,
    pub articles: Vec<Article>,
    pub full_texts: BTreeMap<i64, String>,
    pub secrets: BTreeSet<String>,
    pub lines: Vec<String>,
    pub kept: BTreeMap<String, Vec<u8>>,
}

type Server = Box<dyn FnMut(&Request) -> Result<Response, HttpFailure>>;

thread_local! {
    static WORLD: RefCell<World> = const { RefCell::new(World {
        settings: String::new(),
        now: 1_767_225_600_000,
        random: 0,
        articles: Vec::new(),
        full_texts: BTreeMap::new(),
        secrets: BTreeSet::new(),
        lines: Vec::new(),
        kept: BTreeMap::new(),
    }) };
    static SERVER: RefCell<Option<Server>> = const { RefCell::new(None) };
}

pub fn with<T>(work: impl FnOnce(&mut World) -> T) -> T {
    WORLD.with(|world| work(&mut world.borrow_mut()))
}

pub fn set_server(server: Server) {
    SERVER.with(|cell| *cell.borrow_mut() = Some(server));
}

pub mod settings {
    pub fn get() -> String {
        super::with(|world| if world.settings.is_empty() { "{}".to_owned() } else { world.settings.clone() })
    }
}

pub mod log {
    use crate::bindings::capabilities::masthead::plugin::log::Level;

    pub fn write(level: Level, message: &str) {
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        let line = format!("{level}: {message}");
        eprintln!("{line}");
        super::with(|world| world.lines.push(line));
    }
}

pub mod clock {
    pub fn now() -> u64 {
        super::with(|world| world.now)
    }
}

pub mod random {
    /// Returns consecutive numbers, so that tests get the same bytes every time.
    pub fn bytes(length: u32) -> Vec<u8> {
        super::with(|world| {
            let next = |_| {
                world.random = world.random.wrapping_add(1);
                world.random
            };
            (0..length.min(1_024)).map(next).collect()
        })
    }
}

pub mod content {
    use crate::{Article, bindings::capabilities::masthead::plugin::content::Passage};

    pub fn by_id(id: i64) -> Result<Option<Article>, String> {
        super::with(|world| Ok(world.articles.iter().find(|article| article.id == id).cloned()))
    }

    pub fn by_doi(doi: &str) -> Result<Option<Article>, String> {
        super::with(|world| Ok(world.articles.iter().find(|article| article.doi.eq_ignore_ascii_case(doi)).cloned()))
    }

    pub fn latest(limit: u32) -> Result<Vec<Article>, String> {
        super::with(|world| Ok(world.articles.iter().take(limit.min(50) as usize).cloned().collect()))
    }

    pub fn full_text(id: i64) -> Result<Option<String>, String> {
        super::with(|world| Ok(world.full_texts.get(&id).cloned()))
    }

    /// Finds articles with one of the words in titles, abstracts or full text.
    pub fn search(text: &str, limit: u32) -> Result<Vec<Passage>, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        super::with(|world| {
            let passage = |article: &Article| {
                let texts = article.titles.iter().chain(&article.abstracts).map(|text| &text.value);
                let mut texts = texts.chain(world.full_texts.get(&article.id));
                let found = texts.find(|text| words.iter().any(|word| text.to_lowercase().contains(word)))?;
                Some(Passage {
                    article: article.id,
                    path: article.path.clone(),
                    title: article.titles.first().map(|title| title.value.clone()).unwrap_or_default(),
                    text: found.clone(),
                })
            };
            Ok(world.articles.iter().filter_map(passage).take(limit.min(20) as usize).collect())
        })
    }
}

pub mod kv {
    use crate::bindings::capabilities::masthead::plugin::kv::Failure;

    fn checked(key: &str) -> Result<&str, Failure> {
        if key.is_empty() || key.len() > 256 {
            return Err(Failure::Invalid("a key has 1 to 256 bytes".to_owned()));
        }
        Ok(key)
    }

    pub fn get(key: &str) -> Result<Option<Vec<u8>>, Failure> {
        let key = checked(key)?;
        super::with(|world| Ok(world.kept.get(key).cloned()))
    }

    pub fn set(key: &str, value: &[u8]) -> Result<(), Failure> {
        let key = checked(key)?;
        if value.len() > 64 << 10 {
            return Err(Failure::Invalid("a value has at most 64 KiB".to_owned()));
        }
        super::with(|world| world.kept.insert(key.to_owned(), value.to_vec()));
        Ok(())
    }

    pub fn delete(key: &str) -> Result<bool, Failure> {
        let key = checked(key)?;
        super::with(|world| Ok(world.kept.remove(key).is_some()))
    }

    pub fn keys(prefix: &str, after: &str) -> Result<Vec<String>, Failure> {
        super::with(|world| {
            let keys = world.kept.keys().filter(|key| key.starts_with(prefix) && key.as_str() > after);
            Ok(keys.take(100).cloned().collect())
        })
    }
}

pub mod http {
    use crate::bindings::capabilities::masthead::plugin::http::{Failure, Request, Response};

    pub fn fetch(request: &Request) -> Result<Response, Failure> {
        for credential in &request.credentials {
            if !super::secrets::has(&credential.secret) {
                return Err(Failure::NotGranted(format!("the secret {:?}: testing::put_secret", credential.secret)));
            }
        }
        // The handler is removed while it runs, because it may use the fake host as well.
        let Some(mut server) = super::SERVER.with(|cell| cell.borrow_mut().take()) else {
            return Err(Failure::NotGranted("no server: testing::on_http".to_owned()));
        };
        let answer = server(request);
        super::SERVER.with(|cell| {
            cell.borrow_mut().get_or_insert(server);
        });
        answer
    }
}

pub mod secrets {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    pub fn has(name: &str) -> bool {
        super::with(|world| world.secrets.contains(name))
    }

    /// Not an HMAC, but of the same length, and different for different data.
    pub fn sign(name: &str, data: &[u8]) -> Result<String, String> {
        if !has(name) {
            return Err(format!("the secret {name:?} is not granted: testing::put_secret"));
        }
        let part = |at: u8| {
            let mut hasher = DefaultHasher::new();
            (at, name, data).hash(&mut hasher);
            format!("{:016x}", hasher.finish())
        };
        Ok((0..4).map(part).collect())
    }
}
