//! An article as a record with fields that an editor can change without a new import, and the way back: changed fields are put into the
//! article. The same fields are put into an article that is imported again.

mod files;
mod identifiers;
mod lists;
mod values;

use masthead_documents::jats;
use masthead_domain::{
    Doi, Lang,
    article::{
        Affiliation, Article, ArticleFile, ArticleMeta, Contributor, Dates, Funding, JournalRef, KeywordGroup,
        LangText, PublishState, RelatedArticle, Withdrawal,
    },
    content::{Abstract, Node, text::fold},
    lang::same_language,
    license,
    publication::Journal,
};
use masthead_store::{EARLIER_DOIS, apply_edits, field};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

pub(crate) use self::files::mark_offered;
pub use self::{
    files::{FILE, FILES, PDF, addresses},
    identifiers::{IDS, is_name},
    lists::OTHER_ABSTRACTS,
    values::{Sides, is_tag},
};
use self::{
    lists::{AUTHOR_NOTES, OTHER_KEYWORDS, STATEMENTS, is_author_group},
    values::{by_language, changed, completed, lines, paragraphs, strings, tag, text},
};

/// The key of the object that stands for an object with language tags as keys, in [`template`].
pub const ANY_LANGUAGE: &str = "*";
/// The key of the object that stands for an object with names as keys, in [`template`].
pub const ANY_NAME: &str = "?";
/// The field that says that an article is withdrawn.
pub const WITHDRAWN: &str = "withdrawn";
/// The field that says whether an article is open access. It follows from the licence, so that it is never kept over an import by itself.
pub const OPEN_ACCESS: &str = "openAccess";

/// The record of an article with its files. Its journal is a key of the site.
#[must_use]
pub fn record(article: &Article, files: &[ArticleFile], journal: &str) -> Value {
    let meta = &article.meta;
    let language = meta.language.as_str();
    let (section, subjects) = meta.subjects.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let keywords = meta.keywords.iter().filter(|group| is_author_group(group));
    let keywords = keywords.map(|group| (group.lang.as_str(), json!(group.plain)));
    let abstracts = article.body.abstracts.iter().filter(|one| one.kind.is_empty());
    let abstracts = abstracts.map(|one| (one.lang.as_str(), json!(lines(&one.nodes))));
    let texts =
        |all: &[LangText]| by_language(all.iter().map(|text| (text.lang.as_str(), json!(text.plain))), language);
    let mut record = json!({
        "sourceKey": meta.source_key,
        "doi": meta.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
        "journal": journal,
        "year": meta.year,
        "volume": meta.volume,
        "issue": meta.issue,
        "part": meta.part,
        "firstPage": meta.first_page,
        "lastPage": meta.last_page,
        "elocationId": meta.elocation_id,
        "state": meta.state(),
        "articleType": meta.article_type,
        "language": meta.language,
        "titles": texts(&meta.titles),
        "subtitles": texts(&meta.subtitles),
        "abstracts": by_language(abstracts, language),
        "keywords": by_language(keywords, language),
        "section": section,
        "subjects": subjects,
        "dates": meta.dates,
        OPEN_ACCESS: meta.open_access,
        "licenseUrl": meta.license_url,
        "copyright": meta.copyright,
        "contributors": meta.contributors,
        "affiliations": meta.affiliations,
        "funding": meta.funding,
        "related": meta.related,
    });
    let further = json!({
        IDS: identifiers::record(&meta.ids),
        "license": lines(&meta.license),
        AUTHOR_NOTES: lists::author_notes(&meta.author_notes),
        OTHER_ABSTRACTS: lists::other_abstracts(&article.body, files),
        OTHER_KEYWORDS: lists::other_keywords(&meta.keywords),
        STATEMENTS: lists::statements(&article.body),
        PDF: files::pdf(meta, files),
        FILES: files::record(article, files),
    });
    extend(&mut record, further);
    if meta.year.is_none()
        && let Some(fields) = record.as_object_mut()
    {
        fields.remove("year");
    }
    record
}

