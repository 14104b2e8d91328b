//! What the address of a list selects: the kinds, their order, the words that are searched, how they are shown, and which journal's.

use std::collections::BTreeSet;

use masthead_domain::{
    link::{Link, LinkKind},
    resource::ResourceKind,
    route::{ResourceList, Route},
    site::Channel,
};
use masthead_store::PartOrder;

use crate::page::context::{Context, PageError};

/// A choice within a list: a value of its parameter `type`.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value.
    pub name: &'static str,
    /// Key of its name in the catalogues.
    pub label: &'static str,
    /// The kinds that it lists.
    pub kinds: &'static [ResourceKind],
    /// The section of the kind that it lists, or "" for all.
    pub section: &'static str,
}

impl Choice {
    /// Whether there is something that it lists, if these kinds and sections have something.
    fn is_among(&self, present: &[(ResourceKind, String)]) -> bool {
        let is_listed = |kind: ResourceKind, section: &str| {
            self.kinds.contains(&kind) && (self.section.is_empty() || self.section == section)
        };
        present.iter().any(|(kind, section)| is_listed(*kind, section))
    }
}

const fn choice(
    name: &'static str,
    label: &'static str,
    kinds: &'static [ResourceKind],
    section: &'static str,
) -> Choice {
    Choice { name, label, kinds, section }
}

const PATENT: Choice = choice("patent", "patents", &[ResourceKind::Patent], "");
const STANDARD: Choice = choice("standard", "standards", &[ResourceKind::Standard], "");
const TOOL: Choice = choice("tool", "tools", &[ResourceKind::Tool], "");
const BOOK: Choice = choice("book", "books", &[ResourceKind::Book], "");
const VIDEO: Choice = choice("video", "tab_video", &[ResourceKind::Video], "");
const AUDIO: Choice = choice("audio", "tab_audio", &[ResourceKind::Audio], "");

const TEXT: &[Choice] = &[
    choice("picture", "tab_figures", &[ResourceKind::Picture], ""),
    choice("table", "tab_tables", &[ResourceKind::Table], ""),
];
const OTHERS: &[Choice] = &[
    choice(
        "other",
        "other_resources",
        &[ResourceKind::Document, ResourceKind::Patent, ResourceKind::Standard, ResourceKind::Tool],
        "",
    ),
    choice("science", "documents", &[ResourceKind::Document], "science"),
    choice("music", "sheet_music", &[ResourceKind::Document], "music"),
    choice("chronicle", "local_history", &[ResourceKind::Document], "chronicle"),
    PATENT,
    STANDARD,
    TOOL,
];
const INFORMATION: &[Choice] =
    &[choice("news", "news", &[ResourceKind::News], ""), choice("wechat", "wechat_posts", &[ResourceKind::Wechat], "")];
const CURRENCY: &[Choice] = &[
    choice(
        "mixed",
        "mixed_resources",
        &[
            ResourceKind::Video,
            ResourceKind::Patent,
            ResourceKind::Standard,
            ResourceKind::Document,
            ResourceKind::Conference,
        ],
        "",
    ),
    choice("onlineVideo", "online_videos", &[ResourceKind::Video], "onlineVideo"),
    choice("videoManuscript", "video_manuscripts", &[ResourceKind::Video], "videoManuscript"),
    PATENT,
    STANDARD,
    choice("conference", "conferences", &[ResourceKind::Conference], ""),
    choice("document", "documents", &[ResourceKind::Document], ""),
    AUDIO,
    VIDEO,
    BOOK,
    TOOL,
];

/// The choices of each list; the first is the default.
const fn choices(list: ResourceList) -> &'static [Choice] {
    match list {
        ResourceList::Text => TEXT,
        ResourceList::Audio => &[VIDEO, AUDIO],
        ResourceList::Others => OTHERS,
        ResourceList::Information => INFORMATION,
        ResourceList::Currency => CURRENCY,
        ResourceList::Books => &[BOOK],
    }
}

/// The choice of a list with this name.
fn choice_named(list: ResourceList, name: &str) -> Option<&'static Choice> {
    choices(list).iter().find(|choice| choice.name == name)
}

