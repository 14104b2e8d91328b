#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use base64::{Engine as _, engine::general_purpose};
use proptest::prelude::*;

use super::*;
use crate::markup::jats_of_tests;

/// Reads a file that names no files beside it.
fn import(bytes: &[u8], jats: ReadJats) -> Result<Imported, FormatError> {
    super::import(bytes, jats, &|_| None)
}

const GALLEY: &str = "<article article-type='review-article' xml:lang='en'><front><article-meta><title-group><article-title>From JATS</article-title></title-group></article-meta></front><body><p>Text.</p></body></article>";

fn three() -> String {
    let xml = general_purpose::STANDARD.encode(GALLEY);
    format!(
        r#"<?xml version="1.0"?><issues xmlns="http://pkp.sfu.ca"><issue published="1"><id type="internal" advice="ignore">1</id><id type="doi">10.5555/i</id>
<description locale="en_US">&lt;p&gt;About&lt;/p&gt;</description>
<issue_identification><volume>3</volume><number>2</number><year>2026</year><title locale="en_US">Tides</title><title locale="zh_CN">潮汐</title></issue_identification>
<date_published>2026-03-01</date_published>
<sections><section ref="ART"><title locale="en_US">Articles</title></section></sections>
<covers><cover locale="en_US"><cover_image>../c.png</cover_image><embed encoding="base64">aGVsbG8</embed></cover></covers>
<articles>
<article locale="en_US" date_submitted="2025-12-01" current_publication_id="8"><id type="internal">5</id>
 <submission_file id="12" stage="proof"><name locale="en_US">a.pdf</name><file id="1" extension="pdf"><embed encoding="base64">
   aGVs
   bG8=</embed></file></submission_file>
 <submission_file id="13" stage="proof"><name locale="en_US">broken.pdf</name><file id="2"><embed encoding="base64">???</embed></file></submission_file>
 <publication version="1" section_ref="ART"><id type="internal">7</id><title locale="en_US">Old</title></publication>
 <publication version="2" section_ref="ART" date_published="2026-03-02" access_status="0"><id type="internal">8</id><id type="doi">10.5555/A</id>
  <prefix locale="en_US">The</prefix><title locale="zh_CN">潮汐</title><title locale="en_US">Tides of &lt;i&gt;E. coli&lt;/i&gt;</title>
  <abstract locale="en_US">&lt;p&gt;One &lt;strong&gt;two&lt;/strong&gt;.&lt;/p&gt;</abstract>
  <licenseUrl>https://creativecommons.org/licenses/by/4.0</licenseUrl><copyrightHolder locale="en_US">Authors</copyrightHolder><copyrightYear>2026</copyrightYear>
  <keywords locale="en_US"><keyword>sea</keyword><keyword>water</keyword></keywords>
  <authors><author seq="1" user_group_ref="Author"><givenname locale="en_US">Xiaoming</givenname><givenname locale="zh_CN">小明</givenname><familyname locale="en_US">Wang</familyname><familyname locale="zh_CN">王</familyname>
   <affiliation locale="en_US">Institute</affiliation><email>w@x.example</email><orcid>https://orcid.org/0000-0002-1825-0097</orcid></author></authors>
  <article_galley locale="en_US" url_path="pdf"><id type="internal">31</id><name locale="en_US">PDF</name><submission_file_ref id="12"/></article_galley>
  <article_galley locale="en_US"><id type="internal">32</id><name locale="en_US">Broken</name><submission_file_ref id="13"/></article_galley>
  <pages>10-19</pages><citations><citation>Doe, J. A book. 1999.</citation></citations></publication></article>
<article locale="en_US"><submission_file id="20"><revision number="1" filename="b.xml" filetype="text/xml"><embed encoding="base64">{xml}</embed></revision></submission_file><title locale="en_US">From OJS</title><pages>20</pages></article>
<article locale="en_US"/>
</articles></issue></issues>"#
    )
}