/// Adds the fields of another object.
fn extend(record: &mut Value, further: Value) {
    if let (Some(fields), Value::Object(further)) = (record.as_object_mut(), further) {
        fields.extend(further);
    }
}

/// The fields of the record of an article: a text, number or list stands for its kind, the object of a list for its fields.
#[must_use]
pub fn template() -> Value {
    let texts = json!({ ANY_LANGUAGE: "" });
    let mut template = json!({
        "id": 0, "sourceKey": "", "doi": "", "journal": "", "year": 0, "volume": "", "issue": "", "part": "",
        "firstPage": "", "lastPage": "", "elocationId": "", "state": "", "articleType": "", "language": "",
        "titles": texts, "subtitles": texts, "abstracts": texts, "keywords": { ANY_LANGUAGE: [""] }, "section": "",
        "subjects": [""], "dates": Dates::default(), OPEN_ACCESS: false, "licenseUrl": "", "copyright": "",
        "contributors": [Contributor::default()], "affiliations": [Affiliation::default()],
        "funding": [Funding::default()], "related": [RelatedArticle::default()], WITHDRAWN: Withdrawal::default(),
        EARLIER_DOIS: [],
    });
    let (names, file) = (json!({ ANY_NAME: "" }), files::entry(&ArticleFile::default()));
    extend(&mut template, json!({ IDS: names, "license": "", PDF: "", FILES: [file] }));
    extend(&mut template, lists::template());
    template
}

