//! Errors that concern everything that an import would still store: a full disk, a database that is away.

use std::{error::Error, io, iter};

use masthead_store::{Outage, StoreError};

/// Why nothing more can be stored after this error, whatever comes next; `None` if the error concerns one thing only.
#[must_use]
pub fn outage_of(error: &(dyn Error + 'static)) -> Option<Outage> {
    iter::successors(Some(error), |&cause| cause.source()).find_map(of_cause)
}

fn of_cause(cause: &(dyn Error + 'static)) -> Option<Outage> {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    if let Some(error) = cause.downcast_ref::<StoreError>() {
        return error.outage();
    }
    let kind = cause.downcast_ref::<io::Error>()?.kind();
    matches!(kind, StorageFull | QuotaExceeded | FileTooLarge | ReadOnlyFilesystem).then_some(Outage::Full)
}

/// Why an import was stopped.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "the import was stopped at {path}, because nothing more can be stored: {reason}; everything that is reported as created or updated is \
     stored; make room or bring the database back"
)]
pub struct Stopped {
    /// The file that could not be stored.
    pub path: String,
    /// The error.
    pub reason: String,
}

/// The error as a sentence that says what was reached and what to do, if nothing more can be stored.
pub fn advised(error: anyhow::Error, reached: &str) -> anyhow::Error {
    if !is_outage(&error) {
        return error;
    }
    let reason = match error.downcast_ref::<Stopped>() {
        Some(Stopped { path, reason }) => format!("{path}: {reason}"),
        None => causes(&error),
    };
    anyhow::anyhow!(
        "{reached}, because nothing more can be stored: {reason}; make room or bring the database back, then run the command again"
    )
}

/// The causes of an error; one that the text of those before it has is not repeated.
fn causes(error: &anyhow::Error) -> String {
    error.chain().map(|cause| cause.to_string()).fold(String::new(), |before, cause| {
        if before.is_empty() {
            cause
        } else if before.contains(&cause) {
            before
        } else {
            format!("{before}: {cause}")
        }
    })
}

/// Whether nothing more can be stored after this error.
pub fn is_outage(error: &anyhow::Error) -> bool {
    outage_of(&**error).is_some() || error.chain().any(|cause| cause.is::<Stopped>())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{fs::OpenOptions, io::Write as _};

    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_full_disk_is_recognised_behind_what_was_done() {
        // The device that is always full.
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap().write_all(b"x").unwrap_err();
        let error = Err::<(), _>(full).context("storing f1.png in the data folder").context("the item").unwrap_err();
        assert!(is_outage(&error), "{error:#}");
        let error = anyhow::Error::from(StoreError::NotTried(Outage::Away)).context("the item");
        assert!(is_outage(&error), "{error:#}");
        let said = advised(error, "nothing was loaded").to_string();
        assert!(said.starts_with("nothing was loaded, because ") && said.contains("the item: not stored"), "{said}");
        let stopped = Stopped { path: "a.xml".to_owned(), reason: "the disk is full".to_owned() };
        let said = advised(anyhow::Error::from(stopped), "nothing was loaded").to_string();
        assert!(said.contains("a.xml: the disk is full;") && !said.contains("is stored"), "{said}");
        let missing = std::fs::read("/nowhere/at/all").unwrap_err();
        assert!(!is_outage(&anyhow::Error::from(missing)));
        assert!(!is_outage(&anyhow::anyhow!("No space left on device")), "words decide nothing");
        assert_eq!(advised(anyhow::anyhow!("a word"), "nothing was loaded").to_string(), "a word");
    }
}
