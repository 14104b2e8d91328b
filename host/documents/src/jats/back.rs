//! Import of the parts of an article: abstracts, body and back matter, whose order differs between publishers.

use masthead_domain::{
    article::LangText,
    content::{Abstract, AbstractPlace, ArticleBody, Contribution, Footnote, Node, Part},
};

use super::{
    Importer,
    classify::{Place, by_heading, by_type},
    floats,
    xml::{X, attr, child, child_text, children, elements, id, lang, name, path, text, typed},
};
use masthead_domain::content::text::plain;

impl Importer {
    /// The content of an article, sub-article or response without its metadata.
    pub(super) fn parts(&mut self, x: X) -> ArticleBody {
        let mut body = ArticleBody::default();
        let front =
            path(x, &["front", "article-meta"]).or_else(|| child(x, "front-stub")).or_else(|| child(x, "front"));
        self.level = 1;
        if let Some(front) = front {
            self.front_parts(front, &mut body);
        }
        let notes = |part: &X| matches!(name(*part), "notes" | "fn-group");
        for notes in child(x, "front").into_iter().flat_map(elements).filter(notes) {
            self.back_part(notes, &mut body);
        }
        for part in elements(x).filter(|part| name(*part) == "body") {
            self.body(part, &mut body);
        }
        self.level = 1;
        for part in elements(x).filter(|part| name(*part) == "back") {
            self.back(part, &mut body);
        }
        for part in elements(x) {
            match name(part) {
                "floats-group" | "floats-wrap" => {
                    let nodes = self.blocks(part, &[]);
                    body.floats.extend(nodes);
                }
                "sub-article" | "response" => self.sub_article(part, &mut body),
                "front" | "front-stub" | "body" | "back" | "processing-meta" => {}
                _ => {
                    let mut nodes = Vec::new();
                    self.element(part, &mut nodes);
                    body.body.extend(nodes);
                }
            }
        }
        floats::place(&mut body);
        body
    }

    fn front_parts(&mut self, front: X, body: &mut ArticleBody) {
        for part in elements(front) {
            match name(part) {
                // Footnotes of titles, whose marks are no part of the titles.
                "title-group" => {
                    for note in part.descendants().filter(|node| name(*node) == "fn") {
                        let note = self.footnote(note);
                        body.footnotes.push(note);
                    }
                }
                "abstract" | "trans-abstract" => self.abstract_part(part, body),
                "author-notes" => {
                    for note in elements(part).filter(|note| name(*note) == "fn") {
                        if let Some(place) = by_type(attr(note, "fn-type")) {
                            let made = Part { nodes: vec![self.note_group(note)], ..Part::default() };
                            self.merge(body, place, made);
                        }
                    }
                }
                "funding-group" => {
                    for statement in elements(part) {
                        let nodes = match name(statement) {
                            "funding-statement" => {
                                let nodes = self.line(statement);
                                vec![Node::P { id: id(statement), lang: self.foreign(statement), nodes }]
                            }
                            "open-access" => self.blocks(statement, &[]),
                            _ => continue,
                        };
                        body.funding.push(Part { nodes, ..Part::default() });
                    }
                }
                "supplementary-material" => {
                    let mut nodes = Vec::new();
                    self.element(part, &mut nodes);
                    self.merge(body, Place::Supplementary, Part { nodes, ..Part::default() });
                }
                _ => {}
            }
        }
    }

    fn abstract_part(&mut self, x: X, body: &mut ArticleBody) {
        let kind = [attr(x, "abstract-type"), attr(x, "specific-use")]
            .into_iter()
            .find(|kind| !kind.is_empty())
            .unwrap_or_default();
        let tag = Some(lang(x)).filter(|tag| !tag.is_empty()).unwrap_or_else(|| self.lang.clone());
        let title = self.heading(x).or_else(|| self.line_of(x, "label"));
        let nodes = self.blocks(x, &["title", "label", "object-id"]);
        if nodes.is_empty() && title.is_none() {
            return;
        }
        let pictures_only = !nodes.is_empty() && text(x).is_empty();
        let place = AbstractPlace::of(kind, pictures_only);
        if place == AbstractPlace::Highlights {
            body.highlights.push(Part { id: id(x), lang: tag, label: String::new(), title, nodes });
            return;
        }
        let made = Abstract { lang: tag, kind: kind.to_owned(), title, nodes };
        if place == AbstractPlace::Graphical { &mut body.abstract_graphic } else { &mut body.abstracts }.push(made);
    }

