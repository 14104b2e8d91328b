//! Conversions between these types and those generated from the WIT files. Each names all fields or cases, so that a change of the
//! WIT files without a change here does not compile.

use super::{
    Article, ArticleAdditions, ArticleSection, AssistantRequest, Badge, BadgeTone, Download, ExternalUser, HeadPage,
    HeadTag, LanguageText, LinkTag, MessageChannel, MessageFailure, MetaTag, NavigationEntry, NavigationMenu,
    OutgoingMessage, Passage, Person, PluginEvent, PluginSearchQuery, RouteRequest, RouteResponse, SearchBoost,
    SearchField, SearchFilter, SearchHit, SearchHitPage, SearchSynonym, SignInReturn, SignInStart, Translation,
    TranslationFailure, TranslationRequest,
};
use crate::contract::bindings::{exports::masthead::plugin as export, masthead::plugin as import};

/// Converts a record by its fields: plain ones, and `lists` and `options` of records.
macro_rules! record {
    ($from:path => $to:path { $($field:ident),* } $(lists { $($list:ident),* })? $(options { $($option:ident),* })?) => {
        impl From<$from> for $to {
            fn from(record: $from) -> Self {
                let $from { $($field,)* $($($list,)*)? $($($option,)*)? } = record;
                Self {
                    $($field: $field.into(),)*
                    $($($list: $list.into_iter().map(Into::into).collect(),)*)?
                    $($($option: $option.map(Into::into),)*)?
                }
            }
        }
    };
}

/// Converts an enumeration by its cases: those without and those with a value.
macro_rules! cases {
    ($from:path => $to:path { $($unit:ident),* } $(values { $($value:ident),* })?) => {
        impl From<$from> for $to {
            fn from(case: $from) -> Self {
                type Given = $from;
                match case {
                    $(Given::$unit => Self::$unit,)*
                    $($(Given::$value(value) => Self::$value(value.into()),)*)?
                }
            }
        }
    };
}

macro_rules! record_both_ways {
    ($ours:path, $theirs:path, $($fields:tt)*) => {
        record!($ours => $theirs $($fields)*);
        record!($theirs => $ours $($fields)*);
    };
}

macro_rules! cases_both_ways {
    ($ours:path, $theirs:path, $($cases:tt)*) => {
        cases!($ours => $theirs $($cases)*);
        cases!($theirs => $ours $($cases)*);
    };
}

record!(LanguageText => import::types::Text { lang, value });
record!(Person => import::types::Person { name, family, given, orcid, email });
record!(Article => import::types::Article {
    id, doi, path, journal, issn, publisher, year, volume, issue, first_page, last_page, published, kind, language,
    license_url, open_access, reference_count
} lists { titles, authors, keywords, abstracts });
record!(Passage => import::content::Passage { article, path, title, text });
cases_both_ways!(BadgeTone, import::types::Tone, { Neutral, Good, Caution, Bad });
record_both_ways!(Badge, import::types::Badge, { label, hint, tone, href });
record!(export::article_decorate::Section => ArticleSection { id, heading, html });
record!(export::article_decorate::Download => Download { label, href, media_type });
record!(export::article_decorate::Additions => ArticleAdditions {} lists { badges, sections, downloads });

record!(HeadPage => export::head::Page { title, canonical } options { article });
record!(export::head::Meta => MetaTag { name, content });
record!(export::head::Link => LinkTag { rel, href, media_type, title });
cases!(export::head::Tag => HeadTag {} values { Meta, Link, JsonLd });
record_both_ways!(NavigationEntry, export::navigation::Channel, { id, parent, code, label, target, new_tab });
record_both_ways!(NavigationMenu, export::navigation::Menu, { languages } lists { channels });

cases_both_ways!(SearchField, import::search_types::Field, { Title, Keywords, Authors, Summary, Body });
record_both_ways!(SearchSynonym, import::search_types::Synonym, { term, alternatives });
record_both_ways!(SearchBoost, import::search_types::Boost, { field, percent });
cases_both_ways!(SearchFilter, import::search_types::Filter, {} values { YearFrom, YearTo, Journal, Kind, OpenAccess });
record_both_ways!(PluginSearchQuery, export::search_rewrite::Query, { text } lists { synonyms, boosts, filters });
record_both_ways!(SearchHit, export::search_decorate::Hit, { id, doi, title, kind, year, open_access } lists { badges });
record!(SearchHitPage => export::search_decorate::Page { text } lists { hits });

record!(TranslationRequest => export::translate::Request { text, source, target });
record!(export::translate::Translation => Translation { text, source });
cases!(export::translate::Failure => TranslationFailure { Off, Unauthorized } values { Other });
record!(AssistantRequest => export::assistant::Request { host, query, content, signed_in });
record!(SignInStart => export::identity::Start { callback, state });
record!(SignInReturn => export::identity::Answer { callback, query });
record!(export::identity::User => ExternalUser { subject, name });
cases!(MessageChannel => export::messaging::Channel { Sms, Mail });
record!(OutgoingMessage => export::messaging::Message { channel, to, purpose, values, text });
cases!(export::messaging::Failure => MessageFailure { NotMine } values { Refused, Other });
record!(RouteRequest => export::routes::Request { method, path, query, headers, body });
record!(export::routes::Response => RouteResponse { status, headers, body });
record!(PluginEvent => export::events::Event { id, kind, time, subject, attempt } options { article });
