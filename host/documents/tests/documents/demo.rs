//! Every article of the demonstration sites is imported without warnings.

use std::path::Path;

use masthead_documents::{html, jats};

#[test]
fn every_article_of_the_demonstration_imports_without_warnings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sites/demo");
    let (mut articles, mut problems) = (0, Vec::new());
    for entry in walkdir::WalkDir::new(root).into_iter().filter_map(Result::ok) {
        let path = entry.path();
        let article = path.extension().is_some_and(|end| end == "xml") && path.parent().unwrap().ends_with("articles");
        if !article {
            continue;
        }
        articles += 1;
        let name = path.file_name().unwrap().to_string_lossy();
        let imported = jats::import(&std::fs::read(path).unwrap(), &jats::Limits::default()).expect(&name);
        for element in imported.report.unknown.keys() {
            problems.push(format!("{name}: unknown element {element}"));
        }
        for warning in &imported.report.warnings {
            problems.push(format!("{name}: {warning}"));
        }
        let rendered = html::render(&imported.article, &|href| Some(format!("/files/{href}").into()));
        let page: String = rendered.sections.iter().map(|section| section.html.as_str()).collect();
        for bad in ["<code class=\"tex\"", "merror"] {
            if page.contains(bad) {
                problems.push(format!("{name}: {bad}"));
            }
        }
    }
    assert!(articles > 15, "only {articles} articles found");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