const TWO: &str = r#"<issue published="true"><title locale="en_US">Old issue</title><volume>1</volume><number>4</number><year>2004</year>
<section><title locale="en_US">Letters</title><article language="en" public_id="p1"><title locale="en_US">A letter</title><abstract locale="en_US">Plain.</abstract>
<indexing><subject locale="en_US">sea; water</subject></indexing>
<author primary_contact="true"><firstname>Jane</firstname><middlename>Q.</middlename><lastname>Doe</lastname><affiliation>Lab</affiliation></author>
<pages>3</pages><date_published>2004-10-05</date_published><open_access/>
<galley locale="en_US"><label>PDF</label><file><href src="https://x.example/my.pdf" mime_type="application/pdf"/></file></galley>
<supplemental_file><file><embed encoding="base64" filename="..\d.csv" mime_type="text/csv">aGVsbG8=</embed></file></supplemental_file>
</article></section></issue>"#;

#[test]
fn issues_articles_and_files_of_ojs_3_are_read() {
    let made = import(three().as_bytes(), jats_of_tests).unwrap();
    let [issue] = made.issues.as_slice() else { panic!("{:?}", made.issues) };
    let period = &issue.period;
    assert_eq!((period.volume.as_str(), period.issue.as_str(), period.date.as_str()), ("3", "2", "2026-03-01"));
    assert_eq!((period.titles.len(), period.descriptions[0].1.as_str(), period.cover.as_str()), (2, "About", "c.png"));
    let cover = issue.cover.as_ref().unwrap();
    assert_eq!((cover.bytes.as_slice(), cover.mime.as_str()), (&b"hello"[..], "image/png"));
    let [first, second] = made.articles.records.as_slice() else { panic!("{:?}", made.articles) };
    let meta = &first.article.meta;
    assert_eq!(
        (meta.title("en"), meta.title("zh"), meta.source_key.as_str()),
        ("The Tides of E. coli", "潮汐", "doi:10.5555/a")
    );
    assert_eq!(
        (meta.dates.received.as_str(), meta.dates.online.as_str(), meta.open_access),
        ("2025-12-01", "2026-03-02", true)
    );
    assert_eq!(
        (meta.volume.as_str(), meta.year, meta.first_page.as_str(), meta.copyright.as_str()),
        ("3", Some(2026), "10", "© 2026 Authors")
    );
    assert_eq!(meta.contributors[0].display_name(), "Xiaoming Wang");
    assert_eq!(meta.contributors[0].alternatives, [("zh-CN".to_owned(), "王小明".to_owned())]);
    assert_eq!((first.section.as_str(), first.issue, meta.keywords[0].plain.len()), ("Articles", Some(0), 2));
    assert_eq!(masthead_domain::content::text::plain(&first.article.body.abstracts[0].nodes), "One two.");
    assert_eq!(first.article.body.reference_lists[0].refs[0].citations[0].plain, "Doe, J. A book. 1999.");
    let [pdf] = first.files.as_slice() else { panic!("{:?}", first.files) };
    assert_eq!(
        (pdf.name.as_str(), pdf.label.as_str(), pdf.bytes.as_slice(), pdf.role),
        ("a.pdf", "PDF", &b"hello"[..], "galley")
    );
    assert_eq!(
        (second.source, second.article.meta.title("en"), second.article.meta.first_page.as_str()),
        (Some(0), "From JATS", "20")
    );
    assert_eq!(second.article.body.body.len(), 1);
    let messages: Vec<String> = made.articles.faults.iter().map(ToString::to_string).collect();
    assert!(
        messages.len() == 2 && messages[0].contains("broken.pdf") && messages[1].contains("neither a title"),
        "{messages:?}"
    );
}

#[test]
fn ojs_2_is_read_likewise() {
    let made = import(TWO.as_bytes(), jats_of_tests).unwrap();
    let [one] = made.articles.records.as_slice() else { panic!("{:?}", made.articles) };
    let meta = &one.article.meta;
    assert_eq!((meta.title("en"), meta.source_key.as_str(), meta.year), ("A letter", "publisher-id:p1", Some(2004)));
    assert_eq!(
        (meta.contributors[0].display_name().as_str(), meta.contributors[0].corresponding),
        ("Jane Q. Doe", true)
    );
    assert_eq!((one.section.as_str(), meta.issue.as_str(), meta.open_access), ("Letters", "4", false));
    assert_eq!((one.files[0].href.as_str(), one.files[1].name.as_str()), ("https://x.example/my.pdf", "d.csv"));
}

