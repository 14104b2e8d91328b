//! Secrets of sites for tests, and the check that they do not leak.

use std::{
    io::Write,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    sync::{LazyLock, Mutex},
};

use hmac::{Hmac, KeyInit as _, Mac as _};
use masthead_domain::text::hex;
use sha2::Sha256;

use crate::{files::workspace, portal::Portal};

/// The log of the process, at the most detailed level.
static LOG: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(|| {
    let filter = tracing_subscriber::EnvFilter::new(
        "debug,masthead_web=trace,masthead_content=trace,masthead_cli=trace,masthead_runtime=trace,reqwest=trace,hyper=trace,tantivy=warn,wasmtime=warn,cranelift=warn,regalloc2=warn",
    );
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| Logged).try_init();
    Mutex::default()
});

struct Logged;

impl Write for Logged {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOG.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Starts recording the log.
pub fn listen_to_log() {
    LazyLock::force(&LOG);
}

/// The log so far.
pub fn log() -> String {
    String::from_utf8_lossy(&LOG.lock().unwrap()).into_owned()
}

/// Asserts that the secret appears neither in the log nor in the metrics nor in `/readyz`.
pub fn assert_not_leaked(portal: &Portal, secret: &str) {
    let metrics = portal.metrics();
    for (place, text) in [("the log", log()), ("readyz", portal.ready().to_string()), ("the metrics", metrics)] {
        assert!(!text.is_empty() && !text.contains(secret), "{place} holds the secret");
    }
}

/// A data folder with a secrets file that only its owner can read.
pub fn data_with_secrets(name: &str, secrets: &str) -> PathBuf {
    let data = workspace(&format!("{name}-data"));
    let file = data.join("secrets.toml");
    std::fs::write(&file, secrets).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    data
}

/// An HMAC-SHA-256, in hexadecimal digits.
pub fn hmac(key: &str, text: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(text);
    hex(&mac.finalize().into_bytes())
}
