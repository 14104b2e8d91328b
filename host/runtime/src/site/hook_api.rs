//! The hooks as the server asks them. None of them returns an error to a page: what fails is left out, and said in
//! [`crate::CallOutcome`].

use masthead_domain::{
    access::{AccessRequest, Permissions},
    layout::SlotContribution,
    link::Link,
};

use crate::{
    contract::bindings::{exports::masthead::plugin as wit, masthead::plugin::types::Article},
    invocation::hooks::{
        Fields, Hook, access, article, assistant, events, head, identity, layout, links, messaging, navigation, routes,
        search, statistics, translate,
    },
    site::call::{Call, Ran},
};

/// What came of asking for the first answer.
#[derive(Clone, Debug, PartialEq)]
pub enum First<T, R = String> {
    /// No plugin of the site does this.
    Nobody,
    /// Those that do failed; the log says why.
    Failed,
    /// The last one that was asked declined.
    Refused(R),
    /// The answer.
    Given(T),
}

impl Call {
    /// `links.rewrite`, a batch at a time. Always as many links as were given.
    pub async fn rewrite_links(&mut self, given: Vec<Link>) -> Vec<Link> {
        if given.is_empty() || !self.chain.has(Hook::Links) {
            return given;
        }
        links::from_wit(self.chain_of::<links::Entry>(links::to_wit(given)).await)
    }

    /// `access.decide`.
    pub async fn decide_access(&mut self, request: AccessRequest) -> Permissions {
        let mut request = access::to_wit(request);
        for index in 0..self.chain.slots.len() {
            if let Ran::Gave(permissions) = self.run::<access::Entry>(index, &request).await {
                request.permissions = permissions;
            }
        }
        access::from_wit(request.permissions)
    }

    /// `layout.contribute`.
    pub async fn contribute_layout(&mut self) -> Vec<SlotContribution> {
        let all = self.collect::<layout::Entry>(&()).await;
        all.into_iter().flat_map(|(_, contributions)| contributions).map(layout::from_wit).collect()
    }

    /// `navigation.adjust`.
    pub async fn adjust_navigation(&mut self, menu: wit::navigation::Menu) -> wit::navigation::Menu {
        self.chain_of::<navigation::Entry>(menu).await
    }

    /// `head.contribute`.
    pub async fn contribute_head(&mut self, page: wit::head::Page) -> Vec<wit::head::Tag> {
        self.collect::<head::Entry>(&page).await.into_iter().flat_map(|(_, tags)| tags).collect()
    }

    /// `search.rewrite`.
    pub async fn rewrite_search(&mut self, query: wit::search_rewrite::Query) -> wit::search_rewrite::Query {
        self.chain_of::<search::Rewrite>(query).await
    }

    /// `search.decorate`: the page's hits, in their order.
    pub async fn decorate_hits(&mut self, mut page: wit::search_decorate::Page) -> Vec<wit::search_decorate::Hit> {
        for index in 0..self.chain.slots.len() {
            if let Ran::Gave(hits) = self.run::<search::Decorate>(index, &page).await {
                page.hits = hits;
            }
        }
        page.hits
    }

    /// `article.decorate`: what each plugin adds, with the plugin's id.
    pub async fn decorate_article(&mut self, article: &Article) -> Vec<(String, wit::article_decorate::Additions)> {
        self.collect::<article::Entry>(article).await
    }

    /// `statistics.parameters`.
    pub async fn statistics_parameters(&mut self, parameters: Vec<(String, String)>) -> Vec<(String, String)> {
        self.chain_of::<statistics::Entry>(parameters).await
    }

    /// `translate.translate`.
    pub async fn translate(
        &mut self,
        request: &wit::translate::Request,
    ) -> First<wit::translate::Translation, wit::translate::Failure> {
        self.first::<translate::Entry>(request).await
    }

    /// `assistant.secure-parameters`.
    pub async fn secure_parameters(&mut self, request: &wit::assistant::Request) -> First<String> {
        self.first::<assistant::Entry>(request).await
    }

    /// `identity.begin`.
    pub async fn begin_identity(&mut self, start: &wit::identity::Start) -> First<String> {
        self.first::<identity::Begin>(start).await
    }

    /// `identity.complete`.
    pub async fn complete_identity(&mut self, answer: &wit::identity::Answer) -> First<wit::identity::User> {
        self.first::<identity::Complete>(answer).await
    }

    /// `messaging.send`.
    pub async fn send_message(&mut self, message: &wit::messaging::Message) -> First<String, wit::messaging::Failure> {
        self.first::<messaging::Entry>(message).await
    }

    /// `routes.handle` of the plugin with this id.
    pub async fn handle_route(&mut self, plugin: &str, request: &wit::routes::Request) -> First<wit::routes::Response> {
        self.only::<routes::Entry>(plugin, request).await
    }

    /// `events.notify` of the plugin with this id.
    pub async fn notify(&mut self, plugin: &str, event: &wit::events::Event) -> First<()> {
        self.only::<events::Entry>(plugin, event).await
    }

    async fn chain_of<E: Fields<Output = <E as crate::invocation::hooks::Binding>::Input>>(
        &mut self,
        given: E::Input,
    ) -> E::Input {
        let mut current = given;
        for index in 0..self.chain.slots.len() {
            if let Ran::Gave(next) = self.run::<E>(index, &current).await {
                current = next;
            }
        }
        current
    }

    async fn collect<E: Fields>(&mut self, input: &E::Input) -> Vec<(String, E::Output)> {
        let mut all = Vec::new();
        for index in 0..self.chain.slots.len() {
            if let Ran::Gave(output) = self.run::<E>(index, input).await {
                all.push((self.chain.slots[index].main.plugin.id().to_owned(), output));
            }
        }
        all
    }

    async fn first<E: Fields>(&mut self, input: &E::Input) -> First<E::Output, E::Refusal> {
        let mut last = First::Nobody;
        for index in 0..self.chain.slots.len() {
            match self.run::<E>(index, input).await {
                Ran::Gave(output) => return First::Given(output),
                // A refusal without words passes the question on.
                Ran::Refused(refusal) if E::words(&refusal).is_some() => last = First::Refused(refusal),
                Ran::Lost => last = First::Failed,
                Ran::Refused(_) | Ran::Absent => {}
            }
        }
        last
    }

    async fn only<E: Fields>(&mut self, plugin: &str, input: &E::Input) -> First<E::Output, E::Refusal> {
        let Some(index) = self.position(plugin) else { return First::Nobody };
        match self.run::<E>(index, input).await {
            Ran::Gave(output) => First::Given(output),
            Ran::Refused(refusal) => First::Refused(refusal),
            Ran::Lost => First::Failed,
            Ran::Absent => First::Nobody,
        }
    }
}
