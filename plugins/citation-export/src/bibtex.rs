//! BibTeX: one `@article`, in UTF-8.

use masthead_plugin::{Article, Person};

use super::original;

/// Text in which nothing is a command. Its braces are always balanced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            // An escaped brace still counts as one: a command does not.
            '{' => out.push_str("\\textbraceleft{}"),
            '}' => out.push_str("\\textbraceright{}"),
            '$' | '&' | '#' | '%' | '_' => out.extend(['\\', letter]),
            other => out.push(other),
        }
    }
    out
}

/// A DOI or an address, which BibTeX takes as it stands: only what would end the field is percent-encoded.
fn verbatim(text: &str) -> String {
    text.replace('\\', "%5C").replace('{', "%7B").replace('}', "%7D")
}

fn name(author: &Person) -> String {
    match (author.family.as_str(), author.given.as_str()) {
        // In braces it is one name, whatever words are in it.
        ("", _) => format!("{{{}}}", escape(&author.name)),
        (family, "") => format!("{{{}}}", escape(family)),
        (family, given) => format!("{}, {}", escape(family), escape(given)),
    }
}

/// `okafor2025-17`: letters without accents only, and never the same for two articles of a site.
fn key(article: &Article) -> String {
    let family = article.authors.first().map_or("", |author| author.family.as_str());
    let family: String = family.chars().filter(char::is_ascii_alphabetic).collect();
    let family = if family.is_empty() { "article".to_owned() } else { family.to_ascii_lowercase() };
    let year = if article.year > 0 { article.year.to_string() } else { String::new() };
    format!("{family}{year}-{}", article.id)
}

pub fn write(article: &Article, address: &str) -> String {
    let mut fields = Vec::new();
    let mut field = |name: &str, value: String| {
        if !value.is_empty() {
            fields.push(format!("  {name} = {{{value}}}"));
        }
    };
    field("author", article.authors.iter().map(name).collect::<Vec<_>>().join(" and "));
    // Twice in braces: styles leave the capitals as they are.
    let title = escape(original(&article.titles));
    field("title", if title.is_empty() { title } else { format!("{{{title}}}") });
    field("journal", escape(&article.journal));
    field("year", if article.year > 0 { article.year.to_string() } else { String::new() });
    field("volume", escape(&article.volume));
    field("number", escape(&article.issue));
    let pages = [article.first_page.as_str(), article.last_page.as_str()].map(escape);
    field("pages", pages.into_iter().filter(|page| !page.is_empty()).collect::<Vec<_>>().join("--"));
    field("issn", escape(&article.issn.join(", ")));
    field("publisher", escape(&article.publisher));
    field("doi", verbatim(&article.doi));
    field("url", verbatim(address));
    field("keywords", article.keywords.iter().map(|keyword| escape(&keyword.value)).collect::<Vec<_>>().join(", "));
    field("abstract", escape(original(&article.abstracts)));
    format!("@article{{{},\n{}\n}}\n", key(article), fields.join(",\n"))
}
