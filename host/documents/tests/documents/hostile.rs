//! Hostile sources (expansion, depth, entities, scripts, wrong formats) are refused or made harmless, with bounded work.

use masthead_documents::{
    html,
    jats::{ExportOptions, ImportError, Imported, Limits, export, import},
};
use masthead_xml::XmlError;

fn refuse(source: &str) -> ImportError {
    import(source.as_bytes(), &Limits::default()).expect_err("has to be refused")
}

fn take(body: &str) -> Imported {
    let source = format!(
        "<article xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:mml=\"http://www.w3.org/1998/Math/MathML\"><front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front><body>{body}</body></article>"
    );
    import(source.as_bytes(), &Limits::default()).unwrap()
}

fn page(body: &str) -> String {
    let rendered = html::render(&take(body).article, &|_| None);
    rendered.sections.iter().map(|section| section.html.as_str()).collect()
}

/// Runs a function in a thread with the stack size of a server thread.
fn in_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap()
}

/// The limit of an expansion that is refused, and how many times `reference` stands before the place of the refusal. The work is
/// counted in references, since seconds depend on the machine.
fn refused_expansion(source: &str, reference: &str) -> (usize, usize) {
    let error = refuse(source);
    let ImportError::Xml(XmlError::EntityExpansion { limit, line: 1, column, .. }) = error else { panic!("{error}") };
    let before = &source[..column as usize - 1];
    assert!(source[before.len()..].starts_with(reference), "{error}");
    (limit, before.matches(reference).count())
}

