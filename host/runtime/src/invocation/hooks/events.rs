//! `events.notify`.

use super::{HookEntry, bind};
use crate::{contract::bindings::exports::masthead::plugin::events as wit, site::member::Member};

bind!(Entry: events.call_notify(wit::Event) -> ());

impl HookEntry for Entry {
    fn check(_: &Member, _: &wit::Event, (): &()) -> Result<(), String> {
        Ok(())
    }

    fn trial_input() -> Option<wit::Event> {
        None
    }

    fn words(refusal: &String) -> Option<String> {
        Some(refusal.clone())
    }
}