#[test]
fn dates_that_no_calendar_has_are_cut_and_reported() {
    let text = three()
        .replace("<date_published>2026-03-01<", "<date_published>2026-13-01<")
        .replace("date_submitted=\"2025-12-01\"", "date_submitted=\"2025-02-29\"");
    let made = import(text.as_bytes(), jats_of_tests).unwrap();
    let (issue, article) = (&made.issues[0].period, &made.articles.records[0]);
    assert_eq!((issue.date.as_str(), article.article.meta.dates.received.as_str()), ("2026", "2025-02"));
    let said =
        "OJS native XML, line 1, date_published: no calendar has the month 13 of the date \"2026-13-01\"; 2026 is used";
    assert!(issue.warnings.len() == 1 && issue.warnings[0].starts_with(said), "{:?}", issue.warnings);
    let said = "OJS native XML, line 8, date_submitted: no calendar has the day 29 of month 2";
    assert!(article.warnings.len() == 1 && article.warnings[0].starts_with(said), "{:?}", article.warnings);
    assert_eq!(made.articles.records[1].warnings, Vec::<String>::new());
    let posted = JOURNAL.replace("2024-05-06 10:00:00", "2024-05-32 10:00:00");
    let news = super::import(posted.as_bytes(), jats_of_tests, &|_| None).unwrap().announcements.remove(0);
    assert!(news.date == "2024-05" && news.warnings[0].contains("day 32 of month 5"), "{news:?}");
    // The date of an article that names its issue is reported with the article alone.
    let alone = "<article locale='en'><title>T</title><issue_identification><number>4</number></issue_identification>\
                 <date_published>2004-10-32</date_published></article>";
    let made = import(alone.as_bytes(), jats_of_tests).unwrap();
    assert_eq!((made.issues[0].period.warnings.len(), made.articles.records[0].warnings.len()), (0, 1));
}

#[test]
fn a_single_article_is_read_with_its_issue_and_other_xml_is_refused() {
    let alone = "<article locale='uk_UA' section_ref='x'><title locale='uk_UA'>Т</title><issue_identification><number>4</number><year>2020</year></issue_identification></article>";
    let made = import(alone.as_bytes(), jats_of_tests).unwrap();
    assert_eq!((made.issues.len(), made.articles.records[0].article.meta.issue.as_str()), (1, "4"));
    assert!(import(b"<html/>", jats_of_tests).unwrap_err().reason.contains("<html>"));
    assert!(import(b"", jats_of_tests).is_err());
}

const JOURNAL: &str = r###"<journal xmlns="http://pkp.sfu.ca" url_path="rivers" primary_locale="fr_CA">
<context_settings><setting name="name" type="string" locale="en">River Notes</setting><setting name="name" type="string" locale="fr_CA">Cahiers des rivières</setting>
 <setting name="onlineIssn" type="string">2049-3630</setting><setting name="about" type="string" locale="en">&lt;p&gt;About&lt;/p&gt;</setting>
 <setting name="privacyStatement" type="string" locale="en">##default.contextSettings.privacyStatement##</setting></context_settings>
<announcements><announcement date_posted="2024-05-06 10:00:00" date_expire="2024-07-01"><id type="internal">7</id><title locale="en">Call</title><descriptionShort locale="en">Short</descriptionShort><description locale="en">&lt;p&gt;Long&lt;/p&gt;</description></announcement></announcements>
<navigation_menu_items><navigation_menu_item id="1" type="NMI_TYPE_CUSTOM" path="fees"><title locale="en">Fees</title><content locale="en">&lt;p&gt;None&lt;/p&gt;</content></navigation_menu_item>
 <navigation_menu_item id="2" type="NMI_TYPE_ABOUT"/><navigation_menu_item id="3" path="../x"><content locale="en">x</content></navigation_menu_item></navigation_menu_items>
