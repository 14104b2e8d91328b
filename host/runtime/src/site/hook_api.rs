//! The hooks in the form in which the host calls them. None returns an error to a page: a failing plugin is omitted and listed in
//! [`crate::CallOutcome`].

use masthead_domain::{
    access::{AccessRequest, Permissions},
    layout::SlotContribution,
    link::Link,
    plugin_use::OnFailure,
};

use super::call::Call;
use crate::{
    contract::{
        hook_table::Hook,
        hook_types::{
            Article, ArticleAdditions, AssistantRequest, ExternalUser, HeadPage, HeadTag, MessageFailure,
            NavigationMenu, OutgoingMessage, PluginEvent, PluginSearchQuery, RouteRequest, RouteResponse, SearchHit,
            SearchHitPage, SignInReturn, SignInStart, Translation, TranslationFailure, TranslationRequest,
        },
    },
    invocation::hooks::{
        access, article, assistant,
        binding::{Binding, Refusal},
        entries::TableEntry,
        events, head, identity, layout, links, messaging, navigation,
        result::HookResult,
        routes, search, statistics, translate,
    },
};

/// The result of a hook with the shape `first`.
#[derive(Clone, Debug, PartialEq)]
pub enum FirstAnswer<T, R = String> {
    /// No plugin of the site implements the hook, or each passed the call on.
    NoPlugin,
    /// The last plugin that implements it failed; the cause is in [`crate::CallOutcome`] and the log.
    Failed,
    /// The last plugin returned an error.
    Refused(R),
    /// The answer.
    Answered(T),
}

impl<T, R> FirstAnswer<T, R> {
    /// The same result with another type of answer.
    fn convert<U: From<T>, S: From<R>>(self) -> FirstAnswer<U, S> {
        match self {
            Self::NoPlugin => FirstAnswer::NoPlugin,
            Self::Failed => FirstAnswer::Failed,
            Self::Refused(refusal) => FirstAnswer::Refused(refusal.into()),
            Self::Answered(answer) => FirstAnswer::Answered(answer.into()),
        }
    }
}

impl Call {
    /// `links.rewrite` for a batch. Returns as many links as were given, in the same order.
    pub async fn rewrite_links(&mut self, given: Vec<Link>) -> Vec<Link> {
        if given.is_empty() || !self.chain.has(Hook::Links) {
            return given;
        }
        links::from_wit(self.transform::<links::Entry>(links::to_wit(given)).await)
    }

    /// `access.decide`. Nothing is permitted where a plugin with `onFailure = "deny"` has not decided, whatever the others decide.
    pub async fn decide_access(&mut self, request: AccessRequest) -> Permissions {
        if self.chain.is_closed() {
            return Permissions::NONE;
        }
        let mut request = access::to_wit(request);
        for index in 0..self.chain.slots.len() {
            match self.run::<access::Entry>(index, &request).await {
                HookResult::Output(permissions) => request.permissions = permissions,
                // A canary may lack the hook that the version in use has.
                HookResult::Failed | HookResult::Refused(_) | HookResult::NotImplemented => {
                    if self.chain.slots[index].current.on_failure == OnFailure::Deny {
                        return Permissions::NONE;
                    }
                }
            }
        }
        access::from_wit(request.permissions)
    }

    /// `layout.contribute`: the contributions of all plugins, in their order.
    pub async fn contribute_layout(&mut self) -> Vec<SlotContribution> {
        let all = self.collect::<layout::Entry>(&()).await;
        all.into_iter().flat_map(|(_, contributions)| contributions).map(layout::from_wit).collect()
    }

    /// `navigation.adjust`.
    pub async fn adjust_navigation(&mut self, menu: NavigationMenu) -> NavigationMenu {
        if !self.chain.has(Hook::Navigation) {
            return menu;
        }
        self.transform::<navigation::Entry>(menu.into()).await.into()
    }

    /// `head.contribute`: the tags of all plugins, in their order.
    pub async fn contribute_head(&mut self, page: HeadPage) -> Vec<HeadTag> {
        if !self.chain.has(Hook::Head) {
            return Vec::new();
        }
        let all = self.collect::<head::Entry>(&page.into()).await;
        all.into_iter().flat_map(|(_, tags)| tags).map(HeadTag::from).collect()
    }

    /// `search.rewrite`.
    pub async fn rewrite_search(&mut self, query: PluginSearchQuery) -> PluginSearchQuery {
        if !self.chain.has(Hook::SearchRewrite) {
            return query;
        }
        self.transform::<search::Rewrite>(query.into()).await.into()
    }

