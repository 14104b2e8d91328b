//! A resource as an entry of a list.

use masthead_domain::{
    LocalText,
    link::{is_own, is_web},
    resource::{
        Album, Audio, Book, Collection, Conference, Document, Expert, News, Patent, Picture, ResourceKind, Standard,
        TableSheet, Tool, Video, Wechat,
    },
    route::Route,
    text::without_tags,
};
use masthead_store::{ResourceRow, StoreError};
use maud::{Markup, html};

use super::figure_or_table::FigureOrTableParts;
use crate::{
    page::{
        content::{bidi, list, news_destination::NewsDestination},
        context::Context,
    },
    sites::addresses::Addresses,
};

/// Greatest length of a description in a list, in characters.
const MAX_SUMMARY: usize = 240;

/// An entry of a list.
pub struct ResourceEntry {
    /// Kind of the resource.
    pub kind: ResourceKind,
    /// Number of the resource.
    pub id: i64,
    /// Where its title leads, or "".
    pub href: String,
    /// What the shell asks for when the title is followed, because the host decides then where it leads (`ui-shell/src/later/jump.ts`), or "".
    pub jump: String,
    /// Title or name.
    pub title: Markup,
    /// What stands before the title: the label of a figure, the number of a standard.
    pub label: String,
    /// Address of its picture, or "".
    pub picture: String,
    /// Length of a recording in seconds, or 0.
    pub seconds: u32,
    /// Words that mark it: the standing of a standard.
    pub marks: Vec<&'static str>,
    /// People, places, dates.
    pub facts: Vec<Markup>,
    /// A short description.
    pub summary: Markup,
    /// The article that it is part of: address and title.
    pub article: Option<(String, Markup)>,
    /// The sentence of that article that mentions it.
    pub mention: Markup,
    /// The badges that plugins attach to that article.
    pub badges: Markup,
}

impl ResourceEntry {
    fn new(context: &Context<'_>, row: &ResourceRow, title: &LocalText) -> Self {
        let href = Route::of_resource(row.kind, row.id).map(|route| context.addresses.route(&route));
        Self {
            kind: row.kind,
            id: row.id,
            href: href.unwrap_or_default(),
            jump: String::new(),
            title: bidi::local(title, context.lang()),
            label: String::new(),
            picture: String::new(),
            seconds: 0,
            marks: Vec::new(),
            facts: Vec::new(),
            summary: html! {},
            article: None,
            mention: html! {},
            badges: html! {},
        }
    }

    /// Prepares an entry of another site for the page. Its address is absolute where that site has a host of its own, whose pictures the content
    /// security policy of the page does not load. The shell cannot ask its own site where it leads.
    pub fn show_from_elsewhere(&mut self, addresses: &Addresses) {
        self.href = addresses.file(std::mem::take(&mut self.href));
        self.jump.clear();
        if addresses.are_on_other_host() {
            self.picture.clear();
        }
    }

    fn picture(mut self, address: &str) -> Self {
        if is_own(address) {
            address.clone_into(&mut self.picture);
        }
        self
    }

    fn about(mut self, context: &Context<'_>, text: &LocalText) -> Self {
        self.summary = short(context, text);
        self
    }

    fn people(mut self, context: &Context<'_>, names: &[String]) -> Self {
        if !names.is_empty() {
            self.facts.push(people(context, names));
        }
        self
    }

    fn fact(mut self, fact: Markup) -> Self {
        if !fact.0.is_empty() {
            self.facts.push(fact);
        }
        self
    }

    fn dated(self, iso: &str) -> Self {
        self.fact(day(iso))
    }
}

/// The article of a figure or table, for the reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfArticle {
    /// Whether the reader may not read it.
    pub closed: bool,
    /// Its address.
    pub href: String,
}

/// An entry for a row; `None` for kinds that no page lists. A figure or table of a closed article shows only what everyone may see.
///
/// # Errors
/// [`StoreError`], if the row cannot be read.
pub fn of_row(
    context: &Context<'_>,
    row: &ResourceRow,
    article: OfArticle,
) -> Result<Option<ResourceEntry>, StoreError> {
    Ok(Some(match row.kind {
        ResourceKind::Picture => figure_or_table(context, row, row.value::<Picture>()?.into(), article),
        ResourceKind::Table => figure_or_table(context, row, row.value::<TableSheet>()?.into(), article),
        ResourceKind::Audio => audio(context, row, &row.value()?),
        ResourceKind::Video => video(context, row, &row.value()?),
        ResourceKind::Book => book(context, row, &row.value()?),
        ResourceKind::Patent => patent(context, row, &row.value()?),
        ResourceKind::Standard => standard(context, row, &row.value()?),
        ResourceKind::Document => document(context, row, &row.value()?),
        ResourceKind::Conference => conference(context, row, &row.value()?),
        ResourceKind::News => news(context, row, &row.value()?),
        ResourceKind::Wechat => wechat(context, row, &row.value()?),
        ResourceKind::Tool => tool(context, row, &row.value()?),
        ResourceKind::Collection => collection(context, row, &row.value()?),
        ResourceKind::Album => album(context, row, &row.value()?),
        ResourceKind::Expert => expert(context, row, &row.value()?),
        _ => return Ok(None),
    }))
}

