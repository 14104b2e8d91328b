//! `messaging.send`: messages to readers.

use super::{
    binding::{HookEntry, Refusal, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::messaging as wit, invocation::site_context::SiteContext};

bind!(Entry: messaging.call_send(wit::Message) -> String, wit::Failure);

impl Refusal for wit::Failure {
    fn message(&self) -> Option<String> {
        match self {
            wit::Failure::NotMine => None,
            wit::Failure::Refused(reason) | wit::Failure::Other(reason) => Some(reason.clone()),
        }
    }
}

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &wit::Message, output: &String) -> Result<(), String> {
        text::check_text("the gateway's number", output, 256)
    }

    fn trial_input() -> Option<wit::Message> {
        None
    }
}
