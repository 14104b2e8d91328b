//! Adds an entry to the menu. Replace this with the code of your plugin.

use masthead_plugin::{Channel, Context, Menu, Navigation, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    label: String,
    target: String,
}

struct MyPlugin;

impl Navigation for MyPlugin {
    fn adjust(_: &Context, mut menu: Menu) -> Result<Menu, String> {
        // If there are no channels, the host requests the languages only.
        if !menu.channels.is_empty() {
            let Settings { label, target } = settings()?;
            let new_tab = target.starts_with("http");
            menu.channels.push(Channel { id: -1, parent: 0, code: "mine".to_owned(), label, target, new_tab });
        }
        Ok(menu)
    }
}

register!(MyPlugin: Navigation);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn the_entry_is_added_at_the_end() {
        testing::set_settings(r#"{"label":"Data","target":"https://data.example.org/"}"#);
        let home = Channel {
            id: 1,
            parent: 0,
            code: "home".to_owned(),
            label: "Home".to_owned(),
            target: "home".to_owned(),
            new_tab: false,
        };
        let menu = Menu { channels: vec![home], languages: vec!["zh".to_owned()] };
        let menu = MyPlugin::adjust(&testing::context("en"), menu).unwrap();
        assert_eq!((menu.channels[1].label.as_str(), menu.channels[1].new_tab), ("Data", true));
        assert_eq!(menu.languages, ["zh"]);
    }
}
