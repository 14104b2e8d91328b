//! `settings.check`: checks of settings that a schema cannot express.

use super::binding::{HookEntry, bind};
use crate::invocation::site_context::SiteContext;

bind!(Entry: settings_check.call_check() -> ());

impl HookEntry for Entry {
    fn check(_: &SiteContext, (): &(), (): &()) -> Result<(), String> {
        Ok(())
    }

    /// The trial calls the hook with the site's settings. A refusal excludes the plugin from the chain; its message is the reason.
    fn trial_input() -> Option<()> {
        Some(())
    }
}
