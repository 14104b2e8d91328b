//! One trait for each hook, and the types of its parameters and results.

pub use crate::bindings::access::exports::masthead::plugin::access::{Permissions, Request as AccessRequest};
pub use crate::bindings::article_decorate::exports::masthead::plugin::article_decorate::{
    Additions, Download, Section,
};
pub use crate::bindings::assistant::exports::masthead::plugin::assistant::Request as AssistantRequest;
pub use crate::bindings::capabilities::masthead::plugin::types::{Article, Badge, Context, Person, Text, Tone};
pub use crate::bindings::events::exports::masthead::plugin::events::Event;
pub use crate::bindings::head::exports::masthead::plugin::head::{Link as HeadLink, Meta, Page as HeadPage, Tag};
pub use crate::bindings::identity::exports::masthead::plugin::identity::{
    Answer as IdentityAnswer, Start as IdentityStart, User,
};
pub use crate::bindings::layout::exports::masthead::plugin::layout::Contribution;
pub use crate::bindings::links::exports::masthead::plugin::links::{Link, LinkKind};
pub use crate::bindings::messaging::exports::masthead::plugin::messaging::{
    Channel as MessageChannel, Failure as MessageFailure, Message,
};
pub use crate::bindings::navigation::exports::masthead::plugin::navigation::{Channel, Menu};
pub use crate::bindings::routes::exports::masthead::plugin::routes::{Request as RouteRequest, Response};
pub use crate::bindings::search_decorate::exports::masthead::plugin::search_decorate::{Hit, Page as HitPage};
pub use crate::bindings::search_rewrite::exports::masthead::plugin::search_rewrite::Query;
pub use crate::bindings::search_rewrite::masthead::plugin::search_types::{Boost, Field, Filter, Synonym};
pub use crate::bindings::translate::exports::masthead::plugin::translate::{
    Failure as TranslateFailure, Request as TranslateRequest, Translation,
};

/// A name and a value, as in a query string.
type NameValue = (String, String);