/// Puts the fields in which two records of an article differ into the article and its files. The journal is one of `journals`.
///
/// # Errors
/// A message for each field that cannot have its new value.
pub fn put(
    article: &mut Article,
    files: &mut Vec<ArticleFile>,
    sides: Sides<'_>,
    journals: &[Journal],
) -> Result<(), Vec<String>> {
    let ((before, after), mut faults) = (sides, Vec::new());
    let differs = |key: &str| field(before, key) != field(after, key);
    let of_text = files::of_text(article, files);
    let (meta, body) = (&mut article.meta, &mut article.body);
    let language = meta.language.clone();
    put_names(meta, sides, journals, &mut faults);
    put_lines(meta, sides);
    put_license(meta, sides, &mut faults);
    put_texts(&mut meta.titles, &language, &before["titles"], &after["titles"]);
    put_texts(&mut meta.subtitles, &language, &before["subtitles"], &after["subtitles"]);
    put_keywords(&mut meta.keywords, &language, &before["keywords"], &after["keywords"]);
    put_abstracts(&mut body.abstracts, &language, &before["abstracts"], &after["abstracts"]);
    lists::put_other_abstracts(body, files, sides, &mut faults);
    lists::put_other_keywords(&mut meta.keywords, sides, &mut faults);
    lists::put_author_notes(&mut meta.author_notes, sides, &mut faults);
    lists::put_statements(body, sides, &mut faults);
    let mut read = Lists { before, after, faults: &mut faults };
    read.whole("dates", &mut meta.dates);
    read.whole("contributors", &mut meta.contributors);
    read.whole("affiliations", &mut meta.affiliations);
    read.whole("funding", &mut meta.funding);
    read.whole("related", &mut meta.related);
    files::put(article, files, &of_text, sides, &mut faults);
    if differs("state")
        && let Err(fault) = put_state(article, before, after)
    {
        faults.push(fault);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// The journal and the identifiers.
fn put_names(meta: &mut ArticleMeta, (before, after): Sides<'_>, journals: &[Journal], faults: &mut Vec<String>) {
    if before["journal"] != after["journal"] {
        let key = text(after, "journal");
        match journals.iter().find(|journal| journal.key == key) {
            Some(journal) => meta.journal = reference(journal),
            None => faults.push(format!("journal: the site has no journal {key:?}")),
        }
    }
    if before["doi"] != after["doi"] {
        match Some(text(after, "doi")).filter(|doi| !doi.is_empty()).map(|doi| Doi::parse(&doi)).transpose() {
            Ok(doi) => meta.doi = doi,
            Err(fault) => faults.push(format!("doi: {fault}")),
        }
    }
    identifiers::put(&mut meta.ids, &before[IDS], &after[IDS], faults);
}

/// The fields of a single value.
fn put_lines(meta: &mut ArticleMeta, (before, after): Sides<'_>) {
    let differs = |key: &str| before[key] != after[key];
    if differs("year") {
        meta.year = after["year"].as_i64().and_then(|year| i32::try_from(year).ok());
    }
    for (key, target) in [
        ("volume", &mut meta.volume),
        ("issue", &mut meta.issue),
        ("part", &mut meta.part),
        ("firstPage", &mut meta.first_page),
        ("lastPage", &mut meta.last_page),
        ("elocationId", &mut meta.elocation_id),
        ("articleType", &mut meta.article_type),
        ("language", &mut meta.language),
        ("copyright", &mut meta.copyright),
    ] {
        if differs(key) {
            *target = text(after, key);
        }
    }
    if differs("section") || differs("subjects") {
        let first = Some(text(after, "section")).filter(|section| !section.is_empty());
        meta.subjects = first.into_iter().chain(strings(&after["subjects"])).collect();
        meta.subject_names.retain(|names| names.0.values().any(|name| meta.subjects.contains(name)));
    }
}

/// The licence, and whether the article is open access, which only the licence says.
fn put_license(meta: &mut ArticleMeta, (before, after): Sides<'_>, faults: &mut Vec<String>) {
    let differs = |key: &str| before[key] != after[key];
    if differs("licenseUrl") {
        meta.license_url = text(after, "licenseUrl");
    }
    if differs("license") {
        meta.license = paragraphs(&text(after, "license"));
    }
    if !["licenseUrl", "license", OPEN_ACCESS].into_iter().any(differs) {
        return;
    }
    meta.open_access = license::states_open(&meta.license_url, &meta.license);
    if differs(OPEN_ACCESS) && after[OPEN_ACCESS].as_bool().unwrap_or_default() != meta.open_access {
        faults.push(if meta.open_access {
            format!("{OPEN_ACCESS}: the article has an open licence: take it out of licenseUrl and license")
        } else {
            format!(
                "{OPEN_ACCESS}: only an open licence makes an article open access: set its address \
                 (licenseUrl=https://creativecommons.org/licenses/by/4.0/) or its text (license)"
            )
        });
    }
}

/// Whether an edit of a field can be given back to the imports: the earlier DOIs never are, and open access follows from the licence.
#[must_use]
pub fn is_given_back(path: &str) -> bool {
    ![EARLIER_DOIS, OPEN_ACCESS].contains(&path)
}

/// Puts the edited fields of an article into its imported version with its files. Returns the paths of the fields in which the import differed,
/// and the reasons for which an edit cannot be kept.
#[must_use]
pub fn keep(
    article: &mut Article,
    files: &mut Vec<ArticleFile>,
    edits: &[(String, Value)],
    journals: &[Journal],
) -> (Vec<String>, Vec<String>) {
    let journal = journals.iter().find(|journal| is_reference(&article.meta.journal, journal));
    let before = record(article, files, journal.map_or("", |journal| journal.key.as_str()));
    let mut after = before.clone();
    let of_source = |path: &str| !is_withdrawal(path) && is_given_back(path);
    let edits: Vec<_> = edits.iter().filter(|(path, _)| of_source(path)).cloned().collect();
    let kept = apply_edits(&mut after, &edits);
    match put(article, files, (&before, &after), journals) {
        Ok(()) => (kept, Vec::new()),
        Err(faults) => (kept, faults),
    }
}

/// Whether a path leads to the withdrawal of an article.
#[must_use]
pub fn is_withdrawal(path: &str) -> bool {
    path.split('.').next() == Some(WITHDRAWN)
}

/// The journal as an article names it.
#[must_use]
pub fn reference(journal: &Journal) -> JournalRef {
    let titles = journal.title.0.iter().map(|(lang, title)| (lang.tag().to_owned(), title.clone()));
    let title = journal.title.get(Lang::En).to_owned();
    JournalRef {
        trans_titles: titles.filter(|(_, other)| *other != title).collect(),
        title,
        abbrev: String::new(),
        issn: [&journal.issn, &journal.eissn].into_iter().filter(|issn| !issn.is_empty()).cloned().collect(),
        publisher: journal.sponsor.get(Lang::En).to_owned(),
    }
}

/// Whether an article that names a journal in this way is in it.
fn is_reference(of: &JournalRef, journal: &Journal) -> bool {
    let issn = [&journal.issn, &journal.eissn];
    of.issn.iter().any(|one| issn.contains(&one))
        || journal.title.0.values().any(|title| !title.is_empty() && title.eq_ignore_ascii_case(&of.title))
}

fn put_texts(all: &mut Vec<LangText>, language: &str, before: &Value, after: &Value) {
    for (lang, value) in changed(before, after) {
        let at = all.iter().position(|text| tag(&text.lang, language) == lang);
        let new = value.as_str().map(fold).map(|words| (vec![Node::text(words.clone())], words));
        match (at, new) {
            (Some(at), Some((nodes, words))) => (all[at].nodes, all[at].plain) = (nodes, words),
            (None, Some((nodes, plain))) => all.push(LangText { lang: lang.to_owned(), plain, nodes }),
            (Some(at), None) => _ = all.remove(at),
            (None, None) => {}
        }
    }
}

fn put_abstracts(all: &mut Vec<Abstract>, language: &str, before: &Value, after: &Value) {
    for (lang, value) in changed(before, after) {
        let at = all.iter().position(|one| one.kind.is_empty() && tag(&one.lang, language) == lang);
        let nodes: Option<Vec<Node>> = value.as_str().map(paragraphs);
        match (at, nodes) {
            (Some(at), Some(nodes)) => all[at].nodes = nodes,
            (None, Some(nodes)) => all.push(Abstract { lang: lang.to_owned(), nodes, ..Abstract::default() }),
            (Some(at), None) => _ = all.remove(at),
            (None, None) => {}
        }
    }
}

fn put_keywords(all: &mut Vec<KeywordGroup>, language: &str, before: &Value, after: &Value) {
    for (lang, value) in changed(before, after) {
        let at = all.iter().position(|group| is_author_group(group) && tag(&group.lang, language) == lang);
        let words: Vec<String> = strings(value).map(|word| fold(&word)).collect();
        let items = words.iter().map(|word| vec![Node::text(word.clone())]).collect();
        match (at, value.is_array()) {
            (Some(at), true) => (all[at].items, all[at].plain) = (items, words),
            (None, true) => {
                all.push(KeywordGroup { lang: lang.to_owned(), items, plain: words, ..KeywordGroup::default() });
            }
            (Some(at), false) => _ = all.remove(at),
            (None, false) => {}
        }
    }
}

/// Reads fields whose value is replaced as a whole.
struct Lists<'a> {
    before: &'a Value,
    after: &'a Value,
    faults: &'a mut Vec<String>,
}

impl Lists<'_> {
    fn whole<T: DeserializeOwned + Serialize + Default>(&mut self, key: &str, target: &mut T) {
        let after = &self.after[key];
        if self.before[key] == *after {
            return;
        }
        let mut value = completed(after, &template()[key]);
        // Biographies are content, whose formulas pages and exports take as they are.
        jats::sanitize_mathml(&mut value);
        match serde_json::from_value(value) {
            Ok(value) => *target = value,
            Err(error) => self.faults.push(format!("{key}: {error}")),
        }
    }
}

