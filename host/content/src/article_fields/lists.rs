//! Lists of an article as lists of its record, and back: notes about authors, statements, abstracts and keywords of further kinds. An entry that
//! stays as it is keeps its formatting.

use masthead_domain::{
    article::{ArticleFile, KeywordGroup, LangText},
    content::{Abstract, AbstractPlace, ArticleBody, Contribution, Graphics, Node, Part, text::fold},
};
use serde_json::{Value, json};

use super::{
    files::{FILE, name_of, picture},
    values::{Sides, is_tag, lines, paragraphs, strings, text, wanted},
};

/// The fields of these lists.
pub const AUTHOR_NOTES: &str = "authorNotes";
pub const OTHER_ABSTRACTS: &str = "otherAbstracts";
pub const OTHER_KEYWORDS: &str = "otherKeywords";
pub const STATEMENTS: &str = "statements";

/// The kind of a contribution that says who did the same share.
const EQUAL: &str = "equal";
/// Greatest number of characters of the name of a kind.
const LONGEST: usize = 60;

/// The list after a change of its entries. `made` makes the entry at a place; it is given the one that stood there, unless this one is elsewhere
/// in the list.
fn replaced<T: Clone>(
    all: &[T],
    entry: impl Fn(&T) -> Value,
    wanted: &[Value],
    mut made: impl FnMut(usize, &Value, Option<&T>) -> T,
) -> Vec<T> {
    let known: Vec<Value> = all.iter().map(entry).collect();
    let mut list = Vec::with_capacity(wanted.len());
    for (at, value) in wanted.iter().enumerate() {
        list.push(match known.iter().position(|one| one == value) {
            Some(same) => all[same].clone(),
            None => {
                let former = all.get(at).filter(|_| !wanted.contains(&known[at]));
                made(at, value, former)
            }
        });
    }
    list
}

/// The language of an entry.
fn language(key: &str, value: &Value, faults: &mut Vec<String>) -> String {
    let lang = text(value, "lang");
    if !lang.is_empty() && !is_tag(&lang) {
        faults.push(format!("{key}.lang: {lang:?} is not a language tag such as en or zh-Hans"));
    }
    lang
}

/// The kind of an entry; `such_as` names some.
fn kind(key: &str, value: &Value, such_as: &str, faults: &mut Vec<String>) -> String {
    let kind = text(value, "kind");
    let plain = kind.chars().count() <= LONGEST && !kind.chars().any(char::is_control);
    if kind.trim().is_empty() || !plain {
        faults.push(format!("{key}.kind: an entry needs a kind of at most {LONGEST} characters, such as {such_as}"));
    }
    kind
}

fn heading(lang: &str, value: &Value) -> Option<LangText> {
    let plain = fold(&text(value, "title"));
    (!plain.is_empty()).then(|| LangText { lang: lang.to_owned(), nodes: vec![Node::text(plain.clone())], plain })
}

/// Whether these are the keywords that readers know as such, not codes or abbreviations.
pub fn is_author_group(group: &KeywordGroup) -> bool {
    group.kind.is_empty() || group.kind == "author"
}

fn note_entry(note: &LangText) -> Value {
    json!({ "lang": note.lang, "text": note.plain })
}

fn keyword_entry(group: &KeywordGroup) -> Value {
    json!({ "kind": group.kind, "lang": group.lang, "title": group.title, "words": group.plain })
}

fn part_entry(part: &Part) -> Value {
    let title = part.title.as_ref().map_or("", |title| title.plain.as_str());
    json!({ "lang": part.lang, "title": title, "text": lines(&part.nodes) })
}

/// The entries of the lists, for the template of records.
pub fn template() -> Value {
    let statement = part_entry(&Part::default());
    let mut keywords = keyword_entry(&KeywordGroup::default());
    keywords["words"] = json!([""]);
    json!({
        AUTHOR_NOTES: [note_entry(&LangText::default())],
        OTHER_ABSTRACTS: [Other::default().entry(&[])],
        OTHER_KEYWORDS: [keywords],
        STATEMENTS: {
            "acknowledgements": [statement], "conflict": [statement], "contributions": [statement],
            "equalContributions": [statement], "ethics": [statement], "funding": [statement],
            "supportingData": [statement],
        },
    })
}

