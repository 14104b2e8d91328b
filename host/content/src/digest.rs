//! SHA-256 digests of bytes, and of files that are too large for the memory.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::Path,
};

use masthead_domain::text::{from_hex, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Bytes that are read at once.
const BUFFER: usize = 128 << 10;

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
        Some(Self(from_hex(text)?.try_into().ok()?))
    }

    /// The digest in hexadecimal digits.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

/// Computes the digest of the bytes that are read.
pub struct Hashing<R> {
    inner: R,
    hash: Sha256,
}

impl<R> Hashing<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, hash: Sha256::new() }
    }

    /// The digest of the bytes that were read.
    pub fn finish(self) -> Digest {
        Digest(self.hash.finalize().into())
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Copies everything, and returns the digest and the number of the bytes.
pub fn copy(from: &mut impl Read, to: &mut impl Write) -> io::Result<(Digest, u64)> {
    let mut from = BufReader::with_capacity(BUFFER, Hashing::new(from));
    let length = io::copy(&mut from, to)?;
    Ok((from.into_inner().finish(), length))
}

/// The digest of a file and its length.
pub fn of_file(path: &Path) -> io::Result<(Digest, u64)> {
    copy(&mut File::open(path)?, &mut io::sink())
}
