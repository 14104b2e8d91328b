//! Digests of files that are too large for the memory.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use masthead_domain::text::hex;
use sha2::{Digest as _, Sha256};

/// Computes the digest of what is read.
pub struct Hashing<R> {
    inner: R,
    hash: Sha256,
}

impl<R> Hashing<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, hash: Sha256::new() }
    }

    /// The digest of what was read, in hexadecimal.
    pub fn finish(self) -> String {
        hex(&self.hash.finalize())
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// The digest of a file.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = Hashing::new(File::open(path)?);
    io::copy(&mut file, &mut io::sink())?;
    Ok(file.finish())
}
