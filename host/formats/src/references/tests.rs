#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use proptest::prelude::*;

use super::*;
use crate::Name;
use crate::markup::jats_of_tests;

const BIB: &str = "% a list\n@string{oce = {Ocean}}\n@article{a1,\n  author = {Lovelace, Ada and von Neumann, John and {The {NASA} Group}},\n  title = {On {Tides} \\& {\\\"E}bbs},\n  journal = oce # { Ledger},\n  year = 2026, month = mar, volume = {3}, number = 2, pages = {10--19}, doi = {10.5555/x_1}\n}\n\n@book{b1, editor = {{某编委会}}, title = {潮汐}, address = {北京}, publisher = {某出版社}, year = {2004}, langid = {chinese}}\n@inbook{c1, author={王小明}, title={一章}, crossref={b1}, pages={3}}\n";
const RIS_TEXT: &str = "TY  - JOUR\r\nAU  - Lovelace, Ada\r\nAU  - 王小明\r\nTI  - On tides\r\n and ebbs\r\nT2  - Ocean Ledger\r\nPY  - 2026\r\nDA  - 2026/03/01/\r\nVL  - 3\r\nSP  - 10\r\nEP  - 19\r\nSN  - 1234-5679\r\nDO  - 10.5555/x\r\nER  - \r\n\r\nTY  - BOOK\r\nTI  - Sea\r\nSN  - 978-3-16-148410-0\r\nPB  - Press\r\nER  - \r\n";
const ENW: &str = "%0 Journal Article\n%A Lovelace, Ada\n%A Turing, Alan\n%T On tides\n%J Ocean Ledger\n%D 2026\n%V 3\n%N 2\n%P 10-19\n%@ 1234-5679\n%R 10.5555/x\n\n%0 Book\n%A 王小明\n%T 潮汐\n%I 某出版社\n%C 北京\n%D 2019\n";
const WOS: &str = "FN Clarivate\nVR 1.0\nPT J\nAU Lovelace, A\n   Turing, A\nTI On tides\n   and ebbs\nSO OCEAN LEDGER\nPY 2026\nPD MAR 1\nBP 10\nEP 19\nDI 10.5555/x\nER\n\nEF\n";
const CSL: &str = r#"[{"id":"a","type":"article-journal","title":"On <i>tides</i>","container-title":"Ocean Ledger","author":[{"family":"Beethoven","non-dropping-particle":"van","given":"L."},{"literal":"王小明"}],"issued":{"date-parts":[["2026",3]]},"note":"DOI: 10.5555/x\npage: 288","language":"zh-CN"},{"id":"b"}]"#;

#[test]
fn dates_that_no_calendar_has_are_cut_and_reported() {
    for (text, said) in [
        (
            "@article{a, title={T}, date={2015-02-29}}",
            "BibTeX, record 1, a date: no calendar has the day 29 of month 2",
        ),
        ("TY  - JOUR\nTI  - T\nDA  - 2015/02/29/\nER  - \n", "RIS, record 1, line 1, DA: no calendar has the day 29"),
        ("%0 Journal Article\n%T T\n%8 31 April 2015\n", "EndNote, record 1, line 1, 8: no calendar has the day 31"),
        (
            "[{\"type\":\"book\",\"title\":\"T\",\"issued\":{\"date-parts\":[[2015,2,29]]}}]",
            "CSL-JSON, record 1, issued: no",
        ),
    ] {
        let made = read(text.as_bytes()).unwrap();
        let [fault] = made.faults.as_slice() else { panic!("{text}: {made:?}") };
        assert!(fault.to_string().starts_with(said), "{fault}");
        assert_eq!((made.records.len(), made.records[0].date.len()), (1, "2015-02".len()), "{text}");
    }
}

#[test]
fn bibtex_is_read_with_abbreviations_groups_and_parents() {
    let made = bibtex(BIB.as_bytes()).unwrap();
    assert!(made.faults.is_empty(), "{:?}", made.faults);
    let [article, book, chapter] = made.records.as_slice() else { panic!("{made:?}") };
    assert_eq!((article.title.as_str(), article.container.as_str()), ("On Tides & Ëbbs", "Ocean Ledger"));
    let names: Vec<String> = article.authors.iter().map(Name::listed).collect();
    assert_eq!(names, ["Lovelace Ada", "von Neumann John", "The NASA Group"]);
    assert_eq!((article.date.as_str(), article.issue.as_str(), article.pages.as_str()), ("2026-03", "2", "10-19"));
    assert_eq!(article.doi.as_ref().unwrap().as_str(), "10.5555/x_1");
    assert_eq!(book.editors[0].literal, "某编委会");
    assert_eq!(
        (chapter.container.as_str(), chapter.publisher.as_str(), chapter.year.as_str()),
        ("潮汐", "某出版社", "2004")
    );
    assert_eq!(chapter.to_citation(jats_of_tests).plain, "王小明. 一章[M]//潮汐. 北京: 某出版社, 2004: 3.");
}