/// The type that the page of results has for a list: the first of these names that the list knows and that page has a tab for, else the list's
/// default.
pub fn searched_type(list: ResourceList, names: [&str; 2]) -> &'static str {
    let mut searched = names.into_iter().filter(|name| list.has_results(name));
    searched.find_map(|name| choice_named(list, name)).unwrap_or(&choices(list)[0]).name
}

/// Number of choices of a list that are offered beside each other: `currencyList` has more, which only the channels of sites name.
const fn offered(list: ResourceList) -> usize {
    match list {
        ResourceList::Currency => 6,
        other => choices(other).len(),
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// As the editors arranged it, then newest first; search results by relevance.
    #[default]
    Usual,
    /// Newest first: another order than the usual one for search results only.
    Newest,
    /// Oldest first.
    Oldest,
    /// Most viewed first.
    Visits,
}

impl Sort {
    /// The value of the parameter `sort`; "" is the usual order.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usual => "",
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Visits => "visits",
        }
    }

    /// The order of a list that was not searched.
    pub const fn in_list(self) -> PartOrder {
        match self {
            Self::Usual | Self::Newest => PartOrder::Usual,
            Self::Oldest => PartOrder::Reversed,
            Self::Visits => PartOrder::Visits,
        }
    }

    /// Reads the parameter.
    pub fn parse(name: &str) -> Self {
        [Self::Newest, Self::Oldest, Self::Visits].into_iter().find(|sort| sort.name() == name).unwrap_or_default()
    }
}

/// How entries are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Pictures beside each other.
    Grid,
    /// One below the other.
    List,
}

impl Layout {
    /// The value of the parameter `styleId`.
    const fn style(self) -> i32 {
        match self {
            Self::Grid => 1,
            Self::List => 2,
        }
    }

    const fn of_style(style: i32) -> Option<Self> {
        match style {
            1 => Some(Self::Grid),
            2 => Some(Self::List),
            _ => None,
        }
    }

    /// What suits a choice: pictures and covers stand in a grid.
    pub fn of_kinds(kinds: &[ResourceKind]) -> Self {
        let pictured = [ResourceKind::Picture, ResourceKind::Video, ResourceKind::Audio, ResourceKind::Book];
        if kinds.iter().all(|kind| pictured.contains(kind)) { Self::Grid } else { Self::List }
    }
}

/// What an address selects.
pub struct Selection<'a> {
    list: ResourceList,
    /// The choice.
    pub choice: &'static Choice,
    /// The channel that the reader came by.
    channel: Option<&'a Channel>,
    /// The words that are searched, or "".
    pub words: String,
    /// Key of the journal whose figures or tables are listed, or "" for all.
    pub journal: String,
    /// The order.
    pub sort: Sort,
    /// The arrangement.
    pub layout: Layout,
    /// Whether the address has only values that the list knows. There is no end of others, so that their pages are not kept.
    pub is_known: bool,
}