<PKPUsers><users><user/><user/></users></PKPUsers>
<reference_data><sections><section ref="ART" seq="2"><abbrev locale="en">ART</abbrev><abbrev locale="fr_CA">ART</abbrev><policy locale="en">Peer reviewed</policy><title locale="en">Articles</title><title locale="fr_CA">Articles (fr)</title></section></sections></reference_data>
<native_data><issues>
 <issue published="0"><articles><article/></articles></issue>
 <issue published="1" url_path="floods"><id type="internal">4</id><id type="doi">10.5555/i4</id><issue_identification><volume>5</volume><year>2024</year></issue_identification>
  <issue_galleys><issue_galley><id type="internal">9</id></issue_galley></issue_galleys>
  <articles><article status="3" current_publication_id="41"><id type="internal">40</id>
   <submission_file id="50" stage="proof"><name locale="en">Weirs</name><file id="1" extension="xml"><href src="files/50.xml" mime_type="application/xml"/></file></submission_file>
   <submission_file id="51" stage="dependent"><name locale="en">fig.png</name><submission_file_ref id="50"/><file><embed encoding="base64">aGVsbG8=</embed></file></submission_file>
   <submission_file id="52" stage="submission"><name locale="en">manuscript.docx</name><file><embed encoding="base64">aGVsbG8=</embed></file></submission_file>
   <publication status="3" section_ref="ART" url_path="weirs"><id type="internal">41</id><title locale="en">Weirs</title>
    <article_galley locale="en" url_path="xml"><id type="internal">60</id><name locale="en">XML</name><submission_file_ref id="50"/></article_galley></publication>
   <publication status="1"><id type="internal">42</id><title locale="en">Weirs, again</title></publication></article>
  <article status="1" current_publication_id="44"><publication status="1"><id type="internal">44</id><title locale="en">Draft</title></publication></article></articles></issue></issues></native_data>
<metrics><metric assoc_type="1048585" assoc_id="40" day="20240701" metric="3"/><metric assoc_type="515" assoc_id="51" day="20240701" metric="2"/><metric assoc_type="256" assoc_id="1" day="20240701" metric="9"/>
 <submission_metrics><submission_metric submission_ref="40" assoc_type="1048585" date="2024-07-01" metric="1"/><submission_metric submission_ref="40" assoc_type="1048585" date="2024-02-30" metric="1"/></submission_metrics>
 <geo_metrics><geo_metric/></geo_metrics></metrics></journal>"###;