#[test]
fn entity_bombs_are_refused_before_they_expand() {
    let laughs: String =
        (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
    let source = format!("<!DOCTYPE article [<!ENTITY l0 \"ha\">{laughs}]><article><body><p>&l9;</p></body></article>");
    assert_eq!(refused_expansion(&source, "&l9;").1, 0);
    let long = "q".repeat(100_000);
    for around in [("<article><body><p>", "</p></body></article>"), ("<article a=\"", "\"/>")] {
        let references = "&q;".repeat(100_000);
        let source = format!("<!DOCTYPE article [<!ENTITY q \"{long}\">]>{}{references}{}", around.0, around.1);
        let (limit, before) = refused_expansion(&source, "&q;");
        assert_eq!(before, limit / long.len(), "as many as the limit allows, and no more, are looked at");
    }
}

#[test]
fn no_entity_and_no_dtd_is_fetched() {
    let error = refuse(
        "<!DOCTYPE article SYSTEM \"http://127.0.0.1:9/x.dtd\" [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>\n<article><body><p>&f;</p></body></article>",
    );
    assert!(
        matches!(
            error,
            ImportError::Xml(XmlError::UnknownEntity { .. }) | ImportError::Xml(XmlError::Malformed { .. })
        ),
        "{error}"
    );
    assert!(!error.to_string().contains("root:"));
    let parameter = "<!DOCTYPE article [<!ENTITY % p SYSTEM \"http://127.0.0.1:9/p\"> %p;]><article><body><p>ok</p></body></article>";
    let _ = import(parameter.as_bytes(), &Limits::default());
    let made = take(
        "<p>a<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"file:///etc/passwd\" parse=\"text\"/>b</p>",
    );
    assert_eq!(made.report.unknown.get("include"), Some(&1));
    assert!(made.report.warnings.iter().any(|warning| warning.contains("XInclude")));
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let error = in_small_stack(|| {
        refuse(&format!("<article><body>{}{}</body></article>", "<sec>".repeat(200_000), "</sec>".repeat(200_000)))
    });
    assert!(matches!(error, ImportError::Xml(XmlError::TooDeep { limit: 256, .. })), "{error}");
    assert!(error.position().is_some());
    // The maximum depth with every kind of nesting, in the stack of a server thread, through the stored form and back.
    for tag in [
        "sec",
        "bold",
        "disp-quote",
        "list><list-item",
        "table><tr><td",
        "boxed-text",
        "sub-article",
        "unheard-of",
        "fn",
        "p",
        "mixed-citation",
        "ref-list><ref><note",
        "def-list><def-item><def",
        "fig><caption",
        "table-wrap><table><tr><td",
        "fn-group><fn",
        "verse-group",
        "alternatives",
    ] {
        let open = format!("<{tag}>");
        let close: String =
            tag.split("><").collect::<Vec<_>>().into_iter().rev().map(|tag| format!("</{tag}>")).collect();
        let levels = 250 / (tag.matches("><").count() + 1);
        let (before, after) = if tag == "sub-article" { ("", "") } else { ("<body>", "</body>") };
        let source =
            format!("<article>{before}{}<p>deep</p>{}{after}</article>", open.repeat(levels), close.repeat(levels));
        let outcome = in_small_stack(move || {
            let made = import(source.as_bytes(), &Limits::default()).unwrap();
            let rendered = html::render(&made.article, &|_| None);
            let json = serde_json::to_string(&made.article).unwrap();
            let back: Result<masthead_domain::article::Article, _> = serde_json::from_str(&json);
            (rendered.text.contains("deep"), back.is_ok())
        });
        assert_eq!(outcome, (true, true), "{tag}");
    }
}

#[test]
fn other_formats_are_refused_with_a_reason() {
    assert_eq!(refuse(""), ImportError::Empty);
    assert_eq!(refuse(" \n"), ImportError::Empty);
    assert_eq!(refuse("<!DOCTYPE html><html><body>x</body></html>"), ImportError::Html);
    assert!(matches!(refuse("%PDF-1.7"), ImportError::NotXml { .. }));
    assert!(matches!(refuse("<book/>"), ImportError::NotArticle { .. }));
    assert!(matches!(refuse("<articles><article/><article/></articles>"), ImportError::NotOneArticle { count: 2, .. }));
    assert!(matches!(refuse("<articles/>"), ImportError::NotOneArticle { count: 0, .. }));
    let article = "<article><body><p>x</p></body></article>";
    for wrapped in [
        format!("<pmc-articleset>{article}</pmc-articleset>"),
        format!("<record><metadata>{article}</metadata></record>"),
    ] {
        assert!(import(wrapped.as_bytes(), &Limits::default()).is_ok(), "{wrapped}");
    }
    let error = refuse("<article>\n<body><p>x</body></article>");
    assert_eq!(error.position().map(|(line, _)| line), Some(2), "{error}");
    assert!(matches!(refuse("<article>"), ImportError::Xml(XmlError::Malformed { .. })));
    let small = Limits { max_bytes: 10, ..Limits::default() };
    assert!(matches!(import(b"<article></article>", &small), Err(ImportError::TooLarge { .. })));
    let few = Limits { max_nodes: 5, ..Limits::default() };
    assert!(matches!(
        import(b"<article><a/><a/><a/><a/><a/><a/></article>", &few),
        Err(ImportError::Xml(XmlError::TooManyNodes { .. }))
    ));
}

#[test]
fn scripts_are_removed_everywhere() {
    let made = page(
        "<sec id=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\"><title>&lt;img src=x onerror=alert(1)&gt;</title>\
         <p><ext-link xlink:href=\"javascript:alert(1)\">a</ext-link><ext-link xlink:href=\" jAvAsCrIpT&#10;:alert(1)\">b</ext-link><uri>data:text/html,x</uri>\
         <xref rid='x\" onclick=\"alert(1)'>c</xref><script>alert(1)</script><styled-content style=\"background:url(javascript:1)\">d</styled-content>\
         <inline-graphic xlink:href='x\" onerror=\"alert(1)'/><named-content content-type='\" onclick=\"y'>e</named-content></p>\
         <fig id=\"f\"><graphic xlink:href=\"javascript:alert(1)\"/></fig><media mimetype=\"video\" xlink:href=\"javascript:alert(1)\"/>\
         <table><tr><td align='x\" onclick=\"y' rowspan=\"99999999\" colspan=\"-3\">f</td></tr></table>\
         <disp-formula><mml:math><mml:mi href=\"javascript:alert(1)\" onclick=\"x\">x</mml:mi><mml:annotation-xml encoding=\"text/html\"><script>alert(1)</script></mml:annotation-xml><mml:mtext>&lt;/math&gt;&lt;img src=x onerror=alert(1)&gt;</mml:mtext></mml:math></disp-formula>\
         <p><inline-formula><tex-math>\\href{javascript:alert(1)}{x}\\text{&lt;/mtext&gt;&lt;/math&gt;&lt;img src=x onerror=alert(1)&gt;}</tex-math></inline-formula></p></sec>",
    );
    let tags: Vec<&str> = made.split('<').skip(1).filter_map(|rest| rest.split('>').next()).collect();
    for tag in tags {
        for bad in [" onerror=", " onclick=", "script", " style=", "href=\"javascript", "src=\"javascript", "\"data:"] {
            let outside = tag.split('"').step_by(2).collect::<String>();
            assert!(!outside.contains(bad), "{bad} in {tag}");
            assert!(!bad.contains('"') || !tag.to_lowercase().contains(bad), "{bad} in {tag}");
        }
        assert!(!tag.starts_with("img src=x"), "{tag}");
    }
    for kept in [">a", "b", "c", "d", "e", "f"] {
        assert!(made.contains(kept), "{kept}: {made}");
    }
}

#[test]
fn links_that_pages_may_not_have_become_text_with_a_line_in_the_report() {
    let made = take(
        "<p><ext-link xlink:href=\"javascript:alert(1)\">one</ext-link> <ext-link xlink:href=\" Java&#9;Script:alert(1)\">two</ext-link> \
         <uri>data:text/html,three</uri> <ext-link xlink:href=\"ftp://a.example/\">four</ext-link> \
         <ext-link xlink:href=\"https://a.example/\">five</ext-link> <ext-link ext-link-type=\"doi\" xlink:href=\"doi:10.5555/x\">six</ext-link> \
         <email>a@b.example</email> <ext-link ext-link-type=\"pdb\" xlink:href=\"1abc\">seven</ext-link></p>",
    );
    let refused: Vec<&String> = made
        .report
        .warnings
        .iter()
        .filter(|line| line.contains("it is not an http, https or mailto address"))
        .collect();
    assert_eq!(refused.len(), 4, "{:?}", made.report.warnings);
    for (line, shown) in refused.iter().zip(["javascript:alert(1)", "Java", "data:text/html,three", "ftp://a.example/"])
    {
        assert!(line.contains(shown), "{shown}: {line}");
    }
    let rendered = html::render(&made.article, &|_| None);
    let html = &rendered.sections[0].html;
    assert!(
        html.starts_with("<p>one two data:text/html,three four <a class=\"ext-link\" href=\"https://a.example/\""),
        "{html}"
    );
    assert_eq!(html.matches(" href=").count(), 4, "{html}");
}

#[test]
fn the_address_of_a_licence_is_one_of_the_web() {
    let licensed = |href: &str| {
        let source = format!(
            "<article xmlns:xlink=\"http://www.w3.org/1999/xlink\"><front><article-meta><title-group><article-title>t</article-title></title-group><permissions><license xlink:href=\"{href}\"><license-p>x</license-p></license></permissions></article-meta></front></article>"
        );
        import(source.as_bytes(), &Limits::default()).unwrap()
    };
    assert_eq!(licensed("https://a.example/by").article.meta.license_url, "https://a.example/by");
    for bad in ["javascript:alert(1)", "httpx:alert(1)", "data:text/html,x"] {
        let made = licensed(bad);
        assert_eq!(made.article.meta.license_url, "", "{bad}");
        assert!(made.report.warnings.iter().any(|line| line.contains(bad)), "{:?}", made.report.warnings);
    }
    // The exact article of an exported file is not read from its XML.
    let mut article = licensed("https://a.example/by").article;
    article.meta.license_url = "javascript:alert(1)".to_owned();
    let exported = export(&article, &ExportOptions::default());
    let read = import(exported.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(read.article.meta.license_url, "");
    assert!(read.report.warnings.iter().any(|line| line.contains("licence is removed")), "{:?}", read.report.warnings);
}

#[test]
fn content_of_unknown_elements_is_kept() {
    let made = take("<p>one <wonder>two <bold>three</bold></wonder></p><marvel><p>four</p></marvel>");
    assert_eq!(made.report.unknown.get("wonder"), Some(&1));
    assert_eq!(made.report.unknown.get("marvel"), Some(&1));
    let rendered = html::render(&made.article, &|_| None);
    assert!(
        rendered.sections[0].html.contains("<p>one two <b>three</b></p><p>four</p>"),
        "{}",
        rendered.sections[0].html
    );
}

#[test]
fn undeclared_prefixes_of_the_dtd_are_read() {
    let made = import(b"<?xml version='1.0'?><!DOCTYPE article><article><body><p><ext-link xlink:href='https://a.example/'>x</ext-link><inline-formula><mml:math><mml:mi>y</mml:mi></mml:math></inline-formula></p></body></article>", &Limits::default()).unwrap();
    let rendered = html::render(&made.article, &|_| None);
    assert!(
        rendered.sections[0].html.contains("<mi>y</mi>") && rendered.sections[0].html.contains("https://a.example/")
    );
    assert!(made.article.meta.source_key.starts_with("sha256:"));
}
