//! Certificates for servers of tests, from an authority that nobody else trusts.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer},
};

/// An authority with a key of its own.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self { issuer: CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap() }
    }

    /// Its certificate in PEM.
    pub fn pem(&self) -> String {
        let encoded = STANDARD.encode(self.issuer.der());
        let lines = encoded.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap());
        let lines = lines.collect::<Vec<_>>().join("\n");
        format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n")
    }

    /// A server with a certificate for these names and addresses.
    pub fn server(&self, names: &[&str]) -> Arc<ServerConfig> {
        self.signed(params(names))
    }

    /// A server whose certificate for these names has expired.
    pub fn expired_server(&self, names: &[&str]) -> Arc<ServerConfig> {
        let mut params = params(names);
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 1, 1));
        self.signed(params)
    }

    fn signed(&self, params: CertificateParams) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        config(certificate.der().clone(), &key)
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

/// A server with a self-signed certificate.
pub fn self_signed_server(names: &[&str]) -> Arc<ServerConfig> {
    let key = KeyPair::generate().unwrap();
    let certificate = params(names).self_signed(&key).unwrap();
    config(certificate.der().clone(), &key)
}

fn params(names: &[&str]) -> CertificateParams {
    CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap()
}

fn config(certificate: CertificateDer<'static>, key: &KeyPair) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap())
}
