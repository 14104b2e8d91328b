//! `navigation.adjust`: menu and languages.

use std::collections::HashSet;

use masthead_domain::Lang;

use super::{
    binding::{HookEntry, bind},
    text,
};
use crate::{contract::bindings::exports::masthead::plugin::navigation as wit, invocation::site_context::SiteContext};

const CHANNELS: usize = 200;
const LABEL_BYTES: usize = 256;

bind!(Entry: navigation.call_adjust(wit::Menu) -> wit::Menu);

impl HookEntry for Entry {
    fn check(_: &SiteContext, input: &wit::Menu, output: &wit::Menu) -> Result<(), String> {
        if output.channels.len() > CHANNELS {
            return Err(format!("{} channels, allowed are {CHANNELS}", output.channels.len()));
        }
        if let Some(code) = output.languages.iter().find(|code| code.parse::<Lang>().is_err()) {
            return Err(format!("{:?} is not one of the host's languages", text::short(code)));
        }
        if let Some(lost) = input.languages.iter().find(|code| !output.languages.contains(code)) {
            return Err(format!("it removes the language {lost}, which only the site's configuration may do"));
        }
        let known: HashSet<i64> =
            output.channels.iter().filter(|channel| channel.parent == 0).map(|channel| channel.id).collect();
        let before: HashSet<&wit::Channel> = input.channels.iter().collect();
        output.channels.iter().filter(|channel| !before.contains(channel)).try_for_each(|channel| {
            if channel.parent != 0 && !known.contains(&channel.parent) {
                return Err(format!(
                    "the channel {:?} has the parent {}, which is not at the top",
                    text::short(&channel.label),
                    channel.parent
                ));
            }
            text::check_text("a label", &channel.label, LABEL_BYTES)?;
            text::check_target(&channel.target)
        })
    }

    fn trial_input() -> Option<wit::Menu> {
        Some(wit::Menu { channels: Vec::new(), languages: Vec::new() })
    }

    fn cache_weight(menu: &wit::Menu) -> usize {
        menu.channels.iter().map(|one| 128 + one.label.len() + one.target.len() + one.code.len()).sum()
    }
}
