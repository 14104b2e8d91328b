//! Values that a plugin keeps on a site.

use serde_json::{Value, json};

use crate::{
    contract::bindings::masthead::plugin::kv::{Failure, Host},
    invocation::{host_services::Kept, recording::through, store_state::State},
};

const KEY_BYTES: usize = 256;
const VALUE_BYTES: usize = 64 << 10;

impl State {
    async fn keep<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        call: &str,
        key: &str,
        args: Value,
        real: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        if !self.member.grants.kv {
            return Err(Failure::Other("the site does not grant kv; `kv = true` under grants gives it".to_owned()));
        }
        if key.len() > KEY_BYTES {
            return Err(Failure::Invalid(format!("a key of {} bytes, allowed are {KEY_BYTES}", key.len())));
        }
        let answer = through(self.frame.tape.as_deref(), call, || args, true, real).await;
        answer.unwrap_or_else(|problem| Err(Failure::Other(problem)))
    }
}

impl Host for State {
    async fn get(&mut self, key: String) -> Result<Option<Vec<u8>>, Failure> {
        self.waiting = Some("kv.get");
        let (values, site, plugin) = (&self.member.services.values, self.member.site_id, self.member.plugin.id());
        let (asked, args) = (key.clone(), self.args(|| json!({ "key": &key })));
        let real = async { values.get(site, plugin, asked).await.map_err(Failure::Other) };
        let answer = self.keep("kv.get", &key, args, real).await;
        self.waiting = None;
        answer
    }

    async fn set(&mut self, key: String, value: Vec<u8>) -> Result<(), Failure> {
        self.waiting = Some("kv.set");
        if key.is_empty() || value.len() > VALUE_BYTES {
            let reason = format!("an empty key, or a value of {} bytes, allowed are {VALUE_BYTES}", value.len());
            return Err(Failure::Invalid(reason));
        }
        let (values, site, plugin) = (&self.member.services.values, self.member.site_id, self.member.plugin.id());
        let (asked, shadow, args) =
            (key.clone(), self.frame.shadow, self.args(|| json!({ "key": &key, "value": &value })));
        let real = async {
            if shadow {
                return Ok(());
            }
            match values.set(site, plugin, asked, value).await.map_err(Failure::Other)? {
                Kept::Yes => Ok(()),
                Kept::OverQuota => Err(Failure::OverQuota),
            }
        };
        let answer = self.keep("kv.set", &key, args, real).await;
        self.waiting = None;
        answer
    }

    async fn delete(&mut self, key: String) -> Result<bool, Failure> {
        self.waiting = Some("kv.delete");
        let (values, site, plugin) = (&self.member.services.values, self.member.site_id, self.member.plugin.id());
        let (asked, shadow, args) = (key.clone(), self.frame.shadow, self.args(|| json!({ "key": &key })));
        let real = async {
            if shadow {
                return Ok(false);
            }
            values.delete(site, plugin, asked).await.map_err(Failure::Other)
        };
        let answer = self.keep("kv.delete", &key, args, real).await;
        self.waiting = None;
        answer
    }

    async fn keys(&mut self, prefix: String, after: String) -> Result<Vec<String>, Failure> {
        self.waiting = Some("kv.keys");
        let (values, site, plugin) = (&self.member.services.values, self.member.site_id, self.member.plugin.id());
        let (asked, args) = (prefix.clone(), self.args(|| json!({ "prefix": &prefix, "after": &after })));
        let real = async { values.keys(site, plugin, asked, after).await.map_err(Failure::Other) };
        let answer = self.keep("kv.keys", &prefix, args, real).await;
        self.waiting = None;
        answer
    }
}
