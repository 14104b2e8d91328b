//! The tokens of administrators: `masthead token` and the administrators' calls make, list and revoke them, clients send one in the `token`
//! header. The data folder holds only their digests.
//!
//! They are in a file of the data folder and not in the database, because a reader of a backup of the database or of a connection to it
//! must not have them, and because the operator has to make and revoke one while the database is away. Each version of the file is written
//! beside the one before and takes its place, under a lock; a running host sees from the metadata that there is another one.
//!
//! Earlier versions had one token, whose digest is the file `admin.token`. It is listed as `first`, with the role of an administrator of
//! all sites, until it is revoked.

mod described;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use masthead_content::data_folder;
use masthead_domain::{SiteId, text::hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

pub use self::described::TokenView;

/// Names of files in the data folder: the tokens, the lock of their writers, the token of earlier versions.
const FILE: &str = "admin-tokens.json";
const LOCK: &str = "admin-tokens.lock";
const EARLIER: &str = "admin.token";

/// The name of the token of earlier versions.
const EARLIER_NAME: &str = "first";
/// Every token begins with this, so that people and scanners for secrets recognise one.
const PREFIX: &str = "mht_";
/// Greatest number of characters of a name.
const LONGEST_NAME: usize = 64;
/// Greatest number of days until an end.
const MOST_DAYS: i64 = 36_500;

/// The role of a token's holder on its sites. Each role includes the permissions of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Records, imports and comments.
    Editor,
    /// All calls; with all sites, also those for the whole installation.
    Admin,
}

impl Role {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }
}

/// The sites of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sites {
    /// All sites, also those that are added later.
    All,
    /// These sites.
    Only(BTreeSet<SiteId>),
}

/// A token as it is stored: everything but the token itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
// A field of a newer version may restrict the token: this version must not read over it.
#[serde(deny_unknown_fields)]
pub struct AdminToken {
    /// Its name, which the audit trail has.
    pub name: String,
    /// The role of its holder.
    pub role: Role,
    /// Where its holder may do it.
    pub sites: Sites,
    /// When it was created; not known of the token of an earlier version.
    pub created: Option<Timestamp>,
    /// From when on it is refused; never without it.
    pub expires: Option<Timestamp>,
    /// The SHA-256 of the token in hexadecimal.
    digest: String,
}

impl AdminToken {
    /// Whether it is for this site.
    #[must_use]
    pub fn reaches(&self, site: SiteId) -> bool {
        match &self.sites {
            Sites::All => true,
            Sites::Only(sites) => sites.contains(&site),
        }
    }

    /// Whether it is for the whole installation.
    #[must_use]
    pub fn reaches_installation(&self) -> bool {
        self.role == Role::Admin && self.sites == Sites::All
    }

    /// Whether it has come to its end; `now` is in milliseconds since 1970.
    #[must_use]
    pub fn has_ended(&self, now: i64) -> bool {
        self.expires.is_some_and(|end| end.as_millisecond() <= now)
    }
}

/// A token that is to be created.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Its name.
    pub name: String,
    /// The role of its holder.
    pub role: Role,
    /// Where its holder may do it.
    pub sites: Sites,
    /// From when on it is refused; never without it.
    pub expires: Option<Timestamp>,
}

/// Why a token is not created or revoked, or why none can be read.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Another token has the name.
    #[error(
        "there is a token with the name {0} already; choose another name, or revoke that token with `masthead token revoke {0}`"
    )]
    NameInUse(String),
    /// Not the name of a token.
    #[error("{0:?} cannot be the name of a token: use 1 to {max} letters, digits and the characters - _ . @ +", max = LONGEST_NAME)]
    Name(String),
    /// No token has the name.
    #[error("there is no token with the name {0:?}; `masthead token list` shows the names")]
    Unknown(String),
    /// Not an end.
    #[error(
        "{0:?} is not the end of a token: give its last day in UTC as 2027-03-31, or a number of days from now as 90d, at most {max}d",
        max = MOST_DAYS
    )]
    End(String),
    /// The end is not in the future.
    #[error("the token would end at {0}, which is in the past; give a later end")]
    Past(Timestamp),
    /// A file of the data folder cannot be used.
    #[error("{doing} {}: {error}", .path.display())]
    File {
        /// The operation that failed.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl TokenError {
    fn file(doing: &'static str, path: PathBuf) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::File { doing, path, error }
    }
}

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    tokens: Vec<AdminToken>,
}

