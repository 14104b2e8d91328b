//! Capability `kv`: values that a plugin stores on a site.

use serde_json::{Value, json};

use crate::{
    contract::bindings::masthead::plugin::kv::{Failure, Host},
    invocation::{host_services::WriteOutcome, recording::record_or_replay, store_state::StoreState},
};

const KEY_BYTES: usize = 256;
const VALUE_BYTES: usize = 64 << 10;

impl StoreState {
    async fn access_values<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        call: &str,
        key: &str,
        args: Value,
        real: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        if !self.site.grants.kv {
            return Err(Failure::Other("the site does not grant kv; `kv = true` under grants gives it".to_owned()));
        }
        if key.len() > KEY_BYTES {
            return Err(Failure::Invalid(format!("a key of {} bytes, allowed are {KEY_BYTES}", key.len())));
        }
        let answer = record_or_replay(self.request.recording.as_deref(), call, || args, true, real).await;
        answer.unwrap_or_else(|problem| Err(Failure::Other(problem)))
    }
}

impl Host for StoreState {
    async fn get(&mut self, key: String) -> Result<Option<Vec<u8>>, Failure> {
        self.pending_host_call = Some("kv.get");
        let (values, site, plugin) = (&self.site.services.values, self.site.site_id, self.site.plugin_id());
        let (owned_key, args) = (key.clone(), self.recorded_args(|| json!({ "key": &key })));
        let real = async { values.get(site, plugin, owned_key).await.map_err(Failure::Other) };
        let answer = self.access_values("kv.get", &key, args, real).await;
        self.pending_host_call = None;
        answer
    }

    async fn set(&mut self, key: String, value: Vec<u8>) -> Result<(), Failure> {
        if key.is_empty() || value.len() > VALUE_BYTES {
            let reason = format!("an empty key, or a value of {} bytes, allowed are {VALUE_BYTES}", value.len());
            return Err(Failure::Invalid(reason));
        }
        self.pending_host_call = Some("kv.set");
        let (values, site, plugin) = (&self.site.services.values, self.site.site_id, self.site.plugin_id());
        let (owned_key, shadow, args) =
            (key.clone(), self.request.shadow, self.recorded_args(|| json!({ "key": &key, "value": &value })));
        let real = async {
            if shadow {
                return Ok(());
            }
            match values.set(site, plugin, owned_key, value).await.map_err(Failure::Other)? {
                WriteOutcome::Stored => Ok(()),
                WriteOutcome::OverQuota => Err(Failure::OverQuota),
            }
        };
        let answer = self.access_values("kv.set", &key, args, real).await;
        self.pending_host_call = None;
        answer
    }

    async fn delete(&mut self, key: String) -> Result<bool, Failure> {
        self.pending_host_call = Some("kv.delete");
        let (values, site, plugin) = (&self.site.services.values, self.site.site_id, self.site.plugin_id());
        let (owned_key, shadow, args) =
            (key.clone(), self.request.shadow, self.recorded_args(|| json!({ "key": &key })));
        let real = async {
            if shadow {
                return Ok(false);
            }
            values.delete(site, plugin, owned_key).await.map_err(Failure::Other)
        };
        let answer = self.access_values("kv.delete", &key, args, real).await;
        self.pending_host_call = None;
        answer
    }

    async fn keys(&mut self, prefix: String, after: String) -> Result<Vec<String>, Failure> {
        self.pending_host_call = Some("kv.keys");
        let (values, site, plugin) = (&self.site.services.values, self.site.site_id, self.site.plugin_id());
        let (owned_key, args) = (prefix.clone(), self.recorded_args(|| json!({ "prefix": &prefix, "after": &after })));
        let real = async { values.keys(site, plugin, owned_key, after).await.map_err(Failure::Other) };
        let answer = self.access_values("kv.keys", &prefix, args, real).await;
        self.pending_host_call = None;
        answer
    }
}
