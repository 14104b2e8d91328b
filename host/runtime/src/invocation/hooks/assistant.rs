//! `assistant.secure-parameters`: the token of the assistant's frame.

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::assistant as wit, invocation::site_context::SiteContext};

bind!(Entry: assistant.call_secure_parameters(wit::Request) -> String);

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &wit::Request, output: &String) -> Result<(), String> {
        text::check_text("the token", output, 8192)
    }

    fn trial_input() -> Option<wit::Request> {
        None
    }
}
