//! Import of contributors and affiliations.

use std::collections::HashMap;

use masthead_domain::{
    article::{Affiliation, Contributor, MEMBER},
    lang::{has_han_or_hangul, is_han_or_hangul, is_kana},
};

use super::{
    Importer,
    xml::{X, attr, child_text, children, elements, id, lang, name, own_lang, text},
};

/// A name for display: `王小明`, `Ada Lovelace Jr`. Only names in East Asian scripts have the surname first.
fn display_name(x: X) -> String {
    let [surname, given, prefix, suffix] =
        ["surname", "given-names", "prefix", "suffix"].map(|part| child_text(x, part));
    if surname.is_empty() && given.is_empty() {
        return text(x);
    }
    in_order([&prefix, &given, &surname, &suffix], attr(x, "name-style") == "eastern")
}

/// Prefix, given names, surname and suffix in display order.
fn in_order([prefix, given, surname, suffix]: [&str; 4], eastern: bool) -> String {
    let written = format!("{surname}{given}");
    let han = has_han_or_hangul(&written);
    let kana = written.chars().any(is_kana);
    if han || (kana && eastern) {
        return written;
    }
    [prefix, given, surname, suffix].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A name in the form of lists of references: surname, given names; Han and Hangul without a space.
pub(super) fn person(x: X) -> String {
    let (surname, given) = (child_text(x, "surname"), child_text(x, "given-names"));
    let rest = [child_text(x, "prefix"), child_text(x, "suffix")];
    let plain = surname.is_empty() && given.is_empty();
    let mut parts = if plain { vec![text(x)] } else { vec![surname, given] };
    if !plain {
        parts.extend(rest);
    }
    parts.retain(|part| !part.is_empty());
    let han = parts.first().is_some_and(|first| first.chars().all(is_han_or_hangul));
    parts.join(if han { "" } else { " " })
}

/// The elements of the front matter by their ids. Each mark beside a name refers to one, and an article may have 50,000 names.
type Targets<'a, 'i> = HashMap<&'a str, X<'a, 'i>>;

impl Importer {
    /// The contributors of all groups; members of a collaboration follow it.
    pub(super) fn contributors(&mut self, front: X) -> Vec<Contributor> {
        let mut targets = Targets::new();
        for node in front.descendants().filter(|node| !attr(*node, "id").is_empty()) {
            targets.entry(attr(node, "id")).or_insert(node);
        }
        let mut all = Vec::new();
        for group in children(front, "contrib-group") {
            self.group(group, &targets, &mut all);
        }
        all
    }

    fn group(&mut self, group: X, targets: &Targets, all: &mut Vec<Contributor>) {
        let shared: Vec<String> = children(group, "aff").map(id).filter(|id| !id.is_empty()).collect();
        for contrib in children(group, "contrib") {
            let mut made = self.contributor(contrib, targets);
            if made.role.is_empty() {
                made.role = match attr(group, "content-type") {
                    kind if kind.contains("editor") || kind.contains("section") => "editor",
                    kind if kind.contains("reviewer") => "reviewer",
                    _ => "author",
                }
                .to_owned();
            }
            // Authors without marks have the affiliations of their group.
            if made.affiliations.is_empty() {
                made.affiliations.clone_from(&shared);
            }
            let called = made.display_name();
            all.push(made);
            let members = elements(contrib)
                .filter(|part| may_have_members(*part))
                .flat_map(|collab| collab.descendants())
                .filter(|node| is_group_of(*node, contrib));
            for inner in members {
                self.members(inner, targets, &called, all);
            }
        }
    }

    /// The members of a collaboration. Groups within groups are left flat: their members belong to the outermost one.
    fn members(&mut self, group: X, targets: &Targets, collaboration: &str, all: &mut Vec<Contributor>) {
        let first = all.len();
        self.group(group, targets, all);
        for made in all.iter_mut().skip(first) {
            MEMBER.clone_into(&mut made.role);
            collaboration.clone_into(&mut made.group);
        }
    }

    fn contributor(&mut self, x: X, targets: &Targets) -> Contributor {
        let mut made = Contributor { role: attr(x, "contrib-type").to_lowercase(), ..Contributor::default() };
        made.corresponding = attr(x, "corresp") == "yes";
        made.equal = attr(x, "equal-contrib") == "yes";
        for part in elements(x) {
            self.contributor_part(part, &mut made);
        }
        // Marks within a biography do not refer to the contributor's affiliations, and those of members are the members'.
        let marks: Vec<X> = x.descendants().filter(|node| name(*node) == "xref" && own_mark(*node, x)).collect();
        for xref in marks {
            let mut printed = true;
            for rid in attr(xref, "rid").split_whitespace() {
                printed &= follow(rid, attr(xref, "ref-type"), targets.get(rid).copied(), &mut made);
            }
            let mark = text(xref);
            if printed && !mark.is_empty() && !made.marks.contains(&mark) {
                made.marks.push(mark);
            }
        }
        made
    }

    fn contributor_part(&mut self, x: X, made: &mut Contributor) {
        match name(x) {
            "name" | "string-name" => named(x, made),
            "name-alternatives" => {
                for one in elements(x) {
                    named(one, made);
                }
            }
            "collab" | "collab-alternatives" | "on-behalf-of" => {
                // A group may contain its members; its name is the text before them.
                let own: String = x
                    .children()
                    .take_while(|node| name(*node) != "contrib-group")
                    .filter(|node| node.is_text() || !matches!(name(*node), "xref" | "email"))
                    .flat_map(|node| node.descendants())
                    .filter(|node| node.is_text())
                    .filter_map(|node| node.text())
                    .collect();
                let own = super::xml::fold(&own);
                if made.collab.is_empty() && made.surname.is_empty() {
                    made.collab = if own.is_empty() { text(x) } else { own };
                } else if own != made.collab {
                    add_to(&mut made.address, &own);
                }
            }
            "anonymous" => made.collab = "Anonymous".to_owned(),
            "contrib-id" if says_orcid(x) => self.orcid(&text(x), made),
            "email" if made.email.is_empty() => made.email = text(x),
            "address" => {
                for part in elements(x) {
                    if name(part) == "email" && made.email.is_empty() {
                        made.email = text(part);
                    } else {
                        add_to(&mut made.address, &text(part));
                    }
                }
                if elements(x).next().is_none() {
                    add_to(&mut made.address, &text(x));
                }
            }
            "role" => made.credit.push(role(x)),
            "degrees" => {
                made.suffix = [made.suffix.clone(), text(x)]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .collect::<Vec<_>>()
                    .join(", ")
            }
            "bio" => made.bio = self.blocks(x, &["label"]),
            "aff" => made.affiliations.push(affiliation_id(x)),
            "uri" | "ext-link" if text(x).contains("orcid.org") => self.orcid(&text(x), made),
            "contrib-id" | "xref" => {}
            _ => add_to(&mut made.address, &text(x)),
        }
    }

    fn orcid(&mut self, source: &str, made: &mut Contributor) {
        if let Some(orcid) = orcid_in(source) {
            made.orcid = orcid;
        } else if !source.trim().is_empty() {
            self.report.warn(format!("{source:?} is not an ORCID iD; it was left out"));
        }
    }

    pub(super) fn affiliations(&mut self, front: X) -> Vec<Affiliation> {
        let inside = children(front, "contrib-group").flat_map(|group| group.descendants());
        let mut seen = Vec::new();
        let mut all: Vec<Affiliation> = Vec::new();
        for x in children(front, "aff")
            .chain(children(front, "aff-alternatives").flat_map(elements))
            .chain(inside.filter(|node| name(*node) == "aff"))
        {
            if seen.contains(&x.id()) {
                continue;
            }
            seen.push(x.id());
            all.push(affiliation(x));
        }
        all
    }
}

/// A role as printed, with the degree of the contribution; of an element without text the term of its vocabulary (CRediT).
fn role(x: X) -> String {
    let printed = text(x);
    let term = if printed.is_empty() { attr(x, "vocab-term").to_owned() } else { printed };
    let degree = attr(x, "degree-contribution").trim().to_lowercase();
    let said = degree.is_empty() || term.is_empty() || term.to_lowercase().contains(&degree);
    if said { term } else { format!("{term} ({degree})") }
}

/// The ORCID iD of a number or address; `None` if it is another text.
fn orcid_in(source: &str) -> Option<String> {
    let last = source.trim().rsplit('/').next().unwrap_or_default();
    let digits = last.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_uppercase();
    let valid =
        digits.len() == 16 && digits.chars().enumerate().all(|(at, c)| c.is_ascii_digit() || (at == 15 && c == 'X'));
    valid.then(|| [&digits[..4], &digits[4..8], &digits[8..12], &digits[12..]].join("-"))
}

/// Whether the type or text of an identifier says that it is an ORCID iD.
fn says_orcid(x: X) -> bool {
    attr(x, "contrib-id-type").eq_ignore_ascii_case("orcid") || text(x).contains("orcid.org")
}

/// Whether an identifier of a contributor is not shown, as it is no ORCID iD.
pub(super) fn is_other_person_id(x: X) -> bool {
    !says_orcid(x) || orcid_in(&text(x)).is_none()
}

pub(super) fn affiliation_id(x: X) -> String {
    let own = id(x);
    let outer = x.parent().filter(|up| name(*up) == "aff-alternatives").map(id).unwrap_or_default();
    // Contributors refer to the wrapper of a translated affiliation.
    [outer, own].into_iter().find(|id| !id.is_empty()).unwrap_or_else(|| format!("aff-{}", x.range().start))
}

/// Elements of an affiliation that say how to reach somebody there.
const CONTACTS: &[&str] = &["email", "fax", "phone"];

/// How to reach somebody at an affiliation, as printed.
fn contact(x: X) -> String {
    let mut contact = String::new();
    children(x, "email").for_each(|part| add_to(&mut contact, &text(part)));
    for part in elements(x).filter(|part| matches!(name(*part), "fax" | "phone")) {
        add_to(&mut contact, &text(part));
    }
    contact
}

/// Whether an affiliation has its whole text as printed beside its parts, so that the parts would repeat it.
pub(super) fn is_repeated(x: X) -> bool {
    children(x, "institution").any(|part| attr(part, "content-type") == "original")
}

/// Appends a text to a list of texts in one line.
fn add_to(list: &mut String, text: &str) {
    if !text.is_empty() {
        list.push_str(if list.is_empty() { "" } else { "; " });
        list.push_str(text);
    }
}

/// Whether an element of a contributor may contain the members of a group.
fn may_have_members(x: X) -> bool {
    matches!(name(x), "collab" | "collab-alternatives" | "on-behalf-of")
}

/// Whether an element is a group of members of this contributor, and not of one of the members.
fn is_group_of(x: X, contrib: X) -> bool {
    name(x) == "contrib-group" && x.ancestors().skip(1).find(|up| name(*up) == "contrib") == Some(contrib)
}

/// Whether a cross-reference within a contributor is this contributor's own mark.
fn own_mark(x: X, contrib: X) -> bool {
    let around = x.ancestors().skip(1).find(|up| matches!(name(*up), "contrib" | "bio" | "aff" | "fn"));
    around == Some(contrib)
}

fn affiliation(x: X) -> Affiliation {
    let mut text_of = String::new();
    let repeats = is_repeated(x);
    for node in x.children() {
        let skip = matches!(name(node), "label" | "institution-id" | "fn")
            || CONTACTS.contains(&name(node))
            || (repeats && name(node) != "institution")
            || (repeats && attr(node, "content-type") != "original");
        if skip {
            continue;
        }
        let piece: String = node
            .descendants()
            .filter(|part| part.is_text() && part.parent().is_none_or(|up| name(up) != "institution-id"))
            .filter_map(|part| part.text())
            .collect();
        if node.is_element()
            && !text_of.is_empty()
            && !text_of.ends_with([' ', ',', ';', '\n', '(', '，', '、', '；'])
            && !piece.starts_with([',', ';', ' ', '，', '、', '；'])
        {
            text_of.push_str(", ");
        }
        text_of.push_str(&piece);
    }
    let folded = super::xml::fold(&text_of).replace(" ,", ",");
    let find = |child_name: &str| x.descendants().find(|node| name(*node) == child_name);
    let institution_id = x
        .descendants()
        .filter(|node| name(*node) == "institution-id")
        .map(text)
        .find(|value| value.starts_with("http"))
        .unwrap_or_default();
    Affiliation {
        id: affiliation_id(x),
        label: child_text(x, "label"),
        lang: own_lang(x),
        text: folded.trim_matches([',', ';', ' ', '，', '；']).to_owned(),
        country: find("country").map(text).unwrap_or_default(),
        institution_id,
        contact: contact(x),
    }
}

/// Resolves a mark beside a name: affiliation, note or correspondence. Returns whether the mark itself has to be shown; the label of
/// an affiliation is shown for it.
fn follow(rid: &str, kind: &str, target: Option<X>, made: &mut Contributor) -> bool {
    match (kind, target.map(name)) {
        ("aff", _) | (_, Some("aff" | "aff-alternatives")) => {
            let id = target.map_or_else(|| rid.to_owned(), affiliation_of);
            made.affiliations.retain(|known| *known != id);
            made.affiliations.push(id);
            let labelled = target.is_some_and(|target| target.descendants().any(|node| name(node) == "label"));
            return !labelled;
        }
        ("corresp", _) | (_, Some("corresp")) => {
            made.corresponding = true;
            if let Some(email) = target.and_then(|target| target.descendants().find(|node| name(*node) == "email"))
                && made.email.is_empty()
            {
                made.email = text(email);
            }
        }
        (_, Some("fn")) => {
            if let Some(note) = target {
                made.equal |=
                    attr(note, "fn-type") == "equal" || text(note).to_lowercase().contains("contributed equally");
            }
        }
        _ => {}
    }
    true
}

fn affiliation_of(x: X) -> String {
    if name(x) == "aff" { affiliation_id(x) } else { id(x) }
}

fn named(x: X, made: &mut Contributor) {
    let tag = lang(x);
    let whole = display_name(x);
    if made.surname.is_empty() && made.given_names.is_empty() && made.collab.is_empty() {
        made.surname = child_text(x, "surname");
        made.given_names = child_text(x, "given-names");
        made.suffix = [child_text(x, "prefix"), child_text(x, "suffix")]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        if made.surname.is_empty() && made.given_names.is_empty() {
            made.collab = whole.clone();
        }
        // If there are alternatives, the main name is one of them.
        made.alternatives.push((tag, whole));
        return;
    }
    made.alternatives.push((tag, whole));
}

/// Clears the alternatives of contributors with a single name.
pub(super) fn tidy(all: &mut [Contributor]) {
    for made in all {
        if made.alternatives.len() < 2 {
            made.alternatives.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    fn display_name(style: &str, parts: &str) -> String {
        let source = format!("<name name-style=\"{style}\">{parts}</name>");
        super::display_name(masthead_xml::Document::parse(&source).unwrap().root_element())
    }

    #[test]
    fn puts_names_in_the_order_of_their_script() {
        let parts =
            |surname: &str, given: &str| format!("<surname>{surname}</surname><given-names>{given}</given-names>");
        assert_eq!(display_name("western", &parts("Ng", "Theodora")), "Theodora Ng");
        assert_eq!(display_name("eastern", &parts("Ng", "Theodora")), "Theodora Ng");
        assert_eq!(display_name("eastern", &parts("黃", "思敏")), "黃思敏");
        assert_eq!(display_name("western", &parts("김", "민준")), "김민준");
        assert_eq!(display_name("eastern", &parts("やまだ", "はなこ")), "やまだはなこ");
        assert_eq!(display_name("western", &parts("ラヴレス", "エイダ")), "エイダ ラヴレス");
        let whole = format!("<prefix>Dr</prefix>{}<suffix>Jr</suffix>", parts("King", "Ada"));
        assert_eq!(display_name("", &whole), "Dr Ada King Jr");
        assert_eq!(display_name("", "Plato"), "Plato");
    }

    #[test]
    fn a_role_is_its_text_or_the_term_of_its_vocabulary() {
        let role = |source: &str| super::role(masthead_xml::Document::parse(source).unwrap().root_element());
        assert_eq!(role("<role>Editor</role>"), "Editor");
        let term = "vocab=\"credit\" vocab-term=\"Writing – original draft\"";
        assert_eq!(role(&format!("<role {term}/>")), "Writing – original draft");
        assert_eq!(role(&format!("<role {term} degree-contribution=\"Lead\">Writing</role>")), "Writing (lead)");
        assert_eq!(
            role("<role degree-contribution=\"lead\">Software (Lead)</role>"),
            "Software (Lead)",
            "the degree is not said twice"
        );
        assert_eq!(role("<role/>"), "");
    }
}
