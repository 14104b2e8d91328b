//! Answers of two hosts in one form: without the names of the hosts, and without what differs from one answer to the next.

use std::collections::BTreeSet;

use serde_json::Value;

/// Characters of context around a difference.
const CONTEXT: usize = 60;
/// Characters of a word, and of a phrase in another script than the Latin one, that are searched for.
const WORD: usize = 40;
const PHRASE: usize = 4;

/// An answer without the host of its side: `host` is the name with the port, `path` the path of the site on it.
pub fn normalized(body: &[u8], (host, path): (&str, &str)) -> String {
    let mut text = String::from_utf8_lossy(body).into_owned();
    if !host.is_empty() {
        for scheme in ["https://", "http://"] {
            text = text.replace(&format!("{scheme}{host}"), "");
        }
    }
    if !path.is_empty() {
        let encoded = path.replace('/', "%2F");
        for (from, to) in [
            (format!("{path}/"), "/"),
            (format!("\"{path}\""), "\"\""),
            (format!("{encoded}%2F"), "%2F"),
            (format!("<loc>{path}<"), "<loc><"),
        ] {
            text = text.replace(&from, to);
        }
    }
    for (before, after) in [
        (" nonce=\"", "\""),
        ("site.css?v=", "\""),
        ("<responseDate>", "<"),
        ("<resumptionToken", "</resumptionToken>"),
    ] {
        text = without(&text, before, after);
    }
    text
}

/// The text with everything between `before` and the next `after` left out; a text without the latter stays as it is.
fn without(text: &str, before: &str, after: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(before) {
        let (head, tail) = rest.split_at(at + before.len());
        out.push_str(head);
        rest = tail.find(after).map_or(tail, |end| &tail[end..]);
    }
    out.push_str(rest);
    out
}

/// The addresses in the `loc` elements of a sitemap, below the root of the site.
pub fn locations(sitemap: &str) -> Vec<String> {
    let found = sitemap.split("<loc>").skip(1).filter_map(|rest| rest.split("</loc>").next());
    found.map(|address| address.replace("&amp;", "&").replace("&apos;", "'").replace("&quot;", "\"")).collect()
}

/// The languages in the paths of pages.
pub fn languages(pages: &BTreeSet<String>) -> BTreeSet<String> {
    let first = pages.iter().filter_map(|page| page.split(['/', '?']).nth(1));
    first.filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
}

/// What stands before a record in a list of OAI-PMH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The part of the identifier behind the name of the repository: `article/7`.
    pub name: String,
    /// Identifier, datestamp and sets, and whether the record is deleted.
    pub said: String,
    /// Whether the record is deleted.
    pub deleted: bool,
}

/// The headers in a list of records.
pub fn headers(list: &str) -> Vec<Header> {
    list.split("<header").skip(1).filter_map(header).collect()
}

fn header(rest: &str) -> Option<Header> {
    let (attributes, rest) = rest.split_once('>')?;
    let inside = rest.split("</header>").next()?;
    let deleted = attributes.contains("deleted");
    let identifier = texts(inside, "identifier").into_iter().next()?;
    let mut said = vec![identifier];
    said.extend(texts(inside, "datestamp"));
    said.extend(texts(inside, "setSpec"));
    said.extend(deleted.then_some("deleted"));
    let name = identifier.rsplit_once(':').map_or(identifier, |(_, name)| name);
    Some(Header { name: name.to_owned(), said: said.join(" "), deleted })
}

/// The texts of elements without attributes.
fn texts<'a>(xml: &'a str, element: &str) -> Vec<&'a str> {
    let begin = format!("<{element}>");
    xml.split(begin.as_str()).skip(1).filter_map(|rest| rest.split('<').next()).collect()
}

/// The numbers of the resources on a page of a list, and the place where the list goes on.
pub fn listed(answer: &[u8]) -> (Vec<i64>, Option<String>) {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    // Some lists hold a list of pages, of which there is one.
    let page = if answer["data"].is_array() { &answer["data"][0] } else { &answer["data"] };
    let content = page["content"].as_array().into_iter().flatten();
    (content.filter_map(|one| one["id"].as_i64()).collect(), page["next"].as_str().map(str::to_owned))
}

/// Where the pictures of the sites' configurations are served.
const ASSETS: &str = "/assets/sites/";

