//! Federated modules that styles and plugins name and that do not exist. Those that a site itself names are reported by the host.

use super::{Installation, Notes, Subject};

const CHECK: &str = "modules";

/// The modules of the style ids.
pub fn of_platform(installation: &Installation<'_>, notes: &mut Notes<'_>) {
    let styles = &installation.platform.styles;
    for (name, slot, styles) in
        [("nav", "header", &styles.nav), ("search", "search", &styles.search), ("footer", "footer", &styles.footer)]
    {
        for (id, module) in styles {
            let message = match installation.modules.get(module).map(String::as_str) {
                Some(fills) if fills == slot => continue,
                Some(fills) => format!("the module {module} fills the slot {fills}, not {slot}"),
                None => format!("there is no module {module}"),
            };
            let fix = "name a module that fills this slot; folders with further modules are given with --modules";
            notes.error(CHECK, format!("styles.{name}.{id}"), message, fix);
        }
    }
}

/// The modules of the plugins of a site.
pub fn check(installation: &Installation<'_>, subject: &Subject<'_>, notes: &mut Notes<'_>) {
    for (plugin, modules) in &subject.plugins {
        let position = subject.site.plugins.iter().position(|entry| entry.id == *plugin).unwrap_or_default();
        for module in modules.iter().filter(|module| !installation.modules.contains_key(*module)) {
            let message = format!("the plugin {plugin} shows the module {module}, which this host does not have");
            let fix = "put the module into modules/ in the plugin's folder or into a folder given with --modules, or remove the plugin";
            notes.error(CHECK, format!("plugins[{position}]"), message, fix);
        }
    }
}
