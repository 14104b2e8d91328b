//! The home page: the sections of its configuration in their order.
//!
//! What the sections show is read by one statement (`parts.rs`), however many they are; the numbers of documents by a second one.

mod articles;
mod carousel;
mod hero;
mod lists;
mod parts;
mod sites;
mod statistics;

use masthead_domain::{
    publication::{Issue, Journal},
    route::Route,
    site::{Home, HomeKind, HomePlace, HomeSection},
};
use masthead_runtime::Call;
use masthead_store::StoreError;
use maud::{Markup, html};

use self::parts::{Choice, SectionContent};
use crate::page::{
    content::bidi,
    context::{Context, Page, PageError},
};
use crate::{page::head::Head, page::types::PageView};
use masthead_content::citation;

/// What all sections of a page know.
struct View<'a> {
    context: &'a Context<'a>,
    journals: &'a [Journal],
    /// The issues of the first journal, newest first.
    issues: &'a [Issue],
    choice: Choice,
    /// The address of the page without parameters.
    address: String,
    /// Whether the sections are those of the configuration.
    composed: bool,
    /// The channel whose page it is; 0 for the home page itself.
    channel: i64,
    /// The sections of the page, in their order.
    sections: &'a [HomeSection],
}

impl View<'_> {
    /// The current issue of a site with one journal.
    fn current(&self) -> Option<&Issue> {
        current(self.journals, self.issues)
    }
}

fn current<'a>(journals: &[Journal], issues: &'a [Issue]) -> Option<&'a Issue> {
    issues.first().filter(|_| journals.len() == 1)
}

/// The home page of the site, or of the channel with this number.
pub async fn page(context: &Context<'_>, call: &mut Call, channel: Option<i64>) -> Result<Page, PageError> {
    let (journals, issues) = (context.journals().await?, context.issues().await?);
    let home = &context.entry.site.home;
    let own = channel.filter(|id| home.sections.iter().any(|section| section.channel == *id));
    let sections = composition(home, own.unwrap_or(0), journals.len());
    let address = context.addresses.route(&own.map_or(Route::Home, Route::HomeOf));
    let choice = Choice::read(context);
    // A page of a channel without sections of its own, and one with another ranking, is known by the address of the home page.
    let other = choice.is_made() || (channel.is_some() && own.is_none());
    let view = View {
        context,
        journals,
        issues,
        choice,
        address,
        composed: !home.sections.is_empty(),
        channel: own.unwrap_or(0),
        sections: &sections,
    };
    let parts = parts::read(&view, call, &sections).await?;
    let main = body(&view, home, &sections, &parts)?;
    let site = &context.entry.site;
    let (name, description) = (site.name.get(context.lang()), site.description.get(context.lang()));
    let absolute = format!("{}{}", context.origin, context.addresses.route(&Route::Home));
    Ok(Page {
        compressed: Vec::new(),
        refused: false,
        status: 200,
        title: String::new(),
        head: Head {
            keywords: site.keywords.join(", "),
            json_ld: citation::journals(name, &absolute, context.lang(), journals),
            canonical: if other { view.address.clone() } else { String::new() },
            ..Head::page(if description.is_empty() { name } else { description })
        },
        main,
        view: PageView::Home {},
        cacheable: view.choice.is_known(),
        article: None,
    })
}

/// The sections of a page. Where nothing is configured: the journal with its current issue, or the site with its journals and the latest
/// articles.
fn composition(home: &Home, channel: i64, journals: usize) -> Vec<HomeSection> {
    let of = |channel: i64| home.sections.iter().filter(move |section| section.channel == channel).cloned();
    let mut sections: Vec<HomeSection> = of(channel).collect();
    if sections.is_empty() {
        let journals = (journals != 1).then_some(HomeKind::Journals);
        let kinds = std::iter::once(HomeKind::Hero).chain(journals).chain([HomeKind::Contents]);
        sections = kinds.map(HomeSection::new).collect();
    }
    if !sections.iter().any(|section| section.kind == HomeKind::Plugins) {
        sections.push(HomeSection::new(HomeKind::Plugins));
    }
    sections
}

fn body(
    view: &View<'_>,
    home: &Home,
    sections: &[HomeSection],
    parts: &[SectionContent],
) -> Result<Markup, StoreError> {
    let context = view.context;
    let drawn: Vec<Markup> = (1..)
        .zip(sections.iter().zip(parts))
        .map(|(number, (section, part))| section_of(view, section, part, &section_id(number)))
        .collect::<Result<_, _>>()?;
    if !view.composed {
        return Ok(html! { @for section in drawn { (section) } });
    }
    let titled = sections.iter().any(|section| section.kind == HomeKind::Hero);
    Ok(html! {
        div.home data-layout=(home.layout.as_str()) {
            @if !titled { h1.visually-hidden { (bidi::local(&context.entry.site.name, context.lang())) } }
            @for band in bands(sections) {
                @if sections[band.start].place == HomePlace::Full {
                    @for section in &drawn[band.clone()] { (section) }
                } @else {
                    (columns(&sections[band.clone()], &drawn[band]))
                }
            }
        }
    })
}

/// The id of the section with this number, from 1.
fn section_id(number: usize) -> String {
    format!("home-{number}")
}

