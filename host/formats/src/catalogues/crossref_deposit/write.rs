//! Writes a deposit (`doi_batch`, schema 5.3.1), with which a publisher registers the DOIs of its articles, or their changed metadata.
//!
//! Source: <https://www.crossref.org/documentation/schema-library/markup-guide-record-types/journals-and-articles/>.

use masthead_domain::{
    article::{Affiliation, ArticleMeta, Contributor, Funding},
    content::Reference,
    ids::Doi,
    link,
    notice::{NoticeKind, NoticeSide},
    publication::Journal,
};
use masthead_xml::XmlWriter;

/// Greatest number of characters of an institution's name.
const MAX_INSTITUTION: usize = 1024;
/// Mark of the identifiers of the Research Organization Registry.
const ROR: &str = "https://ror.org/";

/// Who sends a deposit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Depositor {
    /// Name of the depositor.
    pub name: String,
    /// E-mail address to which Crossref reports.
    pub email: String,
    /// Name of the organization that owns the content.
    pub registrant: String,
    /// DOI of the publisher's Crossmark policy. Without it, Crossref takes no notices of corrections and retractions.
    pub crossmark_policy: Option<Doi>,
}

/// An article of a deposit.
#[derive(Clone, Copy, Debug)]
pub struct DepositEntry<'a> {
    /// Its bibliographic data.
    pub meta: &'a ArticleMeta,
    /// Its journal on the site, if it has one.
    pub journal: Option<&'a Journal>,
    /// Its abstracts as plain text, with the BCP 47 tags of their languages.
    pub abstracts: &'a [(String, String)],
    /// Its references.
    pub references: &'a [&'a Reference],
    /// Notices between it and other articles.
    pub notices: &'a [(NoticeKind, NoticeSide, Doi)],
    /// Address of its page.
    pub page: &'a str,
}

/// A deposit that is being written. Articles of one issue have to follow one another, so that the issue is written once.
pub struct DepositWriter {
    xml: XmlWriter,
    crossmark_policy: Option<Doi>,
    /// Journal, year, volume and issue of the open `journal` element.
    open: Option<[String; 4]>,
}

impl DepositWriter {
    /// Begins a deposit. `batch` identifies it; `timestamp` is a whole number that grows with every deposit of the same DOI.
    #[must_use]
    pub fn new(depositor: &Depositor, batch: &str, timestamp: &str) -> Self {
        let mut xml = XmlWriter::new();
        xml.start(
            "doi_batch",
            &[
                ("xmlns", "http://www.crossref.org/schema/5.3.1"),
                ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
                ("xmlns:jats", "http://www.ncbi.nlm.nih.gov/JATS1"),
                ("xmlns:fr", "http://www.crossref.org/fundref.xsd"),
                ("xmlns:ai", "http://www.crossref.org/AccessIndicators.xsd"),
                ("xmlns:rel", "http://www.crossref.org/relations.xsd"),
                ("version", "5.3.1"),
                (
                    "xsi:schemaLocation",
                    "http://www.crossref.org/schema/5.3.1 https://www.crossref.org/schemas/crossref5.3.1.xsd",
                ),
            ],
        );
        xml.line();
        xml.element("head", &[], |xml| {
            xml.field("doi_batch_id", batch);
            xml.field("timestamp", timestamp);
            xml.element("depositor", &[], |xml| {
                xml.field("depositor_name", &depositor.name);
                xml.field("email_address", &depositor.email);
            });
            xml.field("registrant", &depositor.registrant);
        });
        xml.line();
        xml.start("body", &[]);
        xml.line();
        Self { xml, crossmark_policy: depositor.crossmark_policy.clone(), open: None }
    }

