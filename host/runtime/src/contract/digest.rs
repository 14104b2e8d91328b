//! SHA-256 digests: of components, manifests and settings.

use sha2::{Digest as _, Sha256};

/// SHA-256 of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    /// 64 lower-case hexadecimal digits.
    pub(crate) fn hex(self) -> String {
        hex(&self.0)
    }
}

/// The SHA-256 digest of `bytes`.
pub(crate) fn sha256(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// Two lower-case hexadecimal digits a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
