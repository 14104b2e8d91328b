//! `identity.begin` and `identity.complete`.

use super::{HookEntry, bind, text};
use crate::{contract::bindings::exports::masthead::plugin::identity as wit, site::member::Member};

bind!(Begin: identity.call_begin(wit::Start) -> String);
bind!(Complete: identity.call_complete(wit::Answer) -> wit::User);

impl HookEntry for Begin {
    fn check(_: &Member, _: &wit::Start, output: &String) -> Result<(), String> {
        text::check_web(output)
    }

    fn trial_input() -> Option<wit::Start> {
        None
    }

    fn words(refusal: &String) -> Option<String> {
        Some(refusal.clone())
    }
}

impl HookEntry for Complete {
    fn check(_: &Member, _: &wit::Answer, output: &wit::User) -> Result<(), String> {
        if output.subject.trim().is_empty() {
            return Err("the user has no subject".to_owned());
        }
        text::check_text("the subject", &output.subject, 256)?;
        text::check_text("the name", &output.name, 256)
    }

    fn trial_input() -> Option<wit::Answer> {
        None
    }

    fn words(refusal: &String) -> Option<String> {
        Some(refusal.clone())
    }
}
