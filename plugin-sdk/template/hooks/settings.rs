//! Rejects settings that a JSON Schema cannot check. Register the hooks of your plugin as well: `register!(MyPlugin: SettingsCheck, Links)`.

use masthead_plugin::{Context, SettingsCheck, register, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    first: i32,
    last: i32,
}

struct MyPlugin;

impl SettingsCheck for MyPlugin {
    fn check(_: &Context) -> Result<(), String> {
        let Settings { first, last } = settings()?;
        if last < first {
            return Err(format!("last: {last} is before first, {first}"));
        }
        Ok(())
    }
}

register!(MyPlugin: SettingsCheck);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn years_must_be_in_order() {
        testing::set_settings(r#"{"first":2000,"last":2000}"#);
        assert_eq!(MyPlugin::check(&testing::context("en")), Ok(()));
        testing::set_settings(r#"{"first":2001,"last":2000}"#);
        assert!(MyPlugin::check(&testing::context("en")).unwrap_err().starts_with("last"));
    }
}
