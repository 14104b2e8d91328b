//! Queries with what has to be found.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// A query with what has to be found.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The class by which results are counted.
    pub class: String,
    /// What the reader types.
    pub text: String,
    /// The kind of entries that is searched; `all` for all.
    pub kind: String,
    /// Keys of the documents of which one has to be first.
    pub best: BTreeSet<String>,
    /// Keys of further relevant documents.
    pub also: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    articles: BTreeMap<String, String>,
    class: Vec<Class>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    name: String,
    #[serde(default = "articles")]
    kind: String,
    queries: Vec<Judged>,
}

fn articles() -> String {
    "article".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    q: String,
    best: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
}

/// The judged queries over the demo content.
#[must_use]
pub fn of_demo() -> Vec<Query> {
    let file: File = toml::from_str(include_str!("demo.toml")).unwrap();
    let key = |name: &String| {
        // Books and other resources have their own keys.
        if name.contains(':') {
            return name.clone();
        }
        let (article, element) = name.split_once('#').unwrap_or((name, ""));
        let doi = file.articles.get(article).unwrap_or_else(|| panic!("demo.toml: there is no article {article:?}"));
        if element.is_empty() { doi.clone() } else { format!("{doi}#{element}") }
    };
    let query = |class: &Class, judged: &Judged| Query {
        class: class.name.clone(),
        text: judged.q.clone(),
        kind: class.kind.clone(),
        best: judged.best.iter().map(key).collect(),
        also: judged.also.iter().map(key).collect(),
    };
    file.class.iter().flat_map(|class| class.queries.iter().map(move |judged| query(class, judged))).collect()
}