#[test]
fn a_malformed_entry_does_not_affect_others() {
    let text = format!("{BIB}\n@article{{bad, title = {{never closed\n\n@misc{{last, title = {{Kept}}}}\n");
    let made = bibtex(text.as_bytes()).unwrap();
    assert_eq!(made.records.len(), 4);
    let [fault] = made.faults.as_slice() else { panic!("{:?}", made.faults) };
    assert!(fault.line.is_some_and(|line| line >= 13), "{fault}");
}

#[test]
fn abbreviations_that_contain_themselves_are_refused() {
    let own = "@string{a = a # a}\n@misc{x, title = a}\n@misc{y, title = {ok}}";
    let made = bibtex(own.as_bytes()).unwrap();
    assert_eq!((made.records.len(), made.faults.len()), (1, 1));
    assert!(made.faults[0].reason.contains("contain themselves"), "{}", made.faults[0]);
    let mut laughs = String::from("@string{s0 = {ha}}\n");
    for at in 1..8 {
        laughs.push_str(&format!("@string{{s{at} = {}}}\n", vec![format!("s{}", at - 1); 30].join(" # ")));
    }
    laughs.push_str("@misc{x, title = s7}");
    assert!(bibtex(laughs.as_bytes()).unwrap_err().reason.contains("characters"));
    let deep = format!("@misc{{x, title = {}}}", "{".repeat(100_000));
    assert!(bibtex(deep.as_bytes()).unwrap_err().reason.contains("nested"));
}

#[test]
fn ris_values_continue_on_lines_and_missing_ends_are_reported() {
    let made = ris(RIS_TEXT.as_bytes()).unwrap();
    assert!(made.faults.is_empty());
    let [article, book] = made.records.as_slice() else { panic!("{made:?}") };
    assert_eq!(article.title, "On tides and ebbs");
    assert_eq!(
        (article.pages.as_str(), article.date.as_str(), article.issn.as_str()),
        ("10-19", "2026-03-01", "1234-5679")
    );
    assert_eq!(article.authors[1].literal, "王小明");
    assert_eq!((book.isbn.as_str(), book.issn.as_str()), ("978-3-16-148410-0", ""));
    let cut = ris(b"AU  - x\nTY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B").unwrap();
    assert_eq!((cut.records.len(), cut.faults.len()), (2, 3));
    assert_eq!(cut.faults[2].line, Some(4));
}

#[test]
fn endnote_and_web_of_science_are_read() {
    let made = endnote(ENW.as_bytes()).unwrap();
    assert_eq!(
        made.records[0].to_citation(jats_of_tests).plain,
        "Lovelace Ada, Turing Alan. On tides. Ocean Ledger. 2026;3(2):10-19. https://doi.org/10.5555/x"
    );
    assert_eq!(made.records[1].to_citation(jats_of_tests).plain, "王小明. 潮汐[M]. 北京: 某出版社, 2019.");
    let made = endnote(WOS.as_bytes()).unwrap();
    let [work] = made.records.as_slice() else { panic!("{made:?}") };
    assert_eq!(
        (work.title.as_str(), work.authors.len(), work.pages.as_str(), work.date.as_str()),
        ("On tides and ebbs", 2, "10-19", "2026-03-01")
    );
}

#[test]
fn csl_json_is_completed_from_its_notes() {
    let made = csl_json(CSL.as_bytes()).unwrap();
    assert_eq!(made.faults.len(), 1);
    let work = &made.records[0];
    assert_eq!((work.title.as_str(), work.pages.as_str(), work.language.as_str()), ("On tides", "288", "zh-CN"));
    assert_eq!(work.doi.as_ref().unwrap().as_str(), "10.5555/x");
    assert_eq!(work.authors[0].family, "van Beethoven");
    assert_eq!(work.date, "2026-03");
}

#[test]
fn the_format_is_recognized_by_its_beginning() {
    for (text, count) in [(BIB, 3), (RIS_TEXT, 2), (ENW, 2), (WOS, 1), (CSL, 1)] {
        assert_eq!(read(text.as_bytes()).unwrap().records.len(), count, "{text}");
    }
    let gbk = GB18030.encode(ENW).0;
    assert_eq!(read(&gbk).unwrap().records[1].title, "潮汐");
    let utf16: Vec<u8> = format!("\u{feff}{RIS_TEXT}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(ris(&utf16).unwrap().records.len(), 2);
    for bytes in [&b""[..], b"%PDF-1.4", b"hello", b"@comment"] {
        assert!(read(bytes).is_err(), "{bytes:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn damage_never_panics(form in 0_usize..5, at in 0_usize..600, bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'{'), Just(b'\\'), Just(b'"'), Just(b'@'), Just(b'\n')], 1..4), cut in 0_usize..600) {
        let mut text = [BIB, RIS_TEXT, ENW, WOS, CSL][form].as_bytes().to_vec();
        let at = at % text.len();
        text.splice(at..at, bytes);
        let _ = read(&text);
        text.truncate(cut);
        let _ = read(&text);
    }
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        let _ = bibtex(text.as_bytes());
        let _ = bibtex(format!("@misc{{k, author={{{text}}}, title={{{text}}}, date={{{text}}}, pages={{{text}}}}}").as_bytes());
        let _ = ris(format!("TY  - JOUR\nAU  - {text}\nPY  - {text}\nER  - ").as_bytes());
        let _ = endnote(format!("%0 Book\n%A {text}").as_bytes());
    }
}
