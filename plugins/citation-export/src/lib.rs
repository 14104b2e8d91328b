//! Adds downloads of the article's citation to article pages.

use masthead_citation_formats::{Entry, Name, Run, WorkType, bibtex, csl_json, ris};
use masthead_plugin::{
    Additions, Article, ArticleDecorate, Context, Download, Person, Response, RouteRequest, Routes, content, register,
    serde_json::json,
};

/// A citation format.
struct Format {
    path: &'static str,
    label: &'static str,
    media_type: &'static str,
    extension: &'static str,
    write: fn(&Entry) -> String,
}

#[rustfmt::skip]
const FORMATS: [Format; 3] = [
    Format { path: "ris", label: "RIS", media_type: "application/x-research-info-systems", extension: "ris", write: ris },
    Format { path: "bibtex", label: "BibTeX", media_type: "application/x-bibtex", extension: "bib", write: bibtex },
    Format { path: "csl", label: "CSL-JSON", media_type: "application/vnd.citationstyles.csl+json", extension: "json", write: |entry| json!([csl_json(entry)]).to_string() },
];

struct CitationExport;

impl ArticleDecorate for CitationExport {
    fn decorate(_: &Context, article: Article) -> Result<Additions, String> {
        let download = |format: &Format| Download {
            label: format.label.to_owned(),
            href: format!("plugins/citation-export/{}?id={}", format.path, article.id),
            media_type: format.media_type.to_owned(),
        };
        Ok(Additions { downloads: FORMATS.iter().map(download).collect(), ..Additions::default() })
    }
}

impl Routes for CitationExport {
    fn handle(context: &Context, request: RouteRequest) -> Result<Response, String> {
        let Some(format) = FORMATS.iter().find(|format| format.path == request.path) else {
            return Ok(Response::not_found("Unknown format; the formats are ris, bibtex and csl."));
        };
        let id = request.param("id").and_then(|id| id.parse().ok());
        let Some(id) = id else {
            return Ok(Response::text("The parameter id must be the number of an article.").status(400));
        };
        let Some(article) = content::by_id(id)? else { return Ok(Response::not_found("The article does not exist.")) };
        let address = format!("{}/{}", context.address, article.path);
        let media_type = format!("{}; charset=utf-8", format.media_type);
        let file = format!("article-{id}.{}", format.extension);
        Ok(Response::new(&media_type, (format.write)(&entry(&article, &address))).attachment(&file))
    }
}

register!(CitationExport: ArticleDecorate, Routes);

fn entry(article: &Article, address: &str) -> Entry {
    Entry {
        work: WorkType::of(&article.kind),
        title: vec![Run::Text(original(&article.titles).to_owned())],
        authors: article.authors.iter().map(name).collect(),
        journal: article.journal.clone(),
        issn: article.issn.clone(),
        publisher: article.publisher.clone(),
        year: if article.year > 0 { article.year.to_string() } else { String::new() },
        published: article.published.clone(),
        volume: article.volume.clone(),
        issue: article.issue.clone(),
        first_page: article.first_page.clone(),
        last_page: article.last_page.clone(),
        doi: article.doi.clone(),
        url: address.to_owned(),
        language: article.language.clone(),
        keywords: article.keywords.iter().map(|keyword| keyword.value.clone()).collect(),
        abstract_text: original(&article.abstracts).to_owned(),
        ..Entry::default()
    }
}

/// The name of an author. It is not split for a group, which has no family name, nor if the parts are displayed without a space (王小明).
fn name(person: &Person) -> Name {
    if person.family.is_empty() || person.name == format!("{}{}", person.family, person.given) {
        return Name::Whole(person.name.clone());
    }
    Name::Parts { family: person.family.clone(), given: person.given.clone(), suffix: String::new() }
}

/// The text in the article's own language, which is the first one.
fn original(texts: &[masthead_plugin::Text]) -> &str {
    texts.first().map_or("", |text| text.value.as_str())
}

#[cfg(test)]
mod tests;
