//! The input from which the content of a page is built, and the resulting page before the frame is added.

use std::{borrow::Cow, ops::Range, sync::Arc};

use axum::http::HeaderMap;
use masthead_content::compressed_html::CompressedHtml;
use masthead_domain::{
    Lang,
    access::Rights,
    publication::{Issue, Journal},
    route::Route,
    section::SectionNames,
};
use masthead_runtime::Call;
use masthead_store::{FirstResources, SiteStore, StoreError};
use maud::Markup;
use tokio::sync::OnceCell;

use crate::{
    app::{App, menu_content::MenuContent},
    auth::session::User,
    client::Client,
    failure::Failure,
    i18n::Texts,
    page::{
        head::Head,
        reader::{self, Reader},
        request::PageRequest,
        types::PageView,
    },
    search_service::SearchFailure,
    sites::{
        SiteEntry,
        addresses::Addresses,
        scope::{Host, Scope},
    },
};

/// The input from which the content of a page is built.
pub struct Context<'a> {
    /// The application.
    pub app: &'a App,
    /// The site.
    pub entry: &'a Arc<SiteEntry>,
    /// The site's content.
    pub store: SiteStore,
    /// Builder of the site's addresses: in the page's language, or in one of another site that does not have it.
    pub addresses: Addresses,
    /// Messages in the page's language.
    pub texts: Texts<'a>,
    /// What the reader may read.
    pub rights: Rights,
    /// The signed-in user.
    pub user: Option<User>,
    /// Scheme and host for absolute addresses, without trailing slash.
    pub origin: String,
    /// Scheme and host of the request.
    host: &'a Host,
    /// The page's language.
    lang: Lang,
    /// The client that sent the request.
    client: Client,
    /// Whether the site is another one than that of the page.
    is_of_other_site: bool,
    /// The query parameters that the route declares.
    parameters: &'a [(&'static str, String)],
    menu: OnceCell<Arc<MenuContent>>,
}

impl<'a> Context<'a> {
    /// The context of a page request.
    #[must_use]
    pub fn new(app: &'a App, request: &'a PageRequest, host: &'a Host, reader: &Reader) -> Self {
        let entry = &request.scope.entry;
        Self {
            app,
            entry,
            store: app.store.site(entry.site.id),
            addresses: Addresses { base: request.scope.base.clone(), lang: request.lang },
            texts: Texts::new(&app.messages, request.lang),
            rights: reader.rights,
            user: reader.user.clone(),
            origin: host.origin.clone(),
            host,
            lang: request.lang,
            client: reader.client,
            is_of_other_site: false,
            parameters: request.parameters(),
            menu: OnceCell::new(),
        }
    }

    /// The page's language.
    #[must_use]
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// A query parameter that the route declares ([`Route::parameters`](masthead_domain::route::Route::parameters)), or "".
    #[must_use]
    pub fn parameter(&self, name: &str) -> &str {
        self.parameters.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value.as_str())
    }

    /// What the addresses of another site begin with, under the kind of address at which the reader is. `domain` is the platform's.
    #[must_use]
    pub fn root_of_site(&self, entry: &SiteEntry, domain: &str) -> String {
        self.host.base_of(&entry.site, domain, &self.addresses.base)
    }

    /// The address of the home page of another site.
    #[must_use]
    pub fn address_of_site(&self, entry: &SiteEntry, domain: &str, lang: Lang) -> String {
        format!("{}/{lang}/{}/", self.root_of_site(entry, domain), Route::Home.path())
    }

    /// Another site, for this reader. Sessions belong to one site, so only the reader's network counts there.
    pub async fn other_site(&self, entry: &Arc<SiteEntry>) -> OtherSite {
        let base = self.root_of_site(entry, &self.app.sites.load().platform.domain);
        let scope = Scope { entry: Arc::clone(entry), base };
        let lang = entry.lang_or_default(Some(self.lang));
        let nothing = HeaderMap::new();
        let rights = reader::rights(self.app, &scope, self.host, lang, (&nothing, self.client)).await;
        OtherSite { scope, lang, rights }
    }

    /// The context of what the page shows of another site. Texts have the language of the page.
    #[must_use]
    pub fn at<'b>(&'b self, other: &'b OtherSite) -> Context<'b> {
        let OtherSite { scope, lang, rights } = other;
        Context {
            app: self.app,
            entry: &scope.entry,
            store: self.app.store.site(scope.entry.site.id),
            addresses: Addresses { base: scope.base.clone(), lang: *lang },
            texts: self.texts,
            rights: *rights,
            user: None,
            origin: self.origin.clone(),
            host: self.host,
            lang: self.lang,
            client: self.client,
            is_of_other_site: true,
            parameters: self.parameters,
            menu: OnceCell::new(),
        }
    }

    /// Begins a call of the plugins of another site for this page, with the time limit of pages. `route` is the name of the page's route.
    #[must_use]
    pub fn plugin_call_at(&self, other: &OtherSite, route: &str) -> Call {
        reader::plugin_call(&other.scope, self.host, other.lang, route, other.scope.entry.chain.draw())
    }

    /// Whether the site is another one than that of the page. The numbers of its content mean something else there.
    #[must_use]
    pub const fn is_of_other_site(&self) -> bool {
        self.is_of_other_site
    }

    /// What the site's menu leads to: the same for the menu and the content of the page.
    async fn menu_content(&self) -> Result<&MenuContent, StoreError> {
        Ok(self.menu.get_or_try_init(|| self.app.menu_content(self.entry)).await?)
    }

    /// The site's journals that readers see.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn journals(&self) -> Result<&[Journal], StoreError> {
        Ok(&self.menu_content().await?.journals)
    }

    /// The names of the site's sections in several languages. They are read with the journals: until then, none is known.
    #[must_use]
    pub fn sections(&self) -> &SectionNames {
        static NONE: SectionNames = SectionNames::new();
        self.menu.get().map_or(&NONE, |menu| &menu.sections)
    }

    /// The issues of the first of these journals that readers see, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn issues(&self) -> Result<&[Issue], StoreError> {
        Ok(&self.menu_content().await?.issues)
    }

    /// The first experts of the editorial boards in the menu.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn first_experts(&self) -> Result<&FirstResources, StoreError> {
        Ok(&self.menu_content().await?.experts)
    }

    /// The issues of a journal that readers see, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn issues_of(&self, journal: &Journal) -> Result<Cow<'_, [Issue]>, StoreError> {
        match self.journals().await?.first() {
            Some(first) if first.key == journal.key => Ok(Cow::Borrowed(self.issues().await?)),
            _ => Ok(Cow::Owned(self.store.shown_issues(&journal.key).await?)),
        }
    }
}

