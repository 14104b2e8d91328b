//! The secrets that a site grants a plugin, each bound to the origins that it may be sent to.

use std::collections::BTreeMap;

use masthead_domain::plugin_use::SecretGrant;

use super::{
    allowed_origins::{AllowedOrigins, Origin},
    error::FetchError,
};

/// Names of secrets, with the origins that each may be sent to. A plugin that may reach several servers could otherwise send the
/// secret of one to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrantedSecrets(BTreeMap<String, Vec<Origin>>);

impl GrantedSecrets {
    /// Binds the secrets of a site's grants to origins that the site grants.
    ///
    /// A secret granted by its name alone is bound to the only origin; with several, the grant has to name them. Secrets are sent
    /// over https, or to an IP address of this machine.
    ///
    /// # Errors
    /// The faulty grant, and what to write instead.
    pub fn bind(grants: &[SecretGrant], allowed: &AllowedOrigins) -> Result<Self, String> {
        let mut secrets = BTreeMap::new();
        for grant in grants {
            let name = grant.name();
            let origins = origins(grant, allowed).map_err(|why| format!("the secret {name:?}: {why}"))?;
            if let Some(origin) = origins.iter().find(|origin| !origin.keeps_secrets()) {
                return Err(format!(
                    "the secret {name:?}: {origin} has no encryption; a secret is sent over https, or to an IP address of this \
                     machine; write {{ name = {name:?}, origins = [] }} for a secret that only signs"
                ));
            }
            if secrets.insert(name.to_owned(), origins).is_some() {
                return Err(format!("the secret {name:?} is granted twice; write all of its origins in one grant"));
            }
        }
        Ok(Self(secrets))
    }

    /// Whether a secret may be sent to an origin.
    pub(super) fn check(&self, name: &str, origin: &Origin) -> Result<(), FetchError> {
        let origins = self.0.get(name).ok_or_else(|| FetchError::SecretNotGranted(name.to_owned()))?;
        if origins.contains(origin) {
            return Ok(());
        }
        Err(FetchError::SecretNotBound { secret: name.to_owned(), origin: origin.to_string() })
    }
}

fn origins(grant: &SecretGrant, allowed: &AllowedOrigins) -> Result<Vec<Origin>, String> {
    match grant {
        SecretGrant::Bound { origins, .. } => {
            origins.iter().map(|entry| allowed.named(entry).map_err(|why| format!("{entry:?}: {why}"))).collect()
        }
        SecretGrant::Name(name) if allowed.all().len() > 1 => Err(format!(
            "the site grants several servers ({}); name those that may get it: {{ name = {name:?}, origins = [\"https://...\"] }}",
            allowed.listed()
        )),
        SecretGrant::Name(_) => Ok(allowed.all().cloned().collect()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use url::Url;

    use super::*;
    use crate::invocation::fetch::tests::{allowed, strings};

    fn bound(origins: &[&str]) -> SecretGrant {
        SecretGrant::Bound { name: "key".to_owned(), origins: strings(origins) }
    }

    fn check(secrets: &GrantedSecrets, name: &str, url: &str) -> Result<(), FetchError> {
        secrets.check(name, &Origin::of(&Url::parse(url).unwrap()).unwrap())
    }

    #[test]
    fn a_name_alone_is_bound_to_the_only_server() {
        let one = GrantedSecrets::bind(&["key".into()], &allowed(&["api.example.org"], &[])).unwrap();
        assert_eq!(check(&one, "key", "https://api.example.org/v1"), Ok(()));
        assert_eq!(
            check(&one, "other", "https://api.example.org/"),
            Err(FetchError::SecretNotGranted("other".to_owned()))
        );
        let none = GrantedSecrets::bind(&["key".into()], &allowed(&[], &[])).unwrap();
        assert!(check(&none, "key", "https://api.example.org/").is_err());
        let several = allowed(&["a.example", "b.example"], &[]);
        let error = GrantedSecrets::bind(&["key".into()], &several).unwrap_err();
        assert!(error.contains("https://a.example, https://b.example") && error.contains("name = \"key\""), "{error}");
    }

    #[test]
    fn a_secret_is_sent_to_its_servers_only() {
        let allowed = allowed(&["a.example", "b.example", "b.example:8443"], &[]);
        let secrets = GrantedSecrets::bind(&[bound(&["https://B.example:443"])], &allowed).unwrap();
        assert_eq!(check(&secrets, "key", "https://b.example/x"), Ok(()));
        for other in ["https://a.example/", "https://b.example:8443/", "http://b.example/"] {
            let error = check(&secrets, "key", other).unwrap_err();
            assert!(matches!(&error, FetchError::SecretNotBound { secret, .. } if secret == "key"), "{other}: {error}");
        }
        let signs_only = GrantedSecrets::bind(&[bound(&[])], &allowed).unwrap();
        assert!(check(&signs_only, "key", "https://a.example/").is_err());
    }

    #[test]
    fn grants_that_bind_nothing_or_need_no_encryption_are_refused() {
        let allowed = allowed(
            &["a.example", "http://clear.example"],
            &["http://127.0.0.1:8080", "http://[::1]:1", "http://10.0.0.1"],
        );
        for (grants, why) in [
            (vec![bound(&["other.example"])], "not among the servers that the site grants"),
            (vec![bound(&["*.example"])], "wildcards"),
            (vec![bound(&["http://clear.example"])], "no encryption"),
            (vec![bound(&["http://10.0.0.1"])], "no encryption"),
            (vec![bound(&["a.example"]), bound(&[])], "granted twice"),
        ] {
            let error = GrantedSecrets::bind(&grants, &allowed).unwrap_err();
            assert!(error.contains(why) && error.contains("\"key\""), "{error}");
        }
        let loopback = GrantedSecrets::bind(&[bound(&["http://127.0.0.1:8080", "http://[::1]:1"])], &allowed).unwrap();
        assert_eq!(check(&loopback, "key", "http://127.0.0.1:8080/"), Ok(()));
        assert_eq!(check(&loopback, "key", "http://[::1]:1/"), Ok(()));
    }
}