/// The addresses of files in an answer: stored files, and pictures of the configuration.
pub fn files(text: &str) -> BTreeSet<String> {
    let is_of_name = |c: char| c.is_alphanumeric() || "-_.~%/+@!$*".contains(c);
    let pictures = text.split(ASSETS).skip(1).filter_map(|rest| {
        let name = &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())];
        // A name in a sentence is followed by the full stop of the sentence.
        let name = name.trim_end_matches(['.', '/']);
        (!name.is_empty()).then(|| format!("{ASSETS}{}", ascii(name)))
    });
    let mut found: BTreeSet<String> = pictures.collect();
    for rest in text.split("/media/").skip(1) {
        let Some((site, file)) = rest.split_once('/') else { continue };
        let name: String = file.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
        let address = format!("/media/{site}/{}", name.trim_end_matches('.'));
        let is_number = !site.is_empty() && site.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && masthead_content::files::digest(&address).is_some() {
            found.insert(address);
        }
    }
    found
}

/// A path as requests have it: letters of other scripts are percent-encoded.
fn ascii(path: &str) -> String {
    let byte = |byte: u8| if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(byte).collect()
}

/// The number of the article in the path of its page.
pub fn article(path: &str) -> Option<i64> {
    path.split('?').next()?.trim_end_matches('/').rsplit_once("/article/")?.1.parse().ok()
}

/// A word of each title in a list of records in Dublin Core: the longest, by which a search finds few other articles.
pub fn title_words(records: &str) -> BTreeSet<String> {
    let titles = records.split("<dc:title").skip(1).filter_map(|rest| {
        let title = rest.split_once('>')?.1.split("</dc:title>").next()?;
        word(&html_escape::decode_html_entities(title))
    });
    titles.collect()
}

fn word(title: &str) -> Option<String> {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let longest = words.max_by_key(|word| word.chars().count())?;
    // Words in capitals may be operators. A run of Chinese characters is a whole phrase.
    let word: String = longest.to_lowercase().chars().take(if longest.is_ascii() { WORD } else { PHRASE }).collect();
    let is_long = word.chars().count() >= 3 || !word.is_ascii();
    is_long.then_some(word)
}

/// What a search found, as JSON: the total, and the kinds and numbers of the hits. Hits without an order that is compared are sorted, if all
/// of them are there, and left out otherwise.
pub fn hits(answer: &[u8], ordered: bool) -> String {
    let Ok(Value::Object(envelope)) = serde_json::from_slice(answer) else {
        return String::from_utf8_lossy(answer).into_owned();
    };
    let Some(data) = envelope.get("data").filter(|data| data.is_object()) else {
        return Value::Object(envelope).to_string();
    };
    let hit = |hit: &Value| format!("{} {} {} {}", hit["kind"], hit["type"], hit["id"], hit["key"]);
    let mut found: Vec<String> = data["content"].as_array().into_iter().flatten().map(hit).collect();
    if !ordered {
        if data["totalElements"].as_u64() == Some(found.len() as u64) { found.sort_unstable() } else { found.clear() }
    }
    serde_json::json!({ "total": data["totalElements"], "hits": found }).to_string()
}

/// Where two texts differ first, as an excerpt of each. JSON is compared by its values.
pub fn difference(a: &str, b: &str) -> Option<(String, String)> {
    if a == b {
        return None;
    }
    if let (Ok(a), Ok(b)) = (serde_json::from_str::<Value>(a), serde_json::from_str::<Value>(b)) {
        return value_difference("", &a, &b);
    }
    Some(excerpts(a, b))
}

/// Two texts around the place where they differ first.
fn excerpts(a: &str, b: &str) -> (String, String) {
    let same = a.char_indices().zip(b.chars()).find(|((_, left), right)| left != right);
    let at = same.map_or(a.len().min(b.len()), |((at, _), _)| at);
    (excerpt(a, at), excerpt(b, at))
}

