//! Adds a parameter to requests for resource statistics. Replace this with the code of your plugin.

use masthead_plugin::{Context, Statistics, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    name: String,
    value: String,
}

struct MyPlugin;

impl Statistics for MyPlugin {
    fn parameters(_: &Context, mut parameters: Vec<(String, String)>) -> Result<Vec<(String, String)>, String> {
        let Settings { name, value } = settings()?;
        parameters.retain(|(other, _)| *other != name);
        parameters.push((name, value));
        Ok(parameters)
    }
}

register!(MyPlugin: Statistics);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn the_parameter_is_added_once() {
        testing::set_settings(r#"{"name":"source","value":"mine"}"#);
        let mut parameters = Vec::new();
        for _ in 0..2 {
            parameters = MyPlugin::parameters(&testing::context("en"), parameters).unwrap();
        }
        assert_eq!(parameters, [("source".to_owned(), "mine".to_owned())]);
    }
}
