//! `assistant.secure-parameters`.

use super::{HookEntry, bind, text};
use crate::{contract::bindings::exports::masthead::plugin::assistant as wit, site::member::Member};

bind!(Entry: assistant.call_secure_parameters(wit::Request) -> String);

impl HookEntry for Entry {
    fn check(_: &Member, _: &wit::Request, output: &String) -> Result<(), String> {
        text::check_text("the token", output, 8192)
    }

    fn trial_input() -> Option<wit::Request> {
        None
    }

    fn words(refusal: &String) -> Option<String> {
        Some(refusal.clone())
    }
}
