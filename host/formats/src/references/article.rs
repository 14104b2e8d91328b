//! An article's own citation for reference managers: BibTeX, RIS and CSL-JSON.

use masthead_domain::{
    article::{ArticleMeta, Contributor, pick},
    content::{
        Node,
        text::{fold, plain},
    },
    lang::is_han,
};
use serde_json::{Value, json};

/// One BibTeX entry (`application/x-bibtex`) in UTF-8, with a line break at its end.
///
/// What LaTeX takes for a command is escaped; the title's capitals are kept; sub- and superscripts become commands; names of groups
/// and names in Chinese characters stay whole. `url` is the article's address, or "".
#[must_use]
pub fn bibtex(meta: &ArticleMeta, url: &str) -> String {
    let mut out = format!("@{}{{{},\n", kind(meta).bibtex, key(meta));
    let mut field = |name: &str, value: &str| {
        if !value.is_empty() {
            out.push_str(&format!("  {name:<9} = {{{value}}},\n"));
        }
    };
    let names = |role: &'static str| meta.contributors.iter().filter(move |person| person.role == role).map(latex_name);
    field("author", &names("author").collect::<Vec<_>>().join(" and "));
    field("editor", &names("editor").collect::<Vec<_>>().join(" and "));
    let title = latex_title(meta);
    if !title.is_empty() {
        field("title", &format!("{{{title}}}"));
    }
    let thesis = meta.article_type == "dissertation";
    field("journal", &if thesis { String::new() } else { latex(&meta.journal.title) });
    field(if thesis { "school" } else { "publisher" }, &latex(&meta.journal.publisher));
    field("year", &year(meta));
    field("month", &month(meta));
    field("volume", &latex(&meta.volume));
    field("number", &latex(&meta.issue));
    let pages = match (meta.first_page.as_str(), meta.last_page.as_str()) {
        (first, "") => latex(first),
        (first, last) if first == last => latex(first),
        (first, last) => format!("{}--{}", latex(first), latex(last)),
    };
    field("pages", &pages);
    field("eid", &latex(&meta.elocation_id));
    field("issn", &latex(&meta.journal.issn.join(", ")));
    // Addresses are verbatim fields: only braces and the percent sign could end or hide something.
    field("doi", &verbatim(meta.doi.as_ref().map_or("", |doi| doi.as_str())));
    field("url", &verbatim(url));
    field("keywords", &latex(&keywords(meta).join(", ")));
    field("language", &latex(&meta.language));
    out.push_str("}\n");
    out
}

/// One RIS record (`application/x-research-info-systems`), lines ended by CR LF, each tag on one line.
#[must_use]
pub fn ris(meta: &ArticleMeta, url: &str) -> String {
    let mut out = String::new();
    let mut line = |tag: &str, value: &str| {
        let value = one_line(value);
        if !value.is_empty() || tag == "ER" {
            out.push_str(&format!("{tag}  - {value}\r\n"));
        }
    };
    line("TY", kind(meta).ris);
    for (role, tag) in [("author", "AU"), ("editor", "ED")] {
        for person in meta.contributors.iter().filter(|person| person.role == role) {
            line(tag, &inverted(person));
        }
    }
    line("TI", &title(meta));
    line("T2", &meta.journal.title);
    line("J2", &meta.journal.abbrev);
    line("PY", &year(meta));
    line("DA", &slashed(meta.dates.published()));
    line("VL", &meta.volume);
    line("IS", &meta.issue);
    line("SP", &meta.first_page);
    line("EP", &meta.last_page);
    line("C7", &meta.elocation_id);
    for issn in &meta.journal.issn {
        line("SN", issn);
    }
    line("PB", &meta.journal.publisher);
    line("DO", meta.doi.as_ref().map_or("", |doi| doi.as_str()));
    line("UR", url);
    for keyword in keywords(meta) {
        line("KW", &keyword);
    }
    line("LA", &meta.language);
    line("ER", "");
    out
}

