//! `statistics.parameters`: parameters of counting views.

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::invocation::site_context::SiteContext;

const PARAMETERS: usize = 32;
const TEXT_BYTES: usize = 256;

bind!(Entry: statistics.call_parameters(Vec<(String, String)>) -> Vec<(String, String)>);

impl HookEntry for Entry {
    fn check(_: &SiteContext, _: &Self::Input, output: &Self::Output) -> Result<(), String> {
        if output.len() > PARAMETERS {
            return Err(format!("{} parameters, allowed are {PARAMETERS}", output.len()));
        }
        output
            .iter()
            .flat_map(|(name, value)| [name, value])
            .try_for_each(|part| text::check_text("a parameter", part, TEXT_BYTES))
    }

    fn trial_input() -> Option<Self::Input> {
        Some(Vec::new())
    }
}