/// Correspondence and other notes.
pub fn author_notes(notes: &[LangText]) -> Value {
    notes.iter().map(note_entry).collect()
}

pub fn put_author_notes(notes: &mut Vec<LangText>, (before, after): Sides<'_>, faults: &mut Vec<String>) {
    let template = note_entry(&LangText::default());
    let Some(wanted) = wanted(&before[AUTHOR_NOTES], &after[AUTHOR_NOTES], &template) else { return };
    *notes = replaced(notes, note_entry, &wanted, |at, value, _| {
        let key = format!("{AUTHOR_NOTES}.{at}");
        let plain = fold(&text(value, "text"));
        if plain.is_empty() {
            faults.push(format!("{key}.text: a note needs a text"));
        }
        LangText { lang: language(&key, value, faults), nodes: vec![Node::text(plain.clone())], plain }
    });
}

/// Keywords that are not those of the authors.
pub fn other_keywords(groups: &[KeywordGroup]) -> Value {
    groups.iter().filter(|group| !is_author_group(group)).map(keyword_entry).collect()
}

pub fn put_other_keywords(groups: &mut Vec<KeywordGroup>, (before, after): Sides<'_>, faults: &mut Vec<String>) {
    let template = keyword_entry(&KeywordGroup::default());
    let Some(wanted) = wanted(&before[OTHER_KEYWORDS], &after[OTHER_KEYWORDS], &template) else { return };
    let (own, others): (Vec<_>, Vec<_>) = std::mem::take(groups).into_iter().partition(is_author_group);
    let new = replaced(&others, keyword_entry, &wanted, |at, value, _| {
        let key = format!("{OTHER_KEYWORDS}.{at}");
        let plain: Vec<String> =
            strings(&value["words"]).map(|word| fold(&word)).filter(|word| !word.is_empty()).collect();
        if plain.is_empty() {
            faults.push(format!("{key}.words: a group needs a word"));
        }
        let group = KeywordGroup {
            lang: language(&key, value, faults),
            kind: kind(&key, value, "ocis or abbreviations", faults),
            title: fold(&text(value, "title")),
            items: plain.iter().map(|word| vec![Node::text(word.clone())]).collect(),
            plain,
        };
        if group.kind == "author" {
            faults.push(format!("{key}.kind: the keywords of the authors are a field of their own, keywords"));
        }
        group
    });
    *groups = own.into_iter().chain(new).collect();
}

/// What an article states about its authors and its making, by subject.
pub fn statements(body: &ArticleBody) -> Value {
    let parts = |all: &[Part]| all.iter().map(part_entry).collect::<Value>();
    let shares = |equal: bool| {
        let same = body.contributions.iter().filter(|one| (one.kind == EQUAL) == equal);
        same.map(|one| part_entry(&one.part)).collect::<Value>()
    };
    json!({
        "acknowledgements": parts(&body.acknowledgements),
        "conflict": parts(&body.conflict),
        "contributions": shares(false),
        "equalContributions": shares(true),
        "ethics": parts(&body.ethics),
        "funding": parts(&body.funding),
        "supportingData": parts(&body.supporting_data),
    })
}

pub fn put_statements(body: &mut ArticleBody, sides: Sides<'_>, faults: &mut Vec<String>) {
    for (name, parts) in [
        ("acknowledgements", &mut body.acknowledgements),
        ("conflict", &mut body.conflict),
        ("ethics", &mut body.ethics),
        ("funding", &mut body.funding),
        ("supportingData", &mut body.supporting_data),
    ] {
        put_parts(parts, name, sides, faults);
    }
    for (name, kind) in [("contributions", "con"), ("equalContributions", EQUAL)] {
        if sides.0[STATEMENTS][name] == sides.1[STATEMENTS][name] {
            continue;
        }
        let all = std::mem::take(&mut body.contributions);
        let (same, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| (one.kind == EQUAL) == (kind == EQUAL));
        let mut parts: Vec<Part> = same.into_iter().map(|one| one.part).collect();
        put_parts(&mut parts, name, sides, faults);
        let new = parts.into_iter().map(|part| Contribution { kind: kind.to_owned(), part });
        body.contributions =
            if kind == EQUAL { others.into_iter().chain(new).collect() } else { new.chain(others).collect() };
    }
}

