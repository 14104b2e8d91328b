//! The files that a change of an article names: the site has them, and each is what its field is for.

use std::path::PathBuf;

use serde_json::Value;

use super::{RecordError, Records, placeholder_of};
use crate::{
    article_fields::{FILE, FILES, OTHER_ABSTRACTS, PDF, Sides},
    files,
    import::is_pdf,
};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// It is the PDF of the article.
    Pdf,
    /// An abstract shows it.
    Picture,
    /// Readers download it.
    Download,
}

/// A file that a record has and the record before did not have there.
#[derive(Debug, PartialEq, Eq)]
struct NewFile<'a> {
    key: String,
    address: &'a str,
    purpose: Purpose,
}

/// The new files of a record.
fn new_files((before, after): Sides<'_>) -> Vec<NewFile<'_>> {
    let mut found = Vec::new();
    let address = after[PDF].as_str().unwrap_or_default();
    if before[PDF] != after[PDF] && !address.is_empty() {
        found.push(NewFile { key: PDF.to_owned(), address, purpose: Purpose::Pdf });
    }
    for (list, purpose) in [(FILES, Purpose::Download), (OTHER_ABSTRACTS, Purpose::Picture)] {
        let known: Vec<&Value> = before[list].as_array().into_iter().flatten().map(|entry| &entry[FILE]).collect();
        for (at, entry) in after[list].as_array().into_iter().flatten().enumerate() {
            let address = entry[FILE].as_str().unwrap_or_default();
            if !address.is_empty() && !known.contains(&&entry[FILE]) {
                found.push(NewFile { key: format!("{list}.{at}.{FILE}"), address, purpose });
            }
        }
    }
    found
}

impl Records {
    /// The faults of the new files of an article. Those of `local` are not stored yet, and have placeholders.
    pub(super) async fn file_faults(
        &self,
        sides: Sides<'_>,
        local: &[(String, PathBuf)],
    ) -> Result<Vec<String>, RecordError> {
        let mut faults = Vec::new();
        for NewFile { key, address, purpose } in new_files(sides) {
            let given = local.iter().find(|(_, file)| placeholder_of(file) == address);
            let found = match given {
                Some((_, file)) => Some((file.clone(), files::media_type(address).to_owned())),
                None => self.media_writer.stored(address).await?.map(|(path, media)| (path, media.mime)),
            };
            let Some((path, mime)) = found else {
                faults
                    .push(format!("{key}: the site has no file {address:?}; store one with the change ({key}=@FILE)"));
                continue;
            };
            let fault = match purpose {
                Purpose::Pdf => {
                    let good = tokio::task::spawn_blocking(move || is_pdf(&path)).await.map_err(anyhow::Error::from)?;
                    (!good).then_some("is not a PDF")
                }
                Purpose::Picture => (!mime.starts_with("image/")).then_some("is not a picture"),
                Purpose::Download => None,
            };
            faults.extend(fault.map(|fault| format!("{key}: the file {address:?} {fault}")));
        }
        Ok(faults)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_that_are_new_in_a_field_are_found() {
        let before = json!({ "pdf": "/a.pdf", "files": [{ "name": "a", "file": "/a.csv" }], "otherAbstracts": [] });
        let after = json!({
            "pdf": "/b.pdf",
            "files": [{ "name": "c", "file": "/c.csv" }, { "name": "b", "file": "/a.csv" }],
            "otherAbstracts": [{ "kind": "graphical", "file": "/a.csv" }, { "kind": "highlights", "file": "" }],
        });
        let found: Vec<_> =
            new_files((&before, &after)).into_iter().map(|new| (new.key, new.address, new.purpose)).collect();
        let expected = [
            ("pdf".to_owned(), "/b.pdf", Purpose::Pdf),
            ("files.0.file".to_owned(), "/c.csv", Purpose::Download),
            ("otherAbstracts.0.file".to_owned(), "/a.csv", Purpose::Picture),
        ];
        assert_eq!(found, expected);
        assert_eq!(new_files((&after, &after)), []);
        assert_eq!(new_files((&after, &json!({ "pdf": "" }))), []);
    }
}
