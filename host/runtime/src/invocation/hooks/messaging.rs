//! `messaging.send`.

use super::{HookEntry, bind, text};
use crate::{contract::bindings::exports::masthead::plugin::messaging as wit, site::member::Member};

bind!(Entry: messaging.call_send(wit::Message) -> String, wit::Failure);

impl HookEntry for Entry {
    fn check(_: &Member, _: &wit::Message, output: &String) -> Result<(), String> {
        text::check_text("the gateway's number", output, 256)
    }

    fn trial_input() -> Option<wit::Message> {
        None
    }

    fn words(refusal: &wit::Failure) -> Option<String> {
        match refusal {
            wit::Failure::NotMine => None,
            wit::Failure::Refused(reason) | wit::Failure::Other(reason) => Some(reason.clone()),
        }
    }
}