#[test]
fn a_whole_journal_is_read_with_its_pages_and_counts() {
    let linked = |href: &str| (href == "files/50.xml").then(|| GALLEY.as_bytes().to_vec());
    let made = super::import(JOURNAL.as_bytes(), jats_of_tests, &linked).unwrap();
    let names = &made.journal.names;
    assert_eq!((made.journal.path.as_str(), names.title.as_str()), ("rivers", "Cahiers des rivières"));
    assert_eq!(
        (names.trans_titles.as_slice(), names.issn.as_slice()),
        (&[("en".to_owned(), "River Notes".to_owned())][..], &["2049-3630".to_owned()][..])
    );
    assert_eq!(made.locales.iter().map(String::as_str).collect::<Vec<_>>(), ["en", "fr_CA"]);
    let [section] = made.sections.as_slice() else { panic!("{:?}", made.sections) };
    assert_eq!((section.titles.len(), section.abbreviations.len(), section.position), (2, 2, 3));
    let [news] = made.announcements.as_slice() else { panic!("{:?}", made.announcements) };
    assert_eq!((news.id.as_str(), news.date.as_str(), news.contents[0].1.as_str()), ("7", "2024-05-06", "<p>Long</p>"));
    let pages: Vec<&str> = made.pages.iter().map(|page| page.path.as_str()).collect();
    assert_eq!(pages, ["about", "fees"], "a text that nobody has written is no page");
    let [issue] = made.issues.as_slice() else { panic!("{:?}", made.issues) };
    assert_eq!(
        (issue.id.as_str(), issue.url_path.as_str(), issue.galleys.as_slice()),
        ("4", "floods", &["9".to_owned()][..])
    );
    assert_eq!(issue.period.issue, "5", "without a number, the volume names the issue");
    let [article] = made.articles.records.as_slice() else { panic!("{:?}", made.articles) };
    assert_eq!((article.id.as_str(), article.url_path.as_str(), article.versions.len()), ("40", "weirs", 2));
    assert_eq!(
        (article.source, article.article.meta.subjects.first().map(String::as_str)),
        (Some(0), Some("Articles"))
    );
    assert_eq!((article.article.meta.issue.as_str(), article.article.meta.year), ("5", Some(2024)));
    let files: Vec<_> = article.files.iter().map(|file| (file.name.as_str(), file.role, file.galley.len())).collect();
    assert_eq!(files, [("Weirs.xml", "galley", 2), ("fig.png", "dependent", 0)]);
    let count = UsageCount { article: "40".to_owned(), day: Some(19_905), views: 4, downloads: 2 };
    assert_eq!(made.counts, [count], "2024-02-30 does not exist");
    let left_out: Vec<_> = made.left_out.iter().map(|one| (one.what, one.times)).collect();
    for (what, times) in [
        ("issues that are not published", 1),
        ("articles that are not published", 2),
        ("versions of articles that are not the current one", 1),
        ("manuscripts, review files and other files of the editing", 1),
        ("files of whole issues", 1),
        ("DOIs and public ids of issues", 1),
        ("expiry dates of announcements", 1),
        ("users with roles and passwords", 2),
        ("menu items that lead to other pages", 1),
        ("counts of the journal, its issues, places and institutions", 3),
    ] {
        assert!(left_out.contains(&(what, times)), "{what}: {left_out:?}");
    }
}

#[test]
fn what_is_not_read_of_articles_authors_and_settings_is_counted() {
    let version = "<title locale='en'>Tides</title><coverage locale='en'>The strait</coverage><coverage locale='fr_CA'>Le détroit</coverage>\
        <type locale='en'>Report</type><source locale='en'>A log</source><rights locale='en'>Ours</rights><licenseUrl/>\
        <agencies locale='en'><agency>Fund</agency><agency>Trust</agency></agencies><disciplines locale='en'><discipline>Seas</discipline>\
        </disciplines><languages><language>en</language></languages><authors><author><givenname locale='en'>Ada</givenname>\
        <affiliation locale='en'>Lab</affiliation><affiliation locale='fr_CA'>Labo</affiliation><country>CA</country>\
        <url>https://a.example/</url><biography locale='en'>One</biography><biography locale='fr_CA'>Deux</biography>\
        <biography locale='de'/><competing_interests locale='en'>None</competing_interests></author></authors>";
    let journal = format!(
        "<journal url_path='r' primary_locale='en'><context_settings><setting name='name' locale='en'>Notes</setting>\
         <setting name='contactName'>Ada</setting><setting name='itemsPerPage'>25</setting><setting name='homepageImage'/>\
         <setting name='emailSignature'>##default##</setting></context_settings><articles><article status='3' locale='en'>\
         <publication status='3' locale='en'>{version}</publication></article></articles></journal>"
    );
    let left_out = |xml: &str| {
        let mut made: Vec<_> =
            import(xml.as_bytes(), jats_of_tests).unwrap().left_out.iter().map(|one| (one.what, one.times)).collect();
        made.sort_unstable();
        made
    };
    let expected = [
        ("affiliations of authors in further languages", 1),
        ("agencies that supported articles", 2),
        ("biographies of authors in further languages", 1),
        ("countries of authors", 1),
        ("disciplines of articles", 1),
        ("home pages of authors", 1),
        ("other details of authors", 1),
        ("other metadata of articles", 1),
        ("other settings of the journal", 2),
        ("places and times that articles are about", 2),
        ("sources of articles", 1),
        ("statements of rights of articles", 1),
        ("types of articles", 1),
    ];
    assert_eq!(left_out(&journal), expected);
    let two = "<article locale='en'><title>T</title><indexing><discipline>Seas</discipline><subject>sea</subject></indexing>\
               <author><lastname>Doe</lastname><country>CA</country></author></article>";
    assert_eq!(left_out(two), [("countries of authors", 1), ("disciplines of articles", 1)]);
    // What is not imported at all is counted as that alone.
    let unpublished = journal.replace("<publication status='3'", "<publication status='1'");
    assert_eq!(left_out(&unpublished), [("articles that are not published", 1), ("other settings of the journal", 2)]);
}

