//! The data that the shell receives with a page: the bootstrap, and the payload of in-site navigation.

use std::collections::BTreeMap;

use masthead_domain::{
    ArticleId, Lang, SiteId,
    notice::{NoticeKind, NoticeMark, NoticeSide},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    schema::{self, Permissions, SiteKind},
    ui::SlotModule,
};

/// All data that the shell needs to draw a page without a further request.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bootstrap {
    /// Version of this structure; the shell rejects other versions.
    #[schema(example = 1)]
    pub contract: u32,
    /// The site.
    pub site: SiteView,
    /// The page's language.
    #[schema(value_type = schema::Lang)]
    pub lang: Lang,
    /// Prefix of every internal address: "" on a host of the site's own, `/<sld>` on the platform's host.
    pub base: String,
    /// The same page in every language of the site.
    pub languages: Vec<LanguageLink>,
    /// The navigation menu: enabled channels, named in the page's language and resolved to links.
    pub menu: Vec<MenuLink>,
    /// Header configuration.
    pub header: HeaderView,
    /// Footer configuration.
    pub footer: FooterView,
    /// Search widget configuration.
    pub search: SearchView,
    /// Modules by slot, in order.
    pub slots: BTreeMap<String, Vec<SlotModule>>,
    /// The reader's session.
    pub session: SessionView,
    /// Languages into which section texts can be translated by machine; empty when translation is off.
    #[schema(value_type = Vec<schema::Lang>)]
    pub translate: Vec<Lang>,
    /// The reader's permissions.
    pub permissions: Permissions,
    /// The page itself.
    pub page: PageView,
}

/// A site, in the page's language.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteView {
    /// Id of the site.
    #[schema(value_type = schema::SiteId)]
    pub id: SiteId,
    /// Short name.
    pub sld: String,
    /// Name in the page's language.
    pub name: String,
    /// Description in the page's language, or "".
    pub description: String,
    /// single, group or all.
    #[serde(rename = "type")]
    pub kind: SiteKind,
    /// 1 for a group site.
    pub group_type: i32,
    /// Theme preset.
    pub color_id: u8,
    /// 0 colours, 1 grey index element, else grey page.
    pub gray_type: i32,
    /// Header style id.
    pub nav_style: i32,
    /// Search style id.
    pub search_style: i32,
    /// Logo's address in the page's language, or "".
    pub logo: String,
}

/// The page in another language.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanguageLink {
    /// Route code (`zh`, `ara`).
    #[schema(value_type = schema::Lang)]
    pub code: Lang,
    /// BCP 47 tag (`ar`).
    pub tag: String,
    /// The language's own name.
    pub name: String,
    /// `ltr` or `rtl`.
    pub dir: String,
    /// Address.
    pub href: String,
}

/// A menu entry.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MenuLink {
    /// Channel id.
    pub id: i64,
    /// Channel code.
    pub code: String,
    /// Name in the page's language.
    pub label: String,
    /// Complete address, with prefix and language; external addresses begin with `http:` or `https:`.
    pub href: String,
    /// Whether the link opens in a new tab.
    pub new_tab: bool,
    /// Whether the link leads to the current page.
    pub current: bool,
    /// Entries of the second level.
    #[schema(no_recursion)]
    pub children: Vec<MenuLink>,
}

/// Header configuration, in the page's language.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeaderView {
    /// Address of the home page.
    pub home_href: String,
    /// Sign-in address with the return address, or "" when the entry is hidden.
    pub login_href: String,
    /// Whether to show the language switch.
    pub switch_language: bool,
    /// Whether to show the search widget.
    pub search_box: bool,
    /// Address of the group's site, or "".
    pub group_entrance: String,
    /// At most three buttons.
    pub buttons: Vec<ButtonView>,
    /// Whether the header stays at the top of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<bool>,
    /// Logo for narrow screens, where the site has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile_logo: Option<String>,
    /// Logo for dark paper, where the site has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dark_logo: Option<String>,
    /// Arrangement of the channels in the navigation bar, if the site configures one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nav_distribution: Option<String>,
    /// The group of journals, for a site that leads to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupView>,
}

/// A group of journals, in the page's language.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// Name of the link to the group's site (`groupEntrance`).
    pub entrance: String,
    /// Heading of the list of sites.
    pub title: String,
    /// On a group site, the other sites of the group as far as a menu has room, and then the page that lists all.
    pub sites: Vec<GroupSite>,
}

/// Another site of the group.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupSite {
    /// Name.
    pub name: String,
    /// Address of its home page.
    pub href: String,
}

/// A custom button.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ButtonView {
    /// Name in the page's language.
    pub label: String,
    /// Address.
    pub href: String,
    /// Picture for wide screens, where the button has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pc_picture: Option<String>,
    /// Picture for narrow screens, where the button has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile_picture: Option<String>,
}

/// Footer configuration, in the page's language.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FooterView {
    /// Copyright line.
    pub copyright: String,
    /// ICP filing number, or "".
    pub icp: String,
    /// Its address, or "".
    pub icp_href: String,
    /// Public-security record, or "".
    pub picp: String,
    /// Its address, or "".
    pub picp_href: String,
    /// Style id of the links to the main pages: 0 only that to the whole navigation, 1 all as text, any other with icons.
    pub toolbar_style: i32,
    /// These links.
    pub links: Vec<FooterLink>,
}

