//! Every article of the corpus is imported and rendered without loss of text. Skipped if there is no corpus.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

use masthead_documents::{html, jats};
use roxmltree::{Document, Node, ParsingOptions};

fn files() -> Vec<PathBuf> {
    let root = std::env::var_os("MASTHEAD_TEST_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let mut found: Vec<PathBuf> = ["jats", "zh-chinaxiv"]
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(root.join(folder)).into_iter().filter_map(Result::ok))
        .map(|entry| entry.path().to_owned())
        .filter(|path| path.extension().is_some_and(|end| end == "xml"))
        .collect();
    found.sort();
    if found.is_empty() {
        println!("skipped: no corpus at {}", root.display());
    }
    found
}

fn local<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

/// The text of the body according to the source alone: without metadata as the importer defines it, without alternatives of content
/// that is shown already, and without formulas, whose characters change.
fn expected(node: Node, out: &mut String) {
    if node.is_text() {
        out.push_str(node.text().unwrap_or_default());
        return;
    }
    let name = local(node);
    if jats::is_no_text(name) || matches!(name, "math" | "alternatives" | "ref-list") || hidden_id(node) {
        return;
    }
    for child in node.children() {
        expected(child, out);
    }
}

/// Whether the element is a catalogue key in a citation that the importer composes.
fn hidden_id(node: Node) -> bool {
    local(node) == "pub-id"
        && node
            .attribute("pub-id-type")
            .is_some_and(|kind| jats::INTERNAL_IDS.contains(&kind.to_ascii_lowercase().as_str()))
        && node.parent().is_some_and(|up| {
            !up.children().any(|part| part.is_text() && part.text().is_some_and(|text| text.contains([',', '.', ';'])))
        })
}

/// The text of HTML without formulas and references.
fn shown(html: &str, out: &mut String) {
    let mut rest = html;
    let mut in_math = false;
    while let Some((text, tail)) = rest.split_once('<') {
        if !in_math {
            out.push_str(&html_escape::decode_html_entities(text));
        }
        in_math = if tail.starts_with("math") {
            true
        } else if tail.starts_with("/math>") {
            false
        } else {
            in_math
        };
        rest = tail.split_once('>').map_or("", |(_, rest)| rest);
    }
    out.push_str(&html_escape::decode_html_entities(rest));
}

/// Number of characters in the first text, number of those missing in the second, and the missing ones by character.
fn missing(expected: &str, shown: &str) -> (usize, usize, BTreeMap<char, i64>) {
    let mut counts: HashMap<char, i64> = HashMap::new();
    let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>();
    let all = solid(expected);
    for c in &all {
        *counts.entry(*c).or_default() += 1;
    }
    for c in solid(shown) {
        *counts.entry(c).or_default() -= 1;
    }
    let lost: BTreeMap<char, i64> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    (all.len(), usize::try_from(lost.values().sum::<i64>()).unwrap_or(0), lost)
}

/// Runs of five words of the first text that do not occur in the second.
fn lost_phrases(expected: &str, shown: &str) -> Vec<String> {
    let squash = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let all = squash(shown);
    let words: Vec<&str> = expected.split_whitespace().collect();
    words.chunks(4).filter(|chunk| !all.contains(&squash(&chunk.concat()))).map(|chunk| chunk.join(" ")).collect()
}

fn count(html: &str, what: &str) -> usize {
    html.matches(what).count()
}

/// Number of elements with this name that are content, not metadata or an alternative.
fn elements(root: Node, name: &str) -> usize {
    root.descendants()
        .filter(|node| local(*node) == name)
        .filter(|node| {
            !node.ancestors().skip(1).any(|up| {
                jats::is_no_text(local(up)) || matches!(local(up), "permissions" | "related-article" | "journal-meta")
            })
        })
        .count()
}

struct Counts {
    problems: Vec<String>,
    unknown: BTreeMap<String, u32>,
    warnings: BTreeMap<String, usize>,
    /// Formulas that remain TeX, each with its file and the reason.
    tex: Vec<String>,
    texts: (usize, usize),
    citations: (usize, usize),
    totals: BTreeMap<&'static str, (usize, usize)>,
}

#[test]
fn every_article_imports_and_keeps_everything() {
    let files = files();
    let mut counts = Counts {
        problems: Vec::new(),
        unknown: BTreeMap::new(),
        warnings: BTreeMap::new(),
        tex: Vec::new(),
        texts: (0, 0),
        citations: (0, 0),
        totals: BTreeMap::new(),
    };
    for file in &files {
        check(file, &mut counts);
    }
    println!("{} files; unknown elements: {:?}", files.len(), counts.unknown);
    println!("warnings: {:#?}", counts.warnings);
    println!("body characters {} missing {}", counts.texts.0, counts.texts.1);
    println!("citation characters {} missing {}", counts.citations.0, counts.citations.1);
    println!("in the source and shown: {:?}", counts.totals);
    println!("formulas that stay TeX: {:#?}", counts.tex);
    assert!(counts.tex.len() <= 3, "{} formulas stay TeX:\n{}", counts.tex.len(), counts.tex.join("\n"));
    assert!(counts.problems.is_empty(), "{} problems:\n{}", counts.problems.len(), counts.problems.join("\n"));
}