/// The end of a token: its last day (in UTC), or a number of days from now. `now` is in milliseconds since 1970.
///
/// # Errors
/// [`TokenError::End`].
pub fn end(text: &str, now: i64) -> Result<Timestamp, TokenError> {
    let after = |days: &str| {
        let days = days.parse::<i64>().ok().filter(|days| (1..=MOST_DAYS).contains(days))?;
        second(now)?.checked_add(SignedDuration::from_hours(24 * days)).ok()
    };
    let behind = |day: Date| Some(day.tomorrow().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp());
    let end = match text.strip_suffix('d') {
        Some(days) => days.bytes().all(|byte| byte.is_ascii_digit()).then(|| after(days)).flatten(),
        // The parser of dates takes times behind them, too.
        None => text.parse::<Date>().ok().filter(|_| text.len() == "2027-03-31".len()).and_then(behind),
    };
    end.ok_or_else(|| TokenError::End(text.to_owned()))
}

/// The time without its milliseconds.
fn second(now: i64) -> Option<Timestamp> {
    Timestamp::from_second(now.div_euclid(1000)).ok()
}

/// Creates a token in an existing data folder, and returns it with its stored entry. `now` is in milliseconds since 1970.
///
/// # Errors
/// [`TokenError`]; nothing is stored then.
pub fn create(data: &Path, new: NewToken, now: i64) -> Result<(String, AdminToken), TokenError> {
    let NewToken { name, role, sites, expires } = new;
    let plain = |c: char| c.is_alphanumeric() || "-_.@+".contains(c);
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(plain) {
        return Err(TokenError::Name(name));
    }
    if let Some(end) = expires.filter(|end| end.as_millisecond() <= now) {
        return Err(TokenError::Past(end));
    }
    let _lock = lock(data)?;
    if all(data)?.iter().any(|one| one.name == name) {
        return Err(TokenError::NameInUse(name));
    }
    let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()));
    let mut stored = stored(data)?;
    let created = AdminToken { name, role, sites, created: second(now), expires, digest: digest(&token) };
    stored.tokens.push(created.clone());
    write(data, &stored)?;
    Ok((token, created))
}

/// Revokes a token, and returns its stored entry. A running host refuses the token from the next call on.
///
/// # Errors
/// [`TokenError`]; the token may still be valid then.
pub fn revoke(data: &Path, name: &str) -> Result<AdminToken, TokenError> {
    let _lock = lock(data)?;
    let Some(revoked) = all(data)?.into_iter().find(|one| one.name == name) else {
        return Err(TokenError::Unknown(name.to_owned()));
    };
    let mut stored = stored(data)?;
    let before = stored.tokens.len();
    stored.tokens.retain(|one| one.name != name);
    if stored.tokens.len() < before {
        write(data, &stored)?;
    }
    let earlier = data.join(EARLIER);
    if name == EARLIER_NAME && earlier.exists() {
        fs::remove_file(&earlier)
            .and_then(|()| data_folder::sync_folder(data))
            .map_err(TokenError::file("removing the token of an earlier version", earlier))?;
    }
    Ok(revoked)
}