    fn body(&mut self, x: X, body: &mut ArticleBody) {
        self.level = 0;
        for part in x.children() {
            let typed = part.is_element() && name(part) == "sec";
            let place = if typed { by_type(attr(part, "sec-type")) } else { None };
            if let Some(place) = place.filter(|place| !matches!(place, Place::Glossary | Place::Contribution)) {
                let level = std::mem::replace(&mut self.level, 1);
                let made = self.part(part);
                self.level = level;
                put(body, place, made);
            } else if part.is_element() {
                self.element(part, &mut body.body);
            } else if let Some(text) = part.text().filter(|text| part.is_text() && !text.trim().is_empty()) {
                body.body.push(Node::P {
                    id: String::new(),
                    lang: String::new(),
                    nodes: vec![Node::text(text.trim())],
                });
            }
        }
    }

    fn back(&mut self, x: X, body: &mut ArticleBody) {
        let mut loose = Vec::new();
        for part in elements(x) {
            match name(part) {
                "ack" | "app" | "glossary" | "fn-group" | "notes" | "sec" | "ref-list" | "app-group" | "bio" | "fn" => {
                    self.back_part(part, body)
                }
                "title" | "label" => {}
                _ => self.element(part, &mut loose),
            }
        }
        if !loose.is_empty() {
            body.notes.push(Part { nodes: loose, ..Part::default() });
        }
    }

    fn back_part(&mut self, x: X, body: &mut ArticleBody) {
        let heading = child(x, "title").map(text).unwrap_or_default();
        match name(x) {
            "app-group" => {
                if let Some(title) = self.heading(x) {
                    body.appendix.push(Part { label: child_text(x, "label"), title: Some(title), ..Part::default() });
                }
                for part in elements(x).filter(|part| !matches!(name(*part), "title" | "label")) {
                    self.back_part(part, body);
                }
            }
            "fn-group" => self.notes_group(x, &heading, body),
            "fn" => self.note(x, None, body),
            "ref-list" => {
                let list = self.ref_list(x);
                body.reference_lists.push(list);
            }
            kind => {
                let place = match kind {
                    "ack" => by_heading(&heading)
                        .filter(|place| *place != Place::Supplementary)
                        .or(Some(Place::Acknowledgements)),
                    "app" => Some(Place::Appendix),
                    "glossary" => Some(Place::Glossary),
                    _ => by_type(attr(x, "sec-type"))
                        .or_else(|| by_type(attr(x, "notes-type")))
                        .or_else(|| by_heading(&heading)),
                };
                // A wrapper without a heading is replaced by its parts.
                let wrapper = heading.is_empty() && child(x, "label").is_none() && elements(x).all(sortable);
                match place.filter(|_| !wrapper) {
                    Some(place) => {
                        let made = self.part(x);
                        put(body, place, made);
                    }
                    None => self.unsorted(x, body),
                }
            }
        }
    }

    /// Sorts the parts of a section or notes of unknown kind: parts of a known kind go to their place, the others stay together.
    fn unsorted(&mut self, x: X, body: &mut ArticleBody) {
        let inner: Vec<X> = elements(x).filter(|part| sortable(*part)).collect();
        if inner.is_empty() {
            let made = self.part(x);
            if !made.nodes.is_empty() || made.title.is_some() {
                if name(x) == "sec" { body.appendix.push(made) } else { body.notes.push(made) }
            }
            return;
        }
        let mut rest = Vec::new();
        for part in elements(x) {
            if sortable(part) {
                self.back_part(part, body);
            } else if !matches!(name(part), "title" | "label") {
                self.element(part, &mut rest);
            }
        }
        if !rest.is_empty() {
            let part = Part {
                id: id(x),
                lang: self.foreign(x),
                label: child_text(x, "label"),
                title: self.heading(x),
                nodes: rest,
            };
            body.notes.push(part);
        }
    }