/// Another site of which a page shows something.
pub struct OtherSite {
    /// The site, and what its addresses on this page begin with.
    pub scope: Scope,
    /// The language of its addresses: that of the page, if it has it.
    pub lang: Lang,
    /// What the reader may read there.
    rights: Rights,
}

/// The content of a page, before the frame is added.
pub struct Page {
    /// HTTP status.
    pub status: u16,
    /// Document title without the site's name.
    pub title: String,
    /// Metadata in the document's head.
    pub head: Head,
    /// Content of `<main>`.
    pub main: Markup,
    /// The parts of `main` that were compressed at import, in their order.
    pub compressed: Vec<(Range<usize>, CompressedHtml)>,
    /// The description of the page in the bootstrap.
    pub view: PageView,
    /// Whether the page may be stored in the page cache.
    pub cacheable: bool,
    /// Whether the page refuses its content to the reader.
    pub refused: bool,
    /// The article that the page shows, as plugins receive it.
    pub article: Option<masthead_runtime::hook_types::Article>,
}

impl Page {
    /// A page that is there, is described by its title and may be cached. `route` names it in the bootstrap.
    #[must_use]
    pub fn list(route: &str, title: String, main: Markup) -> Self {
        Self {
            status: 200,
            head: Head::page(&title),
            title,
            main,
            compressed: Vec::new(),
            view: PageView::List { route: route.to_owned() },
            cacheable: true,
            refused: false,
            article: None,
        }
    }
}

/// Why a page cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchFailure),
    /// The article's stored rendering cannot be parsed.
    #[error("reading the rendered article {id}: {source}; import it again")]
    Rendered {
        /// The article's id.
        id: i64,
        /// The parser's error.
        source: serde_json::Error,
    },
    /// The page refuses its content to a reader whose session could not be looked up.
    #[error("the session of the reader cannot be looked up")]
    SessionUnknown,
    /// The finished page cannot be encoded.
    #[error("encoding a finished page: {source}; please report it")]
    Encoding {
        /// The encoder's error.
        source: serde_json::Error,
    },
    /// A file of the article cannot be read.
    #[error("reading a file of article {id} in the data folder: {source}; import the article again")]
    File {
        /// The article's id.
        id: i64,
        /// The file system's error.
        source: std::io::Error,
    },
}

impl PageError {
    /// What readers are told.
    #[must_use]
    pub fn failure(&self) -> Failure {
        match self {
            Self::Store(error) | Self::Search(SearchFailure::Store(error)) => Failure::of_store(error),
            Self::Search(SearchFailure::Counters(error)) => Failure::of_store(error),
            Self::Search(SearchFailure::Incomplete) => Failure::IndexIncomplete,
            Self::SessionUnknown => Failure::Unavailable,
            _ => Failure::Inside,
        }
    }
}
