//! The administrator's token: `masthead token` makes it, clients send it in the `token` header. The data folder holds
//! only its digest.

use std::{
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

fn path(data: &Path) -> PathBuf {
    data.join("admin.token")
}

/// Makes a new token in an existing data folder, and invalidates the one before.
///
/// # Errors
/// The file system's error.
pub fn renew(data: &Path) -> io::Result<String> {
    let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
    let temporary = data.join("admin.token.new");
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    file.write_all(&Sha256::digest(&token))?;
    file.sync_all()?;
    std::fs::rename(temporary, path(data))?;
    Ok(token)
}

/// Whether this is the current token. Digests are compared, so that the time of the comparison reveals nothing about
/// the token.
#[must_use]
pub fn is_valid(data: &Path, token: &str) -> bool {
    std::fs::read(path(data)).is_ok_and(|known| known == Sha256::digest(token).as_slice())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_the_latest_token_is_valid() {
        let data = tempfile::tempdir().unwrap();
        assert!(!is_valid(data.path(), ""), "without a token nobody is an administrator");
        let first = renew(data.path()).unwrap();
        assert!(is_valid(data.path(), &first) && !is_valid(data.path(), "x") && !is_valid(data.path(), ""));
        let second = renew(data.path()).unwrap();
        assert!(!is_valid(data.path(), &first) && is_valid(data.path(), &second));
        let stored = std::fs::read(path(data.path())).unwrap();
        assert!(!stored.windows(8).any(|part| second.as_bytes().starts_with(part)), "the token itself is not stored");
    }
}
