//! SHA-256 digests.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use masthead_domain::text::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest in lower-case hexadecimal digits; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The digest in hexadecimal digits.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

/// Copies everything, and returns the digest and the number of the bytes.
pub fn copy(from: &mut impl Read, to: &mut impl Write) -> io::Result<(Digest, u64)> {
    let (mut hash, mut length, mut buffer) = (Sha256::new(), 0, vec![0; 128 << 10]);
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok((Digest(hash.finalize().into()), length)),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hash.update(&buffer[..read]);
        to.write_all(&buffer[..read])?;
        length += read as u64;
    }
}

/// The digest of a file and its length.
pub fn of_file(path: &Path) -> io::Result<(Digest, u64)> {
    copy(&mut File::open(path)?, &mut io::sink())
}
