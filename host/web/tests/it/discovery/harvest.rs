//! Complete OAI-PMH harvests, with resumption.

use std::collections::BTreeMap;

use masthead_documents::jats;

use super::{ALPHA, BODY, PORTAL, SEAGRASS, children, protocol::ask, texts};

/// A harvested record: identifier, datestamp, sets, and its metadata as text.
#[derive(Debug)]
pub struct Harvested {
    pub identifier: String,
    pub stamp: String,
    pub sets: Vec<String>,
    pub deleted: bool,
    pub metadata: String,
}

/// All records of a list, and the number of responses that it took.
pub fn harvest(site: &str, query: &str) -> (Vec<Harvested>, usize) {
    let verb = query.split('&').next().unwrap().to_owned();
    let (mut all, mut answers, mut query) = (Vec::new(), 0, query.to_owned());
    loop {
        let text = ask(site, &query);
        let document = roxmltree::Document::parse(&text).unwrap();
        let list = document.root_element().last_element_child().unwrap();
        assert!(list.tag_name().name().starts_with("List"), "{query}: {text}");
        answers += 1;
        let before = all.len();
        for part in list.children() {
            let header = match part.tag_name().name() {
                "header" => part,
                "record" => children(part, "header").remove(0),
                _ => continue,
            };
            let of = |name: &str| {
                children(header, name).iter().map(|node| node.text().unwrap().to_owned()).collect::<Vec<_>>()
            };
            let metadata = children(part, "metadata").first().map_or("", |node| &text[node.range()]).to_owned();
            let (identifier, stamp) = (of("identifier").remove(0), of("datestamp").remove(0));
            let deleted = header.attribute("status") == Some("deleted");
            all.push(Harvested { identifier, stamp, sets: of("setSpec"), deleted, metadata });
        }
        assert!(all.len() > before, "an answer without records: {text}");
        let Some(token) = children(list, "resumptionToken").first().copied() else { return (all, answers) };
        assert_eq!(token.attribute("cursor"), Some(before.to_string().as_str()));
        match token.text() {
            Some(token) => query = format!("{verb}&resumptionToken={token}"),
            None => return (all, answers),
        }
    }
}

#[test]
fn a_list_of_260_records_takes_three_responses_and_has_each_record_once() {
    let listed = PORTAL.run(PORTAL.app.store.site(ALPHA).article_listing(0, 1000)).unwrap();
    let expected: Vec<String> = listed.iter().map(|one| format!("oai:alpha.example.org:article/{}", one.id)).collect();
    for (verb, prefix) in [("ListIdentifiers", "oai_dc"), ("ListRecords", "oai_dc"), ("ListRecords", "jats")] {
        let (found, answers) = harvest("alpha", &format!("verb={verb}&metadataPrefix={prefix}"));
        assert_eq!(answers, 3, "{verb}");
        let mut seen = BTreeMap::new();
        for one in &found {
            assert!(seen.insert(one.identifier.clone(), ()).is_none(), "{} was returned twice", one.identifier);
            assert_eq!(one.metadata.is_empty(), verb == "ListIdentifiers");
        }
        assert_eq!(seen.len(), 260);
        assert!(expected.iter().all(|id| seen.contains_key(id)));
        assert!(found.windows(2).all(|pair| pair[0].stamp <= pair[1].stamp), "the oldest change comes first");
    }
}

#[test]
fn a_set_is_a_journal() {
    let (found, answers) = harvest("alpha", "verb=ListRecords&metadataPrefix=oai_dc&set=~c3~a9tudes");
    assert_eq!((found.len(), answers), (130, 2));
    assert!(found.iter().all(|one| one.sets == ["~c3~a9tudes"] && one.metadata.contains("Études")));
}

#[test]
fn windows_include_their_first_and_last_second() {
    let listed = PORTAL.run(PORTAL.app.store.site(ALPHA).article_listing(0, 1000)).unwrap();
    let second = |ms: i64| ms.div_euclid(1000);
    let middle = second(listed[130].changed_ms);
    let written = jiff::Timestamp::from_second(middle).unwrap().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let count = |holds: &dyn Fn(i64) -> bool| listed.iter().filter(|one| holds(second(one.changed_ms))).count();
    let list = "verb=ListIdentifiers&metadataPrefix=jats";
    let number = |window: String| harvest("alpha", &format!("{list}{window}")).0.len();
    assert_eq!(number(format!("&from={written}")), count(&|at| at >= middle));
    assert_eq!(number(format!("&until={written}")), count(&|at| at <= middle));
    assert_eq!(number(format!("&from={written}&until={written}")), count(&|at| at == middle));
    let day = &written[..10];
    let of_day = |at: i64| jiff::Timestamp::from_second(at).unwrap().strftime("%Y-%m-%d").to_string() == day;
    assert_eq!(number(format!("&from={day}&until={day}")), count(&of_day));
}

#[test]
fn a_token_is_valid_for_its_own_site_and_list_only() {
    let text = ask("alpha", "verb=ListRecords&metadataPrefix=oai_dc");
    let document = roxmltree::Document::parse(&text).unwrap();
    let token = texts(&document, "resumptionToken").remove(0);
    let error = |site: &str, query: String| super::protocol::error(site, &query);
    assert_eq!(error("alpha", format!("verb=ListRecords&resumptionToken={token}")), "");
    assert_eq!(error("alpha", format!("verb=ListIdentifiers&resumptionToken={token}")), "badResumptionToken");
    assert_eq!(error("beta", format!("verb=ListRecords&resumptionToken={token}")), "badResumptionToken");
    assert_eq!(error("alpha", format!("verb=ListRecords&resumptionToken={token}A")), "badResumptionToken");
    assert_eq!(error("alpha", format!("verb=ListRecords&metadataPrefix=jats&resumptionToken={token}")), "badArgument");
}

#[test]
fn full_texts_are_harvested_only_if_everybody_may_read_them() {
    let record = |site: &str| {
        let (found, _) = harvest(site, "verb=ListRecords&metadataPrefix=jats");
        let end = format!("/{}", PORTAL.article(site, SEAGRASS));
        found.into_iter().find(|one| one.identifier.ends_with(&end)).unwrap().metadata
    };
    let (open, shut) = (record("oceanledger"), record("shut"));
    assert!(open.contains("<body>") && open.contains(BODY), "{open}");
    assert!(!shut.contains("<body") && !shut.contains(BODY) && !shut.contains("<back"), "{shut}");
    assert!(shut.contains("<abstract") && shut.contains(SEAGRASS));
    // A harvested article can be imported again.
    let inner = |metadata: &str| {
        let article = &metadata[metadata.find("<article").unwrap()..metadata.rfind("</article>").unwrap() + 10];
        jats::import(article.as_bytes(), &jats::Limits::default()).unwrap().article
    };
    assert_eq!(inner(&open).meta.doi.unwrap().as_str(), SEAGRASS);
    assert!(!inner(&open).body.body.is_empty() && inner(&shut).body.body.is_empty());
}