    /// `search.decorate`: the page's hits, in the order set by the plugins.
    pub async fn decorate_hits(&mut self, page: SearchHitPage) -> Vec<SearchHit> {
        if !self.chain.has(Hook::SearchDecorate) {
            return page.hits;
        }
        let mut page: <search::Decorate as Binding>::Input = page.into();
        for index in 0..self.chain.slots.len() {
            if let HookResult::Output(hits) = self.run::<search::Decorate>(index, &page).await {
                page.hits = hits;
            }
        }
        page.hits.into_iter().map(SearchHit::from).collect()
    }

    /// `article.decorate`: the additions of each plugin, with the plugin's id.
    pub async fn decorate_article(&mut self, article: &Article) -> Vec<(String, ArticleAdditions)> {
        if !self.chain.has(Hook::ArticleDecorate) {
            return Vec::new();
        }
        let all = self.collect::<article::Entry>(&article.clone().into()).await;
        all.into_iter().map(|(plugin, additions)| (plugin, additions.into())).collect()
    }

    /// `statistics.parameters`.
    pub async fn statistics_parameters(&mut self, parameters: Vec<(String, String)>) -> Vec<(String, String)> {
        self.transform::<statistics::Entry>(parameters).await
    }

    /// `translate.translate`.
    pub async fn translate(&mut self, request: TranslationRequest) -> FirstAnswer<Translation, TranslationFailure> {
        self.first::<translate::Entry>(&request.into()).await.convert()
    }

    /// `assistant.secure-parameters`: the token for the frame's address, or "".
    pub async fn secure_parameters(&mut self, request: AssistantRequest) -> FirstAnswer<String> {
        self.first::<assistant::Entry>(&request.into()).await
    }

    /// `identity.begin`: the http(s) address to send the reader to.
    pub async fn begin_identity(&mut self, start: SignInStart) -> FirstAnswer<String> {
        self.first::<identity::Begin>(&start.into()).await
    }

    /// `identity.complete`.
    pub async fn complete_identity(&mut self, returned: SignInReturn) -> FirstAnswer<ExternalUser> {
        self.first::<identity::Complete>(&returned.into()).await.convert()
    }

    /// `messaging.send`: the gateway's number of the message, or "".
    pub async fn send_message(&mut self, message: OutgoingMessage) -> FirstAnswer<String, MessageFailure> {
        self.first::<messaging::Entry>(&message.into()).await.convert()
    }

    /// `routes.handle` of the plugin with this id.
    pub async fn handle_route(&mut self, plugin: &str, request: RouteRequest) -> FirstAnswer<RouteResponse> {
        self.only::<routes::Entry>(plugin, &request.into()).await.convert()
    }

    /// `events.notify` of the plugin with this id.
    pub async fn notify(&mut self, plugin: &str, event: PluginEvent) -> FirstAnswer<()> {
        self.only::<events::Entry>(plugin, &event.into()).await
    }

    async fn transform<E: TableEntry<Output = <E as Binding>::Input>>(&mut self, given: E::Input) -> E::Input {
        let mut current = given;
        for index in 0..self.chain.slots.len() {
            if let HookResult::Output(next) = self.run::<E>(index, &current).await {
                current = next;
            }
        }
        current
    }

    async fn collect<E: TableEntry>(&mut self, input: &E::Input) -> Vec<(String, E::Output)> {
        let mut all = Vec::new();
        for index in 0..self.chain.slots.len() {
            if let HookResult::Output(output) = self.run::<E>(index, input).await {
                all.push((self.chain.slots[index].current.plugin.id().to_owned(), output));
            }
        }
        all
    }

    async fn first<E: TableEntry>(&mut self, input: &E::Input) -> FirstAnswer<E::Output, E::Refusal> {
        let mut last = FirstAnswer::NoPlugin;
        for index in 0..self.chain.slots.len() {
            match self.run::<E>(index, input).await {
                HookResult::Output(output) => return FirstAnswer::Answered(output),
                // A refusal without a message passes the call on.
                HookResult::Refused(refusal) if refusal.message().is_some() => last = FirstAnswer::Refused(refusal),
                HookResult::Failed => last = FirstAnswer::Failed,
                HookResult::Refused(_) | HookResult::NotImplemented => {}
            }
        }
        last
    }

    async fn only<E: TableEntry>(&mut self, plugin: &str, input: &E::Input) -> FirstAnswer<E::Output, E::Refusal> {
        let Some(index) = self.position(plugin) else { return FirstAnswer::NoPlugin };
        match self.run::<E>(index, input).await {
            HookResult::Output(output) => FirstAnswer::Answered(output),
            HookResult::Refused(refusal) => FirstAnswer::Refused(refusal),
            HookResult::Failed => FirstAnswer::Failed,
            HookResult::NotImplemented => FirstAnswer::NoPlugin,
        }
    }
}
