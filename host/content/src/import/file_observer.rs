//! The name of the file that is read, told before it is read.

use std::{fmt, sync::Arc};

/// Receiver of the name of each file before it is read: if the process ends in the middle, the file that ended it is known. It is
/// called from several threads, and returns when the name is told.
#[derive(Clone, Default)]
pub struct FileObserver(Option<Arc<Tell>>);

type Tell = dyn Fn(&str) + Send + Sync;

impl FileObserver {
    /// Tells names to this function.
    #[must_use]
    pub fn to(tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tell)))
    }

    /// Tells the name of a file.
    pub fn note(&self, file: &str) {
        if let Some(tell) = &self.0 {
            tell(file);
        }
    }
}

impl fmt::Debug for FileObserver {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Reading").field(&self.0.is_some()).finish()
    }
}