/// A link to a main page, in the page's language.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FooterLink {
    /// Name of the page's route.
    pub route: String,
    /// Label.
    pub label: String,
    /// Address.
    pub href: String,
}

/// Search widget, in the page's language.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchView {
    /// Address of the results page; takes `q`, `type` and `field` by GET.
    pub action: String,
    /// Title, or "".
    pub title: String,
    /// Lines under the title.
    pub slogans: Vec<String>,
    /// Scopes in order; at least one.
    pub scopes: Vec<ScopeView>,
    /// Suggested search words.
    pub hot_words: Vec<String>,
    /// Name of the option selector.
    pub option_label: String,
    /// The advanced search, where the site links it; it opens in a new tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advanced: Option<SearchLink>,
    /// A link beside the title, where the site has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quick_entry: Option<SearchLink>,
}

/// A link of a search widget.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SearchLink {
    /// Name in the page's language.
    pub label: String,
    /// Address.
    pub href: String,
}

/// A search scope.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeView {
    /// Value of `type`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name on the tab.
    pub name: String,
    /// Address of the list that shows the results, where it is not the page of results; takes `q` and `field`. It opens in a new tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The first entry of the option selector, where the scope has one (`isOpenConfig`); a call has the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<OptionView>,
}

/// An entry of the option selector: a condition of a search.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionView {
    /// Label in the page's language.
    pub label: String,
    /// Field that is searched; 0 stands for all.
    pub field: String,
}

/// The reader's session.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Whether the reader is signed in.
    pub signed_in: bool,
    /// Masked user name, or "".
    pub user_name: String,
}

/// The current page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum PageView {
    /// Home.
    Home {},
    /// Lists of issues, an issue, just accepted, online first, about, a news item.
    List {
        /// Route name.
        route: String,
    },
    /// Search results.
    Search {
        /// The search text.
        q: String,
        /// Number of hits.
        total: u64,
        /// The scope that was searched, one of the site's, or "".
        #[serde(default)]
        scope: String,
    },
    /// The article reader.
    Article {
        /// The article's id.
        #[schema(value_type = schema::ArticleId)]
        id: ArticleId,
        /// Its DOI, or "".
        doi: String,
        /// Plain title in the page's language.
        title: String,
        /// BCP 47 tag of the text.
        language: String,
        /// The outline of the page, as rendered.
        outline: Vec<OutlineLink>,
        /// The citation of the article as text, for the toolbar.
        citation: String,
        /// Notices about the article, and what it is itself a notice about; the weightiest first.
        #[serde(default)]
        notices: Vec<NoticeView>,
    },
    /// An error or notice page.
    Message {
        /// HTTP status.
        status: u16,
        /// Text.
        message: String,
    },
}

/// A notice that connects the article with another one.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoticeView {
    /// What the notice says.
    #[schema(value_type = schema::NoticeKind)]
    pub kind: NoticeKind,
    /// The side on which the article of this page or call stands.
    #[schema(value_type = schema::NoticeSide)]
    pub side: NoticeSide,
    /// What it means for this article, as a sentence in the reader's language.
    pub text: String,
    /// Id of the other article, null if the site does not have it.
    #[schema(value_type = Option<schema::ArticleId>)]
    pub article: Option<ArticleId>,
    /// DOI of the other article, or "".
    pub doi: String,
    /// Address of the other article: its page on this site, else where its DOI or the source leads.
    pub href: String,
    /// Title of the other article for readers of the page's language, else what is known of it.
    pub title: String,
    /// BCP 47 tag of the title, or "" where it is not known.
    pub language: String,
    /// How lists mark the other article.
    #[schema(value_type = schema::NoticeMark)]
    pub mark: NoticeMark,
    /// ISO date of its publication, or "".
    pub published: String,
}

/// A line of the article's outline.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutlineLink {
    /// Element id.
    pub id: String,
    /// 1 for the reader's sections, deeper below.
    pub level: u8,
    /// Heading with label.
    pub title: String,
}

/// A page as the shell fetches it when the reader follows a link: the bootstrap, and the same HTML of `<main>` that the
/// document holds.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PagePayload {
    /// Document title.
    pub title: String,
    /// BCP 47 tag for `<html lang>`.
    pub tag: String,
    /// `ltr` or `rtl`.
    pub dir: String,
    /// HTTP status that the page has as a document.
    pub status: u16,
    /// Inner HTML of `<main>`, sanitized.
    pub html: String,
    /// The page's bootstrap.
    pub bootstrap: Bootstrap,
}

/// What the shell gets for an address: its page, or where the document of this address would redirect to.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PageAnswer {
    /// The page.
    Page(Box<PagePayload>),
    /// Another address.
    Moved(MovedPage),
}

/// The new address: of a page that has moved, of the same page with its language, or of a channel's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovedPage {
    /// Address, beginning with a slash: a page, which may have a fragment, or a file.
    #[schema(example = "/en/article/17")]
    pub location: String,
}
