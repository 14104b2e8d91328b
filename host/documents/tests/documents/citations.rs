//! Citations of several references: a link names all of them, whatever part of a range the source names.

use masthead_documents::{
    html,
    jats::{self, Limits},
};

/// The `data-rids` of each link in a paragraph of an article with six numbered references; "" for a link to one reference.
fn rids(paragraph: &str) -> Vec<String> {
    rids_with(paragraph, |number| format!("<label>[{number}]</label>"))
}

fn rids_with(paragraph: &str, label: impl Fn(usize) -> String) -> Vec<String> {
    let references: String = (1..=6)
        .map(|number| format!("<ref id='r{number}'>{}<mixed-citation>Work</mixed-citation></ref>", label(number)))
        .collect();
    let source =
        format!("<article><body><p>{paragraph}</p></body><back><ref-list>{references}</ref-list></back></article>");
    let article = jats::import(source.as_bytes(), &Limits::default()).unwrap().article;
    let rendered = html::render(&article, &|_| None);
    let links = rendered.sections[0].html.split("<a class=\"xref\"").skip(1);
    links
        .map(|link| {
            let tag = link.split('>').next().unwrap_or_default();
            tag.split("data-rids=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
        })
        .collect()
}

fn cite(rid: &str, text: &str) -> String {
    format!("<xref ref-type='bibr' rid='{rid}'>{text}</xref>")
}

#[test]
fn both_ends_of_a_range_name_all_of_it() {
    let all = "a-r1 a-r2 a-r3";
    for dash in ["-", "–", "—", " – ", "~", "<sup>–</sup>"] {
        let range = format!("Known [{}{dash}{}].", cite("r1", "1"), cite("r3", "3"));
        assert_eq!(rids(&range), [all, all], "{dash}");
    }
    let list = format!("Known [{},{}–{}].", cite("r1", "1"), cite("r3", "3"), cite("r5", "5"));
    assert_eq!(rids(&list), ["", "a-r3 a-r4 a-r5", "a-r3 a-r4 a-r5"]);
}

#[test]
fn a_range_in_one_link_names_all_of_it() {
    assert_eq!(rids(&cite("r1", "[1–3]")), ["a-r1 a-r2 a-r3"]);
    assert_eq!(rids(&cite("r1 r3", "1-3")), ["a-r1 a-r2 a-r3"]);
    assert_eq!(rids(&cite("r1 r3 r5", "1,3–5")), ["a-r1 a-r3 a-r4 a-r5"]);
    assert_eq!(rids_with(&cite("r2", "2–4"), |_| String::new()), ["a-r2 a-r3 a-r4"], "places count without labels");
}

#[test]
fn what_is_no_range_of_these_references_stays_as_in_the_source() {
    // The text says other numbers than the links.
    assert_eq!(rids(&cite("r1", "4–6")), [""]);
    assert_eq!(rids(&cite("r1 r2", "Ng 2001-3")), ["a-r1 a-r2"]);
    assert_eq!(rids(&cite("r1 r2", "1, 2")), ["a-r1 a-r2"]);
    assert_eq!(rids(&format!("{} and {}", cite("r1", "1"), cite("r3", "3"))), ["", ""]);
    // Numbers without a reference are left out.
    assert_eq!(rids(&cite("r5", "5–9")), ["a-r5 a-r6"]);
}

#[test]
fn references_of_a_part_have_numbers_of_their_own() {
    let part = "<sub-article id='s'><body><p><xref ref-type='bibr' rid='t1'>1</xref>–<xref ref-type='bibr' rid='t3'>3</xref></p></body>\
                <back><ref-list><ref id='t1'><label>1</label></ref><ref id='t2'><label>2</label></ref><ref id='t3'><label>3</label></ref></ref-list></back></sub-article>";
    let source = format!(
        "<article><body><p>Text</p></body><back><ref-list><ref id='r2'><label>2</label></ref></ref-list></back>{part}</article>"
    );
    let article = jats::import(source.as_bytes(), &Limits::default()).unwrap().article;
    let html: String = html::render(&article, &|_| None).sections.into_iter().map(|section| section.html).collect();
    assert!(html.contains("data-rids=\"a-t1 a-t2 a-t3\""), "{html}");
}

#[test]
fn many_ranges_take_a_bounded_part_of_the_page() {
    let references: String =
        (1..=200).map(|number| format!("<ref id='r{number}'><label>{number}</label></ref>")).collect();
    let links = cite("r1", "1-200").repeat(10_000);
    let source =
        format!("<article><body><p>{links}</p></body><back><ref-list>{references}</ref-list></back></article>");
    let article = jats::import(source.as_bytes(), &Limits::default()).unwrap().article;
    let size: usize = html::render(&article, &|_| None).sections.iter().map(|section| section.html.len()).sum();
    assert!(size < 3_000_000, "{size} bytes");
}
