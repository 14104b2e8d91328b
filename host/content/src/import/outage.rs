//! Errors that concern everything that an import would still store: a full disk, a database that is away.

use std::io;

use masthead_store::StoreError;

/// Whether nothing more can be stored after this error, whatever comes next.
pub fn is_outage(error: &anyhow::Error) -> bool {
    let of_file = |error: &io::Error| {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge | ReadOnlyFilesystem)
    };
    error.chain().any(|cause| {
        cause.downcast_ref::<StoreError>().is_some_and(|error| error.outage().is_some())
            || cause.downcast_ref::<io::Error>().is_some_and(of_file)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{fs::OpenOptions, io::Write as _};

    use anyhow::Context as _;
    use masthead_store::Outage;

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
