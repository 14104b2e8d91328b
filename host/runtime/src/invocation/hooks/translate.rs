//! `translate.translate`: machine translation.

use super::{
    binding::{HookEntry, Refusal, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::translate as wit, invocation::site_context::SiteContext};

const TEXT_BYTES: usize = 128 << 10;

bind!(Entry: translate.call_translate(wit::Request) -> wit::Translation, wit::Failure);

impl Refusal for wit::Failure {
    fn message(&self) -> Option<String> {
        match self {
            wit::Failure::Off => None,
            wit::Failure::Unauthorized => Some("the gateway does not know this host as a user".to_owned()),
            wit::Failure::Other(reason) => Some(reason.clone()),
        }
    }
}

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &wit::Request, output: &wit::Translation) -> Result<(), String> {
        text::check_text("the translation", &output.text, TEXT_BYTES)?;
        text::check_text("the language", &output.source, 16)
    }

    fn trial_input() -> Option<wit::Request> {
        None
    }

    fn cache_weight(output: &wit::Translation) -> usize {
        64 + output.text.len()
    }
}