/// Defines a hook: the trait that an author implements, whose functions take the context by reference, and the adapter from the
/// generated trait to it.
macro_rules! hook {
    (
        $(#[$about:meta])*
        $hook:ident in $module:ident {
            $( $(#[$what:meta])* fn $name:ident($($argument:ident: $type:ty)?) -> $result:ty; )+
        }
    ) => {
        $(#[$about])*
        pub trait $hook {
            $( $(#[$what])* fn $name(context: &Context, $($argument: $type)?) -> $result; )+
        }

        impl<T: $hook> crate::bindings::$module::exports::masthead::plugin::$module::Guest for T {
            $( fn $name(context: Context, $($argument: $type)?) -> $result {
                <T as $hook>::$name(&context, $($argument)?)
            } )+
        }
    };
}

hook! {
    /// Hook `links.rewrite`: changes the targets of links inside the site.
    Links in links {
        /// Rewrites a batch of links. The result must have the same number of links, in the same order.
        ///
        /// # Errors
        /// A message; the links stay as they were.
        fn rewrite(links: Vec<Link>) -> Result<Vec<Link>, String>;
    }
}

hook! {
    /// Hook `access.decide`: decides about the permissions of this reader on this site.
    Access in access {
        /// Returns the changed permissions.
        ///
        /// # Errors
        /// A message; the permissions stay as they were, or with `onFailure = "deny"` there are none.
        fn decide(request: AccessRequest) -> Result<Permissions, String>;
    }
}

hook! {
    /// Hook `layout.contribute`: adds UI modules to slots of the page.
    Layout in layout {
        /// Returns the contributions of this plugin to the page.
        ///
        /// # Errors
        /// A message; the page is rendered without them.
        fn contribute() -> Result<Vec<Contribution>, String>;
    }
}

hook! {
    /// Hook `navigation.adjust`: changes the menu and the languages of the site.
    Navigation in navigation {
        /// Returns the changed menu. Languages must not be removed.
        ///
        /// # Errors
        /// A message; the menu stays as it was.
        fn adjust(menu: Menu) -> Result<Menu, String>;
    }
}

hook! {
    /// Hook `head.contribute`: adds tags to the head of a document.
    Head in head {
        /// Returns the tags of this plugin.
        ///
        /// # Errors
        /// A message; the page is rendered without them.
        fn contribute(page: HeadPage) -> Result<Vec<Tag>, String>;
    }
}

hook! {
    /// Hook `search.rewrite`: changes search queries.
    SearchRewrite in search_rewrite {
        /// Returns the changed query.
        ///
        /// # Errors
        /// A message; the query stays as it was.
        fn rewrite(query: Query) -> Result<Query, String>;
    }
}

hook! {
    /// Hook `search.decorate`: adds badges to a page of search results, or reorders it.
    SearchDecorate in search_decorate {
        /// Returns the same hits, with badges, in the new order.
        ///
        /// # Errors
        /// A message; the hits stay as they were.
        fn decorate(page: HitPage) -> Result<Vec<Hit>, String>;
    }
}

hook! {
    /// Hook `article.decorate`: adds badges, links and downloads to article pages.
    ArticleDecorate in article_decorate {
        /// Returns the additions of this plugin to the page of an article.
        ///
        /// # Errors
        /// A message; the page is rendered without it.
        fn decorate(article: Article) -> Result<Additions, String>;
    }
}

hook! {
    /// Hook `statistics.parameters`: changes the parameters of requests for resource statistics.
    Statistics in statistics {
        /// Returns the changed parameters.
        ///
        /// # Errors
        /// A message; the parameters stay as they were.
        fn parameters(parameters: Vec<NameValue>) -> Result<Vec<NameValue>, String>;
    }
}

hook! {
    /// Hook `translate.translate`: translates a text.
    Translate in translate {
        /// Translates a text.
        ///
        /// # Errors
        /// The reason why there is no translation; the next plugin is called then.
        fn translate(request: TranslateRequest) -> Result<Translation, TranslateFailure>;
    }
}

hook! {
    /// Hook `assistant.secure-parameters`: creates the token for the frame of the assistant.
    Assistant in assistant {
        /// Returns the token that the panel inserts into the frame's address; "" if the address has none.
        ///
        /// # Errors
        /// A message; the panel reports the failure.
        fn secure_parameters(request: AssistantRequest) -> Result<String, String>;
    }
}

hook! {
    /// Hooks `identity.begin` and `identity.complete`: sign-in through an external service.
    Identity in identity {
        /// Returns the http(s) address to redirect the reader to.
        ///
        /// # Errors
        /// A message; the sign-in page shows it.
        fn begin(start: IdentityStart) -> Result<String, String>;

        /// Returns the user who was redirected back.
        ///
        /// # Errors
        /// A message; the sign-in page shows it.
        fn complete(answer: IdentityAnswer) -> Result<User, String>;
    }
}

hook! {
    /// Hook `messaging.send`: sends a message to a reader.
    Messaging in messaging {
        /// Sends a message. Returns the message id of the gateway, or "".
        ///
        /// # Errors
        /// The reason why it was not sent; after `NotMine`, the next plugin is called.
        fn send(message: Message) -> Result<String, MessageFailure>;
    }
}

hook! {
    /// Hook `routes.handle`: handles requests to paths below `plugins/<id>/` of the site.
    Routes in routes {
        /// Handles a request.
        ///
        /// # Errors
        /// A message; the reader gets status 502.
        fn handle(request: RouteRequest) -> Result<Response, String>;
    }
}

hook! {
    /// Hook `events.notify`: receives events of the site.
    Events in events {
        /// Handles an event.
        ///
        /// # Errors
        /// A message; the host repeats the event later.
        fn notify(event: Event) -> Result<(), String>;
    }
}

hook! {
    /// Hook `settings.check`: rejects settings that a JSON Schema cannot check.
    SettingsCheck in settings_check {
        /// Checks the settings of this plugin on this site.
        ///
        /// # Errors
        /// A message that says what to change; the site does not use the plugin with these settings.
        fn check() -> Result<(), String>;
    }
}
