//! How text becomes words: one analyzer for all scripts, since titles and queries mix them.

use tantivy::tokenizer::{Language, LowerCaser, RemoveLongFilter, Stemmer, TextAnalyzer};

/// Name under which the index knows the analyzer; part of the index's format.
pub const NAME: &str = "masthead";

/// jieba cuts Chinese into words and leaves Latin words whole; these are lower-cased and stemmed.
pub fn build() -> TextAnalyzer {
    TextAnalyzer::builder(tantivy_jieba::JiebaTokenizer::default())
        .filter(RemoveLongFilter::limit(60))
        .filter(LowerCaser)
        .filter(Stemmer::new(Language::English))
        .build()
}
