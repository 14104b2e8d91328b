//! Citations of several references, such as `[1,3–5]`: which references they name.

use std::collections::{BTreeSet, HashMap};

use masthead_domain::content::{ArticleBody, Node, text::plain};

use super::ids::element_id;

/// What stands between the ends of a range.
const DASHES: &[char] = &['-', '\u{2010}', '\u{2011}', '–', '—', '−', '~', '～', '〜', '－', '至'];
/// What stands between numbers and ranges.
const COMMAS: &[char] = &[',', '，', '、', ';', '；'];
/// What stands around them.
const BRACKETS: &[char] = &['[', ']', '(', ')', '［', '］', '（', '）', '〔', '〕'];
/// A citation of more references than this is an error of the source.
const MOST: u64 = 200;

/// The numbers of references, as citations name them: of the article's own, and of those of each of its parts.
#[derive(Default)]
pub(super) struct Numbering {
    /// The list in `lists` that contains the reference with this id.
    list_of: HashMap<String, usize>,
    /// The ids of the references by number.
    lists: Vec<HashMap<u32, String>>,
}

impl Numbering {
    pub(super) fn of(body: &ArticleBody) -> Self {
        let mut numbering = Self::default();
        numbering.add(body);
        numbering
    }

    fn add(&mut self, body: &ArticleBody) {
        // The numbers of an article continue from one of its lists to the next.
        let references = || body.reference_lists.iter().flat_map(|list| &list.refs);
        let labelled = references().any(|one| !one.label.is_empty());
        let mut list = HashMap::new();
        for (place, reference) in (1_u32..).zip(references()).filter(|(_, one)| !one.id.is_empty()) {
            let id = element_id(&reference.id);
            let number = if labelled { number(&reference.label) } else { Some(place) };
            if let Some(number) = number {
                list.entry(number).or_insert_with(|| id.clone());
            }
            self.list_of.entry(id).or_insert(self.lists.len());
        }
        self.lists.push(list);
        for part in body.responses.iter().chain(&body.sub_articles) {
            self.add(&part.body);
        }
    }

    /// The ids of all references that the text of a citation names, if it contains a range and agrees with `ids`, which are those
    /// that the source names; else `None`.
    pub(super) fn named(&self, ids: &[String], text: &str) -> Option<Vec<String>> {
        let spans = spans(text)?;
        if !spans.iter().any(|(from, to)| from < to) {
            return None;
        }
        let list = self.lists.get(*self.list_of.get(ids.first()?)?)?;
        let numbers: BTreeSet<u32> = spans.iter().flat_map(|(from, to)| *from..=*to).collect();
        let named: Vec<String> = numbers.iter().filter_map(|number| list.get(number).cloned()).collect();
        (ids.len() <= named.len() && ids.iter().all(|id| named.contains(id))).then_some(named)
    }
}

/// The number in a label such as `[12]` or `12.`.
fn number(label: &str) -> Option<u32> {
    label.trim_matches(|c: char| !c.is_alphanumeric()).parse().ok()
}

/// First and last number of each part of a text such as `1, 3–5`; `None` for another text.
fn spans(text: &str) -> Option<Vec<(u32, u32)>> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && !BRACKETS.contains(c)).collect();
    let mut spans = Vec::new();
    let mut all = 0;
    for part in text.split(COMMAS).filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once(DASHES).unwrap_or((part, part));
        let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
        all += u64::from(to.checked_sub(from)?) + 1;
        if all > MOST {
            return None;
        }
        spans.push((from, to));
    }
    Some(spans)
}

/// The ids and the text of the range that the node at this index is one end of: two links with a dash between them.
pub(super) fn range_at(nodes: &[Node], at: usize) -> Option<(Vec<String>, String)> {
    let first = if closes_range(nodes, at.checked_add(2)?) {
        at
    } else {
        at.checked_sub(2).filter(|_| closes_range(nodes, at))?
    };
    let ((mut ids, from), (others, to)) = (citation(nodes.get(first)?)?, citation(nodes.get(first + 2)?)?);
    ids.extend(others);
    Some((ids, format!("{from}–{to}")))
}

/// Whether the node at this index is a citation that follows another one and a dash.
fn closes_range(nodes: &[Node], at: usize) -> bool {
    let Some([first, dash, last]) = at.checked_sub(2).and_then(|from| nodes.get(from..=at)) else { return false };
    let is_citation = |node: &Node| matches!(node, Node::Xref { ref_type, .. } if ref_type == "bibr");
    is_citation(first) && is_citation(last) && is_dash(dash)
}

fn is_dash(node: &Node) -> bool {
    let text = match node {
        Node::Text { text } => text.clone(),
        Node::Sup { nodes } if nodes.len() == 1 => plain(nodes),
        _ => return false,
    };
    let mut letters = text.chars().filter(|c| !c.is_whitespace());
    letters.next().is_some_and(|c| DASHES.contains(&c)) && letters.next().is_none()
}

fn citation(node: &Node) -> Option<(Vec<String>, String)> {
    let Node::Xref { rids, nodes, .. } = node else { return None };
    Some((rids.iter().map(|rid| element_id(rid)).collect(), plain(nodes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read() {
        assert_eq!(spans("[1,3–5]"), Some(vec![(1, 1), (3, 5)]));
        assert_eq!(spans("［２-3］"), None, "full-width digits are no numbers");
        assert_eq!(spans("1 至 3、7"), Some(vec![(1, 3), (7, 7)]));
        for other in ["5–3", "1–3–5", "Ng 2001", "1–", "–", "1-4000000000", "99999999999"] {
            assert_eq!(spans(other), None, "{other}");
        }
    }
}
