//! `events.notify`: changes of content and settings.

use super::binding::{HookEntry, bind};
use crate::{contract::bindings::exports::masthead::plugin::events as wit, invocation::site_context::SiteContext};

bind!(Entry: events.call_notify(wit::Event) -> ());

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &wit::Event, (): &()) -> Result<(), String> {
        Ok(())
    }

    fn trial_input() -> Option<wit::Event> {
        None
    }
}
