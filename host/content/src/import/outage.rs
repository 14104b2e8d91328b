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

/// Whether nothing more can be stored after this error.
pub fn is_outage(error: &anyhow::Error) -> bool {
    outage_of(&**error).is_some()
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
        let missing = std::fs::read("/nowhere/at/all").unwrap_err();
        assert!(!is_outage(&anyhow::Error::from(missing)));
        assert!(!is_outage(&anyhow::anyhow!("No space left on device")), "words decide nothing");
    }
}
