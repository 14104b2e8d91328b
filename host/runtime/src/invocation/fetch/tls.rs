//! TLS configuration for all sites: the machine's trust store, read once.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::sync::OnceCell;

static MACHINE: OnceCell<ClientConfig> = OnceCell::const_new();

/// Trusts the machine's authorities, which include the operator's own.
pub(super) async fn machine() -> Result<ClientConfig, String> {
    let config = MACHINE
        .get_or_try_init(|| async {
            // Reading some hundred files blocks.
            tokio::task::spawn_blocking(read).await.map_err(|error| error.to_string())?
        })
        .await;
    config.cloned().map_err(|error| {
        format!("the certificates that this machine trusts cannot be read ({error}); install its ca-certificates")
    })
}

fn read() -> Result<ClientConfig, String> {
    let builder = builder()?.with_platform_verifier().map_err(|error| error.to_string())?;
    Ok(builder.with_no_client_auth())
}

/// The configuration that the HTTP client requires even for clear text: it trusts no authority.
pub(super) fn nobody() -> Result<ClientConfig, String> {
    Ok(builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

/// The crypto provider is passed explicitly, not installed for the process, so that other users of rustls can choose their own.
fn builder() -> Result<rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier>, String> {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())
}

/// Trusts one authority made for a test.
#[cfg(test)]
pub(super) fn only(authority: rustls::pki_types::CertificateDer<'static>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    roots.add(authority).map_err(|error| error.to_string())?;
    Ok(builder()?.with_root_certificates(roots).with_no_client_auth())
}