fn put_parts(parts: &mut Vec<Part>, name: &str, (before, after): Sides<'_>, faults: &mut Vec<String>) {
    let (before, after) = (&before[STATEMENTS][name], &after[STATEMENTS][name]);
    let Some(wanted) = wanted(before, after, &part_entry(&Part::default())) else { return };
    *parts = replaced(parts, part_entry, &wanted, |at, value, former| {
        let key = format!("{STATEMENTS}.{name}.{at}");
        let nodes = paragraphs(&text(value, "text"));
        if nodes.is_empty() {
            faults.push(format!("{key}.text: a statement needs a text"));
        }
        part(&key, value, former, nodes, faults)
    });
}

/// A new part; cross-references lead to it as to the former one.
fn part(key: &str, value: &Value, former: Option<&Part>, nodes: Vec<Node>, faults: &mut Vec<String>) -> Part {
    let lang = language(key, value, faults);
    let (id, label) = former.map(|part| (part.id.clone(), part.label.clone())).unwrap_or_default();
    Part { id, label, title: heading(&lang, value), nodes, lang }
}

/// An abstract that is not the abstract in a language: a graphical one, one in plain language, highlights.
#[derive(Clone, Default)]
struct Other {
    place: AbstractPlace,
    kind: String,
    part: Part,
}

impl Other {
    fn of(one: &Abstract, place: AbstractPlace) -> Self {
        let Abstract { lang, kind, title, nodes } = one.clone();
        Self { place, kind, part: Part { lang, title, nodes, ..Part::default() } }
    }

    fn all(body: &ArticleBody) -> Vec<Self> {
        let of_kinds = body.abstracts.iter().filter(|one| !one.kind.is_empty());
        let highlights =
            |part: &Part| Self { place: AbstractPlace::Highlights, kind: "highlights".to_owned(), part: part.clone() };
        of_kinds
            .map(|one| Self::of(one, AbstractPlace::Abstracts))
            .chain(body.abstract_graphic.iter().map(|one| Self::of(one, AbstractPlace::Graphical)))
            .chain(body.highlights.iter().map(highlights))
            .collect()
    }

    fn entry(&self, files: &[ArticleFile]) -> Value {
        let unnamed = self.kind.is_empty() && self.place == AbstractPlace::Graphical;
        let mut entry = part_entry(&self.part);
        entry["kind"] = json!(if unnamed { "graphical" } else { self.kind.as_str() });
        entry[FILE] = json!(picture(&self.part.nodes, files).map_or("", |file| file.address.as_str()));
        entry
    }

    fn made(
        key: &str,
        value: &Value,
        former: Option<&Self>,
        files: &mut Vec<ArticleFile>,
        faults: &mut Vec<String>,
    ) -> Self {
        let kind = kind(key, value, "graphical, highlights or plain-language-summary", faults);
        let mut nodes = paragraphs(&text(value, "text"));
        let (address, is_picture) = (text(value, FILE), nodes.is_empty());
        if is_picture && address.is_empty() {
            faults.push(format!("{key}: an abstract needs a text or a picture (text, {FILE})"));
        }
        if !address.is_empty() {
            let big = name_of(files, &address, "graphical-abstract");
            let picture = Graphics { big, alt: fold(&text(value, "title")), ..Graphics::default() };
            nodes.insert(0, Node::Graphic(Box::new(picture)));
        }
        let place = AbstractPlace::of(&kind, is_picture);
        Self { place, kind, part: part(key, value, former.map(|other| &other.part), nodes, faults) }
    }
}

/// Abstracts of kinds, with the addresses of their pictures.
pub fn other_abstracts(body: &ArticleBody, files: &[ArticleFile]) -> Value {
    Other::all(body).iter().map(|one| one.entry(files)).collect()
}

