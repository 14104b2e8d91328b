//! A typed text that is a DOI.

use masthead_domain::Doi;
use unicode_normalization::UnicodeNormalization as _;

use super::MAX_TEXT;

/// The DOI that a text is: in letters of any width, without the punctuation of the sentence that it was copied from.
pub fn typed_doi(text: &str) -> Option<String> {
    let narrow: String = text.trim().chars().take(MAX_TEXT).nfkc().collect();
    let bare = narrow.trim_end_matches(['.', ',', ';', '。', '、']);
    Doi::parse(bare).ok().map(|doi| doi.key())
}
