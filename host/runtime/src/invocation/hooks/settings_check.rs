//! `settings.check`.

use super::{HookEntry, bind};
use crate::site::member::Member;

bind!(Entry: settings_check.call_check() -> ());

impl HookEntry for Entry {
    fn check(_: &Member, (): &(), (): &()) -> Result<(), String> {
        Ok(())
    }

    /// Trying a plugin is asking it about its settings: a refusal keeps it out, in its own words.
    fn trial_input() -> Option<()> {
        Some(())
    }

    fn words(refusal: &String) -> Option<String> {
        Some(refusal.clone())
    }
}