    /// Writes an article. Returns the number of its notices that are left out for want of a Crossmark policy.
    ///
    /// # Errors
    /// What the article lacks that Crossref demands; it is not in the deposit then.
    pub fn add(&mut self, entry: &DepositEntry<'_>) -> Result<usize, &'static str> {
        let meta = entry.meta;
        let doi = meta.doi.as_ref().ok_or("it has no DOI")?;
        if meta.titles.first().is_none_or(|title| title.plain.is_empty()) {
            return Err("it has no title");
        }
        let title = journal_title(entry);
        if title.is_empty() {
            return Err("it has no journal");
        }
        let dates = dates(meta);
        if dates.is_empty() {
            return Err("it has no date of publication");
        }
        let key = [title.to_owned(), year(meta), meta.volume.clone(), meta.issue.clone()];
        if self.open.as_ref() != Some(&key) {
            self.close();
            self.xml.start("journal", &[]);
            journal(&mut self.xml, title, entry);
            issue(&mut self.xml, meta, &dates);
            self.open = Some(key);
        }
        self.article(entry, doi, &dates);
        self.xml.line();
        let updates = entry.notices.iter().filter(|(kind, side, _)| update(*kind, *side).is_some()).count();
        Ok(if self.crossmark_policy.is_some() { 0 } else { updates })
    }

    /// The finished deposit.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.close();
        self.xml.end("body");
        self.xml.end("doi_batch");
        self.xml.line();
        self.xml.finish()
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.xml.end("journal");
            self.xml.line();
        }
    }

    fn article(&mut self, entry: &DepositEntry<'_>, doi: &Doi, dates: &[(&str, String)]) {
        let Self { xml, crossmark_policy, .. } = self;
        let meta = entry.meta;
        let language = two_letters(&meta.language);
        let mut attributes = vec![("publication_type", "full_text")];
        attributes.extend((!language.is_empty()).then_some(("language", language)));
        xml.element("journal_article", &attributes, |xml| {
            titles(xml, meta);
            contributors(xml, meta);
            for (lang, text) in entry.abstracts.iter().filter(|(_, text)| !text.is_empty()) {
                let tag: &[(&str, &str)] = if lang.is_empty() { &[] } else { &[("xml:lang", lang)] };
                xml.element("jats:abstract", tag, |xml| xml.field("jats:p", text));
            }
            for (medium, date) in dates {
                day(xml, "publication_date", Some(medium), date);
            }
            if !meta.dates.accepted.is_empty() {
                day(xml, "acceptance_date", None, &meta.dates.accepted);
            }
            numbers(xml, meta);
            match crossmark_policy {
                Some(policy) => crossmark(xml, entry, policy),
                None => programs(xml, meta),
            }
            relations(xml, entry);
            xml.element("doi_data", &[], |xml| {
                xml.field("doi", doi.as_str());
                xml.field("resource", entry.page);
            });
            citations(xml, entry.references);
        });
    }
}

fn journal_title<'a>(entry: &DepositEntry<'a>) -> &'a str {
    let own = entry.journal.map_or("", |journal| journal.title.get(masthead_domain::Lang::En));
    if own.is_empty() { &entry.meta.journal.title } else { own }
}

fn year(meta: &ArticleMeta) -> String {
    meta.year.map(|year| year.to_string()).unwrap_or_default()
}

/// The dates of publication with their media; the year where nothing else is known.
fn dates(meta: &ArticleMeta) -> Vec<(&'static str, String)> {
    let known = [("print", &meta.dates.print), ("online", &meta.dates.online)];
    let mut dates: Vec<_> =
        known.into_iter().filter(|(_, date)| !date.is_empty()).map(|(medium, date)| (medium, date.clone())).collect();
    if dates.is_empty() {
        dates.extend(meta.year.map(|year| ("online", year.to_string())));
    }
    dates
}

/// The primary subtag of a BCP 47 tag if it has two letters, as the schema lists them; otherwise "".
fn two_letters(tag: &str) -> &str {
    let primary = tag.split('-').next().unwrap_or_default();
    if primary.len() == 2 { primary } else { "" }
}

fn journal(xml: &mut XmlWriter, title: &str, entry: &DepositEntry<'_>) {
    xml.element("journal_metadata", &[], |xml| {
        xml.field("full_title", title);
        xml.field("abbrev_title", &entry.meta.journal.abbrev);
        match entry.journal.filter(|journal| !journal.issn.is_empty() || !journal.eissn.is_empty()) {
            Some(journal) => {
                for (medium, issn) in [("print", &journal.issn), ("electronic", &journal.eissn)] {
                    if !issn.is_empty() {
                        xml.text("issn", &[("media_type", medium)], issn);
                    }
                }
            }
            // The source of an article does not say which one is which.
            None => entry.meta.journal.issn.iter().for_each(|issn| xml.field("issn", issn)),
        }
    });
}

fn issue(xml: &mut XmlWriter, meta: &ArticleMeta, dates: &[(&str, String)]) {
    if meta.volume.is_empty() && meta.issue.is_empty() {
        return;
    }
    xml.element("journal_issue", &[], |xml| {
        // Articles of one issue have days of their own; what they have in common is the year.
        let year = year(meta);
        let date = if year.is_empty() { dates.first().map_or("", |(_, date)| date.as_str()) } else { &year };
        day(xml, "publication_date", None, date);
        if !meta.volume.is_empty() {
            xml.element("journal_volume", &[], |xml| xml.field("volume", &meta.volume));
        }
        xml.field("issue", &meta.issue);
    });
}

