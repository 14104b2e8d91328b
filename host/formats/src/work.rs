//! Cited works: the fields that reference managers keep, and their form in a list of references.

use masthead_domain::{
    content::{
        Citation, Node, Reference,
        text::{fold, plain},
    },
    ids::Doi,
    lang::{has_han_or_hangul, same_language},
    link,
};

use crate::{ReadJats, markup};

/// A cited work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Citation key or number in the source, or "".
    pub key: String,
    /// CSL type: `article-journal`, `book`, `chapter`, `thesis`, `webpage`, ...; "" if unknown.
    pub kind: String,
    /// Title.
    pub title: String,
    /// Title of the containing journal, book or proceedings, or "".
    pub container: String,
    /// Series, or "".
    pub collection: String,
    /// Authors.
    pub authors: Vec<Name>,
    /// Editors.
    pub editors: Vec<Name>,
    /// Translators.
    pub translators: Vec<Name>,
    /// Year as printed, or "".
    pub year: String,
    /// Date of publication, ISO 8601 with the precision of the source, or "".
    pub date: String,
    /// Volume.
    pub volume: String,
    /// Issue.
    pub issue: String,
    /// Pages or article number as printed ("12-19", "e14276").
    pub pages: String,
    /// Edition as printed.
    pub edition: String,
    /// Publisher, school or institution.
    pub publisher: String,
    /// Place of publication.
    pub place: String,
    /// Number of a report, standard or patent.
    pub number: String,
    /// Type of thesis or report, as printed.
    pub genre: String,
    /// DOI, if the source has a valid one.
    pub doi: Option<Doi>,
    /// URL of the work.
    pub url: String,
    /// Date of access, ISO 8601, or "".
    pub accessed: String,
    /// ISBN as printed.
    pub isbn: String,
    /// ISSN as printed.
    pub issn: String,
    /// PubMed identifier.
    pub pmid: String,
    /// BCP 47 tag, or "".
    pub language: String,
    /// Abstract as plain text.
    pub abstract_text: String,
    /// Keywords.
    pub keywords: Vec<String>,
    /// The reference as one text, if the source has one.
    pub unstructured: String,
}

/// A person or a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Family name with its particle; "" for an undivided name.
    pub family: String,
    /// Given names.
    pub given: String,
    /// "Jr", "III".
    pub suffix: String,
    /// A group, or an undivided name.
    pub literal: String,
}

impl Name {
    /// Parses `Lovelace, Ada`, `Lovelace, Ada, Jr` or `Ada Lovelace`; a name in Chinese characters is not divided.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = fold(text);
        let text = text.trim_matches([',', ';', ' ']);
        if let Some((family, rest)) = text.split_once([',', '，']) {
            let (given, suffix) = rest.split_once(',').unwrap_or((rest, ""));
            let trimmed = |part: &str| part.trim().to_owned();
            return Self { family: trimmed(family), given: trimmed(given), suffix: trimmed(suffix), ..Self::default() };
        }
        Self { literal: text.to_owned(), ..Self::default() }
    }

    /// The name in the form of lists of references: family name, then given names (`Lovelace A. B.`); without a space in
    /// Chinese characters.
    #[must_use]
    pub fn listed(&self) -> String {
        if !self.literal.is_empty() {
            return self.literal.clone();
        }
        let space = if has_han_or_hangul(&self.family) { "" } else { " " };
        [self.family.as_str(), self.given.as_str(), self.suffix.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(space)
    }

    fn last(&self) -> &str {
        if self.family.is_empty() { &self.literal } else { &self.family }
    }
}