    fn notes_group(&mut self, x: X, heading: &str, body: &mut ArticleBody) {
        let group = by_type(attr(x, "content-type")).or_else(|| by_heading(heading));
        let before = (body.footnotes.len(), body.notes.len());
        let mut rest = Vec::new();
        for part in elements(x) {
            match name(part) {
                "fn" => self.note(part, group, body),
                "title" => {}
                _ => self.element(part, &mut rest),
            }
        }
        let title = self.heading(x);
        if let Some(place) = group {
            self.merge(body, place, Part { title, nodes: rest, ..Part::default() });
        } else if !rest.is_empty() {
            body.notes.push(Part { title, nodes: rest, ..Part::default() });
        } else if let Some(title) = title
            && (body.footnotes.len(), body.notes.len()) != before
            && !is_heading_of_footnotes(&title.plain)
        {
            // The heading would be lost in the common list of footnotes.
            body.notes.insert(before.1, Part { title: Some(title), ..Part::default() });
        }
    }

    fn note(&mut self, x: X, group: Option<Place>, body: &mut ArticleBody) {
        match place_of_note(x, group) {
            Some(place) => {
                let made = Part { nodes: vec![self.note_group(x)], ..Part::default() };
                self.merge(body, place, made);
            }
            None => {
                let note = self.footnote(x);
                body.footnotes.push(note);
            }
        }
    }

    pub(super) fn note_group(&mut self, x: X) -> Node {
        let note = self.footnote(x);
        let mut nodes = note.nodes;
        if !note.label.is_empty() {
            let label = Node::Sup { nodes: vec![Node::text(note.label)] };
            match nodes.first_mut() {
                Some(Node::P { nodes, .. }) => nodes.splice(0..0, [label, Node::text(" ")]).for_each(drop),
                _ => nodes.insert(0, label),
            }
        }
        Node::Group { id: note.id, kind: "fn".to_owned(), nodes }
    }

    pub(super) fn footnote(&mut self, x: X) -> Footnote {
        let label = child(x, "label").map(text).unwrap_or_else(|| attr(x, "symbol").to_owned());
        self.depth += 2;
        let nodes = self.blocks(x, &["label"]);
        self.depth -= 2;
        Footnote { id: id(x), label, kind: typed(x, "fn-type").to_owned(), nodes }
    }

    /// A part with its heading; sections within it are one level deeper.
    pub(super) fn part(&mut self, x: X) -> Part {
        let level = std::mem::replace(&mut self.level, 1);
        let title = self.heading(x);
        let part = Part {
            id: id(x),
            lang: self.foreign(x),
            label: child_text(x, "label"),
            title,
            nodes: self.blocks(x, &["title", "label"]),
        };
        self.level = level;
        part
    }

    /// Appends to the last statement of this kind if it has no heading, so that several notes of one kind form one statement.
    fn merge(&mut self, body: &mut ArticleBody, place: Place, made: Part) {
        let list = match place {
            Place::Contribution | Place::Equal => {
                let kind = if place == Place::Equal { "equal" } else { "con" };
                if let Some(last) =
                    body.contributions.iter_mut().rev().find(|last| last.kind == kind && mergeable(&last.part, &made))
                {
                    join(&mut last.part, made);
                    return;
                }
                put(body, place, made);
                return;
            }
            _ => list_of(body, place),
        };
        match list.last_mut().filter(|last| mergeable(last, &made)) {
            Some(last) => join(last, made),
            None => put(body, place, made),
        }
    }
}

/// The place of a note, by its type, that of its group, or its first words; `None` for a footnote.
fn place_of_note(x: X, group: Option<Place>) -> Option<Place> {
    // Many notes begin with a heading in bold type, as in "Conflict of interest: none".
    let lead = x
        .descendants()
        .find(|node| matches!(name(*node), "bold" | "title" | "italic"))
        .filter(|bold| text(x).starts_with(&text(*bold)))
        .map(text)
        .unwrap_or_default();
    by_type(attr(x, "fn-type")).or(group).or_else(|| by_heading(&lead).filter(|_| child(x, "label").is_none()))
}

