//! Signs readers in through an external service that redirects them back with a ticket. Replace this with the code of your plugin.

use masthead_plugin::http::{self, Credential};
use masthead_plugin::{Context, Identity, IdentityAnswer, IdentityStart, User, register, settings, with_query};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    sign_in_address: String,
    user_address: String,
    secret: String,
}

#[derive(Deserialize)]
struct Account {
    id: String,
    name: String,
}

struct MyPlugin;

impl Identity for MyPlugin {
    fn begin(_: &Context, start: IdentityStart) -> Result<String, String> {
        let address = settings::<Settings>()?.sign_in_address;
        Ok(with_query(&address, [("callback", start.callback), ("state", start.state)]))
    }

    fn complete(_: &Context, answer: IdentityAnswer) -> Result<User, String> {
        let Settings { user_address, secret, .. } = settings()?;
        let ticket = answer.param("ticket").ok_or("the identity service sent no ticket")?;
        let account =
            http::get(&user_address).query("ticket", ticket).credential(Credential::bearer(&secret)).send()?;
        let Account { id, name } = account.success()?.json()?;
        Ok(User { subject: id, name })
    }
}

register!(MyPlugin: Identity);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    const SETTINGS: &str = r#"{
        "signInAddress": "https://id.example.org/in", "userAddress": "https://id.example.org/user", "secret": "key"
    }"#;

    #[test]
    fn the_sign_in_address_has_the_state() {
        testing::set_settings(SETTINGS);
        let start = IdentityStart { callback: "https://a.example/back".to_owned(), state: "s".to_owned() };
        let address = MyPlugin::begin(&testing::context("en"), start).unwrap();
        assert_eq!(address, "https://id.example.org/in?callback=https%3A%2F%2Fa.example%2Fback&state=s");
    }

    #[test]
    fn a_ticket_is_exchanged_for_a_user() {
        testing::set_settings(SETTINGS);
        testing::put_secret("key");
        testing::on_http(|request| {
            assert_eq!(request.url, "https://id.example.org/user?ticket=t");
            Ok(testing::answer(200, r#"{"id":"u1","name":"Ada"}"#))
        });
        let mut answer = IdentityAnswer { callback: String::new(), query: Vec::new() };
        assert!(MyPlugin::complete(&testing::context("en"), answer.clone()).is_err());
        answer.query.push(("ticket".to_owned(), "t".to_owned()));
        assert_eq!(MyPlugin::complete(&testing::context("en"), answer).unwrap().subject, "u1");
    }
}
