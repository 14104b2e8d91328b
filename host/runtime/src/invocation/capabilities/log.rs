//! Capability `log`.

use crate::{
    contract::bindings::masthead::plugin::log::{Host, Level},
    invocation::store_state::StoreState,
};

impl Host for StoreState {
    fn write(&mut self, level: Level, message: String) {
        let Some(line) = self.log.take(&message) else { return };
        let (site, plugin, hook) = (&*self.site.name, self.site.plugin_id(), self.hook.name());
        match level {
            Level::Debug => tracing::debug!(target: "plugin", site, plugin, hook, "{line}"),
            Level::Info => tracing::info!(target: "plugin", site, plugin, hook, "{line}"),
            Level::Warn => tracing::warn!(target: "plugin", site, plugin, hook, "{line}"),
            Level::Error => tracing::error!(target: "plugin", site, plugin, hook, "{line}"),
        }
    }
}
