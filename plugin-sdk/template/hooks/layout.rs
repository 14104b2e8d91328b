//! Adds a UI module to a slot of the home page. Replace this with the code of your plugin.

use masthead_plugin::{Context, Contribution, Layout, register, serde_json::Value, settings};
use serde::{Deserialize, Serialize};

/// The settings, which are also the properties of the module.
#[derive(Deserialize, Serialize)]
struct Row {
    links: Vec<Value>,
}

struct MyPlugin;

impl Layout for MyPlugin {
    fn contribute(context: &Context) -> Result<Vec<Contribution>, String> {
        let row: Row = settings()?;
        if context.route != "home" || row.links.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Contribution::new("footer.rows", "footer-friendship-links", &row)?])
    }
}

register!(MyPlugin: Layout);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn only_the_home_page_has_the_row() {
        testing::set_settings(r#"{"links":[{"address":"https://example.org/"}]}"#);
        let mut context = testing::context("en");
        assert_eq!(MyPlugin::contribute(&context).unwrap()[0].slot, "footer.rows");
        context.route = "article".to_owned();
        assert!(MyPlugin::contribute(&context).unwrap().is_empty());
    }
}