impl Work {
    /// The type as JATS `@publication-type`.
    #[must_use]
    pub fn publication_type(&self) -> &'static str {
        match self.kind.as_str() {
            "article-journal" | "review" | "review-book" => "journal",
            "book" | "classic" => "book",
            "chapter" | "entry" | "entry-encyclopedia" | "entry-dictionary" => "chapter",
            "paper-conference" | "event" => "confproc",
            "thesis" => "thesis",
            "report" => "report",
            "patent" => "patent",
            "standard" | "legislation" => "standard",
            "article-newspaper" | "article-magazine" => "newspaper",
            "webpage" | "post" | "post-weblog" => "webpage",
            "dataset" => "data",
            "software" => "software",
            "article" => "preprint",
            "" => "",
            _ => "other",
        }
    }

    /// The work as an entry of a list of references: in the style of GB/T 7714 for Chinese works, else authors, title, place, year,
    /// pages, DOI. A reference that the source has as one text is kept as written.
    #[must_use]
    pub fn to_reference(&self, jats: ReadJats, id: impl Into<String>) -> Reference {
        Reference { id: id.into(), citations: vec![self.to_citation(jats)], ..Reference::default() }
    }

    /// The work as a citation, as in [`Self::to_reference`].
    #[must_use]
    pub fn to_citation(&self, jats: ReadJats) -> Citation {
        let chinese =
            same_language(&self.language, "zh") || (self.language.is_empty() && has_han_or_hangul(&self.title));
        let mut nodes = if !self.unstructured.is_empty() {
            markup::line(jats, &self.unstructured)
        } else if chinese {
            self.in_chinese()
        } else {
            self.in_english()
        };
        self.link(&mut nodes);
        let ids = [("isbn", &self.isbn), ("issn", &self.issn), ("pmid", &self.pmid)];
        Citation {
            id: String::new(),
            lang: self.language.clone(),
            kind: self.publication_type().to_owned(),
            plain: plain(&nodes),
            nodes,
            doi: self.doi.as_ref().map(|doi| doi.as_str().to_owned()).unwrap_or_default(),
            url: self.url.clone(),
            title: if self.title.is_empty() { self.container.clone() } else { self.title.clone() },
            source: self.container.clone(),
            year: self.year.clone(),
            first_author: self
                .authors
                .iter()
                .chain(&self.editors)
                .next()
                .map(|name| name.last().to_owned())
                .unwrap_or_default(),
            ids: ids
                .into_iter()
                .filter(|(_, id)| !id.is_empty())
                .map(|(kind, id)| (kind.to_owned(), id.clone()))
                .collect(),
        }
    }

    fn in_english(&self) -> Vec<Node> {
        let mut line = Line::default();
        let names = |names: &[Name]| names.iter().map(Name::listed).collect::<Vec<_>>().join(", ");
        line.sentence(&names(&self.authors));
        if self.authors.is_empty() && !self.editors.is_empty() {
            line.sentence(&format!("{} (Ed.)", names(&self.editors)));
        }
        let whole = self.container.is_empty();
        line.part(". ", &self.title, whole && matches!(self.kind.as_str(), "book" | "thesis" | "report"));
        if self.kind == "chapter" || self.kind == "paper-conference" {
            line.part(". In: ", &self.container, true);
        } else {
            line.part(". ", &self.container, true);
        }
        if !self.authors.is_empty() && !self.editors.is_empty() {
            line.part(". ", &format!("{} (Ed.)", names(&self.editors)), false);
        }
        line.part(", ", &self.edition_in_english(), false);
        line.part(". ", &self.genre, false);
        line.part(if self.genre.is_empty() { ". " } else { " " }, &self.number, false);
        line.part(". ", &joined(": ", &[&self.place, &self.publisher]), false);
        let journal = !self.container.is_empty() && self.publisher.is_empty();
        line.part(if journal { ". " } else { ", " }, &self.year, false);
        line.part(if self.year.is_empty() { ". " } else { ";" }, &self.volume_and_issue(), false);
        let paged = !self.volume.is_empty() || !self.issue.is_empty();
        line.part(if paged { ":" } else { ", pp. " }, &self.pages, false);
        line.close()
    }

    fn edition_in_english(&self) -> String {
        match self.edition.parse::<u32>() {
            Ok(number) => format!("ed. {number}"),
            Err(_) => self.edition.clone(),
        }
    }

    fn volume_and_issue(&self) -> String {
        if self.issue.is_empty() { self.volume.clone() } else { format!("{}({})", self.volume, self.issue) }
    }

    /// GB/T 7714: 作者. 题名[J]. 刊名, 年, 卷(期): 页.
    fn in_chinese(&self) -> Vec<Node> {
        let mut line = Line::default();
        let makers = if self.authors.is_empty() { &self.editors } else { &self.authors };
        line.sentence(&makers.iter().map(Name::listed).collect::<Vec<_>>().join(", "));
        let online = !self.url.is_empty() && !matches!(self.kind.as_str(), "article-journal" | "book" | "chapter");
        let mark = match self.kind.as_str() {
            "article-journal" => "J",
            "book" | "classic" => "M",
            "chapter" => "M",
            "paper-conference" => "C",
            "thesis" => "D",
            "report" => "R",
            "standard" => "S",
            "patent" => "P",
            "article-newspaper" => "N",
            "dataset" => "DS",
            "software" => "CP",
            "map" => "CM",
            "manuscript" => "A",
            "webpage" | "post" | "post-weblog" => "EB",
            _ => "Z",
        };
        let carrier = if online { "/OL" } else { "" };
        let title = joined("：", &[&self.title, &self.number]);
        // Without a title the mark of the type is omitted, as it would stand alone.
        if !title.is_empty() {
            line.part(". ", &format!("{title}[{mark}{carrier}]"), false);
        }
        line.part(
            ". ",
            &self.translators.iter().map(Name::listed).collect::<Vec<_>>().join(", ").suffixed(", 译"),
            false,
        );
        let host = if matches!(self.kind.as_str(), "chapter" | "paper-conference") { "//" } else { ". " };
        line.part(host, &self.container, false);
        line.part(". ", &self.edition_in_chinese(), false);
        line.part(". ", &joined(": ", &[&self.place, &self.publisher]), false);
        line.part(", ", &self.year, false);
        line.part(", ", &self.volume_and_issue(), false);
        line.part(": ", &self.pages, false);
        line.close()
    }

    fn edition_in_chinese(&self) -> String {
        match self.edition.parse::<u32>() {
            Ok(number) if number > 1 => format!("{number}版"),
            Ok(_) => String::new(),
            Err(_) => self.edition.clone(),
        }
    }

    /// Appends the DOI, else the address, as a link, unless the text has it already.
    fn link(&self, nodes: &mut Vec<Node>) {
        let (href, kind) = match &self.doi {
            Some(doi) => (doi.url(), "doi"),
            None => (self.url.clone(), "uri"),
        };
        let written = plain(nodes).to_ascii_lowercase();
        let shown = self.doi.as_ref().map_or_else(|| href.to_ascii_lowercase(), Doi::key);
        if !link::is_web(&href) || written.contains(&shown) {
            return;
        }
        if !nodes.is_empty() {
            nodes.push(Node::text(" "));
        }
        nodes.push(Node::ExtLink { href: href.clone(), kind: kind.to_owned(), nodes: vec![Node::text(href)] });
    }
}

