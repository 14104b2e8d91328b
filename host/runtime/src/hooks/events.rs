//! `events.notify`.

use super::{HookEntry, bind};
use crate::{bindings::exports::masthead::plugin::events as wit, member::Member};

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