#[test]
fn covers_of_articles_are_files_with_their_alternative_text() {
    let xml = "<articles><article locale='en' status='3'><publication locale='en' status='3'><title locale='en'>Tides</title><covers>\
               <cover locale='en'><cover_image>a.png</cover_image><cover_image_alt_text>A tide</cover_image_alt_text><embed encoding='base64'>aGVsbG8=</embed></cover>\
               <cover locale='es'><cover_image>b.png</cover_image><embed encoding='base64'>aGVsbG8=</embed></cover></covers>\
               </publication></article></articles>";
    let made = import(xml.as_bytes(), jats_of_tests).unwrap();
    let [article] = made.articles.records.as_slice() else { panic!("{:?}", made.articles) };
    let files: Vec<_> = article.files.iter().map(|file| (file.name.as_str(), file.role, file.alt.as_str())).collect();
    assert_eq!(files, [("a.png", "cover", "A tide"), ("b.png", "cover", "")]);
    assert_eq!(made.left_out.len(), 0, "{:?}", made.left_out);
}

#[test]
fn the_licence_of_a_galley_decides_and_without_one_that_of_ojs() {
    let by = "https://creativecommons.org/licenses/by/4.0/";
    let with = |permissions: &str| {
        let galley = GALLEY.replace("</article-meta>", &format!("{permissions}</article-meta>"));
        let xml = format!(
            "<article locale='en' public_id='p7'><submission_file id='1'><revision filename='a.xml' filetype='text/xml'><embed>{}</embed>\
             </revision></submission_file><title>T</title><licenseUrl>{by}</licenseUrl></article>",
            general_purpose::STANDARD.encode(galley)
        );
        import(xml.as_bytes(), jats_of_tests).unwrap().articles.records.remove(0)
    };
    let unlicensed = with("");
    assert!(unlicensed.source.is_some());
    let meta = &unlicensed.article.meta;
    assert_eq!((meta.license_url.as_str(), meta.open_access), (by, true));
    assert_eq!(unlicensed.public_id, "p7", "old addresses have the public id of OJS, whatever ids the galley has");
    let meta =
        with("<permissions><license><license-p>All rights reserved.</license-p></license></permissions>").article.meta;
    assert_eq!((meta.license_url.as_str(), meta.open_access), ("", false));
}

#[test]
fn a_galley_gets_the_languages_that_it_does_not_have() {
    let galley = GALLEY.replace(
        "</article-meta>",
        "<abstract><p>One.</p></abstract><kwd-group><kwd>sea</kwd></kwd-group></article-meta>",
    );
    // A galley that states no language is taken for English: the same words in Portuguese are the same title.
    let xml = format!(
        "<article locale='en'><submission_file id='1'><revision filename='a.xml' filetype='text/xml'><embed>{}</embed></revision>\
         </submission_file><title locale='en'>From OJS</title><title locale='es_ES'>De OJS</title><title locale='pt_BR'>From JATS</title>\
         <subtitle locale='en'>A note</subtitle><subtitle locale='es_ES'>Una nota</subtitle><abstract locale='en'>Two.</abstract>\
         <abstract locale='es_ES'>Uno.</abstract><keywords locale='en'><keyword>water</keyword></keywords><keywords locale='es_ES'>\
         <keyword>mar</keyword></keywords></article>",
        general_purpose::STANDARD.encode(galley)
    );
    let record = import(xml.as_bytes(), jats_of_tests).unwrap().articles.records.remove(0);
    assert_eq!(record.source, Some(0));
    let meta = &record.article.meta;
    let titles: Vec<_> = meta.titles.iter().map(|one| (one.lang.as_str(), one.plain.as_str())).collect();
    assert_eq!(titles, [("en", "From JATS"), ("es", "De OJS")]);
    let subtitles: Vec<_> = meta.subtitles.iter().map(|one| (one.lang.as_str(), one.plain.as_str())).collect();
    assert_eq!(subtitles, [("es", "Una nota")]);
    let keywords: Vec<_> = meta.keywords.iter().map(|one| (one.lang.as_str(), one.plain.join(" "))).collect();
    assert_eq!(keywords, [("en", "sea".to_owned()), ("es", "mar".to_owned())]);
    let text = |nodes: &[Node]| masthead_domain::content::text::plain(nodes);
    let abstracts: Vec<_> =
        record.article.body.abstracts.iter().map(|one| (one.lang.as_str(), text(&one.nodes))).collect();
    assert_eq!(abstracts, [("en", "One.".to_owned()), ("es", "Uno.".to_owned())]);
}

