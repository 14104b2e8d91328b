//! `translate.translate`.

use super::{HookEntry, bind, text};
use crate::{contract::bindings::exports::masthead::plugin::translate as wit, site::member::Member};

const TEXT_BYTES: usize = 128 << 10;

bind!(Entry: translate.call_translate(wit::Request) -> wit::Translation, wit::Failure);

impl HookEntry for Entry {
    fn check(_: &Member, _: &wit::Request, output: &wit::Translation) -> Result<(), String> {
        text::check_text("the translation", &output.text, TEXT_BYTES)?;
        text::check_text("the language", &output.source, 16)
    }

    fn trial_input() -> Option<wit::Request> {
        None
    }

    fn words(refusal: &wit::Failure) -> Option<String> {
        match refusal {
            wit::Failure::Off => None,
            wit::Failure::Unauthorized => Some("the gateway does not know this host as a user".to_owned()),
            wit::Failure::Other(reason) => Some(reason.clone()),
        }
    }

    fn weight(output: &wit::Translation) -> usize {
        64 + output.text.len()
    }
}