fn check(file: &Path, counts: &mut Counts) {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = std::fs::read(file).unwrap();
    let imported = match jats::import(&bytes, &jats::Limits::default()) {
        Ok(imported) => imported,
        Err(error) => return counts.problems.push(format!("{name}: {error}")),
    };
    for (element, number) in &imported.report.unknown {
        *counts.unknown.entry(element.clone()).or_default() += number;
    }
    for warning in &imported.report.warnings {
        if warning.contains("TeX formula") {
            counts.tex.push(format!("{name}: {warning}"));
        }
        let start: String = warning.chars().take(70).collect();
        *counts.warnings.entry(start).or_default() += 1;
    }
    let json = serde_json::to_string(&imported.article).unwrap();
    assert_eq!(serde_json::from_str::<masthead_domain::article::Article>(&json).unwrap(), imported.article, "{name}");
    let rendered = html::render(&imported.article, &|href| Some(format!("/files/{}", href.replace(' ', "%20")).into()));
    let sections = rendered.sections.iter().map(|section| section.html.as_str()).collect::<Vec<_>>().join("\n");
    let text = std::str::from_utf8(&bytes).unwrap();
    let tree =
        Document::parse_with_options(text, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap();
    let root = tree.root_element();
    keeps_text(&name, root, &rendered, &sections, counts);
    keeps_citations(&name, root, &sections, counts);
    keeps_structure(&name, root, &sections, counts);
    ids_are_unique_and_links_lead_somewhere(&name, &rendered, &sections, counts);
    if std::env::var_os("MASTHEAD_DUMP").is_some() {
        dump(&name, &rendered);
    }
}

fn keeps_text(name: &str, root: Node, rendered: &html::RenderedArticle, sections: &str, counts: &mut Counts) {
    let mut source = String::new();
    for body in root.descendants().filter(|node| matches!(local(*node), "body" | "back" | "floats-group")) {
        for child in body.children() {
            expected(child, &mut source);
        }
        source.push(' ');
    }
    let mut visible = rendered.sections.iter().map(|section| section.title.clone()).collect::<Vec<_>>().join(" ");
    visible.push(' ');
    shown(sections, &mut visible);
    let (all, lost, which) = missing(&source, &visible);
    counts.texts.0 += all;
    counts.texts.1 += lost;
    if lost * 1000 > all.max(1000) {
        let phrases = lost_phrases(&source, &visible);
        counts.problems.push(format!(
            "{name}: {lost} of {all} characters missing: {which:?} {:?}",
            &phrases[..phrases.len().min(6)]
        ));
    }
}

/// Checks that written citations are rendered word for word.
fn keeps_citations(name: &str, root: Node, sections: &str, counts: &mut Counts) {
    let mut source = String::new();
    for citation in root.descendants().filter(|node| {
        matches!(local(*node), "mixed-citation" | "element-citation" | "nlm-citation")
            && node.parent().is_some_and(|up| local(up) != "citation-alternatives")
    }) {
        expected(citation, &mut source);
    }
    let mut visible = String::new();
    shown(sections, &mut visible);
    let (all, lost, which) = missing(&source, &visible);
    counts.citations.0 += all;
    counts.citations.1 += lost;
    if lost * 1000 > all.max(1000) {
        counts.problems.push(format!("{name}: {lost} of {all} characters of citations missing: {which:?}"));
    }
}

fn keeps_structure(name: &str, root: Node, sections: &str, counts: &mut Counts) {
    let parts: Vec<Node> = root
        .descendants()
        .filter(|node| matches!(local(*node), "body" | "back" | "floats-group" | "abstract" | "trans-abstract"))
        .filter(|node| !node.ancestors().skip(1).any(|up| matches!(local(up), "body" | "back" | "floats-group")))
        .collect();
    let number = |names: &[&str]| {
        parts.iter().map(|part| names.iter().map(|name| elements(*part, name)).sum::<usize>()).sum::<usize>()
    };
    let mut same = |what: &'static str, source: usize, made: usize| {
        let total = counts.totals.entry(what).or_default();
        total.0 += source;
        total.1 += made;
        if source != made {
            counts.problems.push(format!("{name}: {what}: {source} in the source, {made} shown"));
        }
    };
    same("figures", number(&["fig", "chem-struct-wrap"]), count(sections, "<figure class=\"fig\""));
    same("tables", number(&["table"]) + number(&["array"]), count(sections, "<table>"));
    same(
        "cells",
        number(&["td", "th", "entry"]),
        count(sections, "<td") + count(sections, "<th ") + count(sections, "<th>"),
    );
    for span in ["rowspan", "colspan"] {
        let wide = parts.iter().flat_map(|part| part.descendants()).filter(|node| {
            matches!(local(*node), "td" | "th")
                && node
                    .attribute(span)
                    .and_then(|value| value.trim().parse::<u32>().ok())
                    .is_some_and(|value| value > 1)
        });
        let cals = parts.iter().flat_map(|part| part.descendants()).filter(|node| {
            local(*node) == "entry"
                && if span == "rowspan" {
                    node.attribute("morerows").is_some_and(|rows| rows != "0")
                } else {
                    node.attribute("namest").is_some() && node.attribute("namest") != node.attribute("nameend")
                }
        });
        let (wide, cals) = (wide.count(), cals.count());
        same(
            if span == "rowspan" { "rowspans" } else { "colspans" },
            wide + cals,
            count(sections, &format!(" {span}=\"")),
        );
    }
    same("display formulas", number(&["disp-formula"]), count(sections, "<div class=\"disp-formula\""));
    let bare = parts
        .iter()
        .flat_map(|part| part.descendants())
        .filter(|node| {
            matches!(local(*node), "math" | "tex-math")
                && !node.ancestors().any(|up| matches!(local(up), "inline-formula" | "disp-formula"))
        })
        .filter(|node| {
            node.parent().is_none_or(|up| {
                local(up) != "alternatives"
                    || up.children().find(|child| matches!(local(*child), "math" | "tex-math")) == Some(*node)
            })
        })
        .count();
    let split = parts
        .iter()
        .flat_map(|part| part.descendants())
        .filter(|node| matches!(local(*node), "inline-formula" | "disp-formula"))
        .map(|formula| {
            let maths = formula.children().filter(|node| matches!(local(*node), "math" | "tex-math")).count();
            let twins = maths == 2
                && formula.children().any(|node| local(node) == "math")
                && formula.children().any(|node| local(node) == "tex-math");
            let maths = if twins { 1 } else { maths };
            let alternatives = formula.children().filter(|node| local(*node) == "alternatives").count();
            if maths + alternatives > 1 { maths + alternatives } else { 0 }
        })
        .sum::<usize>();
    same(
        "inline formulas",
        number(&["inline-formula", "chem-struct"]) + bare + split,
        count(sections, "class=\"inline-formula\""),
    );
    same("references", number(&["ref"]), count(sections, "<li class=\"ref\""));
    let author_notes = root
        .descendants()
        .filter(|node| local(*node) == "author-notes")
        .map(|notes| elements(notes, "list-item"))
        .sum::<usize>();
    same("list items", number(&["list-item"]) + author_notes, count(sections, "<li class=\"item\""));
}