fn value_difference(path: &str, a: &Value, b: &Value) -> Option<(String, String)> {
    match (a, b) {
        _ if a == b => None,
        (Value::Object(left), Value::Object(right)) => {
            let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            names.into_iter().find_map(|name| {
                let path = format!("{path}/{name}");
                match (left.get(name), right.get(name)) {
                    (Some(left), Some(right)) => value_difference(&path, left, right),
                    (left, right) => {
                        let shown = |side: Option<&Value>| {
                            side.map_or_else(|| "not there".to_owned(), |value| excerpt(&value.to_string(), 0))
                        };
                        Some((format!("{path}: {}", shown(left)), format!("{path}: {}", shown(right))))
                    }
                }
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => left
            .iter()
            .zip(right)
            .enumerate()
            .find_map(|(at, (left, right))| value_difference(&format!("{path}/{at}"), left, right)),
        (Value::String(left), Value::String(right)) => {
            let (left, right) = excerpts(left, right);
            Some((format!("{path}: {left}"), format!("{path}: {right}")))
        }
        _ => {
            Some((format!("{path}: {}", excerpt(&a.to_string(), 0)), format!("{path}: {}", excerpt(&b.to_string(), 0))))
        }
    }
}

/// The text around a byte.
fn excerpt(text: &str, at: usize) -> String {
    let from = text.get(..at).unwrap_or(text).char_indices().rev().nth(CONTEXT / 2).map_or(0, |(from, _)| from);
    text.get(from..).unwrap_or_default().chars().take(CONTEXT * 2).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn hosts_and_nonces_make_no_difference() {
        let a = "<a href=\"http://one.localhost/en/article/1\"><script nonce=\"ab\">\"base\":\"\"";
        let b = "<a href=\"https://host.example:8448/one/en/article/1\"><script nonce=\"cd\">\"base\":\"/one\"";
        let (a, b) =
            (normalized(a.as_bytes(), ("one.localhost", "")), normalized(b.as_bytes(), ("host.example:8448", "/one")));
        assert_eq!(a, b);
        assert_eq!(a, "<a href=\"/en/article/1\"><script nonce=\"\">\"base\":\"\"");
    }

    #[test]
    fn moments_of_an_answer_make_no_difference() {
        let oai = |day: &str| format!("<responseDate>{day}</responseDate><datestamp>{day}</datestamp>");
        let (a, b) = (oai("2026-01-01"), oai("2026-01-02"));
        let (a, b) = (normalized(a.as_bytes(), ("", "")), normalized(b.as_bytes(), ("", "")));
        assert!(a.contains("<datestamp>2026-01-01<") && !a.contains("<responseDate>2026"), "{a}");
        assert_ne!(a, b, "the datestamp of a record is a difference");
        let cut = |rest: &str| normalized(format!("<responseDate>{rest}").as_bytes(), ("", ""));
        assert_ne!(cut("one"), cut("two"), "what does not end is not left out");
    }

    #[test]
    fn a_difference_is_shown_with_its_place() {
        assert_eq!(difference("x", "x"), None);
        assert_eq!(difference("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"), None);
        let (a, b) = difference("{\"a\":{\"b\":[1,2]}}", "{\"a\":{\"b\":[1,3]}}").unwrap();
        assert_eq!((a.as_str(), b.as_str()), ("/a/b/1: 2", "/a/b/1: 3"));
        let (a, b) = difference("{\"a\":null}", "{}").unwrap();
        assert_eq!((a.as_str(), b.as_str()), ("/a: null", "/a: not there"));
        let long = "海".repeat(200);
        let (a, b) = difference(&format!("{long}tide{long}"), &format!("{long}tidal{long}")).unwrap();
        assert!(a.contains("tide") && b.contains("tidal") && a.chars().count() <= 2 * CONTEXT, "{a} {b}");
        assert_eq!(difference("tide", "tides"), Some(("tide".to_owned(), "tides".to_owned())));
        let page = |reason: &str| serde_json::json!({ "html": format!("{long}{reason}") }).to_string();
        let (a, b) = difference(&page("salt"), &page("silt")).unwrap();
        assert!(a.starts_with("/html: ") && a.ends_with("salt") && b.ends_with("silt"), "{a} {b}");
    }

    #[test]
    fn headers_of_records_are_read() {
        let list = "<ListIdentifiers><header><identifier>oai:a.example:article/7</identifier><datestamp>2026-01-01T00:00:00Z</datestamp>\
            <setSpec>tides</setSpec></header><header status=\"deleted\"><identifier>oai:a.example:article/8</identifier>\
            <datestamp>2026-01-02T00:00:00Z</datestamp></header><resumptionToken>x</resumptionToken></ListIdentifiers>";
        let header = |name: &str, said: &str, deleted| Header { name: name.to_owned(), said: said.to_owned(), deleted };
        let expected = [
            header("article/7", "oai:a.example:article/7 2026-01-01T00:00:00Z tides", false),
            header("article/8", "oai:a.example:article/8 2026-01-02T00:00:00Z deleted", true),
        ];
        assert_eq!(headers(list), expected);
        assert_eq!(headers("<error code=\"noRecordsMatch\">no record</error>"), []);
        assert_eq!(headers("<header><identifier>cut"), [header("cut", "cut", false)]);
    }

    #[test]
    fn resources_on_a_page_of_a_list_are_found() {
        let page = serde_json::json!({ "content": [{ "id": 3, "key": "a" }, { "id": 5 }, {}], "next": "0:2026:5" });
        let found = |data: Value| listed(serde_json::json!({ "data": data }).to_string().as_bytes());
        let expected = (vec![3, 5], Some("0:2026:5".to_owned()));
        assert_eq!(found(page.clone()), expected);
        assert_eq!(found(serde_json::json!([page])), expected, "a list of pages");
        assert_eq!(found(serde_json::json!({ "content": [], "next": null })), (vec![], None));
        assert_eq!(listed(b"<html>"), (vec![], None));
    }

    #[test]
    fn pages_are_in_languages() {
        let pages = ["/en/home", "/zh/issue/2026/1?journal=a", "/ara", "", "/"].map(str::to_owned);
        assert_eq!(languages(&BTreeSet::from(pages)), ["ara", "en", "zh"].map(str::to_owned).into());
    }

    #[test]
    fn the_longest_word_of_a_title_is_searched_for() {
        let records = "<dc:title xml:lang=\"en\">On &lt;i&gt;Zostera&lt;/i&gt; AND salt</dc:title><dc:title>海草床的固碳能力 2026</dc:title>\
            <dc:title>A b</dc:title><dc:creator>Lovelace</dc:creator>";
        assert_eq!(title_words(records), BTreeSet::from(["zostera".to_owned(), "海草床的".to_owned()]));
    }

    #[test]
    fn hits_are_compared_by_their_numbers_and_total() {
        let answer = |total: usize, ids: &[i64]| {
            let content: Vec<Value> =
                ids.iter().map(|id| serde_json::json!({ "kind": "article", "id": id, "visits": id * 7 })).collect();
            serde_json::json!({ "status": 0, "data": { "totalElements": total, "content": content } }).to_string()
        };
        let found = |total, ids: &[i64], ordered| hits(answer(total, ids).as_bytes(), ordered);
        assert_ne!(found(2, &[1, 2], true), found(2, &[2, 1], true));
        assert_eq!(found(2, &[1, 2], false), found(2, &[2, 1], false));
        assert_ne!(found(2, &[1, 2], false), found(2, &[1, 3], false));
        assert_eq!(found(9, &[1, 2], false), found(9, &[1, 3], false), "others of the same date are on the next page");
        assert_ne!(found(9, &[1, 2], false), found(8, &[1, 2], false));
        assert!(!found(2, &[1, 2], true).contains("14"), "views make no difference");
        assert_eq!(hits(b"{\"data\":null}", true), "{\"data\":null}");
    }

    #[test]
    fn addresses_are_found() {
        let digest = "ab".repeat(32);
        let page = format!("<img src=\"/media/1/{digest}.png\"> /media/x/{digest} /media/1/short.png");
        assert_eq!(files(&page), BTreeSet::from([format!("/media/1/{digest}.png")]));
        let page =
            "<img src=\"/assets/sites/slides/a-1.svg\"> url(/assets/sites/é.png) /assets/sites/ /assets/modules/x.js";
        assert_eq!(files(page), ["/assets/sites/%C3%A9.png", "/assets/sites/slides/a-1.svg"].map(str::to_owned).into());
        assert_eq!(locations("<loc>/en/a?b=1&amp;c</loc><loc>/en/</loc>"), ["/en/a?b=1&c", "/en/"]);
        assert_eq!(
            (article("/en/article/12"), article("/en/articles"), article("/en/article/x")),
            (Some(12), None, None)
        );
    }
}
