#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use proptest::prelude::*;

use super::*;

/// A record in ISO 2709; in `fields`, `$` stands for the subfield delimiter.
fn made(utf8: bool, fields: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut directory, mut data) = (String::new(), Vec::new());
    for (tag, value) in fields {
        let start = data.len();
        data.extend(value.iter().map(|byte| if *byte == b'$' { 0x1f } else { *byte }));
        data.push(0x1e);
        directory.push_str(&format!("{tag}{:04}{start:05}", data.len() - start));
    }
    let base = 24 + directory.len() + 1;
    let code = if utf8 { 'a' } else { ' ' };
    let mut out = format!("{:05}nam {code}22{base:05} a 4500{directory}", base + data.len() + 1).into_bytes();
    out.push(0x1e);
    out.extend(data);
    out.push(0x1d);
    out
}

const FIXED: &[u8] = b"881101s1984    enk   a             eng d";

fn latin() -> Vec<u8> {
    made(
        false,
        &[
            ("001", b"k1"),
            ("008", FIXED),
            ("020", b"  $a0306406152 (pbk.) :$c12.00"),
            ("100", b"1 $aDurand, Ren\xe2e,$d1930-"),
            ("245", b"10$aTides :$ba study /$cby R. Durand."),
            ("250", b"  $a2nd ed."),
            ("260", b"  $aLondon :$bSea Press,$cc1984."),
            ("300", b"  $axvii, 605 p. ;$c24 cm."),
            ("505", b"0 $aOne -- Two -- Three."),
            ("520", b"  $aAbout tides."),
            ("650", b" 0$aTides$xHistory."),
            ("700", b"1 $aDoe, Jane,$eeditor."),
            ("710", b"2 $aSea Institute."),
        ],
    )
}

fn chinese() -> Vec<u8> {
    made(
        true,
        &[
            ("001", b"k2"),
            ("008", b"980202s2019    cc            000 0 chi d"),
            ("020", b"  $a978-3-16-148410-0"),
            ("100", b"1 $6880-01$aWang, Xiaoming."),
            ("245", b"10$6880-02$aChao xi :$bji lu"),
            ("246", "11$aTides".as_bytes()),
            ("880", "1 $6100-01/$1$a王, 小明.".as_bytes()),
            ("880", "10$6245-02/$1$a潮汐 :$b记录".as_bytes()),
        ],
    )
}

#[test]
fn a_latin_record_in_marc_8_becomes_a_book() {
    let bytes = latin();
    let book = records(bytes.as_slice()).next().unwrap().unwrap();
    assert_eq!(
        (book.title.as_str(), book.subtitle.as_str(), book.isbn.as_str()),
        ("Tides", "a study", "9780306406157")
    );
    let people: Vec<_> = book.contributors.iter().map(|one| format!("{}: {}", one.role, one.name.listed())).collect();
    assert_eq!(people, ["author: Durand René", "editor: Doe Jane", "contributor: Sea Institute"]);
    assert_eq!(
        (book.place.as_str(), book.publisher.as_str(), book.published.as_str()),
        ("London", "Sea Press", "1984")
    );
    assert_eq!((book.edition.as_str(), book.pages, book.language.as_str()), ("2nd ed.", Some(605), "en"));
    assert_eq!(book.contents, "One\nTwo\nThree.");
    assert_eq!(book.subjects, ["Tides -- History"]);
    assert!(book.warnings.is_empty());
}

#[test]
fn titles_and_names_are_read_in_their_original_script() {
    // The dollar sign of `/$1` is text, not a subfield delimiter.
    let bytes = String::from_utf8(chinese()).unwrap().replace("/\u{1f}1", "/$1").into_bytes();
    let book = records(bytes.as_slice()).next().unwrap().unwrap();
    assert_eq!(
        (book.title.as_str(), book.romanized_title.as_str(), book.subtitle.as_str()),
        ("潮汐", "Chao xi", "记录")
    );
    assert_eq!(book.english_title, "Tides");
    assert_eq!(
        (book.contributors[0].name.literal.as_str(), book.contributors[0].romanized.as_str()),
        ("王小明", "Wang Xiaoming")
    );
    assert_eq!((book.language.as_str(), book.published.as_str()), ("zh", "2019"));
}