impl<'a> Selection<'a> {
    /// Reads the parameters. Values that a list does not know select its default: an address that somebody has mistyped still leads to a
    /// list.
    ///
    /// # Errors
    /// [`PageError`], when the journals cannot be read.
    pub async fn read(context: &'a Context<'_>, list: ResourceList) -> Result<Selection<'a>, PageError> {
        let channel = context.parameter("columnId").parse::<i64>().ok();
        let channel = channel.and_then(|id| context.entry.site.channels.iter().find(|channel| channel.id == id));
        let code = channel.map_or("", |channel| channel.code.as_str());
        let (asked_type, asked_code) = (context.parameter("type"), context.parameter("code"));
        let names = [asked_type, asked_code, code];
        let known = |name: &str| choice_named(list, name);
        let choice = names.into_iter().find_map(known).unwrap_or(&choices(list)[0]);
        let journals = context.journals().await?;
        let asked_journal = context.parameter("journal");
        let journal = journals.iter().find(|known| known.key == asked_journal).map_or("", |known| known.key.as_str());
        let of_a_channel = |code: &str| context.entry.site.channels.iter().any(|channel| channel.code == code);
        let is_known = (asked_type.is_empty() || known(asked_type).is_some())
            && (asked_code.is_empty() || known(asked_code).is_some() || of_a_channel(asked_code))
            && journal == asked_journal;
        let style = context.parameter("styleId").parse::<i32>().ok();
        let style = style.or(channel.map(|channel| channel.style_id)).and_then(Layout::of_style);
        Ok(Self {
            list,
            choice,
            channel,
            words: context.parameter("q").to_owned(),
            journal: journal.to_owned(),
            sort: Sort::parse(context.parameter("sort")),
            layout: style.unwrap_or_else(|| Layout::of_kinds(choice.kinds)),
            is_known,
        })
    }

    /// The heading: the name of the channel, else of what is listed.
    pub fn title(&self, context: &'a Context<'_>) -> String {
        let named = self.channel.and_then(|channel| channel.label(context.lang()));
        named.unwrap_or_else(|| context.texts.get(self.choice.label)).to_owned()
    }

    /// The choices to offer beside this one, without those of which the site has nothing; none on the page of a channel, which is about its own.
    ///
    /// # Errors
    /// [`PageError`], when the kinds of which the site has something cannot be read.
    pub async fn offered(&self, context: &Context<'_>) -> Result<Vec<&'static Choice>, PageError> {
        let choices = self.choices();
        // The two choices of each other list are of kinds that almost every site has.
        if choices.is_empty() || !matches!(self.list, ResourceList::Currency | ResourceList::Others) {
            return Ok(choices.iter().collect());
        }
        let kinds: BTreeSet<ResourceKind> = choices.iter().flat_map(|choice| choice.kinds).copied().collect();
        let kinds: Vec<ResourceKind> = kinds.into_iter().collect();
        let present = context.store.present_sections(&kinds).await?;
        Ok(choices.iter().filter(|choice| *choice == self.choice || choice.is_among(&present)).collect())
    }

    /// The choices beside this one, whatever the site has.
    fn choices(&self) -> &'static [Choice] {
        if self.channel.is_some() {
            return &[];
        }
        let offered = &choices(self.list)[..offered(self.list)];
        if offered.len() > 1 { offered } else { &[] }
    }

    /// Whether it lists figures or tables, which belong to the journal of their article.
    pub fn is_of_articles(&self) -> bool {
        self.list == ResourceList::Text
    }

    /// The section of the kind that the list is restricted to, or "".
    pub fn section(&self) -> &str {
        if self.journal.is_empty() { self.choice.section } else { &self.journal }
    }

    /// The address of the first page of this selection; what is the default is left out.
    pub fn href(&self, context: &Context<'_>) -> String {
        let mut query = Vec::new();
        let mut add = |name: &str, value: String| {
            if !value.is_empty() {
                query.push((name.to_owned(), value));
            }
        };
        add("type", self.choice.name.to_owned());
        add("columnId", self.channel.map(|channel| channel.id.to_string()).unwrap_or_default());
        add("q", self.words.clone());
        add("journal", self.journal.clone());
        let usual = self.channel.and_then(|channel| Layout::of_style(channel.style_id));
        if self.layout != usual.unwrap_or_else(|| Layout::of_kinds(self.choice.kinds)) {
            add("styleId", self.layout.style().to_string());
        }
        add("sort", self.sort.name().to_owned());
        context.addresses.link(&Link { kind: LinkKind::Other, path: Route::Resources(self.list).path(), query })
    }

    /// The same selection with another choice, from its first page.
    pub fn with_choice(&self, choice: &'static Choice) -> Self {
        let layout = Layout::of_kinds(choice.kinds);
        Self { choice, layout, words: self.words.clone(), journal: self.journal.clone(), ..*self }
    }

    /// The same selection in another order.
    pub fn with_sort(&self, sort: Sort) -> Self {
        Self { sort, words: self.words.clone(), journal: self.journal.clone(), ..*self }
    }

    /// The same selection in another arrangement.
    pub fn with_layout(&self, layout: Layout) -> Self {
        Self { layout, words: self.words.clone(), journal: self.journal.clone(), ..*self }
    }

    /// The same selection of another journal; "" for all.
    pub fn with_journal(&self, journal: &str) -> Self {
        Self { journal: journal.to_owned(), words: self.words.clone(), ..*self }
    }
}

