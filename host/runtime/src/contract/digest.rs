//! SHA-256 digests: of components, manifests and settings.

use sha2::{Digest as _, Sha256};

/// The SHA-256 digest of a sequence of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    /// 64 lower-case hexadecimal digits.
    pub(crate) fn hex(self) -> String {
        masthead_domain::text::hex(&self.0)
    }
}

/// The SHA-256 digest of `bytes`.
pub(crate) fn sha256(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}
