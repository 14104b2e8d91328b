//! CSL-JSON: a list with one item, as citation managers import it.

use masthead_plugin::{
    Article, Person,
    serde_json::{Map, Value, json},
};

use super::original;

fn name(author: &Person) -> Value {
    match (author.family.as_str(), author.given.as_str()) {
        ("", _) => json!({ "literal": author.name }),
        (family, "") => json!({ "family": family }),
        (family, given) => json!({ "family": family, "given": given }),
    }
}

/// The parts of `2025-06-30`, else the year.
fn date(article: &Article) -> Vec<i32> {
    let parts: Vec<i32> = article.published.split('-').map_while(|part| part.parse().ok()).take(3).collect();
    if parts.is_empty() && article.year > 0 { vec![article.year] } else { parts }
}

pub fn write(article: &Article, address: &str) -> String {
    let mut item = Map::new();
    let mut field = |name: &str, value: Value| {
        if value.as_str() != Some("") && value.as_array().is_none_or(|list| !list.is_empty()) {
            item.insert(name.to_owned(), value);
        }
    };
    field("id", json!(format!("article-{}", article.id)));
    field("type", json!("article-journal"));
    field("title", json!(original(&article.titles)));
    field("author", article.authors.iter().map(name).collect());
    field("container-title", json!(article.journal));
    field("ISSN", json!(article.issn.join(", ")));
    field("publisher", json!(article.publisher));
    field("volume", json!(article.volume));
    field("issue", json!(article.issue));
    let pages = [article.first_page.as_str(), article.last_page.as_str()];
    field("page", json!(pages.into_iter().filter(|page| !page.is_empty()).collect::<Vec<_>>().join("-")));
    let date = date(article);
    if !date.is_empty() {
        field("issued", json!({ "date-parts": [date] }));
    }
    field("DOI", json!(article.doi));
    field("URL", json!(address));
    field("language", json!(article.language));
    let keywords: Vec<_> = article.keywords.iter().map(|keyword| keyword.value.as_str()).collect();
    field("keyword", json!(keywords.join(", ")));
    field("abstract", json!(original(&article.abstracts)));
    json!([item]).to_string()
}
