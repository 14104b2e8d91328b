//! Import of reference lists, article metadata and books.

use masthead_domain::{ArticleId, Doi, Lang, resource::Book};

use super::{Desk, jats, outcomes};

const RIS: &str = "TY  - JOUR\nAU  - Ito, Mika\nTI  - Salt in slow water\nJO  - Ledgers of the Sea\nPY  - 2021\nVL  - 4\nER  - \nTY  - BOOK\nAU  - Reed, Ann\nTI  - Tides by hand\nPY  - 2011\nPB  - Example House\nER  - \n";

#[test]
fn imported_references_replace_those_of_the_article() {
    let desk = Desk::new("references");
    let article = desk.write("a.xml", jats("10.5555/refs.1", "Cited", "<p>Text.</p>"));
    assert!(desk.import("jats", &[&article], &[]).1);
    let list = desk.write("list.ris", RIS);
    let (report, good) = desk.import("references", &[&list], &["--article", "10.5555/refs.1"]);
    assert!(good, "{report}");
    let (count, text) = desk.read(async |site| {
        let id = site.article_id_by_doi(&Doi::parse("10.5555/refs.1").unwrap()).await.unwrap().unwrap();
        let article = site.article(id).await.unwrap().unwrap();
        (article.meta.reference_count, article.rendered.unseal())
    });
    assert_eq!(count, 2);
    assert!(text.contains("Salt in slow water") && text.contains("Tides by hand"), "{text}");
    assert!(text.contains("Text."), "the article's text stays");
    let (report, good) = desk.import("references", &[&list], &["--article", "10.5555/none"]);
    assert!(!good && report["items"][0]["error"].as_str().unwrap().contains("no article 10.5555/none"), "{report}");
}

#[test]
fn metadata_adds_issues_and_never_replaces_a_full_text() {
    let desk = Desk::new("metadata");
    let article = desk.write("a.xml", jats("10.5555/meta.1", "Full text", "<p>Words.</p>"));
    assert!(desk.import("jats", &[&article], &[]).1);
    let work = |doi: &str| {
        format!(
            "{{\"DOI\":\"{doi}\",\"is-referenced-by-count\":17,\"type\":\"journal-article\",\"title\":[\"From Crossref\"],\"container-title\":[\"Small\"],\"volume\":\"7\",\"issue\":\"3\",\"deposited\":{{}},\"published\":{{\"date-parts\":[[2025,4]]}},\"author\":[{{\"family\":\"Ito\",\"given\":\"Mika\"}}]}}"
        )
    };
    let list = format!(
        "{{\"message-type\":\"work-list\",\"message\":{{\"items\":[{},{}]}}}}",
        work("10.5555/meta.1"),
        work("10.5555/meta.2")
    );
    let cited_once_more = list.replace(":17,", ":18,");
    let list = desk.write("works.json", list);
    let (report, good) = desk.import("auto", &[&list], &[]);
    assert!(good, "{report}");
    let of =
        |kind: &str| outcomes(&report).into_iter().filter(|one| one.0 == kind).map(|one| one.1).collect::<Vec<_>>();
    assert_eq!(of("period"), ["created"]);
    assert_eq!(of("article"), ["updated", "created"], "the article with the full text has the number of its citations");
    desk.read(async |site| {
        let title = async |doi: &str| {
            let id = site.article_id_by_doi(&Doi::parse(doi).unwrap()).await.unwrap().unwrap();
            site.article(id).await.unwrap().unwrap().meta.title("en").to_owned()
        };
        assert_eq!(title("10.5555/meta.1").await, "Full text");
        assert_eq!(title("10.5555/meta.2").await, "From Crossref");
        let journals = site.journals().await.unwrap();
        assert_eq!(journals.len(), 1, "the journal is matched by its title");
        let issues = site.issues(&journals[0].key).await.unwrap();
        assert!(
            issues.iter().any(|issue| (issue.year, issue.volume.as_str(), issue.issue.as_str()) == (2025, "7", "3"))
        );
    });
    assert!(outcomes(&desk.import("crossref", &[&list], &[]).0).iter().all(|(_, outcome)| outcome == "unchanged"));
    let later = desk.write("later.json", cited_once_more);
    let dry = desk.import("crossref", &[&later], &["--dry-run"]);
    assert!(dry.1, "{}", dry.0);
    let counts = || {
        desk.read(async |site| {
            let mut counts = Vec::new();
            for doi in ["10.5555/meta.1", "10.5555/meta.2"].map(|doi| Doi::parse(doi).unwrap()) {
                let id = site.article_id_by_doi(&doi).await.unwrap().unwrap();
                counts.push(site.citation_counts(&[(id, Some(doi.key()))]).await.unwrap()[&id]);
            }
            counts
        })
    };
    assert_eq!(counts(), [17, 17]);
    let report = desk.import("crossref", &[&later], &[]).0;
    assert_eq!(outcomes(&report).into_iter().map(|one| one.1).collect::<Vec<_>>(), ["unchanged", "updated", "updated"]);
    assert_eq!(counts(), [18, 18]);
}