/// What the page tells the modules of its slot (`HomeProps` in `plugin-sdk/ui/src/contract/slots.ts`): its sections, among which the one of the kind
/// `plugins` is the slot.
fn slot_props(view: &View<'_>) -> String {
    let (home, lang) = (&view.context.entry.site.home, view.context.lang());
    // The head and the slot are no blocks, and sections that nobody has configured have no ids.
    let is_block = |section: &HomeSection| !matches!(section.kind, HomeKind::Hero | HomeKind::Plugins);
    let told = |(number, section): (usize, &HomeSection)| {
        let id = if view.composed && is_block(section) { section_id(number) } else { String::new() };
        serde_json::json!({
            "kind": section.kind.as_str(),
            "id": id,
            "place": section.place,
            "title": section.title.get(lang),
            "size": section.entries(),
        })
    };
    let sections: Vec<serde_json::Value> = (1..).zip(view.sections).map(told).collect();
    serde_json::json!({ "layout": home.layout.as_str(), "channel": view.channel, "sections": sections }).to_string()
}

/// The runs of sections over the whole width, and of sections beside each other.
fn bands(sections: &[HomeSection]) -> Vec<std::ops::Range<usize>> {
    let is_full = |index: usize| sections[index].place == HomePlace::Full;
    let mut bands: Vec<std::ops::Range<usize>> = Vec::new();
    for index in 0..sections.len() {
        match bands.last_mut().filter(|band| is_full(band.start) == is_full(index)) {
            Some(band) => band.end = index + 1,
            None => bands.push(index..index + 1),
        }
    }
    bands
}

fn columns(sections: &[HomeSection], drawn: &[Markup]) -> Markup {
    let column = |place: HomePlace| {
        let of = sections.iter().zip(drawn).filter(|(section, _)| section.place == place);
        of.map(|(_, markup)| markup).collect::<Vec<_>>()
    };
    html! {
        div.home-columns {
            div.home-main { @for section in column(HomePlace::Main) { (section) } }
            div.home-side { @for section in column(HomePlace::Side) { (section) } }
        }
    }
}

fn section_of(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Result<Markup, StoreError> {
    Ok(match section.kind {
        HomeKind::Hero => hero::hero(view),
        HomeKind::Carousel => carousel::carousel(view, section, part, id)?,
        HomeKind::Contents => articles::contents(view, section, part, id),
        HomeKind::CurrentIssue => articles::current_issue(view, section, part, id),
        HomeKind::Latest => articles::latest(view, section, part, id),
        HomeKind::OnlineFirst => articles::part_of(view, section, part, id, ("online_first", &Route::OnlineFirst)),
        HomeKind::JustAccepted => articles::part_of(view, section, part, id, ("just_accepted", &Route::JustAccepted)),
        HomeKind::News => lists::news(view, section, part, id)?,
        HomeKind::Albums => lists::albums(view, section, part, id)?,
        HomeKind::Rankings => articles::ranking(view, section, part, id),
        HomeKind::HotWords => lists::hot_words(view, section, part, id),
        HomeKind::Statistics => statistics::chart(view, section, part, id),
        HomeKind::Links => lists::links(view, section, part, id)?,
        HomeKind::Journals => hero::journals(view, section, id),
        HomeKind::Sites => sites::sites(view, section, id),
        HomeKind::Plugins => html! { div data-slot="home.sections" data-props=(slot_props(view)) {} },
    })
}

/// A section with its heading: the configured one, else the message with this key. `more` stands beside it.
fn block(
    view: &View<'_>,
    section: &HomeSection,
    id: &str,
    key: &'static str,
    more: &Markup,
    content: &Markup,
) -> Markup {
    let id = view.composed.then_some(id);
    html! {
        section.block id=[id] data-kind=[id.map(|_| section.kind.as_str())] {
            h2.block-title { (heading(view, section, key)) (more) }
            (content)
        }
    }
}

fn heading(view: &View<'_>, section: &HomeSection, key: &'static str) -> Markup {
    let context = view.context;
    html! {
        @if section.title.is_empty() { (context.texts.get(key)) } @else { (bidi::local(&section.title, context.lang())) }
    }
}

/// The link beside a heading to the page with all entries. Several sections of a page have this link, so it names its section by the heading.
fn view_all(view: &View<'_>, section: &HomeSection, key: &'static str, href: &str) -> Markup {
    html! {
        a.block-more href=(href) {
            (view.context.texts.get("view_all")) span.visually-hidden { ": " (heading(view, section, key)) }
        }
    }
}

/// The message of a section that has nothing to show.
fn nothing(view: &View<'_>) -> Markup {
    html! { p.empty { (view.context.texts.get("no_data")) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(sections: &[HomeSection]) -> Vec<HomeKind> {
        sections.iter().map(|section| section.kind).collect()
    }

    #[test]
    fn nothing_configured_is_the_journal_or_the_journals() {
        use HomeKind::{Contents, Hero, Journals, Plugins};
        let home = Home::default();
        assert_eq!(kinds(&composition(&home, 0, 1)), [Hero, Contents, Plugins]);
        assert_eq!(kinds(&composition(&home, 0, 3)), [Hero, Journals, Contents, Plugins]);
    }

    #[test]
    fn a_channel_shows_its_own_sections() {
        use HomeKind::{Hero, Latest, News, Plugins};
        let of = |kind, channel| HomeSection { channel, ..HomeSection::new(kind) };
        let home = Home { sections: vec![of(Hero, 0), of(Plugins, 0), of(News, 0), of(Latest, 7)], ..Home::default() };
        assert_eq!(kinds(&composition(&home, 0, 1)), [Hero, Plugins, News], "plugins stand where they are configured");
        assert_eq!(kinds(&composition(&home, 7, 1)), [Latest, Plugins]);
    }

    #[test]
    fn neighbours_in_columns_make_one_band() {
        let at = |place| HomeSection { place, ..HomeSection::new(HomeKind::Latest) };
        use HomePlace::{Full, Main, Side};
        let sections = [Full, Full, Main, Side, Main, Full].map(at);
        assert_eq!(bands(&sections), [0..2, 2..5, 5..6]);
        assert!(bands(&[]).is_empty());
    }
}
