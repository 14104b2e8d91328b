//! Writer of BibTeX in UTF-8.

use crate::{Entry, Name, Run, WorkType, fold, one_line, page_range};

/// One entry (`application/x-bibtex`), ending in a line break.
///
/// Characters with a meaning in LaTeX are escaped; the title keeps its capitals; sub- and superscripts become commands; undivided
/// names stay undivided.
#[must_use]
pub fn bibtex(entry: &Entry) -> String {
    let mut out = format!("@{}{{{},\n", entry.work.names().0, entry.key());
    let mut field = |name: &str, value: &str| {
        if !value.is_empty() {
            out.push_str(&format!("  {name:<9} = {{{value}}},\n"));
        }
    };
    let names = |names: &[Name]| names.iter().map(name).collect::<Vec<_>>().join(" and ");
    field("author", &names(&entry.authors));
    field("editor", &names(&entry.editors));
    let title = runs(&entry.title);
    // Double braces keep bibliography styles from changing the capitals.
    field("title", &if title.is_empty() { title } else { format!("{{{title}}}") });
    let thesis = entry.work == WorkType::Thesis;
    field("journal", &if thesis { String::new() } else { escaped(&entry.journal) });
    field(if thesis { "school" } else { "publisher" }, &escaped(&entry.publisher));
    field("year", &escaped(&entry.year));
    field("month", entry.date().get(1).map_or("", |month| month.trim_start_matches('0')));
    field("volume", &escaped(&entry.volume));
    field("number", &escaped(&entry.issue));
    let (first, last) = (escaped(&entry.first_page), escaped(&entry.last_page));
    field("pages", &page_range(&first, &last, "--"));
    field("eid", &escaped(&entry.article_number));
    field("issn", &escaped(&entry.issn.join(", ")));
    field("doi", &verbatim(&entry.doi));
    field("url", &verbatim(&entry.url));
    field("keywords", &escaped(&entry.keywords.join(", ")));
    field("language", &escaped(&entry.language));
    field("abstract", &escaped(&entry.abstract_text));
    out.push_str("}\n");
    out
}

/// BibTeX puts the suffix in the middle: `family, suffix, given`. "and" and commas within a part need braces.
fn name(name: &Name) -> String {
    let (family, given, suffix) = match name {
        Name::Whole(whole) => return format!("{{{}}}", escaped(whole)),
        Name::Parts { family, given, suffix } => (family, given, suffix),
    };
    let part = |text: &str| {
        let special = text.contains(',') || text.split_whitespace().any(|word| word.eq_ignore_ascii_case("and"));
        if special { format!("{{{}}}", escaped(text)) } else { escaped(text) }
    };
    let parts = [family, suffix, given];
    parts.into_iter().filter(|part| !part.is_empty()).map(|one| part(one)).collect::<Vec<_>>().join(", ")
}

/// Text with LaTeX's special characters escaped. A brace becomes a command, because BibTeX counts an escaped brace as a brace.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '\\' => out.push_str("{\\textbackslash}"),
            '{' => out.push_str("{\\textbraceleft}"),
            '}' => out.push_str("{\\textbraceright}"),
            '~' => out.push_str("{\\textasciitilde}"),
            '^' => out.push_str("{\\textasciicircum}"),
            '<' => out.push_str("{\\textless}"),
            '>' => out.push_str("{\\textgreater}"),
            '&' | '%' | '$' | '#' | '_' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

fn runs(all: &[Run]) -> String {
    let mut out = String::new();
    for run in all {
        let (command, inner) = match run {
            Run::Text(text) => {
                // `fold` would drop the spaces at the ends, which separate this run from its neighbours.
                let start = if text.starts_with(char::is_whitespace) { " " } else { "" };
                let end = if text.len() > 1 && text.ends_with(char::is_whitespace) { " " } else { "" };
                out.push_str(&format!("{start}{}{end}", escaped(text)));
                continue;
            }
            Run::Sub(inner) => ("\\textsubscript", inner),
            Run::Sup(inner) => ("\\textsuperscript", inner),
            Run::Italic(inner) => ("\\emph", inner),
            Run::Bold(inner) => ("\\textbf", inner),
        };
        out.push_str(&format!("{command}{{{}}}", runs(inner)));
    }
    fold(&out)
}

/// The value of a verbatim field such as an address: only braces and the backslash could end the field or a command.
fn verbatim(text: &str) -> String {
    one_line(text).replace('{', "%7B").replace('}', "%7D").replace('\\', "%5C").replace(' ', "%20")
}