fn ids_are_unique_and_links_lead_somewhere(
    name: &str,
    rendered: &html::RenderedArticle,
    sections: &str,
    counts: &mut Counts,
) {
    let mut ids: Vec<&str> = sections.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    ids.extend(rendered.sections.iter().map(|section| section.id.as_str()));
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() != all {
        counts.problems.push(format!("{name}: {} ids are not unique", all - ids.len()));
    }
    for target in sections.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        if ids.binary_search(&target).is_err() {
            counts.problems.push(format!("{name}: a link leads to #{target}, which is not there"));
        }
    }
    for bad in ["style=", "onerror", "<script", "javascript:"] {
        if sections.to_lowercase().contains(&format!(" {bad}")) && bad != "style=" || sections.contains(" style=\"") {
            counts.problems.push(format!("{name}: {bad} in the HTML"));
        }
    }
}

/// For inspection: `MASTHEAD_DUMP=<address of a style sheet>` writes each article as a page into the temporary folder.
fn dump(name: &str, rendered: &html::RenderedArticle) {
    let folder = std::env::temp_dir().join("masthead-dump");
    std::fs::create_dir_all(&folder).unwrap();
    let style = std::env::var("MASTHEAD_DUMP").unwrap_or_default();
    let mut page = format!(
        "<!doctype html><meta charset=utf-8><link rel=stylesheet href=\"{style}\"><body><main><article class=reader>"
    );
    for (lang, title) in &rendered.title_html {
        page.push_str(&format!("<h1 lang=\"{lang}\">{title}</h1>"));
    }
    page.push_str("<div class=reader-grid><div class=reader-body>");
    for section in &rendered.sections {
        let title = if section.title.is_empty() { section.kind.name() } else { section.title.as_str() };
        let (kind, html) = (section.kind.name(), &section.html);
        page.push_str(&format!("<section class=reader-section data-kind={kind}><h2>{title}</h2>{html}</section>"));
    }
    std::fs::write(folder.join(name.replace(".xml", ".html")), page).unwrap();
}