/// The address of the list that a resource of this kind is on.
pub fn list_of(context: &Context<'_>, kind: ResourceKind) -> String {
    let list = ResourceList::of_kind(kind);
    // The list of books has no other.
    let named = list != ResourceList::Books;
    let query = if named { vec![("type".to_owned(), kind.as_str().to_owned())] } else { Vec::new() };
    context.addresses.link(&Link { kind: LinkKind::Other, path: Route::Resources(list).path(), query })
}

/// Key of the name of a kind, in the plural.
pub fn label_of(kind: ResourceKind) -> &'static str {
    // These have pages of their own in place of a list with choices.
    match kind {
        ResourceKind::Expert => return "tab_experts",
        ResourceKind::Collection => return "tab_collections",
        ResourceKind::Album => return "personal_album",
        _ => {}
    }
    let one =
        |list: ResourceList| choices(list).iter().find(|choice| choice.kinds == [kind] && choice.section.is_empty());
    ResourceList::ALL.into_iter().find_map(one).map_or("mixed_resources", |choice| choice.label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_service::terms::{self, OTHER};

    #[test]
    fn the_kinds_of_a_tab_have_different_names() {
        let names: BTreeSet<&str> = OTHER.into_iter().map(label_of).collect();
        assert_eq!(names.len(), OTHER.len(), "{names:?}");
        assert!(!names.contains("mixed_resources"));
    }

    #[test]
    fn a_choice_is_offered_for_its_kinds_and_its_section() {
        let present = [(ResourceKind::Document, "science".to_owned()), (ResourceKind::Standard, "current".to_owned())];
        let offered = |list| {
            let some = choices(list).iter().filter(|choice| choice.is_among(&present));
            some.map(|choice| choice.name).collect::<Vec<_>>()
        };
        assert_eq!(offered(ResourceList::Others), ["other", "science", "standard"]);
        assert_eq!(offered(ResourceList::Currency), ["mixed", "standard", "document"]);
        assert!(!PATENT.is_among(&present) && !PATENT.is_among(&[]));
    }

    #[test]
    fn the_choices_of_a_list_have_different_names() {
        for list in ResourceList::ALL {
            let names: BTreeSet<&str> = choices(list).iter().map(|choice| choice.name).collect();
            assert_eq!(names.len(), choices(list).len(), "{list:?}");
            assert!(choices(list).iter().all(|choice| !choice.kinds.is_empty()));
            assert!(
                choices(list).iter().all(|choice| choice.section.is_empty() || choice.kinds.len() == 1),
                "{list:?}"
            );
        }
    }

    #[test]
    fn a_list_is_searched_on_the_page_of_results_where_that_knows_the_type() {
        for list in ResourceList::ALL {
            for choice in choices(list) {
                assert_eq!(list.has_results(choice.name), terms::kinds(choice.name).is_some(), "{}", choice.name);
            }
            assert!(list.has_results(choices(list)[0].name), "{list:?}: the default is searched there");
        }
    }

    #[test]
    fn what_has_a_picture_stands_in_a_grid() {
        let layout = |list, name: &str| {
            choices(list).iter().find(|choice| choice.name == name).map(|choice| Layout::of_kinds(choice.kinds))
        };
        assert_eq!(layout(ResourceList::Text, "picture"), Some(Layout::Grid));
        assert_eq!(layout(ResourceList::Text, "table"), Some(Layout::List));
        assert_eq!(layout(ResourceList::Books, "book"), Some(Layout::Grid));
        assert_eq!(layout(ResourceList::Currency, "mixed"), Some(Layout::List));
    }

    #[test]
    fn each_kind_with_a_list_has_a_name() {
        assert_eq!(label_of(ResourceKind::Book), "books");
        assert_eq!(label_of(ResourceKind::Document), "documents");
        assert_eq!(label_of(ResourceKind::Conference), "conferences");
        assert_eq!(label_of(ResourceKind::Picture), "tab_figures");
    }

    #[test]
    fn unknown_orders_are_the_usual_one() {
        for sort in [Sort::Usual, Sort::Newest, Sort::Oldest, Sort::Visits] {
            assert_eq!(Sort::parse(sort.name()), sort);
        }
        assert_eq!(Sort::parse("downwards"), Sort::Usual);
    }
}
