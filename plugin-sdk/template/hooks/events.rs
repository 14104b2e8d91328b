//! Notifies another system when an article is published. Replace this with the code of your plugin.

use masthead_plugin::{Context, Event, Events, http, register, serde_json::json, settings};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    address: String,
}

struct MyPlugin;

impl Events for MyPlugin {
    fn notify(context: &Context, event: Event) -> Result<(), String> {
        if event.kind != "article.published" {
            return Ok(());
        }
        let Settings { address } = settings()?;
        let doi = event.article.map(|article| article.doi);
        let body = json!({ "id": event.id, "site": context.sld, "time": event.time, "doi": doi });
        // After an error, the host repeats the event later.
        http::post_json(&address, &body)?.send()?.success()?;
        Ok(())
    }
}

register!(MyPlugin: Events);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    fn notify(kind: &str, status: u16) -> Result<(), String> {
        testing::set_settings(r#"{"address":"https://hooks.example.org/"}"#);
        testing::on_http(move |_| Ok(testing::answer(status, "")));
        let event = Event {
            id: "e1".to_owned(),
            kind: kind.to_owned(),
            time: "2026-01-01T00:00:00Z".to_owned(),
            subject: "17".to_owned(),
            article: Some(testing::article(17)),
            attempt: 1,
        };
        MyPlugin::notify(&testing::context("en"), event)
    }

    #[test]
    fn a_failure_is_returned_to_the_host() {
        assert!(notify("article.published", 204).is_ok());
        assert!(notify("article.published", 500).is_err());
        assert!(notify("settings.changed", 500).is_ok());
    }
}
