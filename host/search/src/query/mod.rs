//! Queries as readers type them and plugins rewrite them, and what they mean to an index.
//!
//! No query makes a search fail or run long: the parts that exceed a limit below are ignored. What is ignored of a text is told by
//! [`mistakes()`]; whoever takes conditions refuses more than [`MAX_CLAUSES`], because an ignored one may have excluded entries.

mod completion;
mod conditions;
mod doi;
mod expression;
mod fields;
mod interpretation;
mod lexer;
mod mistakes;
mod parse;
mod plan;
mod relaxation;
mod request;
mod saved;
mod step;
mod synonyms;
mod terms;
mod tree;
mod typos;

pub use self::{
    completion::{Unfinished, unfinished},
    doi::typed_doi,
    expression::{Expression, Typed},
    fields::{Named, target as target_of},
    interpretation::{Analysis, QueryPart, analyze},
    lexer::QUOTES,
    mistakes::{Mistake, MistakeKind, mistakes},
    parse::{parse, read_of},
    plan::{compile, compile_exactly},
    relaxation::Relaxation,
    request::{Clause, Field, Filter, Join, Order, Query, SortKey, Synonym, Target},
    saved::SavedQueryError,
    tree::{
        Expansion, IndexedWord, MAX_EXPANDED_TERMS, MAX_KNOWN_ENTRIES, Phrase, Scope, Search, Term, Tree, title_key,
    },
    typos::{distance, widest_tolerance},
};

/// Limit on the length of a query's text in characters; the rest is ignored.
pub const MAX_TEXT: usize = 512;
/// Limit on the words of a text; the rest is ignored.
pub const MAX_WORDS: usize = 64;
/// Limit on the depth of nested brackets; deeper ones are treated as white space.
pub const MAX_DEPTH: usize = 16;
/// Limit on the synonyms of a query.
pub const MAX_SYNONYMS: usize = 256;
/// Limit on the alternatives of one term.
pub const MAX_ALTERNATIVES: usize = 32;
/// Limit on the alternatives of all terms of a query together.
pub const MAX_EXPANSIONS: usize = 128;
/// Limit on the length of a term or alternative in characters; longer ones are ignored.
pub const MAX_TERM: usize = 100;
/// Limit on the weight of a field in percent of the usual weight; higher ones are reduced to it.
pub const MAX_BOOST: u32 = 10_000;

/// Limit on the conditions of an advanced search.
pub const MAX_CLAUSES: usize = 12;
/// Limit on the hits that can be paged through, offset included, because a page costs as much as all pages before it.
pub const MAX_WINDOW: usize = 10_000;
