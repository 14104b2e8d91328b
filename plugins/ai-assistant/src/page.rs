//! The page in the panel: no scripts, one form, and what was found.

use masthead_plugin::{Context, content::Passage, escape_html, language_tag};

use super::texts::{Texts, texts};

const STYLE: &str = include_str!("page.css");

/// The page; `passages` is none before the first question.
pub fn write(context: &Context, question: &str, passages: Option<&[Passage]>) -> String {
    let words = texts(&context.lang);
    // What it says is in the page's language only where there are texts in it.
    let lang = language_tag(words.lang);
    let direction = if words.lang == "ara" { "rtl" } else { "ltr" };
    let Texts { title, question: label, ask, about, .. } = words;
    let question = escape_html(question);
    let answer =
        passages.map_or_else(|| format!("<p class=\"quiet\">{about}</p>"), |found| answer(context, words, found));
    // The form leads to `ask` beside this page, and its answer takes the place of this page.
    format!(
        "<!doctype html>\n<html lang=\"{lang}\" dir=\"{direction}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <form action=\"ask\" method=\"get\" role=\"search\">\n<label for=\"q\">{label}</label>\n\
         <input id=\"q\" name=\"q\" type=\"search\" dir=\"auto\" value=\"{question}\" maxlength=\"500\" autocomplete=\"off\" required>\n\
         <button>{ask}</button>\n</form>\n{answer}\n</main>\n</body>\n</html>\n"
    )
}

fn answer(context: &Context, words: &Texts, passages: &[Passage]) -> String {
    if passages.is_empty() {
        return format!("<p role=\"status\">{}</p>", words.nothing);
    }
    // An article's passages stand together, under its title.
    let item = |together: &[Passage]| {
        let Passage { path, title, .. } = &together[0];
        let (address, title) = (escape_html(&format!("{}/{path}", context.address)), escape_html(title));
        let quote =
            |passage: &Passage| format!("<blockquote cite=\"{address}\">{}</blockquote>", escape_html(&passage.text));
        let quotes: String = together.iter().map(quote).collect();
        // `_top`: the article takes the place of the page around the panel.
        format!("<li dir=\"auto\"><h2><a href=\"{address}\" target=\"_top\">{title}</a></h2>{quotes}</li>")
    };
    let items: Vec<_> = passages.chunk_by(|one, next| one.article == next.article).map(item).collect();
    format!("<p role=\"status\">{}</p>\n<ol>\n{}\n</ol>", words.found, items.join("\n"))
}
