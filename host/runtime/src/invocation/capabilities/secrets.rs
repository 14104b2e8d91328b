//! Capability `secrets`: whether a secret exists, and signatures with it. The secret itself never enters a plugin's memory.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use crate::{
    contract::bindings::masthead::plugin::secrets::Host,
    invocation::{fetch::Secrets, host_services::SecretSource, recording::record_or_replay, store_state::StoreState},
};

/// The secrets of one site.
pub(crate) struct SiteSecrets<'a>(pub &'a dyn SecretSource, pub masthead_domain::SiteId);

impl Secrets for SiteSecrets<'_> {
    fn get(&self, name: &str) -> Option<String> {
        self.0.secret(self.1, name)
    }
}

impl StoreState {
    fn granted_secret(&self, name: &str) -> Result<String, String> {
        if !self.site.grants.secrets.iter().any(|granted| granted.name() == name) {
            return Err(format!("the site does not grant the secret {name:?}; list it under grants.secrets"));
        }
        let secrets = SiteSecrets(&*self.site.services.secrets, self.site.site_id);
        secrets.usable(name).ok_or_else(|| format!("the host has no secret {name:?} for this site"))
    }
}

impl Host for StoreState {
    fn has(&mut self, name: String) -> bool {
        let real = async { self.granted_secret(&name).is_ok() };
        let work = record_or_replay(
            self.request.recording.as_deref(),
            "secrets.has",
            || json!({ "name": &name }),
            false,
            real,
        );
        futures::FutureExt::now_or_never(work).and_then(Result::ok).unwrap_or_default()
    }

    fn sign(&mut self, name: String, data: Vec<u8>) -> Result<String, String> {
        let real = async {
            let secret = self.granted_secret(&name)?;
            let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|error| error.to_string())?;
            mac.update(&data);
            Ok(masthead_domain::text::hex(&mac.finalize().into_bytes()))
        };
        let args = || json!({ "name": &name, "data": &data });
        let work = record_or_replay(self.request.recording.as_deref(), "secrets.sign", args, true, real);
        let answer = futures::FutureExt::now_or_never(work);
        answer.unwrap_or_else(|| Err("the call did not complete at once".to_owned())).unwrap_or_else(Err)
    }
}