/// An article of a section at a place in it; the title is the number.
fn placed(number: u8, section: &str, place: &str) -> String {
    format!(
        "<article status='3'><id type='internal'>{number}</id><publication status='3' section_ref='{section}'{place}>\
         <title locale='en'>{number}</title></publication></article>"
    )
}

#[test]
fn issues_list_their_sections_and_articles_in_the_order_of_ojs() {
    let issue = |sections: &str, articles: &[String]| {
        format!(
            "<issue published='1'><issue_identification><number>1</number><year>2024</year></issue_identification>{sections}\
             <articles>{}</articles></issue>",
            articles.concat()
        )
    };
    let order = |xml: &str| {
        let made = import(xml.as_bytes(), jats_of_tests).unwrap();
        let issue = made.issues.into_iter().next().unwrap();
        (issue.sections.join(" "), issue.order)
    };
    let list = |order: &[(&str, &str, &str)]| {
        let all = order.iter().map(|(key, title, place)| {
            format!("<section ref='{key}'{place}><title locale='en'>{title}</title></section>")
        });
        format!("<sections>{}</sections>", all.collect::<Vec<_>>().concat())
    };
    let articles = [
        placed(1, "ART", " seq='2'"),
        placed(2, "ART", " seq='1'"),
        placed(3, "LET", " seq='1'"),
        placed(4, "", " seq='0'"),
    ];
    // An editor of OJS has put the letters first in this issue; in the journal, they have the second place.
    let own = list(&[("LET", "Letters", " seq='2'"), ("REV", "Reviews", " seq='3'"), ("ART", "Articles", " seq='1'")]);
    assert_eq!(order(&issue(&own, &articles)), ("Letters Articles".to_owned(), vec![2, 1, 0, 3]));
    // Where issues do not list their sections, the journal does.
    let of_journal = list(&[("LET", "Letters", " seq='2'"), ("ART", "Articles", " seq='1'")]);
    let journal = format!(
        "<journal url_path='r' primary_locale='en'>{of_journal}<issues>{}</issues></journal>",
        issue("", &articles)
    );
    assert_eq!(order(&journal), ("Articles Letters".to_owned(), vec![1, 0, 2, 3]));
    // Without places, the file says no order.
    let bare = list(&[("LET", "Letters", ""), ("ART", "Articles", "")]);
    let articles = [placed(1, "ART", ""), placed(2, "LET", "")];
    assert_eq!(order(&issue(&bare, &articles)), (String::new(), Vec::new()));
    let articles = [placed(1, "ART", " seq='0'"), placed(2, "ART", " seq='0'")];
    assert_eq!(order(&issue(&own, &articles)), ("Articles".to_owned(), Vec::new()), "nobody has put them into order");
    // An article that is exported alone says nothing of the others.
    let alone = placed(1, "ART", " seq='3'").replace(
        "</publication>",
        "<issue_identification><number>1</number><year>2024</year></issue_identification></publication>",
    );
    assert_eq!(order(&alone), (String::new(), Vec::new()));
}