#[test]
fn a_deposit_of_crossref_is_imported_without_its_faulty_records() {
    let desk = Desk::new("deposit");
    let deposit = masthead_test_support::repository("host/formats/tests/fixtures/crossref-deposit.xml");
    let expected = |outcome: &str| {
        let each = [("journal", 2, outcome), ("period", 1, outcome), ("article", 2, outcome), ("article", 3, "failed")];
        let lines =
            each.into_iter().flat_map(|(kind, number, outcome)| vec![(kind.to_owned(), outcome.to_owned()); number]);
        lines.collect::<Vec<_>>()
    };
    let (report, good) = desk.import("auto", &[&deposit], &[]);
    assert!(!good, "three records are faulty");
    assert_eq!(outcomes(&report), expected("created"), "{report:#}");
    let warning = report["items"][3]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("component_list (1)"), "{report:#}");
    let error = report["items"][5]["error"].as_str().unwrap();
    assert!(error.starts_with("Crossref deposit XML, record 2, line "), "{error}");
    assert_eq!(outcomes(&desk.import("crossref", &[&deposit], &[]).0), expected("unchanged"));
    let (title, license) = desk.read(async |site| {
        let id = site.article_id_by_doi(&Doi::parse("10.5555/tl.7.1").unwrap()).await.unwrap().unwrap();
        let meta = site.article(id).await.unwrap().unwrap().meta;
        (meta.title("en").to_owned(), meta.license_url)
    });
    assert_eq!(title, "On tides & Zostera marina");
    assert_eq!(license, "https://creativecommons.org/licenses/by/4.0/");
}

#[test]
fn texts_of_a_book_are_stored_in_its_own_language() {
    let desk = Desk::new("book-languages");
    let product = |number: &str, code: &str, title: &str| {
        format!(
            "<Product><RecordReference>r{number}</RecordReference><NotificationType>03</NotificationType>\
             <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>{number}</IDValue></ProductIdentifier>\
             <DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>\
             <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>\
             <TitleText>{title}</TitleText></TitleElement></TitleDetail>\
             <Language><LanguageRole>01</LanguageRole><LanguageCode>{code}</LanguageCode></Language></DescriptiveDetail></Product>"
        )
    };
    let products = [
        product("9780306406157", "chi", "慢水集"),
        product("9787301150894", "fre", "Les marées"),
        product("9789144077024", "swe", "Saltvatten"),
    ];
    let onix = format!(
        "<?xml version=\"1.0\"?><ONIXMessage release=\"3.0\" xmlns=\"http://ns.editeur.org/onix/3.0/reference\">{}</ONIXMessage>",
        products.concat()
    );
    let path = desk.write("list.xml", &onix);
    desk.import("onix", &[&path], &[]);
    let books = desk.read(async |site| site.resources::<Book>("", None, 10).await.unwrap());
    let title = |text: &str| {
        let book = books.iter().find(|book| book.value.title.0.values().any(|title| title == text));
        book.unwrap_or_else(|| panic!("{text} is missing of {books:?}"))
            .value
            .title
            .0
            .keys()
            .copied()
            .collect::<Vec<_>>()
    };
    assert_eq!(title("慢水集"), [Lang::Zh]);
    assert_eq!(title("Les marées"), [Lang::Fra]);
    assert_eq!(title("Saltvatten"), [Lang::En], "the host has no texts in Swedish");
}

#[test]
fn onix_books_are_imported_with_sanitized_html() {
    let desk = Desk::new("books");
    let onix = "<?xml version=\"1.0\"?><ONIXMessage release=\"3.0\" xmlns=\"http://ns.editeur.org/onix/3.0/reference\"><Product><RecordReference>r1</RecordReference><NotificationType>03</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780306406157</IDValue></ProductIdentifier><DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm><TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>Slow Water</TitleText></TitleElement></TitleDetail><Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>Ann Reed</PersonName></Contributor></DescriptiveDetail><CollateralDetail><TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text textformat=\"02\">&lt;p onclick=\"x()\"&gt;On salt.&lt;script&gt;1&lt;/script&gt;&lt;/p&gt;</Text></TextContent></CollateralDetail></Product></ONIXMessage>";
    let path = desk.write("list.xml", onix);
    let (report, good) = desk.import("auto", &[&path], &[]);
    assert!(good, "{report}");
    let books = desk.read(async |site| site.resources::<Book>("", None, 10).await.unwrap());
    assert_eq!(books.len(), 1);
    let book = &books[0].value;
    assert_eq!((book.key.as_str(), book.title.get(Lang::En)), ("9780306406157", "Slow Water"));
    let introduction = book.introduction.get(Lang::En);
    assert!(introduction.contains("On salt.") && !introduction.contains("script") && !introduction.contains("onclick"));
    assert_eq!(outcomes(&desk.import("onix", &[&path], &[]).0), [("book".to_owned(), "unchanged".to_owned())]);
    assert!(desk.read(async |site| site.article(ArticleId(1)).await.unwrap()).is_none());
}
