//! Sends text messages through a gateway that responds with `{"id": "..."}`. Replace this with the code of your plugin.

use masthead_plugin::http::{self, Credential};
use masthead_plugin::{
    Context, Message, MessageChannel, MessageFailure, Messaging, register, serde_json::json, settings,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    address: String,
    secret: String,
}

#[derive(Deserialize)]
struct Sent {
    id: String,
}

struct MyPlugin;

impl Messaging for MyPlugin {
    fn send(_: &Context, message: Message) -> Result<String, MessageFailure> {
        if message.channel != MessageChannel::Sms {
            return Err(MessageFailure::NotMine);
        }
        let Settings { address, secret } = settings()?;
        let body = json!({ "to": message.to, "text": message.text });
        let answer = http::post_json(&address, &body)?.credential(Credential::bearer(&secret)).send()?;
        if answer.status == 422 {
            return Err(MessageFailure::Refused("the gateway does not know this number".to_owned()));
        }
        let Sent { id } = answer.success()?.json()?;
        Ok(id)
    }
}

register!(MyPlugin: Messaging);

#[cfg(test)]
mod tests {
    use super::*;
    use masthead_plugin::testing;

    fn sent(channel: MessageChannel) -> Result<String, MessageFailure> {
        testing::set_settings(r#"{"address":"https://sms.example.org/","secret":"key"}"#);
        testing::put_secret("key");
        testing::on_http(|_| Ok(testing::answer(200, r#"{"id":"m1"}"#)));
        let message = Message {
            channel,
            to: "13800000000".to_owned(),
            purpose: "login-code".to_owned(),
            values: Vec::new(),
            text: "123456".to_owned(),
        };
        MyPlugin::send(&testing::context("zh"), message)
    }

    #[test]
    fn only_text_messages_are_sent() {
        assert_eq!(sent(MessageChannel::Sms).unwrap(), "m1");
        assert!(matches!(sent(MessageChannel::Mail), Err(MessageFailure::NotMine)));
    }
}