/// Whether a heading says no more than the page's own heading of the footnotes.
fn is_heading_of_footnotes(heading: &str) -> bool {
    matches!(
        heading.to_lowercase().trim_matches(|c: char| !c.is_alphabetic()),
        "notes" | "footnotes" | "notas" | "脚注" | "注释" | "nota" | "note" | "footnote"
    )
}

/// Whether the heading of a group of notes is not shown: it is that of the footnotes, or all notes go to places of their own.
pub(super) fn heading_of_notes_is_dropped(title: X) -> bool {
    let Some(group) = title.parent() else { return false };
    let heading = text(title);
    let placed = by_type(attr(group, "content-type")).or_else(|| by_heading(&heading)).is_some();
    let others = elements(group).any(|part| !matches!(name(part), "fn" | "title"));
    let footnotes = children(group, "fn").any(|note| place_of_note(note, None).is_none());
    let sorted = group.parent().is_some_and(|up| matches!(name(up), "back" | "front" | "sec" | "notes" | "app-group"));
    sorted && !placed && !others && (is_heading_of_footnotes(&heading) || !footnotes)
}

/// Whether the heading of a section or notes beside the body is not shown, because all parts go to places of their own.
pub(super) fn heading_of_wrapper_is_dropped(title: X) -> bool {
    let Some(wrapper) = title.parent() else { return false };
    let sorted = wrapper.ancestors().any(|up| matches!(name(up), "back" | "front"))
        && wrapper.parent().is_some_and(|up| matches!(name(up), "back" | "front" | "sec" | "notes" | "app-group"));
    let mut parts = elements(wrapper).filter(|part| !matches!(name(*part), "title" | "label")).peekable();
    let placed = by_type(attr(wrapper, "sec-type"))
        .or_else(|| by_type(attr(wrapper, "notes-type")))
        .or_else(|| by_heading(&text(title)))
        .is_some();
    sorted && !placed && parts.peek().is_some() && parts.all(sortable)
}

/// Whether a part of a wrapper determines its own place, by type or heading.
fn sortable(part: X) -> bool {
    matches!(name(part), "fn-group" | "ref-list" | "ack" | "glossary")
        || (matches!(name(part), "sec" | "notes")
            && (by_type(attr(part, "sec-type")).is_some()
                || by_type(attr(part, "notes-type")).is_some()
                || by_heading(&child_text(part, "title")).is_some()))
}

fn mergeable(last: &Part, made: &Part) -> bool {
    last.label.is_empty() && (last.title.is_none() || made.title.is_none()) && last.id.is_empty()
}

fn join(last: &mut Part, made: Part) {
    last.nodes.extend(made.nodes);
    last.title = last.title.take().or(made.title);
}

fn list_of(body: &mut ArticleBody, place: Place) -> &mut Vec<Part> {
    match place {
        Place::Acknowledgements => &mut body.acknowledgements,
        Place::Conflict => &mut body.conflict,
        Place::Ethics => &mut body.ethics,
        Place::Funding => &mut body.funding,
        Place::SupportingData => &mut body.supporting_data,
        Place::Supplementary => &mut body.supplementary,
        Place::Glossary => &mut body.glossary,
        Place::Appendix | Place::Contribution | Place::Equal => &mut body.appendix,
    }
}

fn put(body: &mut ArticleBody, place: Place, part: Part) {
    if part.nodes.is_empty() && part.title.is_none() {
        return;
    }
    add(body, place, part);
}

pub(super) fn add(body: &mut ArticleBody, place: Place, part: Part) {
    match place {
        Place::Contribution => body.contributions.push(Contribution { kind: "con".to_owned(), part }),
        Place::Equal => body.contributions.push(Contribution { kind: "equal".to_owned(), part }),
        _ => list_of(body, place).push(part),
    }
}

/// A text with its formatting and its plain form.
pub(super) fn lang_text(lang: String, nodes: Vec<Node>) -> LangText {
    LangText { lang, plain: plain(&nodes), nodes }
}