/// Gives an article another publish state: that of its fields otherwise.
fn put_state(article: &mut Article, before: &Value, after: &Value) -> Result<(), String> {
    let wanted: PublishState = serde_json::from_value(after["state"].clone())
        .map_err(|_| format!("state: {} is none of formal, online-first, accepted", after["state"]))?;
    let meta = &mut article.meta;
    if wanted == PublishState::Accepted {
        meta.first_status = -1;
    } else if meta.first_status == -1 {
        meta.first_status = 0;
    }
    if wanted == PublishState::OnlineFirst && before["issue"] == after["issue"] {
        meta.issue.clear();
    }
    match (wanted, meta.state() == wanted) {
        (_, true) => Ok(()),
        (PublishState::OnlineFirst, _) if meta.dates.online.is_empty() => {
            Err("state: an article that is online first needs the date of its publication, dates.online".to_owned())
        }
        (PublishState::OnlineFirst, _) => Err("state: an article in an issue is not online first".to_owned()),
        _ => Err("state: an article that is published formally needs its issue (issue=3)".to_owned()),
    }
}

/// The language key of a record that is meant by another tag of the same language (`zh-Hans` by `zh`).
#[must_use]
pub fn same_language_key<'a>(texts: &'a Value, tag: &str) -> Option<&'a str> {
    let keys = texts.as_object()?.keys();
    keys.map(String::as_str).find(|key| *key != tag && same_language(key, tag))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{LocalText, article::ArticleMeta, content::Formula};

    use super::*;

    fn article() -> Article {
        let title = |lang: &str, words: &str| LangText {
            lang: lang.to_owned(),
            plain: words.to_owned(),
            nodes: vec![Node::Sub { nodes: vec![Node::text(words)] }],
        };
        let meta = ArticleMeta {
            source_key: "doi:10.5555/a".to_owned(),
            language: "en".to_owned(),
            titles: vec![title("", "Tides"), title("zh-Hans", "潮")],
            subjects: vec!["Letters".to_owned(), "Tides".to_owned()],
            issue: "3".to_owned(),
            year: Some(2026),
            dates: Dates { online: "2026-03-01".to_owned(), ..Dates::default() },
            contributors: vec![Contributor { surname: "Lovelace".to_owned(), ..Contributor::default() }],
            ..ArticleMeta::default()
        };
        Article { meta, ..Article::default() }
    }

    /// The article after edits, with the paths of the fields in which it differed.
    fn edited(edits: &[(&str, Value)]) -> (Article, Vec<String>, Vec<String>) {
        let mut article = article();
        let edits: Vec<_> = edits.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
        let journal = Journal {
            key: "stones".to_owned(),
            title: LocalText::of(Lang::En, "Stone Letters"),
            issn: "2049-3630".to_owned(),
            ..Journal::default()
        };
        let (kept, faults) = keep(&mut article, &mut Vec::new(), &edits, &[journal]);
        (article, kept, faults)
    }

    #[test]
    fn a_record_without_changes_changes_nothing() {
        let mut same = article();
        let record = record(&same, &[], "tides");
        put(&mut same, &mut Vec::new(), (&record, &record), &[]).unwrap();
        assert_eq!(same, article());
        assert_eq!((&record["titles"]["en"], &record["titles"]["zh-Hans"]), (&json!("Tides"), &json!("潮")));
        assert_eq!((&record["section"], &record["subjects"]), (&json!("Letters"), &json!(["Tides"])));
        assert_eq!(record["state"], "formal");
    }

    #[test]
    fn a_record_has_the_fields_of_its_template() {
        let (record, template) = (record(&article(), &[], "tides"), template());
        let known = template.as_object().unwrap();
        assert!(record.as_object().unwrap().keys().all(|key| known.contains_key(key)));
        // The number, the withdrawal and the earlier DOIs are not of the article itself.
        assert_eq!(record.as_object().unwrap().len() + 3, known.len());
    }

    #[test]
    fn one_title_is_corrected_and_the_others_keep_their_formatting() {
        let (article, kept, _) = edited(&[("titles.en", json!("Tides,  corrected")), ("section", json!("Reviews"))]);
        assert_eq!(kept, ["titles.en", "section"]);
        let titles = &article.meta.titles;
        assert_eq!(
            (titles[0].plain.as_str(), &titles[0].nodes),
            ("Tides, corrected", &vec![Node::text("Tides, corrected")])
        );
        assert!(matches!(titles[1].nodes[0], Node::Sub { .. }));
        assert_eq!(article.meta.subjects, ["Reviews", "Tides"]);
        let (article, ..) = edited(&[("titles.zh-Hans", Value::Null), ("abstracts.en", json!("One.\n\nTwo."))]);
        assert_eq!((article.meta.titles.len(), article.body.abstracts[0].nodes.len()), (1, 2));
    }

    #[test]
    fn identifiers_licence_notes_and_statements_are_corrected() {
        let note = json!({ "lang": "en", "text": "* Write to Ada." });
        let (article, kept, faults) = edited(&[
            ("ids.pmid", json!("12")),
            ("license", json!("Free to read.\nAsk before you print.")),
            ("authorNotes", json!([note])),
            ("statements.conflict", json!([{ "text": "None." }])),
        ]);
        assert_eq!((kept.len(), faults), (4, Vec::new()));
        let meta = &article.meta;
        assert_eq!((meta.ids.as_slice(), meta.license.len()), (&[("pmid".to_owned(), "12".to_owned())][..], 2));
        assert_eq!((meta.author_notes[0].plain.as_str(), article.body.conflict.len()), ("* Write to Ada.", 1));
        let record = record(&article, &[], "tides");
        assert_eq!((&record["ids"], &record["authorNotes"]), (&json!({ "pmid": "12" }), &json!([note])));
        assert_eq!((&record["license"], &record["pdf"]), (&json!("Free to read.\nAsk before you print."), &json!("")));
        assert_eq!(record["statements"]["conflict"][0]["text"], "None.");
    }

    #[test]
    fn an_article_is_open_access_by_its_licence_alone() {
        const BY: &str = "https://creativecommons.org/licenses/by/4.0/";
        let mut article = article();
        let mut set = |fields: &[(&str, Value)], before: fn(&mut ArticleMeta)| {
            before(&mut article.meta);
            let record = record(&article, &[], "");
            let mut after = record.clone();
            fields.iter().for_each(|(key, value)| after[*key] = value.clone());
            put(&mut article, &mut Vec::new(), (&record, &after), &[]).map(|()| article.meta.open_access)
        };
        let none: fn(&mut ArticleMeta) = |_| {};
        let refused = set(&[(OPEN_ACCESS, json!(true))], none).unwrap_err();
        assert!(refused.len() == 1 && refused[0].contains("(licenseUrl=https://"), "{refused:?}");
        assert_eq!(set(&[("titles", json!({ "en": "Ebbs" }))], none), Ok(false));
        assert_eq!(set(&[("licenseUrl", json!(BY))], none), Ok(true));
        let refused = set(&[(OPEN_ACCESS, json!(false))], none).unwrap_err();
        assert!(refused.len() == 1 && refused[0].contains("take it out of licenseUrl"), "{refused:?}");
        assert_eq!(set(&[("licenseUrl", json!(""))], none), Ok(false));
        assert_eq!(set(&[("license", json!("Licence: CC BY-NC 4.0")), (OPEN_ACCESS, json!(true))], none), Ok(true));
        assert_eq!(set(&[("licenseUrl", json!("https://a.example/terms"))], none), Ok(true), "the text names it");
        assert_eq!(set(&[("license", json!("All rights reserved."))], none), Ok(false));
        // An article whose licence was only a kind, or was not read, becomes what the licence that is stored says.
        assert_eq!(set(&[(OPEN_ACCESS, json!(false))], |meta| meta.open_access = true), Ok(false));
        assert_eq!(set(&[(OPEN_ACCESS, json!(true))], |meta| meta.license_url = BY.to_owned()), Ok(true));
        // No import is opened by such an edit alone.
        let (article, kept, faults) = edited(&[(OPEN_ACCESS, json!(true))]);
        assert!(!article.meta.open_access && kept.is_empty() && faults.is_empty(), "{kept:?} {faults:?}");
        let (article, kept, faults) = edited(&[("licenseUrl", json!(BY)), (OPEN_ACCESS, json!(false))]);
        assert!(article.meta.open_access && kept == ["licenseUrl"] && faults.is_empty(), "{kept:?} {faults:?}");
    }

    #[test]
    fn an_article_gets_another_doi_and_loses_it() {
        let (article, kept, faults) = edited(&[("doi", json!("10.5555/b")), (EARLIER_DOIS, json!(["10.5555/a"]))]);
        assert_eq!(article.meta.doi, Doi::parse("10.5555/b").ok());
        assert_eq!(article.meta.source_key, "doi:10.5555/a", "by which imports find the article");
        assert!(faults.is_empty() && kept == ["doi"], "{kept:?} {faults:?}");
        let faults = edited(&[("doi", json!("ten"))]).2;
        assert!(faults[0].starts_with("doi: ") && faults[0].contains("is not a DOI"), "{faults:?}");
        let mut with_doi = self::article();
        with_doi.meta.doi = Doi::parse("10.5555/a").ok();
        let before = record(&with_doi, &[], "");
        let mut after = before.clone();
        after["doi"] = json!("");
        put(&mut with_doi, &mut Vec::new(), (&before, &after), &[]).unwrap();
        assert_eq!(with_doi.meta.doi, None);
    }

    #[test]
    fn an_article_changes_its_state_and_its_journal() {
        let (article, _, faults) = edited(&[("state", json!("online-first")), ("journal", json!("stones"))]);
        assert!(faults.is_empty(), "{faults:?}");
        assert!(article.meta.is_online_first() && article.meta.issue.is_empty());
        assert_eq!(article.meta.journal.issn, ["2049-3630"]);
        assert_eq!(edited(&[("state", json!("accepted"))]).0.meta.first_status, -1);
        let without_date = edited(&[("state", json!("online-first")), ("dates.online", json!(""))]).2;
        assert!(without_date[0].contains("dates.online"), "{without_date:?}");
        assert!(edited(&[("state", json!("printed"))]).2[0].contains("none of formal"));
        assert!(edited(&[("journal", json!("stone"))]).2[0].contains("no journal"));
    }

    #[test]
    fn an_entry_of_a_list_needs_only_the_fields_that_it_has() {
        let people = json!([{ "surname": "Hopper", "givenNames": "Grace" }]);
        let (article, kept, faults) = edited(&[("contributors", people)]);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(
            (kept, article.meta.contributors[0].given_names.as_str()),
            (vec!["contributors".to_owned()], "Grace")
        );
        let wrong = edited(&[("contributors", json!([{ "surname": 3 }]))]).2;
        assert!(wrong[0].starts_with("contributors: "), "{wrong:?}");
    }

    #[test]
    fn formulas_in_a_biography_are_sanitized() {
        let formula = Formula {
            mathml: "<mi>a</mi><script>steal()</script><mi onclick=\"steal()\">b</mi>".to_owned(),
            ..Formula::default()
        };
        let bio = vec![Node::InlineFormula(Box::new(formula))];
        let person = Contributor { surname: "Hopper".to_owned(), bio, ..Contributor::default() };
        let (article, _, faults) = edited(&[("contributors", json!([person]))]);
        let kept = json!(article.meta.contributors[0].bio).to_string();
        assert!(faults.is_empty() && kept.contains("<mi>a</mi>"), "{kept} {faults:?}");
        assert!(!kept.contains("script") && !kept.contains("onclick"), "{kept}");
    }
}