#[test]
fn issues_without_a_number_and_of_several_volumes_have_numbers_of_their_own() {
    let issue = |attributes: &str, identification: &str, article: &str| {
        format!(
            "<issue published='1'{attributes}><issue_identification>{identification}<year>2024</year><title locale='en'>Floods</title>\
             </issue_identification><articles>{article}</articles></issue>"
        )
    };
    let galley = format!(
        "<article locale='en'><submission_file id='1'><revision filename='a.xml' filetype='text/xml'><embed>{}</embed></revision>\
         </submission_file><title>T</title></article>",
        general_purpose::STANDARD.encode(GALLEY)
    );
    let xml = [
        issue(" url_path='floods'", "", &galley),
        issue(" url_path='../x'", "", "").replace("<issue_id", "<id type='internal'>8</id><issue_id"),
        issue("", "<volume>7</volume><number>2</number>", &placed(1, "", "")),
        issue("", "<volume>6</volume><number>2</number>", &placed(2, "", "")),
        issue("", "<volume>12</volume>", ""),
        issue("", "", &placed(3, "", "")),
    ];
    let made = import(format!("<issues>{}</issues>", xml.concat()).as_bytes(), jats_of_tests).unwrap();
    let numbers: Vec<&str> = made.issues.iter().map(|issue| issue.period.issue.as_str()).collect();
    assert_eq!(numbers, ["floods", "ojs-8", "2 (vol. 7)", "2", "12", ""], "nothing names the last one");
    let of_articles: Vec<_> = made.articles.records.iter().map(|one| one.article.meta.issue.as_str()).collect();
    assert_eq!(of_articles, ["floods", "2 (vol. 7)", "2", ""], "articles follow, also those with a galley");
    let warnings: Vec<_> = made.issues.iter().map(|issue| issue.period.warnings.join(" ")).collect();
    assert!(warnings[0].contains("\"floods\"") && warnings[3].is_empty(), "{warnings:?}");
    assert!(warnings[2].contains("in volume \"6\" and in volume \"7\""), "{warnings:?}");
}

#[test]
fn an_article_is_open_access_by_its_licence_alone() {
    let read = |status: &str, stated: &str| {
        let three = format!(
            "<article locale='en' access_status='{status}'><publication access_status='{status}' status='3'>\
             <title locale='en'>T</title>{stated}</publication></article>"
        );
        let two = format!("<article language='en'><title>T</title><open_access/>{stated}</article>");
        [three, two].map(|xml| import(xml.as_bytes(), jats_of_tests).unwrap().articles.records.remove(0).article.meta)
    };
    for closed in ["", "<licenseUrl>https://tide.example/terms</licenseUrl>", "<permissions/>"] {
        assert!(read("1", closed).iter().all(|meta| !meta.open_access), "{closed}");
    }
    let by = "https://creativecommons.org/licenses/by/4.0/";
    for open in [
        format!("<licenseUrl>{by}</licenseUrl>"),
        format!("<permissions><license_url>{by}</license_url></permissions>"),
    ] {
        for meta in read("0", &open) {
            assert_eq!((meta.license_url.as_str(), meta.open_access), (by, true), "{open}");
        }
    }
    let holder = "<permissions><copyright_holder locale='en'>Ada</copyright_holder>\
                  <copyright_year>2014</copyright_year></permissions>";
    assert!(read("0", holder).iter().all(|meta| meta.copyright == "© 2014 Ada"));
}

#[test]
fn a_year_that_no_issue_can_have_is_left_out() {
    for year in ["20266", "-5", "0000", "soon"] {
        let issue = format!(
            "<issue published='1'><issue_identification><number>4</number><year>{year}</year></issue_identification></issue>"
        );
        let made = import(issue.as_bytes(), jats_of_tests).unwrap();
        assert_eq!((made.issues[0].period.year, made.issues[0].period.date.as_str()), (None, ""), "{year}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn damage_never_panics(at in 0_usize..3500, byte: u8, cut in 0_usize..3500) {
        let mut bytes = three().into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = import(&bytes, jats_of_tests);
        bytes.truncate(cut);
        let _ = import(&bytes, jats_of_tests);
    }
}