/// One item of CSL-JSON (`application/vnd.citationstyles.csl+json`).
#[must_use]
pub fn csl_json(meta: &ArticleMeta, url: &str) -> Value {
    let names = |role: &str| -> Vec<Value> {
        meta.contributors.iter().filter(|person| person.role == role).filter_map(csl_name).collect()
    };
    let mut item = json!({ "id": key(meta), "type": kind(meta).csl });
    for (field, people) in [("author", names("author")), ("editor", names("editor"))] {
        if !people.is_empty() {
            item[field] = Value::Array(people);
        }
    }
    let page = match (meta.first_page.as_str(), meta.last_page.as_str()) {
        ("", _) => meta.elocation_id.clone(),
        (first, "") => first.to_owned(),
        (first, last) if first == last => first.to_owned(),
        (first, last) => format!("{first}-{last}"),
    };
    for (field, value) in [
        ("title", title(meta).as_str()),
        ("container-title", &meta.journal.title),
        ("container-title-short", &meta.journal.abbrev),
        ("volume", &meta.volume),
        ("issue", &meta.issue),
        ("page", &page),
        ("ISSN", &meta.journal.issn.join(", ")),
        ("publisher", &meta.journal.publisher),
        ("DOI", meta.doi.as_ref().map_or("", |doi| doi.as_str())),
        ("URL", url),
        ("language", &meta.language),
        ("keyword", &keywords(meta).join(", ")),
    ] {
        if !value.is_empty() {
            item[field] = json!(value);
        }
    }
    let published = Some(meta.dates.published()).filter(|date| !date.is_empty()).map(str::to_owned);
    let issued = published.filter(|date| date.starts_with(&year(meta))).unwrap_or_else(|| year(meta));
    let parts: Vec<i32> = issued.split('-').filter_map(|part| part.parse().ok()).collect();
    if !parts.is_empty() {
        item["issued"] = json!({ "date-parts": [parts] });
    }
    item
}

struct Kind {
    bibtex: &'static str,
    ris: &'static str,
    csl: &'static str,
}

fn kind(meta: &ArticleMeta) -> Kind {
    match meta.article_type.as_str() {
        "preprint" => Kind { bibtex: "misc", ris: "UNPB", csl: "article" },
        "dissertation" | "thesis" => Kind { bibtex: "phdthesis", ris: "THES", csl: "thesis" },
        "book-review" | "product-review" => Kind { bibtex: "article", ris: "JOUR", csl: "review-book" },
        "chapter-article" => Kind { bibtex: "incollection", ris: "CHAP", csl: "chapter" },
        "data" | "dataset" => Kind { bibtex: "misc", ris: "DATA", csl: "dataset" },
        _ => Kind { bibtex: "article", ris: "JOUR", csl: "article-journal" },
    }
}

/// Key of ASCII letters and digits: first author, year, first long word of the title; the DOI where these are in another script.
fn key(meta: &ArticleMeta) -> String {
    let ascii = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let name = meta.authors().next().map(|one| ascii(if one.surname.is_empty() { &one.collab } else { &one.surname }));
    let name = name.filter(|name| !name.is_empty() && name.len() <= 40);
    let Some(name) = name else {
        let doi = meta.doi.as_ref().map(|doi| ascii(doi.as_str())).filter(|doi| !doi.is_empty());
        return doi.map_or_else(|| format!("article{}", year(meta)), |doi| format!("doi{doi}"));
    };
    let word = title(meta).split_whitespace().map(ascii).find(|word| word.len() > 3).unwrap_or_default();
    format!("{name}{}{}", year(meta), word.to_ascii_lowercase().chars().take(40).collect::<String>())
}

/// Title and subtitle in the article's own language.
fn title(meta: &ArticleMeta) -> String {
    let title = meta.title(&meta.language);
    let subtitle = pick(&meta.subtitles, &meta.language).map_or("", |text| text.plain.as_str());
    join_titles(title, subtitle)
}

fn join_titles(title: &str, subtitle: &str) -> String {
    if subtitle.is_empty() || title.contains(subtitle) {
        return title.to_owned();
    }
    let between = match title.chars().last() {
        Some('?' | '!' | ':' | '.') => " ",
        Some('？' | '！' | '：') => "",
        _ if is_han(title) => "：",
        _ => ": ",
    };
    format!("{title}{between}{subtitle}")
}

fn latex_title(meta: &ArticleMeta) -> String {
    let of = |texts| pick(texts, &meta.language).map(|text| latex_nodes(&text.nodes, &text.plain)).unwrap_or_default();
    join_titles(&of(&meta.titles), &of(&meta.subtitles))
}

fn year(meta: &ArticleMeta) -> String {
    let published = || meta.dates.published().get(..4).unwrap_or_default().to_owned();
    meta.year.map_or_else(published, |year| year.to_string())
}

fn month(meta: &ArticleMeta) -> String {
    let date = meta.dates.published();
    if !date.starts_with(&year(meta)) {
        return String::new();
    }
    date.get(5..7).unwrap_or_default().trim_start_matches('0').to_owned()
}

/// RIS writes all four parts of a date: `2026/03/01/`.
fn slashed(date: &str) -> String {
    let mut parts: Vec<&str> = date.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return String::new();
    }
    parts.resize(4, "");
    parts.join("/")
}

fn keywords(meta: &ArticleMeta) -> Vec<String> {
    let own = meta.keywords.iter().filter(|group| !matches!(group.kind.as_str(), "ocis" | "abbreviations"));
    let mut all: Vec<String> = Vec::new();
    for word in own.flat_map(|group| &group.plain) {
        if !all.contains(word) {
            all.push(word.clone());
        }
    }
    all
}