#[test]
fn chinese_in_marc_8_is_read() {
    let bytes = made(
        false,
        &[
            ("001", b"k4"),
            ("008", b"980202s2019    cc            000 0 chi d"),
            ("100", b"1 $6880-01$aWang, Xiaoming."),
            ("245", b"10$6880-02$aHan zi /"),
            ("880", b"1 $6100-01/^1$a\x1b^1!K3!;E!C!\x1b(B."),
            ("880", b"10$6245-02/^1$a\x1b^1!HW!:R\x1b(B /"),
        ],
    );
    // The dollar signs of escape sequences and of `/$1` are text, not marks of subfields.
    let bytes: Vec<u8> = bytes.into_iter().map(|byte| if byte == b'^' { b'$' } else { byte }).collect();
    let book = records(bytes.as_slice()).next().unwrap().unwrap();
    assert_eq!((book.title.as_str(), book.romanized_title.as_str()), ("漢字", "Han zi"));
    assert_eq!(book.contributors[0].name.literal, "王小明");
    assert!(book.warnings.is_empty(), "{:?}", book.warnings);
}

#[test]
fn a_malformed_record_does_not_affect_others() {
    let mut bytes = latin();
    bytes.extend(b"\r\nrubbish without a leader\x1d");
    bytes.extend(made(false, &[("001", b"k3")]));
    let mut wrong = latin();
    // A directory with wrong lengths.
    wrong[27..31].copy_from_slice(b"0099");
    bytes.extend(wrong);
    bytes.extend(&latin()[..200]);
    let found: Vec<_> = records(bytes.as_slice()).collect();
    let [Ok(_), Err(rubbish), Err(untitled), Ok(shifted), Err(cut)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(rubbish.record, Some(2));
    assert!(untitled.to_string().contains("245"), "{untitled}");
    assert_eq!((shifted.title.as_str(), shifted.warnings.len()), ("Tides", 1));
    assert!(cut.to_string().contains("record 5") && cut.to_string().contains("cut off"), "{cut}");
}

#[test]
fn files_of_other_formats_are_refused() {
    for bytes in [&b""[..], b"%PDF-1.4", b"<record/>", &vec![b'1'; 3 << 20]] {
        let found: Vec<_> = records(bytes).collect();
        assert!(matches!(found.as_slice(), [Err(_)]), "{found:?}");
    }
    let found: Vec<_> = xml_records(&b"<article/>"[..]).collect();
    assert!(matches!(found.as_slice(), [Err(error)] if error.reason.contains("<article>")));
}

#[test]
fn marcxml_is_read_record_by_record() {
    let text = "<marc:collection xmlns:marc='http://www.loc.gov/MARC21/slim'><marc:record><marc:leader>00654cam a2200205gu 4500</marc:leader>
        <marc:controlfield tag='001'>x1</marc:controlfield>
        <marc:datafield tag='245' ind1=' ' ind2='0'><marc:subfield code='a'>Flat land :</marc:subfield><marc:subfield code='b'>a tale</marc:subfield></marc:datafield></marc:record>
        <marc:record><marc:leader/></marc:record><marc:record>";
    let found: Vec<_> = xml_records(text.as_bytes()).collect();
    let [Ok(book), Err(untitled), Err(cut)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((book.title.as_str(), book.subtitle.as_str(), book.key.as_str()), ("Flat land", "a tale", "x1"));
    assert_eq!((untitled.record, cut.record), (Some(2), Some(3)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn damage_never_panics(at in 0_usize..900, byte: u8, cut in 0_usize..1500) {
        let mut bytes = [latin(), chinese()].concat();
        let at = at % bytes.len();
        bytes[at] = byte;
        prop_assert!(records(bytes.as_slice()).count() <= 4);
        bytes.truncate(cut);
        prop_assert!(records(bytes.as_slice()).count() <= 4);
    }
}