/// A new picture is added to the files.
pub fn put_other_abstracts(
    body: &mut ArticleBody,
    files: &mut Vec<ArticleFile>,
    (before, after): Sides<'_>,
    faults: &mut Vec<String>,
) {
    let template = Other::default().entry(&[]);
    let Some(wanted) = wanted(&before[OTHER_ABSTRACTS], &after[OTHER_ABSTRACTS], &template) else { return };
    let earlier = files.clone();
    let new = replaced(
        &Other::all(body),
        |one| one.entry(&earlier),
        &wanted,
        |at, value, former| Other::made(&format!("{OTHER_ABSTRACTS}.{at}"), value, former, files, faults),
    );
    body.abstracts.retain(|one| one.kind.is_empty());
    body.abstract_graphic.clear();
    body.highlights.clear();
    for Other { place, kind, part } in new {
        let list = match place {
            AbstractPlace::Highlights => {
                body.highlights.push(part);
                continue;
            }
            AbstractPlace::Abstracts => &mut body.abstracts,
            AbstractPlace::Graphical => &mut body.abstract_graphic,
        };
        let Part { lang, title, nodes, .. } = part;
        list.push(Abstract { lang, kind, title, nodes });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(words: &str) -> Part {
        let nodes = vec![Node::P { id: String::new(), lang: String::new(), nodes: vec![bold(words)] }];
        Part { id: "s1".to_owned(), nodes, ..Part::default() }
    }

    fn bold(words: &str) -> Node {
        Node::Bold { nodes: vec![Node::text(words)] }
    }

    #[test]
    fn one_note_is_corrected_and_the_others_keep_their_formatting() {
        let note = |words: &str| LangText { lang: String::new(), plain: words.to_owned(), nodes: vec![bold(words)] };
        let (mut notes, mut faults) = (vec![note("* Write to Ada."), note("† Gone.")], Vec::new());
        let before = json!({ AUTHOR_NOTES: author_notes(&notes) });
        let mut after = before.clone();
        after[AUTHOR_NOTES] = json!([{ "text": "† Left  Ferry." }, before[AUTHOR_NOTES][0]]);
        put_author_notes(&mut notes, (&before, &after), &mut faults);
        assert_eq!((notes[0].plain.as_str(), faults.len()), ("† Left Ferry.", 0), "{faults:?}");
        assert_eq!((notes[1].nodes.as_slice(), notes.len()), (&[bold("* Write to Ada.")][..], 2));
        after[AUTHOR_NOTES] = json!([{ "lang": "klingonisch", "text": " " }]);
        put_author_notes(&mut notes, (&before, &after), &mut faults);
        assert!(faults[0].starts_with("authorNotes.0.text: ") && faults[1].starts_with("authorNotes.0.lang: "));
    }

    #[test]
    fn statements_keep_their_ids_and_shares_their_kinds() {
        let share = |kind: &str, words: &str| Contribution { kind: kind.to_owned(), part: part(words) };
        let mut body = ArticleBody {
            conflict: vec![part("None.")],
            contributions: vec![share("con", "Ada wrote."), share(EQUAL, "Both.")],
            ..ArticleBody::default()
        };
        let before = json!({ STATEMENTS: statements(&body) });
        let mut after = before.clone();
        after[STATEMENTS]["conflict"] = json!([{ "text": "Ada owns a ferry.\nNobody else does." }]);
        after[STATEMENTS]["equalContributions"] = json!([{ "text": "All three.", "title": "Shares" }]);
        after[STATEMENTS]["contributions"] = Value::Null;
        let mut faults = Vec::new();
        put_statements(&mut body, (&before, &after), &mut faults);
        let conflict = &body.conflict[0];
        assert_eq!((conflict.id.as_str(), conflict.nodes.len(), faults.len()), ("s1", 2, 0), "{faults:?}");
        let kinds: Vec<_> = body.contributions.iter().map(|one| one.kind.as_str()).collect();
        assert_eq!(kinds, [EQUAL]);
        assert_eq!(body.contributions[0].part.title.as_ref().map(|title| title.plain.as_str()), Some("Shares"));
        after[STATEMENTS]["ethics"] = json!([{ "title": "Ethics" }]);
        put_statements(&mut body, (&before, &after), &mut faults);
        assert!(faults.contains(&"statements.ethics.0.text: a statement needs a text".to_owned()), "{faults:?}");
    }

    #[test]
    fn keywords_of_other_groups_leave_those_of_the_authors() {
        let group = |kind: &str, word: &str| KeywordGroup {
            kind: kind.to_owned(),
            plain: vec![word.to_owned()],
            items: vec![vec![bold(word)]],
            ..KeywordGroup::default()
        };
        let (mut groups, mut faults) = (vec![group("ocis", "010.4450"), group("", "salt")], Vec::new());
        let before = json!({ OTHER_KEYWORDS: other_keywords(&groups) });
        assert_eq!(before[OTHER_KEYWORDS].as_array().map(Vec::len), Some(1));
        let after = json!({ OTHER_KEYWORDS: [before[OTHER_KEYWORDS][0], { "kind": "msc", "words": ["35Q30", " "] }] });
        put_other_keywords(&mut groups, (&before, &after), &mut faults);
        let plain: Vec<_> = groups.iter().map(|group| (group.kind.as_str(), group.plain.as_slice())).collect();
        let word = |word: &str| vec![word.to_owned()];
        assert_eq!(plain, [("", &word("salt")[..]), ("ocis", &word("010.4450")[..]), ("msc", &word("35Q30")[..])]);
        assert_eq!((&groups[1].items[0][0], faults.len()), (&bold("010.4450"), 0), "{faults:?}");
        let wrong = json!({ OTHER_KEYWORDS: [{ "words": ["a"] }, { "kind": "author", "words": [] }] });
        put_other_keywords(&mut groups, (&before, &wrong), &mut faults);
        let keys: Vec<_> = faults.iter().filter_map(|fault| fault.split(": ").next()).collect();
        assert_eq!(keys, ["otherKeywords.0.kind", "otherKeywords.1.words", "otherKeywords.1.kind"], "{faults:?}");
    }

    #[test]
    fn abstracts_of_kinds_stand_where_an_import_puts_them() {
        let picture = Node::Graphic(Box::new(Graphics { big: "ga.png".to_owned(), ..Graphics::default() }));
        let file =
            ArticleFile { name: "ga.png".to_owned(), address: "/media/1/a.png".to_owned(), ..ArticleFile::default() };
        let own = Abstract { nodes: paragraphs("The abstract."), ..Abstract::default() };
        let graphic = Abstract { nodes: vec![picture], ..Abstract::default() };
        let mut body = ArticleBody {
            abstracts: vec![own],
            abstract_graphic: vec![graphic],
            highlights: vec![part("One.")],
            ..ArticleBody::default()
        };
        let (mut files, mut faults) = (vec![file], Vec::new());
        let before = json!({ OTHER_ABSTRACTS: other_abstracts(&body, &files) });
        let list = &before[OTHER_ABSTRACTS];
        assert_eq!((&list[0]["kind"], &list[0]["file"]), (&json!("graphical"), &json!("/media/1/a.png")));
        assert_eq!((&list[1]["kind"], &list[1]["text"]), (&json!("highlights"), &json!("One.")));
        let plain = json!({ "kind": "plain-language-summary", "lang": "en", "text": "Water moves." });
        let drawn = json!({ "kind": "graphical", "title": "Ferry", "text": "A rope.", "file": "/media/1/b.svg" });
        let after = json!({ OTHER_ABSTRACTS: [drawn, list[1], plain] });
        put_other_abstracts(&mut body, &mut files, (&before, &after), &mut faults);
        assert_eq!(faults, [""; 0]);
        let kinds: Vec<_> = body.abstracts.iter().map(|one| one.kind.as_str()).collect();
        assert_eq!((kinds, body.highlights.as_slice()), (vec!["", "plain-language-summary"], &[part("One.")][..]));
        let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["ga.png", "graphical-abstract.svg"]);
        let shown = other_abstracts(&body, &files);
        let entry = |kind: &str| shown.as_array().into_iter().flatten().find(|one| one["kind"] == kind).cloned();
        assert_eq!(entry("graphical").map(|one| one["file"].clone()), Some(json!("/media/1/b.svg")));
        assert_eq!(entry("graphical").map(|one| one["text"].clone()), Some(json!("A rope.")));
        let wrong = json!({ OTHER_ABSTRACTS: [{ "text": "x" }, { "kind": "visual" }] });
        put_other_abstracts(&mut body, &mut files, (&before, &wrong), &mut faults);
        assert_eq!(faults.len(), 2, "{faults:?}");
    }
}
