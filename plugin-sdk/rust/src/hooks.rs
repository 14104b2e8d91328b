//! One trait per hook, and the types that they speak.

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
type Pair = (String, String);

/// A hook: the trait that an author implements, whose functions take the context by reference, and the bridge from the
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
    /// Hook `links.rewrite`: changes where links inside the site lead.
    Links in links {
        /// Rewrites one batch: as many links come back, in the same order.
        ///
        /// # Errors
        /// A refusal in words; the links stay as they were.
        fn rewrite(links: Vec<Link>) -> Result<Vec<Link>, String>;
    }
}

hook! {
    /// Hook `access.decide`: what this reader may do on this site.
    Access in access {
        /// Gives the permissions that hold from here on.
        ///
        /// # Errors
        /// A refusal in words; what the site permits holds.
        fn decide(request: AccessRequest) -> Result<Permissions, String>;
    }
}

hook! {
    /// Hook `layout.contribute`: puts UI modules into slots of the page.
    Layout in layout {
        /// Gives this plugin's contributions to the page.
        ///
        /// # Errors
        /// A refusal in words; the page is made without them.
        fn contribute() -> Result<Vec<Contribution>, String>;
    }
}

hook! {
    /// Hook `navigation.adjust`: changes the menu and the languages that the site offers.
    Navigation in navigation {
        /// Gives the menu that holds from here on; no language may be taken away.
        ///
        /// # Errors
        /// A refusal in words; the menu stays as it was.
        fn adjust(menu: Menu) -> Result<Menu, String>;
    }
}

hook! {
    /// Hook `head.contribute`: adds to the head of a document.
    Head in head {
        /// Gives this plugin's tags.
        ///
        /// # Errors
        /// A refusal in words; the page is made without them.
        fn contribute(page: HeadPage) -> Result<Vec<Tag>, String>;
    }
}

hook! {
    /// Hook `search.rewrite`: changes what is searched for.
    SearchRewrite in search_rewrite {
        /// Gives the query that holds from here on.
        ///
        /// # Errors
        /// A refusal in words; the query stays as it was.
        fn rewrite(query: Query) -> Result<Query, String>;
    }
}

hook! {
    /// Hook `search.decorate`: marks or reorders a page of hits.
    SearchDecorate in search_decorate {
        /// Gives the same hits, marked, in the order that holds from here on.
        ///
        /// # Errors
        /// A refusal in words; the hits stay as they were.
        fn decorate(page: HitPage) -> Result<Vec<Hit>, String>;
    }
}

hook! {
    /// Hook `article.decorate`: adds to an article's page.
    ArticleDecorate in article_decorate {
        /// Gives what this plugin adds to the page of this article.
        ///
        /// # Errors
        /// A refusal in words; the page is made without it.
        fn decorate(article: Article) -> Result<Additions, String>;
    }
}

hook! {
    /// Hook `statistics.parameters`: changes the parameters with which a site's resources are counted.
    Statistics in statistics {
        /// Gives the parameters that hold from here on.
        ///
        /// # Errors
        /// A refusal in words; the parameters stay as they were.
        fn parameters(parameters: Vec<Pair>) -> Result<Vec<Pair>, String>;
    }
}

hook! {
    /// Hook `translate.translate`: translates a text.
    Translate in translate {
        /// Translates.
        ///
        /// # Errors
        /// Why there is no translation; the next plugin is asked.
        fn translate(request: TranslateRequest) -> Result<Translation, TranslateFailure>;
    }
}

hook! {
    /// Hook `assistant.secure-parameters`: opens the assistant's frame.
    Assistant in assistant {
        /// Gives the token that the panel puts into the frame's address; "" where the address takes none.
        ///
        /// # Errors
        /// A refusal in words; the panel says so.
        fn secure_parameters(request: AssistantRequest) -> Result<String, String>;
    }
}

hook! {
    /// Hooks `identity.begin` and `identity.complete`: signing in at somebody else's.
    Identity in identity {
        /// Gives the http(s) address to send the reader to.
        ///
        /// # Errors
        /// A refusal in words; the sign-in page shows it.
        fn begin(start: IdentityStart) -> Result<String, String>;

        /// Says who came back.
        ///
        /// # Errors
        /// A refusal in words; the sign-in page shows it.
        fn complete(answer: IdentityAnswer) -> Result<User, String>;
    }
}

hook! {
    /// Hook `messaging.send`: sends a message to a reader.
    Messaging in messaging {
        /// Sends. Gives the gateway's number for it, or "".
        ///
        /// # Errors
        /// Why it was not sent; the next plugin is asked when it is `NotMine`.
        fn send(message: Message) -> Result<String, MessageFailure>;
    }
}

hook! {
    /// Hook `routes.handle`: answers addresses below `plugins/<id>/` of the site.
    Routes in routes {
        /// Answers.
        ///
        /// # Errors
        /// A failure in words; the reader gets status 502.
        fn handle(request: RouteRequest) -> Result<Response, String>;
    }
}

hook! {
    /// Hook `events.notify`: tells what has happened.
    Events in events {
        /// Takes note.
        ///
        /// # Errors
        /// Asks to be told again later.
        fn notify(event: Event) -> Result<(), String>;
    }
}

hook! {
    /// Hook `settings.check`: refuses settings that a schema cannot judge.
    SettingsCheck in settings_check {
        /// Looks at this plugin's settings on this site.
        ///
        /// # Errors
        /// What to change; the configuration is refused.
        fn check() -> Result<(), String>;
    }
}