fn figure_or_table(
    context: &Context<'_>,
    row: &ResourceRow,
    mut part: FigureOrTableParts,
    of: OfArticle,
) -> ResourceEntry {
    if of.closed {
        part.close();
    }
    let entry = ResourceEntry::new(context, row, &part.title).picture(part.preview()).about(context, &part.note);
    let article = (!part.thesis.is_empty()).then(|| (of.href, bidi::local(&part.thesis, context.lang())));
    ResourceEntry { label: part.label, article, ..entry }
}

fn audio(context: &Context<'_>, row: &ResourceRow, audio: &Audio) -> ResourceEntry {
    let entry =
        ResourceEntry::new(context, row, &audio.title).picture(&audio.cover).about(context, &audio.introduction);
    ResourceEntry { seconds: audio.seconds, ..entry.people(context, &audio.speakers).dated(&audio.date) }
}

fn video(context: &Context<'_>, row: &ResourceRow, video: &Video) -> ResourceEntry {
    let entry =
        ResourceEntry::new(context, row, &video.title).picture(&video.cover).about(context, &video.introduction);
    ResourceEntry { seconds: video.seconds, ..entry.people(context, &video.speakers).dated(&video.date) }
}

fn book(context: &Context<'_>, row: &ResourceRow, book: &Book) -> ResourceEntry {
    let names: Vec<String> = book.contributors.iter().map(|person| person.name.clone()).collect();
    let names = if names.is_empty() && !book.chief_editor.is_empty() { vec![book.chief_editor.clone()] } else { names };
    let entry = ResourceEntry::new(context, row, &book.title).picture(&book.cover).about(context, &book.introduction);
    entry.people(context, &names).fact(name(&book.publisher)).dated(&book.first_published)
}

fn patent(context: &Context<'_>, row: &ResourceRow, patent: &Patent) -> ResourceEntry {
    let number =
        if patent.publication_number.is_empty() { &patent.application_number } else { &patent.publication_number };
    let entry = ResourceEntry::new(context, row, &patent.title).about(context, &patent.introduction);
    let entry = entry.people(context, &patent.applicants).fact(name(&patent.legal_state)).dated(&patent.date);
    ResourceEntry { label: number.clone(), ..entry }
}

fn standard(context: &Context<'_>, row: &ResourceRow, standard: &Standard) -> ResourceEntry {
    let entry = ResourceEntry::new(context, row, &standard.title).about(context, &standard.introduction);
    let entry = entry.fact(bidi::local(&standard.organization, context.lang())).dated(&standard.date);
    ResourceEntry { label: standard.number.clone(), marks: standing(standard).into_iter().collect(), ..entry }
}

/// Key of the word for the standing of a standard.
pub fn standing(standard: &Standard) -> Option<&'static str> {
    match standard.standing.as_str() {
        "current" => Some("standing_current"),
        "withdrawn" => Some("standing_withdrawn"),
        "draft" => Some("standing_draft"),
        _ => None,
    }
}

fn document(context: &Context<'_>, row: &ResourceRow, document: &Document) -> ResourceEntry {
    let entry = ResourceEntry::new(context, row, &document.title).picture(&document.cover);
    entry.about(context, &document.introduction).people(context, &document.authors).dated(&document.date)
}

fn conference(context: &Context<'_>, row: &ResourceRow, conference: &Conference) -> ResourceEntry {
    let lang = context.lang();
    let entry = ResourceEntry::new(context, row, &conference.title).picture(&conference.cover);
    let entry = entry.fact(period(&conference.start, &conference.end)).fact(bidi::local(&conference.place, lang));
    entry.fact(bidi::local(&conference.organizer, lang)).about(context, &conference.content)
}

fn news(context: &Context<'_>, row: &ResourceRow, news: &News) -> ResourceEntry {
    let entry = ResourceEntry::new(context, row, &news.title).picture(&news.cover).about(context, &news.summary);
    let entry = entry.dated(&news.date).fact(name(&news.source));
    let NewsDestination { href, jump, .. } = NewsDestination::of(context, row.id, &news.link_value);
    ResourceEntry { href, jump: jump.unwrap_or_default(), ..entry }
}