trait Suffixed {
    fn suffixed(self, suffix: &str) -> String;
}

impl Suffixed for String {
    fn suffixed(mut self, suffix: &str) -> String {
        if !self.is_empty() {
            self.push_str(suffix);
        }
        self
    }
}

fn joined(between: &str, parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(between)
}

/// A citation under construction: text with separators between its parts.
#[derive(Default)]
struct Line {
    nodes: Vec<Node>,
    end: Option<char>,
}

impl Line {
    fn sentence(&mut self, text: &str) {
        self.part(". ", text, false);
    }

    fn part(&mut self, before: &str, text: &str, italic: bool) {
        if text.is_empty() {
            return;
        }
        // A part that ends with "et al." or a question mark gets no second full stop.
        let before = match (self.end, before.strip_prefix('.')) {
            (None, _) => "",
            (Some('.' | '?' | '!' | '。'), Some(rest)) => rest,
            _ => before,
        };
        if !before.is_empty() {
            self.push(before);
        }
        self.end = text.chars().last();
        if italic {
            self.nodes.push(Node::Italic { nodes: vec![Node::text(text)] });
        } else {
            self.push(text);
        }
    }

    fn push(&mut self, text: &str) {
        match self.nodes.last_mut() {
            Some(Node::Text { text: last }) => last.push_str(text),
            _ => self.nodes.push(Node::text(text)),
        }
    }

    fn close(mut self) -> Vec<Node> {
        if self.end.is_some_and(|end| !matches!(end, '.' | '?' | '!' | '。')) {
            self.push(".");
        }
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::markup::jats_of_tests;

    #[test]
    fn an_article_has_the_form_of_lists_of_references() {
        let work = Work {
            kind: "article-journal".into(),
            title: "Computing machinery and intelligence".into(),
            container: "Mind".into(),
            authors: vec![Name::parse("Turing, A. M.")],
            year: "1950".into(),
            volume: "59".into(),
            issue: "236".into(),
            pages: "433-460".into(),
            doi: Some(Doi::parse("10.1093/mind/LIX.236.433").unwrap()),
            ..Work::default()
        };
        let made = work.to_citation(jats_of_tests);
        assert_eq!(
            made.plain,
            "Turing A. M. Computing machinery and intelligence. Mind. 1950;59(236):433-460. https://doi.org/10.1093/mind/LIX.236.433"
        );
        assert_eq!(
            (made.kind.as_str(), made.first_author.as_str(), made.source.as_str()),
            ("journal", "Turing", "Mind")
        );
        assert_eq!(work.to_reference(jats_of_tests, "r1").id, "r1");
    }

    #[test]
    fn a_chinese_work_follows_gb_t_7714() {
        let name = |literal: &str| Name { literal: literal.into(), ..Name::default() };
        let article = Work {
            kind: "article-journal".into(),
            title: "潮汐记录".into(),
            container: "海洋学报".into(),
            authors: vec![name("王小明"), name("李华")],
            year: "2020".into(),
            volume: "3".into(),
            issue: "2".into(),
            pages: "10-19".into(),
            language: "zh-CN".into(),
            ..Work::default()
        };
        assert_eq!(article.to_citation(jats_of_tests).plain, "王小明, 李华. 潮汐记录[J]. 海洋学报, 2020, 3(2): 10-19.");
        let book = Work {
            kind: "book".into(),
            title: "潮汐".into(),
            authors: vec![name("王小明")],
            translators: vec![name("赵六")],
            edition: "2".into(),
            place: "北京".into(),
            publisher: "某出版社".into(),
            year: "2019".into(),
            ..Work::default()
        };
        assert_eq!(book.to_citation(jats_of_tests).plain, "王小明. 潮汐[M]. 赵六, 译. 2版. 北京: 某出版社, 2019.");
    }

    #[test]
    fn a_reference_given_as_text_is_kept() {
        let work =
            Work { unstructured: "Doe, J. <i>A book</i> & more. 1999.".into(), year: "1999".into(), ..Work::default() };
        assert_eq!(work.to_citation(jats_of_tests).plain, "Doe, J. A book & more. 1999.");
        assert_eq!(Work::default().to_citation(jats_of_tests).plain, "");
    }
}
