//! Article pages offer the article's citation as a file.

use masthead_plugin::{
    Additions, Article, ArticleDecorate, Context, Download, Response, RouteRequest, Routes, content, register,
};

mod bibtex;
mod csl;
mod ris;

/// One format of citations.
struct Format {
    path: &'static str,
    label: &'static str,
    media_type: &'static str,
    extension: &'static str,
    write: fn(&Article, &str) -> String,
}

#[rustfmt::skip]
const FORMATS: [Format; 3] = [
    Format { path: "ris", label: "RIS", media_type: "application/x-research-info-systems", extension: "ris", write: ris::write },
    Format { path: "bibtex", label: "BibTeX", media_type: "application/x-bibtex", extension: "bib", write: bibtex::write },
    Format { path: "csl", label: "CSL-JSON", media_type: "application/vnd.citationstyles.csl+json", extension: "json", write: csl::write },
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
            return Ok(Response::not_found("There are ris, bibtex and csl."));
        };
        let id = request.param("id").and_then(|id| id.parse().ok());
        let Some(id) = id else { return Ok(Response::text("id has to be the number of an article.").status(400)) };
        let Some(article) = content::by_id(id)? else { return Ok(Response::not_found("There is no such article.")) };
        let address = format!("{}/{}", context.address, article.path);
        let media_type = format!("{}; charset=utf-8", format.media_type);
        let file = format!("article-{id}.{}", format.extension);
        Ok(Response::new(&media_type, (format.write)(&article, &address)).attachment(&file))
    }
}

register!(CitationExport: ArticleDecorate, Routes);

/// The title and the abstract in the article's own language, which comes first.
fn original(texts: &[masthead_plugin::Text]) -> &str {
    texts.first().map_or("", |text| text.value.as_str())
}

#[cfg(test)]
mod tests;
