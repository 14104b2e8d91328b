//! `identity.begin` and `identity.complete`: sign-in at an identity provider.

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::identity as wit, invocation::site_context::SiteContext};

bind!(Begin: identity.call_begin(wit::Start) -> String);
bind!(Complete: identity.call_complete(wit::Answer) -> wit::User);

impl HookEntry for Begin {
    fn check(_: &SiteContext, _: &wit::Start, output: &String) -> Result<(), String> {
        text::check_web(output)
    }

    fn trial_input() -> Option<wit::Start> {
        None
    }
}

impl HookEntry for Complete {
    fn check(_: &SiteContext, _: &wit::Answer, output: &wit::User) -> Result<(), String> {
        if output.subject.trim().is_empty() {
            return Err("the user has no subject".to_owned());
        }
        text::check_text("the subject", &output.subject, 256)?;
        text::check_text("the name", &output.name, 256)
    }

    fn trial_input() -> Option<wit::Answer> {
        None
    }
}
