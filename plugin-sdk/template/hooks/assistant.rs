//! Signs a token for the frame of the assistant. Replace this with the code of your plugin.

use masthead_plugin::{
    Assistant, AssistantRequest, Context, base64_url, clock, register, secrets,
    serde_json::{self, json},
    settings,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    secret: String,
}

struct MyPlugin;

impl Assistant for MyPlugin {
    fn secure_parameters(context: &Context, request: AssistantRequest) -> Result<String, String> {
        let Settings { secret } = settings()?;
        let claims = json!({ "host": request.host, "siteId": context.site_id, "query": request.query, "iat": clock::now() / 1000 });
        let claims = base64_url(&serde_json::to_vec(&claims).map_err(|error| error.to_string())?);
        Ok(format!("{claims}.{}", secrets::sign(&secret, &claims)?))
    }
}

register!(MyPlugin: Assistant);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    #[test]
    fn a_token_needs_the_secret() {
        testing::set_settings(r#"{"secret":"key"}"#);
        let request = AssistantRequest {
            host: "journals.example.org".to_owned(),
            query: String::new(),
            content: String::new(),
            signed_in: false,
        };
        assert!(MyPlugin::secure_parameters(&testing::context("en"), request.clone()).is_err());
        testing::put_secret("key");
        let token = MyPlugin::secure_parameters(&testing::context("en"), request).unwrap();
        assert_eq!(token.split('.').count(), 2);
    }
}
