//! Faults of a source: an article that says nothing is refused, and what can be imported all the same is a warning with its place,
//! cause and remedy.

use masthead_documents::jats::{self, ImportError, Limits};
use masthead_xml::XmlError;

fn import(source: &str) -> Result<jats::Imported, ImportError> {
    jats::import(source.as_bytes(), &Limits::default())
}

/// An article with these metadata and this body.
fn article(meta: &str, body: &str) -> String {
    format!("<article><front><article-meta>\n{meta}</article-meta></front><body>{body}</body></article>")
}

fn warnings(meta: &str, body: &str) -> Vec<String> {
    import(&article(meta, body)).unwrap().report.warnings
}

/// The only warning that contains a text.
fn warning(all: &[String], about: &str) -> String {
    let found: Vec<&String> = all.iter().filter(|one| one.contains(about)).collect();
    assert_eq!(found.len(), 1, "{about} in {all:?}");
    found[0].clone()
}

const TITLE: &str = "<title-group><article-title>T</article-title></title-group>";

#[test]
fn an_article_that_says_nothing_is_refused() {
    let figure = "<fig id='f'><graphic xlink:href='f.png'/></fig>";
    for nothing in [
        "\n  <article/>".to_owned(),
        format!("\n  {}", article("", "")),
        format!(
            "\n  {}",
            article("<title-group><article-title> </article-title></title-group><volume>1</volume>", figure)
        ),
        format!("\n  {}", article("<article-id pub-id-type='doi'>no DOI</article-id>", "<sec><title/></sec>")),
    ] {
        let error = import(&nothing).expect_err(&nothing);
        assert_eq!(error, ImportError::Nothing { line: 2, column: 3 }, "{nothing}");
        assert!(error.to_string().contains("add at least one"), "{error}");
    }
    for something in [
        article(TITLE, ""),
        article("<article-id pub-id-type='publisher-id'>7</article-id>", ""),
        article("<article-id pub-id-type='doi'>10.5555/1</article-id>", ""),
        article("<abstract><p>In short.</p></abstract>", ""),
        article("", "<p>Text</p>"),
        "<article><sub-article><body><p>Text</p></body></sub-article></article>".to_owned(),
    ] {
        assert!(import(&something).is_ok(), "{something}");
    }
}

#[test]
fn a_reference_to_a_surrogate_is_refused() {
    let error = import("<article>\n<body><p>&#xD83D;&#xDE00;</p></body></article>").expect_err("a surrogate");
    let ImportError::Xml(XmlError::NotACharacter { reference, line: 2, column: 10 }) = &error else {
        panic!("{error}")
    };
    assert_eq!(reference, "&#xD83D;");
    let whole = import(&article(TITLE, "<p>&#x1F600;</p>")).unwrap();
    assert!(format!("{:?}", whole.article.body.body).contains('\u{1f600}'));
}

#[test]
fn an_element_with_more_attributes_than_the_limit_is_refused() {
    let element = |attributes: usize| {
        let all: String = (0..attributes).map(|number| format!(" a{number}='x'")).collect();
        article(TITLE, &format!("<p{all}>Text</p>"))
    };
    let limit = Limits::default().max_attributes;
    assert!(import(&element(limit)).is_ok());
    for attributes in [limit + 1, 50_000] {
        let error = import(&element(attributes)).expect_err("too many");
        assert!(matches!(error, ImportError::Xml(XmlError::TooManyAttributes { line: 2, .. })), "{error}");
    }
}

#[test]
fn a_second_doi_is_a_warning() {
    let id = |doi: &str| format!("<article-id pub-id-type='doi'>{doi}</article-id>\n");
    let source = article(&format!("{}{}{TITLE}", id("10.5555/a"), id("10.5555/b")), "");
    let made = import(&source).unwrap();
    assert_eq!(made.article.meta.source_key, "doi:10.5555/a");
    let said = warning(&made.report.warnings, "second DOI");
    assert!(
        said.starts_with("line 3, column 1: ") && said.contains("10.5555/b") && said.contains("keep the DOI"),
        "{said}"
    );
    assert_eq!(warnings(&format!("{}{}{TITLE}", id("10.5555/A"), id("10.5555/a")), ""), Vec::<String>::new());
}

#[test]
fn a_part_has_its_first_doi_that_is_one() {
    let ids =
        "<article-id pub-id-type='doi'>no DOI</article-id><article-id pub-id-type='doi'>10.5555/part</article-id>";
    let part = format!("<sub-article><front-stub>{ids}</front-stub><body><p>Text</p></body></sub-article></article>");
    let made = import(&article(TITLE, "").replace("</article>", &part)).unwrap();
    assert_eq!(made.article.body.sub_articles[0].doi, "10.5555/part");
    let left_out: Vec<_> = made.report.left_out.iter().map(|one| (one.path, one.texts)).collect();
    assert_eq!(left_out, [("front-stub/article-id", 1)]);
}

#[test]
fn an_impossible_date_is_a_warning() {
    let date = |day: &str, month: &str| {
        format!(
            "{TITLE}<history>\n<date date-type='received'><day>{day}</day><month>{month}</month><year>2025</year></date></history>"
        )
    };
    for (day, month, fault, read) in [
        ("31", "4", "day 31 of month 4", "2025-04"),
        ("29", "2", "day 29 of month 2", "2025-02"),
        ("1", "13", "month 13", "2025"),
    ] {
        let made = import(&article(&date(day, month), "")).unwrap();
        assert_eq!(made.article.meta.dates.received, read);
        let said = warning(&made.report.warnings, fault);
        assert!(
            said.starts_with("line 3, column 1: ") && said.contains("received") && said.contains("correct"),
            "{said}"
        );
    }
    assert_eq!(warnings(&date("28", "2"), ""), Vec::<String>::new());
}

#[test]
fn a_cross_reference_to_nothing_is_a_warning_once() {
    let see = |rid: &str| format!("<xref ref-type='fig' rid='{rid}'>Figure</xref>");
    let body = format!("<p>{} {} {}</p>\n<fig id='f1'><label>1</label></fig>", see("f1"), see("f2"), see("f1 f2"));
    let said = warning(&warnings(TITLE, &body), "\"f2\"");
    assert!(said.starts_with("line 2, column ") && said.contains("correct its rid"), "{said}");
}

#[test]
fn a_repeated_id_is_a_warning() {
    let body = "<p id='x'>One</p>\n<p id='y'>Two</p>\n<fig id='x'><label>1</label></fig>";
    let all = warnings(TITLE, body);
    let said = warning(&all, "\"x\"");
    assert!(said.starts_with("line 4, column 1: ") && said.contains("<fig>") && said.contains("<p>"), "{said}");
    assert_eq!(all.len(), 1, "{all:?}");
}
