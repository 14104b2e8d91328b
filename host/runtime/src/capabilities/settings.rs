//! The plugin's settings on this site, as JSON.

use crate::{bindings::masthead::plugin::settings::Host, state::State};

impl Host for State {
    fn get(&mut self) -> String {
        self.member.settings.clone()
    }
}
