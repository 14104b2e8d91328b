//! The installation's key: cookies and resumption tokens are signed with it.

use std::{io::Write as _, path::Path};

/// Name of the file in the data folder.
const FILE: &str = "cookie.key";

/// Whether the data folder has a key.
#[must_use]
pub fn exists(data: &Path) -> bool {
    data.join(FILE).is_file()
}

/// The key, 32 random bytes in the data folder: made once, readable by its owner only.
///
/// # Errors
/// A message that names the file.
pub fn read_or_create(data: &Path) -> anyhow::Result<[u8; 32]> {
    let path = data.join(FILE);
    if let Ok(bytes) = std::fs::read(&path)
        && let Ok(key) = <[u8; 32]>::try_from(bytes.as_slice())
    {
        return Ok(key);
    }
    let key: [u8; 32] = rand::random();
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(&path)
        .and_then(|mut file| file.write_all(&key))
        .map_err(|error| anyhow::anyhow!("writing the signing key {}: {error}", path.display()))?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_key_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_or_create(folder.path()).unwrap(), read_or_create(folder.path()).unwrap());
    }
}