fn whole(person: &Contributor) -> bool {
    !person.collab.is_empty() || person.surname.is_empty() || is_han(&person.surname)
}

/// `Lovelace, Ada, Jr`; whole names as they are.
fn inverted(person: &Contributor) -> String {
    if whole(person) {
        return person.display_name();
    }
    let parts = [&person.surname, &person.given_names, &person.suffix];
    parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn latex_name(person: &Contributor) -> String {
    if whole(person) {
        return format!("{{{}}}", latex(&person.display_name()));
    }
    // BibTeX has the suffix in the middle. "and" and commas within a part need braces.
    let part = |text: &str| {
        let escaped = latex(text);
        let special = text.contains(',') || text.split_whitespace().any(|word| word.eq_ignore_ascii_case("and"));
        if special { format!("{{{escaped}}}") } else { escaped }
    };
    let parts = [&person.surname, &person.suffix, &person.given_names];
    parts.into_iter().filter(|part| !part.is_empty()).map(|one| part(one)).collect::<Vec<_>>().join(", ")
}

fn csl_name(person: &Contributor) -> Option<Value> {
    if whole(person) {
        let name = person.display_name();
        return (!name.is_empty()).then(|| json!({ "literal": name }));
    }
    let mut name = json!({ "family": person.surname });
    for (field, value) in [("given", &person.given_names), ("suffix", &person.suffix)] {
        if !value.is_empty() {
            name[field] = json!(value);
        }
    }
    Some(name)
}

/// A value of RIS cannot have a second line, which would be read as a tag.
fn one_line(text: &str) -> String {
    fold(
        &text
            .chars()
            .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
            .collect::<String>(),
    )
}

/// Text for LaTeX: every character that is a command there is escaped; braces are balanced by that.
fn latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '\\' => out.push_str("{\\textbackslash}"),
            '{' | '}' | '&' | '%' | '$' | '#' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("{\\textasciitilde}"),
            '^' => out.push_str("{\\textasciicircum}"),
            '<' => out.push_str("{\\textless}"),
            '>' => out.push_str("{\\textgreater}"),
            _ => out.push(c),
        }
    }
    out
}

fn latex_nodes(nodes: &[Node], plain_text: &str) -> String {
    if nodes.is_empty() {
        return latex(plain_text);
    }
    let mut out = String::new();
    for node in nodes {
        let (command, inner) = match node {
            Node::Text { text } => {
                // Folding is for whole texts; here spaces at the ends count.
                let start = if text.starts_with(char::is_whitespace) { " " } else { "" };
                let end = if text.len() > 1 && text.ends_with(char::is_whitespace) { " " } else { "" };
                out.push_str(&format!("{start}{}{end}", latex(text)));
                continue;
            }
            Node::Sub { nodes } => ("\\textsubscript", nodes),
            Node::Sup { nodes } => ("\\textsuperscript", nodes),
            Node::Italic { nodes } => ("\\emph", nodes),
            Node::Bold { nodes } => ("\\textbf", nodes),
            other => {
                out.push_str(&latex(&plain(std::slice::from_ref(other))));
                continue;
            }
        };
        out.push_str(&format!("{command}{{{}}}", latex_nodes(inner, "")));
    }
    fold(&out)
}

