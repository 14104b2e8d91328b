//! Export of the domain's article as JATS Publishing 1.3. What JATS has no place for stands in processing instructions
//! ([`super::own`]), which other readers skip, so that importing the export gives the same article.

mod back;
mod content;
mod float;
mod formula;
mod front;
mod markup;
mod people;
mod refs;

use masthead_domain::article::Article;

use markup::{Attributes, Markup};

/// How to write an article.
#[derive(Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// Only what is known about the article, with its abstracts: no body, no back matter, no other parts.
    pub front_only: bool,
    /// Leaves out the XML declaration, for an article within another document.
    pub embedded: bool,
    /// New names of pictures and files, by the name in the source; `None` keeps it. Links out of the article are no files.
    pub href: Option<&'a dyn Fn(&str) -> Option<String>>,
}

/// Writes an article as JATS Publishing 1.3, without DOCTYPE, in UTF-8. The same article gives the same bytes.
///
/// Importing it gives the same article, as far as an importer made it: identifiers and plain texts are what
/// [`super::import`] derives from the rest. With [`ExportOptions::front_only`] its body is empty then.
#[must_use]
pub fn export(article: &Article, options: &ExportOptions) -> String {
    let mut export = Export {
        out: Markup::new(),
        options,
        language: article.meta.language.clone(),
        declared: String::new(),
        level: 0,
    };
    if !options.embedded {
        export.out.declaration();
    }
    export.article(article);
    export.out.finish()
}

/// State of one export.
struct Export<'a> {
    out: Markup,
    options: &'a ExportOptions<'a>,
    /// Language of the article or sub-article at hand.
    language: String,
    /// Language declared nearest upwards, or "".
    declared: String,
    /// Level of the section at hand, as the importer counts.
    level: u8,
}

impl Export<'_> {
    /// An element with its content.
    fn element(&mut self, name: &str, attributes: &Attributes, content: impl FnOnce(&mut Self)) {
        self.out.open(name, attributes);
        let language = attributes.iter().find(|(key, value)| *key == "xml:lang" && !value.is_empty());
        let outer = language.map(|(_, tag)| {
            let tag = if *tag == UNDETERMINED { String::new() } else { (*tag).to_owned() };
            std::mem::replace(&mut self.declared, tag)
        });
        content(self);
        if let Some(outer) = outer {
            self.declared = outer;
        }
        self.out.close(name);
    }

    /// An element with text alone, on a line of its own; nothing where there is no text.
    fn field(&mut self, name: &str, attributes: &Attributes, text: &str) {
        if !text.is_empty() {
            self.leaf(name, attributes, text);
            self.out.line();
        }
    }

    /// An element with text alone.
    fn leaf(&mut self, name: &str, attributes: &Attributes, text: &str) {
        self.out.open(name, attributes);
        self.out.text(text);
        self.out.close(name);
    }

    /// The attribute's value for a language that the importer takes from above where the element has none.
    fn inherited(&self, language: &str) -> String {
        match language {
            same if same == self.declared => String::new(),
            "" => UNDETERMINED.to_owned(),
            other => other.to_owned(),
        }
    }

    /// As [`Self::inherited`], where the importer takes the article's language if none is declared above either.
    fn assumed(&self, language: &str) -> String {
        if self.declared.is_empty() && language == self.language { String::new() } else { self.inherited(language) }
    }

    /// The name of a file: the new one, else that of the source.
    fn file(&self, href: &str) -> String {
        self.options.href.and_then(|rename| rename(href)).unwrap_or_else(|| href.to_owned())
    }
}

/// The tag that undoes a language declared above.
const UNDETERMINED: &str = "und";
