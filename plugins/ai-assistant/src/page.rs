//! The page in the panel: a form and the passages found, without scripts.

use masthead_plugin::{Context, content::Passage, escape_html, language_tag};

use super::texts::{Texts, texts};

const STYLE: &str = include_str!("page.css");

/// Renders the page as HTML; `passages` is `None` before the first question.
pub fn write(context: &Context, question: &str, passages: Option<&[Passage]>) -> String {
    let words = texts(&context.lang);
    // The language of the texts, which differs from the page's language if there are no texts in that.
    let lang = language_tag(words.lang);
    let direction = if words.lang == "ara" { "rtl" } else { "ltr" };
    let Texts { title, question: label, ask, about, .. } = words;
    let question = escape_html(question);
    let answer =
        passages.map_or_else(|| format!("<p class=\"quiet\">{about}</p>"), |found| answer(context, words, found));
    // The form submits to the path `ask` of this plugin, whose response replaces this page.
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
    // The passages of one article are grouped under its title.
    let item = |group: &[Passage]| {
        let Passage { path, title, .. } = &group[0];
        let (address, title) = (escape_html(&format!("{}/{path}", context.address)), escape_html(title));
        let quote =
            |passage: &Passage| format!("<blockquote cite=\"{address}\">{}</blockquote>", escape_html(&passage.text));
        let quotes: String = group.iter().map(quote).collect();
        // `_top`: the article opens in the whole window, not in the frame.
        format!("<li dir=\"auto\"><h2><a href=\"{address}\" target=\"_top\">{title}</a></h2>{quotes}</li>")
    };
    let items: Vec<_> = passages.chunk_by(|one, next| one.article == next.article).map(item).collect();
    format!("<p role=\"status\">{}</p>\n<ol>\n{}\n</ol>", words.found, items.join("\n"))
}