fn verbatim(text: &str) -> String {
    one_line(text).replace('{', "%7B").replace('}', "%7D").replace('\\', "%5C").replace(' ', "%20")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use masthead_domain::{
        Doi,
        article::{Dates, JournalRef, KeywordGroup, LangText},
    };
    use proptest::prelude::*;

    use super::*;

    fn person(surname: &str, given: &str) -> Contributor {
        Contributor {
            role: "author".into(),
            surname: surname.into(),
            given_names: given.into(),
            ..Contributor::default()
        }
    }

    fn title_of(lang: &str, nodes: Vec<Node>) -> LangText {
        LangText { lang: lang.into(), plain: plain(&nodes), nodes }
    }

    fn meta() -> ArticleMeta {
        ArticleMeta {
            article_type: "research-article".into(),
            language: "en".into(),
            titles: vec![title_of(
                "en",
                vec![
                    Node::text("On 50% of H"),
                    Node::Sub { nodes: vec![Node::text("2")] },
                    Node::text("O & "),
                    Node::Italic { nodes: vec![Node::text("E. coli_{1}")] },
                ],
            )],
            contributors: vec![
                person("Lovelace", "Ada"),
                Contributor { suffix: "Jr".into(), ..person("de la Mer", "Jean") },
                person("王", "小明"),
                Contributor { collab: "Tides and Ebbs Group".into(), ..person("", "") },
            ],
            journal: JournalRef {
                title: "Ocean & Ledger".into(),
                abbrev: "Ocean Ledg.".into(),
                issn: vec!["1234-5679".into()],
                publisher: "Press".into(),
                ..JournalRef::default()
            },
            year: Some(2026),
            volume: "3".into(),
            issue: "2".into(),
            first_page: "10".into(),
            last_page: "19".into(),
            dates: Dates { online: "2026-03-01".into(), ..Dates::default() },
            doi: Some(Doi::parse("10.5555/x_1").unwrap()),
            keywords: vec![KeywordGroup { plain: vec!["sea".into(), "salt\nwater".into()], ..KeywordGroup::default() }],
            ..ArticleMeta::default()
        }
    }

    #[test]
    fn bibtex_is_escaped_and_keeps_names_whole() {
        let made = bibtex(&meta(), "https://a.example/en/article/1?x=1&y={2}");
        let wanted = r"@article{Lovelace2026coli1,
  author    = {Lovelace, Ada and de la Mer, Jr, Jean and {王小明} and {Tides and Ebbs Group}},
  title     = {{On 50\% of H\textsubscript{2}O \& \emph{E. coli\_\{1\}}}},
  journal   = {Ocean \& Ledger},
  publisher = {Press},
  year      = {2026},
  month     = {3},
  volume    = {3},
  number    = {2},
  pages     = {10--19},
  issn      = {1234-5679},
  doi       = {10.5555/x_1},
  url       = {https://a.example/en/article/1?x=1&y=%7B2%7D},
  keywords  = {sea, salt water},
  language  = {en},
}
";
        assert_eq!(made, wanted);
    }

    #[test]
    fn ris_has_a_line_a_tag() {
        let made = ris(&meta(), "https://a.example/1");
        let lines: Vec<&str> = made.split("\r\n").collect();
        assert_eq!(lines.first(), Some(&"TY  - JOUR"));
        for wanted in [
            "AU  - Lovelace, Ada",
            "AU  - de la Mer, Jean, Jr",
            "AU  - 王小明",
            "AU  - Tides and Ebbs Group",
            "TI  - On 50% of H2O & E. coli_{1}",
            "T2  - Ocean & Ledger",
            "DA  - 2026/03/01/",
            "KW  - salt water",
            "DO  - 10.5555/x_1",
        ] {
            assert!(lines.contains(&wanted), "{wanted}: {made}");
        }
        assert!(made.ends_with("ER  - \r\n"));
    }

    #[test]
    fn csl_json_has_names_and_dates_as_citeproc_reads_them() {
        let made = csl_json(&meta(), "");
        assert_eq!(made["type"], "article-journal");
        assert_eq!(made["author"][1], json!({"family": "de la Mer", "given": "Jean", "suffix": "Jr"}));
        assert_eq!(made["author"][2], json!({"literal": "王小明"}));
        assert_eq!(made["issued"], json!({"date-parts": [[2026, 3, 1]]}));
        assert_eq!((made["page"].as_str(), made["URL"].as_str()), (Some("10-19"), None));
        let printed = ArticleMeta { year: Some(2025), ..meta() };
        assert_eq!(csl_json(&printed, "")["issued"], json!({"date-parts": [[2025]]}));
    }

    #[test]
    fn types_and_subtitles_follow_the_article() {
        let mut meta = meta();
        meta.article_type = "preprint".into();
        meta.subtitles = vec![title_of("en", vec![Node::text("a study")])];
        meta.contributors = vec![person("王", "小明")];
        assert!(bibtex(&meta, "").starts_with("@misc{doi105555x1,"));
        assert!(ris(&meta, "").starts_with("TY  - UNPB\r\n"));
        assert_eq!(csl_json(&meta, "")["title"], "On 50% of H2O & E. coli_{1}: a study");
        assert!(bibtex(&ArticleMeta::default(), "").starts_with("@article{article,"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(title in "\\PC{1,60}", surname in "[A-Za-zé{}%&\\\\_ -]{1,20}", journal in "\\PC{0,40}") {
            prop_assume!(title.trim() == title && journal.trim() == journal);
            prop_assume!(!fold(&title).is_empty() && !surname.trim().is_empty());
            let meta = ArticleMeta {
                titles: vec![title_of("en", vec![Node::text(title.clone())])],
                language: "en".into(),
                contributors: vec![person(surname.trim(), "A.")],
                journal: JournalRef { title: journal, ..JournalRef::default() },
                ..ArticleMeta::default()
            };
            let read = crate::references::bibtex(bibtex(&meta, "").as_bytes()).unwrap();
            prop_assert_eq!(read.faults.len(), 0, "{:?} {}", read.faults, bibtex(&meta, ""));
            prop_assert_eq!(read.records.len(), 1);
            let written = crate::references::ris(ris(&meta, "").as_bytes()).unwrap();
            prop_assert_eq!(&written.records[0].title, &one_line(&title));
        }
    }
}
