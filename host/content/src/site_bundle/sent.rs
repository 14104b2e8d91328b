//! Bundles that are sent by a call: what is wrong with a bundle is told apart from what is wrong with the host.

use std::{io, path::Path};

use masthead_store::{Store, StoreError};

use super::{LoadOptions, Loaded, configuration::finish_loading, load::changed};
use crate::import::{OnItem, outage::is_outage};

/// Why a bundle was not loaded.
#[derive(Debug)]
pub enum LoadFailure {
    /// The bundle cannot be loaded into this installation, for the reason in the message; nothing was changed.
    Refused(anyhow::Error),
    /// The host cannot read or write something. The error has its causes, such as a full disk ([`crate::import::outage_of`]).
    Host(anyhow::Error),
}

impl LoadFailure {
    fn of(error: anyhow::Error) -> Self {
        let of_host = is_outage(&error)
            || error.chain().any(|cause| {
                // Values and texts of the bundle that cannot be read are its own faults.
                let stored = cause.downcast_ref::<StoreError>();
                let read = cause.downcast_ref::<io::Error>();
                stored.is_some_and(|error| !matches!(error, StoreError::Damaged { .. }))
                    || read.is_some_and(|error| {
                        !matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
                    })
            });
        if of_host { Self::Host(error) } else { Self::Refused(error) }
    }
}

/// Loads a bundle as [`super::load`] does, for callers who are not at the command line.
///
/// # Errors
/// [`LoadFailure`].
pub async fn load_sent(
    store: &Store,
    data: &Path,
    sites: &Path,
    bundle: &Path,
    options: LoadOptions<'_>,
    on_item: OnItem<'_>,
) -> Result<Loaded, LoadFailure> {
    finish_loading(store, sites).await.map_err(LoadFailure::Host)?;
    let loaded = changed(store, data, sites, bundle, options, on_item).await.map_err(LoadFailure::of)?;
    finish_loading(store, sites).await.map_err(LoadFailure::Host)?;
    Ok(loaded)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use anyhow::Context as _;
    use masthead_store::Outage;

    use super::*;

    #[test]
    fn faults_of_a_bundle_are_none_of_the_host() {
        let refused = |error: anyhow::Error| matches!(LoadFailure::of(error), LoadFailure::Refused(_));
        let reading = |kind: io::ErrorKind| Err::<(), _>(io::Error::from(kind)).context("reading a line").unwrap_err();
        assert!(refused(anyhow::anyhow!("the bundle has no bundle.json")));
        assert!(refused(reading(io::ErrorKind::InvalidData)), "a text that is not UTF-8");
        assert!(!refused(reading(io::ErrorKind::PermissionDenied)) && !refused(reading(io::ErrorKind::StorageFull)));
        let source = serde_json::from_str::<u8>("{").unwrap_err();
        assert!(refused(anyhow::Error::from(StoreError::Damaged { what: "an article", source }).context("line 3")));
        assert!(!refused(anyhow::Error::from(StoreError::NotTried(Outage::Away)).context("writing the rows")));
    }

    #[tokio::test]
    async fn a_file_that_is_no_bundle_is_refused_with_its_name_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let (data, sites) = (folder.path().join("data"), folder.path().join("sites"));
        std::fs::create_dir_all(&sites).unwrap();
        let store = crate::data_folder::open_store(&data, None).await.unwrap();
        let bundle = folder.path().join("sent.tar.gz");
        std::fs::write(&bundle, "no bundle").unwrap();
        let loaded = load_sent(&store, &data, &sites, &bundle, LoadOptions::default(), &mut |_| ()).await;
        let failure = loaded.err().unwrap();
        assert!(
            matches!(&failure, LoadFailure::Refused(error) if error.to_string().contains("sent.tar.gz")),
            "{failure:?}"
        );
        assert_eq!(std::fs::read_dir(crate::scratch::root(&data)).unwrap().count(), 0);
    }
}