/// All tokens of a data folder, also those that have ended, in the order in which they were created.
///
/// # Errors
/// [`TokenError::File`].
pub fn all(data: &Path) -> Result<Vec<AdminToken>, TokenError> {
    let path = data.join(EARLIER);
    let earlier = read(&path).map_err(TokenError::file("reading the token of an earlier version", path))?;
    let earlier = earlier.filter(|digest| digest.len() == 32).map(|digest| AdminToken {
        name: EARLIER_NAME.to_owned(),
        role: Role::Admin,
        sites: Sites::All,
        created: None,
        expires: None,
        digest: hex(&digest),
    });
    Ok(earlier.into_iter().chain(stored(data)?.tokens).collect())
}

fn stored(data: &Path) -> Result<Stored, TokenError> {
    let path = data.join(FILE);
    let stored = read(&path).and_then(|bytes| Ok(bytes.map(|bytes| serde_json::from_slice(&bytes)).transpose()?));
    Ok(stored.map_err(TokenError::file("reading the tokens of administrators in", path))?.unwrap_or_default())
}

/// The content of a file; `None` if there is none.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Waits until no other process writes the file. The lock ends with the returned value.
fn lock(data: &Path) -> Result<File, TokenError> {
    let path = data.join(LOCK);
    data_folder::lock(&path).map_err(TokenError::file("locking the tokens of administrators with", path))
}

fn write(data: &Path, stored: &Stored) -> Result<(), TokenError> {
    let path = data.join(FILE);
    let bytes = serde_json::to_vec_pretty(stored).map_err(io::Error::from);
    let written = bytes.and_then(|bytes| data_folder::replace_private(&path, &bytes));
    written.map_err(TokenError::file("writing the tokens of administrators to", path))
}

fn digest(token: &str) -> String {
    hex(&Sha256::digest(token))
}

/// The tokens of a data folder, as a running host reads them.
#[derive(Debug)]
pub struct AdminTokens {
    data: PathBuf,
    latest: Mutex<Option<Latest>>,
}

/// The entries that were read last, with the versions of the two files.
#[derive(Debug)]
struct Latest {
    versions: [Option<FileVersion>; 2],
    tokens: Arc<[AdminToken]>,
}

/// A version of a file. It is written while the one before is still there, so that at least their numbers of the file system differ.
#[derive(Debug, PartialEq, Eq)]
struct FileVersion {
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl AdminTokens {
    /// The tokens of this data folder.
    #[must_use]
    pub fn new(data: &Path) -> Self {
        Self { data: data.to_owned(), latest: Mutex::default() }
    }

    /// The token that a client sent, if it is known and has not ended; `now` is in milliseconds since 1970. Blocking I/O.
    ///
    /// # Errors
    /// [`TokenError::File`]: no token is valid then.
    pub fn find(&self, token: &str, now: i64) -> Result<Option<AdminToken>, TokenError> {
        let (tokens, digest) = (self.current()?, digest(token));
        let mut found = None;
        // All digests are compared, each in constant time, so that the time tells nothing about them.
        for one in tokens.iter() {
            if bool::from(one.digest.as_bytes().ct_eq(digest.as_bytes())) {
                found = Some(one);
            }
        }
        Ok(found.filter(|one| !one.has_ended(now)).cloned())
    }

    fn current(&self) -> Result<Arc<[AdminToken]>, TokenError> {
        // A version is as old as the content that is read after it, or older: the next call reads changes in between again.
        let versions = [self.version(FILE)?, self.version(EARLIER)?];
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = latest.as_ref().filter(|known| known.versions == versions) {
            return Ok(Arc::clone(&known.tokens));
        }
        let tokens: Arc<[AdminToken]> = all(&self.data)?.into();
        *latest = Some(Latest { versions, tokens: Arc::clone(&tokens) });
        Ok(tokens)
    }

    fn version(&self, name: &str) -> Result<Option<FileVersion>, TokenError> {
        let path = self.data.join(name);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TokenError::File { doing: "looking at", path, error }),
            Ok(found) => Ok(Some(FileVersion {
                inode: found.ino(),
                size: found.size(),
                modified: (found.mtime(), found.mtime_nsec()),
                changed: (found.ctime(), found.ctime_nsec()),
            })),
        }
    }
}
