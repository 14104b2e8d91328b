//! RIS: a tag of two letters, two spaces, a hyphen and a space on each line.

use masthead_plugin::{Article, Person};

use super::original;

fn name(author: &Person) -> String {
    match (author.family.as_str(), author.given.as_str()) {
        ("", _) => author.name.clone(),
        (family, "") => family.to_owned(),
        (family, given) => format!("{family}, {given}"),
    }
}

pub fn write(article: &Article, address: &str) -> String {
    let mut lines = vec!["TY  - JOUR".to_owned()];
    // A value never spans lines: whatever breaks one becomes a space.
    let mut line = |tag: &str, value: &str| {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if !value.is_empty() {
            lines.push(format!("{tag}  - {value}"));
        }
    };
    article.authors.iter().for_each(|author| line("AU", &name(author)));
    line("TI", original(&article.titles));
    line("T2", &article.journal);
    if article.year > 0 {
        line("PY", &article.year.to_string());
    }
    line("DA", &article.published.replace('-', "/"));
    line("VL", &article.volume);
    line("IS", &article.issue);
    line("SP", &article.first_page);
    line("EP", &article.last_page);
    article.issn.iter().for_each(|issn| line("SN", issn));
    line("PB", &article.publisher);
    line("DO", &article.doi);
    line("UR", address);
    line("LA", &article.language);
    article.keywords.iter().for_each(|keyword| line("KW", &keyword.value));
    line("AB", original(&article.abstracts));
    lines.push("ER  - ".to_owned());
    lines.push(String::new());
    lines.join("\r\n")
}