/// Writes a date, ISO 8601 with the precision that it has.
fn day(xml: &mut XmlWriter, name: &str, medium: Option<&str>, date: &str) {
    let mut parts = date.split(['-', 'T']);
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let attributes: Vec<(&str, &str)> = medium.map(|medium| ("media_type", medium)).into_iter().collect();
    xml.element(name, &attributes, |xml| {
        xml.field("month", month.unwrap_or_default());
        xml.field("day", day.unwrap_or_default());
        xml.field("year", year.unwrap_or_default());
    });
}

/// Titles: the original first, with its subtitle, then the translations.
fn titles(xml: &mut XmlWriter, meta: &ArticleMeta) {
    for (at, title) in meta.titles.iter().filter(|title| !title.plain.is_empty()).enumerate() {
        let subtitle = meta.subtitles.iter().find(|subtitle| subtitle.lang == title.lang);
        let first = (at == 0).then(|| meta.subtitles.first()).flatten();
        xml.element("titles", &[], |xml| {
            xml.field("title", &title.plain);
            xml.field("subtitle", subtitle.or(first).map_or("", |text| text.plain.as_str()));
        });
    }
}

/// Contributors in the roles that Crossref knows; members of groups and people of other roles are left out.
fn contributors(xml: &mut XmlWriter, meta: &ArticleMeta) {
    const ROLES: [&str; 3] = ["author", "editor", "translator"];
    let named = |person: &&Contributor| {
        ROLES.contains(&person.role.as_str()) && !(person.surname.is_empty() && person.collab.is_empty())
    };
    let mut people = meta.contributors.iter().filter(named).peekable();
    if people.peek().is_none() {
        return;
    }
    xml.element("contributors", &[], |xml| {
        for (at, person) in people.enumerate() {
            let sequence = if at == 0 { "first" } else { "additional" };
            let attributes = [("sequence", sequence), ("contributor_role", person.role.as_str())];
            if !person.collab.is_empty() {
                xml.text("organization", &attributes, &person.collab);
                continue;
            }
            xml.element("person_name", &attributes, |xml| {
                xml.field("given_name", &person.given_names);
                xml.field("surname", &person.surname);
                xml.field("suffix", &person.suffix);
                affiliations(xml, person, &meta.affiliations);
                if !person.orcid.is_empty() {
                    xml.field("ORCID", &format!("https://orcid.org/{}", person.orcid));
                }
            });
        }
    });
}

fn affiliations(xml: &mut XmlWriter, person: &Contributor, all: &[Affiliation]) {
    let mut own = all.iter().filter(|one| person.affiliations.contains(&one.id) && !one.text.is_empty()).peekable();
    if own.peek().is_none() {
        return;
    }
    xml.element("affiliations", &[], |xml| {
        for one in own {
            xml.element("institution", &[], |xml| {
                let name: String = one.text.chars().take(MAX_INSTITUTION).collect();
                xml.field("institution_name", &name);
                if one.institution_id.starts_with(ROR) {
                    xml.text("institution_id", &[("type", "ror")], &one.institution_id);
                }
            });
        }
    });
}

/// Pages and article number.
fn numbers(xml: &mut XmlWriter, meta: &ArticleMeta) {
    if !meta.first_page.is_empty() {
        xml.element("pages", &[], |xml| {
            xml.field("first_page", &meta.first_page);
            xml.field("last_page", &meta.last_page);
        });
    }
    if !meta.elocation_id.is_empty() {
        xml.element("publisher_item", &[], |xml| {
            xml.text("item_number", &[("item_number_type", "article_number")], &meta.elocation_id);
        });
    }
}

/// What an article says of others as their correction, retraction or other update, with its history, funders and licence.
fn crossmark(xml: &mut XmlWriter, entry: &DepositEntry<'_>, policy: &Doi) {
    let meta = entry.meta;
    let published = meta.dates.published();
    // The attribute demands a whole day.
    let date = match published.len() {
        4 => format!("{published}-01-01"),
        7 => format!("{published}-01"),
        10 => published.to_owned(),
        _ => format!("{}-01-01", year(meta)),
    };
    let updates: Vec<_> =
        entry.notices.iter().filter_map(|(kind, side, doi)| Some((update(*kind, *side)?, doi))).collect();
    xml.element("crossmark", &[], |xml| {
        xml.field("crossmark_policy", policy.as_str());
        if !updates.is_empty() {
            xml.element("updates", &[], |xml| {
                for (kind, doi) in updates {
                    xml.text("update", &[("type", kind), ("date", &date)], doi.as_str());
                }
            });
        }
        let history =
            [("received", &meta.dates.received), ("revised", &meta.dates.revised), ("accepted", &meta.dates.accepted)];
        let has_programs = !meta.funding.is_empty() || link::is_web(&meta.license_url);
        if has_programs || history.iter().any(|(_, date)| !date.is_empty()) {
            xml.element("custom_metadata", &[], |xml| {
                for (at, (name, date)) in history.into_iter().filter(|(_, date)| !date.is_empty()).enumerate() {
                    let order = at.to_string();
                    let group = [("group_name", "publication_history"), ("group_label", "Publication history")];
                    let attributes = [("name", name), ("label", name), group[0], group[1], ("order", order.as_str())];
                    xml.text("assertion", &attributes, date);
                }
                programs(xml, meta);
            });
        }
    });
}