fn wechat(context: &Context<'_>, row: &ResourceRow, post: &Wechat) -> ResourceEntry {
    let entry = ResourceEntry::new(context, row, &post.title).picture(&post.cover).about(context, &post.summary);
    let entry = entry.fact(name(&post.account)).dated(&post.date);
    ResourceEntry { href: outside(&post.link_value), ..entry }
}

fn tool(context: &Context<'_>, row: &ResourceRow, tool: &Tool) -> ResourceEntry {
    let entry = ResourceEntry::new(context, row, &tool.title).picture(&tool.icon).about(context, &tool.introduction);
    ResourceEntry { href: outside(&tool.link_value), ..entry }
}

fn collection(context: &Context<'_>, row: &ResourceRow, collection: &Collection) -> ResourceEntry {
    let entry = ResourceEntry::new(context, row, &collection.title).picture(&collection.cover);
    entry.about(context, &collection.introduction).dated(&collection.date)
}

fn album(context: &Context<'_>, row: &ResourceRow, album: &Album) -> ResourceEntry {
    let entry = ResourceEntry::new(context, row, &album.title).picture(&album.cover);
    entry.about(context, &album.introduction).dated(&album.date)
}

fn expert(context: &Context<'_>, row: &ResourceRow, expert: &Expert) -> ResourceEntry {
    let lang = context.lang();
    let entry = ResourceEntry::new(context, row, &expert.name).picture(&expert.photo);
    let entry = entry.fact(bidi::local(&expert.position_title, lang)).fact(bidi::local(&expert.organization, lang));
    entry.about(context, &expert.fields)
}

/// The address of another site that a resource leads to, or "".
fn outside(address: &str) -> String {
    if is_web(address) { address.to_owned() } else { String::new() }
}

/// A name, or nothing.
pub fn name(text: &str) -> Markup {
    if text.is_empty() {
        html! {}
    } else {
        bidi::isolated(text)
    }
}

/// The day of a date, or nothing.
pub fn day(iso: &str) -> Markup {
    if iso.is_empty() {
        html! {}
    } else {
        bidi::day(iso)
    }
}

/// The first and the last day of something, of which the last may be missing.
pub fn period(start: &str, end: &str) -> Markup {
    let days: Vec<Markup> = [start, end].into_iter().filter(|day| !day.is_empty()).map(bidi::day).collect();
    if start == end { day(start) } else { bidi::joined(&days, " – ") }
}

/// Names in their order.
pub fn people(context: &Context<'_>, names: &[String]) -> Markup {
    let names: Vec<Markup> = names.iter().map(|name| bidi::isolated(name)).collect();
    bidi::joined(&names, list::comma(context.lang()))
}

/// The beginning of a text or of HTML, as text.
pub fn short(context: &Context<'_>, text: &LocalText) -> Markup {
    let Some((lang, whole)) = text.chosen(context.lang()) else { return html! {} };
    let whole = without_tags(whole);
    let cut: String = whole.chars().take(MAX_SUMMARY).collect();
    let more = if cut.len() < whole.len() { "…" } else { "" };
    let own = lang != context.lang();
    html! { span lang=[own.then(|| lang.tag())] dir=[own.then(|| lang.dir())] { (cut) (more) } }
}

/// The length of a recording: minutes and seconds.
pub fn length(seconds: u32) -> Markup {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let text = if hours > 0 { format!("{hours}:{minutes:02}:{rest:02}") } else { format!("{minutes}:{rest:02}") };
    html! { time datetime={ "PT" (seconds) "S" } dir="ltr" { (text) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_periods_are_written_as_readers_say_them() {
        assert_eq!(length(65).into_string(), "<time datetime=\"PT65S\" dir=\"ltr\">1:05</time>");
        assert_eq!(length(3_725).into_string(), "<time datetime=\"PT3725S\" dir=\"ltr\">1:02:05</time>");
        assert_eq!(period("2026-05-01", "2026-05-01").into_string().matches("<time").count(), 1);
        assert_eq!(period("2026-05-01", "2026-05-03").into_string().matches("<time").count(), 2);
        assert_eq!(period("", "").into_string(), "");
        assert_eq!(day("2026-05-01T08:30:00Z").into_string(), day("2026-05-01").into_string());
    }

    #[test]
    fn only_addresses_of_servers_lead_outside() {
        assert_eq!(outside("https://a.example/"), "https://a.example/");
        assert_eq!(outside("javascript:alert(1)"), "");
    }
}
