//! Name resolution for connections.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::{self, AddressScope};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Resolves host names.
pub trait Resolver: Send + Sync {
    /// All addresses of `host`, which is a name and never an address.
    fn resolve<'a>(&'a self, host: &'a str) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;
}

/// Resolves with the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect()) })
    }
}

/// The resolver of the HTTP client. It returns only addresses that the host may connect to, and the client connects to no others.
/// This is the only check of a name's addresses, so that DNS rebinding (another address after the check) has no effect.
pub(super) struct Checked {
    pub(super) resolver: Arc<dyn Resolver>,
    pub(super) scope: AddressScope,
}

/// A name resolves to a refused address. `client.rs` finds this error among the causes of the client's error.
#[derive(Debug, thiserror::Error)]
#[error("{host} leads to {address}, {what}{}", advice(*.scope))]
pub(super) struct Refused {
    host: String,
    address: IpAddr,
    what: &'static str,
    scope: AddressScope,
}

fn advice(scope: AddressScope) -> &'static str {
    match scope {
        AddressScope::Public => "; a host of the operator's own network has to be granted as private",
        AddressScope::Private => ", which cannot be granted",
    }
}

impl Checked {
    // All addresses must be allowed: a name with an allowed and a refused address is an attack or a mistake.
    async fn addresses(resolver: &dyn Resolver, host: &str, scope: AddressScope) -> Result<Vec<SocketAddr>, BoxError> {
        let found = resolver.resolve(host).await?;
        if found.is_empty() {
            return Err(format!("{host} has no address").into());
        }
        for &address in &found {
            if let Some(what) = address::refusal(address, scope) {
                return Err(Refused { host: host.to_owned(), address, what, scope }.into());
            }
        }
        // The client replaces the port by that of the URL.
        Ok(found.into_iter().map(|address| SocketAddr::new(address, 0)).collect())
    }
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (resolver, scope) = (Arc::clone(&self.resolver), self.scope);
        Box::pin(async move {
            let addresses = Self::addresses(resolver.as_ref(), name.as_str(), scope).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Mutex;

    use super::*;

    /// Returns another address each time, as the name server of an attacker does.
    struct Turning(Mutex<Vec<Vec<&'static str>>>);

    impl Resolver for Turning {
        fn resolve<'a>(&'a self, _: &'a str) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
            let answer = self.0.lock().unwrap().remove(0);
            Box::pin(async move { Ok(answer.iter().map(|address| address.parse().unwrap()).collect()) })
        }
    }

    async fn ask(scope: AddressScope, answers: &[&[&'static str]]) -> Vec<Result<Vec<String>, String>> {
        let turning = Turning(Mutex::new(answers.iter().map(|answer| answer.to_vec()).collect()));
        let checked = Checked { resolver: Arc::new(turning), scope };
        let mut results = Vec::new();
        for _ in answers {
            let result = checked.resolve("api.example.org".parse().unwrap()).await;
            results.push(match result {
                Ok(found) => Ok(found.map(|found| found.to_string()).collect()),
                Err(error) => {
                    assert!(error.downcast_ref::<Refused>().is_some() || error.to_string().contains("no address"));
                    Err(error.to_string())
                }
            });
        }
        results
    }

    #[tokio::test]
    async fn a_name_that_changes_to_an_internal_address_is_refused_at_the_next_connection() {
        let results = ask(AddressScope::Public, &[&["8.8.8.8"], &["127.0.0.1"]]).await;
        assert_eq!(results[0], Ok(vec!["8.8.8.8:0".to_owned()]));
        let error = results[1].as_ref().unwrap_err();
        assert!(error.contains("api.example.org leads to 127.0.0.1, a loopback address"), "{error}");
        assert!(error.contains("granted as private"), "{error}");
    }

    #[tokio::test]
    async fn a_name_with_one_refused_address_is_refused() {
        for answer in [["8.8.8.8", "10.0.0.1"], ["10.0.0.1", "8.8.8.8"], ["8.8.8.8", "::ffff:10.0.0.1"]] {
            assert!(ask(AddressScope::Public, &[&answer]).await[0].is_err(), "{answer:?}");
        }
        assert!(ask(AddressScope::Private, &[&["10.0.0.1", "169.254.169.254"]]).await[0].is_err());
        assert!(ask(AddressScope::Private, &[&["10.0.0.1", "8.8.8.8"]]).await[0].is_ok());
        assert!(ask(AddressScope::Public, &[&[]]).await[0].is_err());
    }
}