/// Crossref's word for what a notice does to the article that it is about; `None` for a relation, and on the side of that article.
const fn update(kind: NoticeKind, side: NoticeSide) -> Option<&'static str> {
    if !matches!(side, NoticeSide::Notice) {
        return None;
    }
    Some(match kind {
        NoticeKind::Retraction => "retraction",
        NoticeKind::Withdrawal => "withdrawal",
        NoticeKind::Concern => "expression_of_concern",
        NoticeKind::PartialRetraction => "partial_retraction",
        NoticeKind::Correction => "correction",
        NoticeKind::Addendum => "addendum",
        NoticeKind::Republication | NoticeKind::Update => "new_version",
        NoticeKind::Comment | NoticeKind::Reply => return None,
    })
}

/// Funders and licence.
fn programs(xml: &mut XmlWriter, meta: &ArticleMeta) {
    let mut funders = meta.funding.iter().filter(|one| !one.source.is_empty() || !one.awards.is_empty()).peekable();
    if funders.peek().is_some() {
        xml.element("fr:program", &[("name", "fundref")], |xml| funders.for_each(|one| funder(xml, one)));
    }
    if link::is_web(&meta.license_url) {
        xml.element("ai:program", &[("name", "AccessIndicators")], |xml| {
            if meta.open_access {
                xml.empty("ai:free_to_read", &[]);
            }
            xml.field("ai:license_ref", &meta.license_url);
        });
    }
}

fn funder(xml: &mut XmlWriter, funding: &Funding) {
    xml.element("fr:assertion", &[("name", "fundgroup")], |xml| {
        if funding.source_id.starts_with(ROR) {
            xml.text("fr:assertion", &[("name", "ror")], &funding.source_id);
        } else if !funding.source.is_empty() {
            xml.element("fr:assertion", &[("name", "funder_name")], |xml| {
                xml.characters(&funding.source);
                if !funding.source_id.is_empty() {
                    xml.text("fr:assertion", &[("name", "funder_identifier")], &funding.source_id);
                }
            });
        }
        for award in funding.awards.iter().filter(|award| !award.is_empty()) {
            xml.text("fr:assertion", &[("name", "award_number")], award);
        }
    });
}

/// Comments and replies, in both directions.
fn relations(xml: &mut XmlWriter, entry: &DepositEntry<'_>) {
    let word = |kind: NoticeKind, side: NoticeSide| match (kind, side) {
        (NoticeKind::Comment, NoticeSide::Notice) => Some("isCommentOn"),
        (NoticeKind::Comment, NoticeSide::Affected) => Some("hasComment"),
        (NoticeKind::Reply, NoticeSide::Notice) => Some("isReplyTo"),
        (NoticeKind::Reply, NoticeSide::Affected) => Some("hasReply"),
        _ => None,
    };
    let mut related = entry.notices.iter().filter_map(|(kind, side, doi)| Some((word(*kind, *side)?, doi))).peekable();
    if related.peek().is_none() {
        return;
    }
    xml.element("rel:program", &[("name", "relations")], |xml| {
        for (relation, doi) in related {
            xml.element("rel:related_item", &[], |xml| {
                let attributes = [("relationship-type", relation), ("identifier-type", "doi")];
                xml.text("rel:inter_work_relation", &attributes, doi.as_str());
            });
        }
    });
}

fn citations(xml: &mut XmlWriter, references: &[&Reference]) {
    let first = references.iter().filter_map(|reference| reference.citations.first());
    let mut citations = first.filter(|citation| !citation.plain.is_empty()).peekable();
    if citations.peek().is_none() {
        return;
    }
    xml.element("citation_list", &[], |xml| {
        for (at, citation) in citations.enumerate() {
            xml.element("citation", &[("key", &format!("ref{}", at + 1))], |xml| {
                // An address in the place of the DOI would make Crossref refuse the whole article.
                if let Ok(doi) = Doi::parse(&citation.doi) {
                    xml.field("doi", doi.as_str());
                }
                xml.field("unstructured_citation", &citation.plain);
            });
        }
    });
}

#[cfg(test)]
mod tests;
