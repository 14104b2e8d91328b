//! OAI-PMH 2.0 over HTTP: a verb and its arguments in, an answer out. Nothing is remembered between requests.

mod arguments;
mod records;
mod token;
mod xml;

use axum::{
    extract::RawQuery,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use masthead_store::{ArticleChange, HarvestWindow, StoreError};

use self::{
    arguments::{Arguments, day_or_second, prefix},
    records::Records,
    token::{Kind, Listing},
};
use crate::discovery::oai::xml::{Fault, Identity, OaiFormat, OaiResponse, Request};
use crate::discovery::{Open, domain, repository};

/// Records and headers in one answer.
const PAGE: usize = 100;

/// Why there is no answer to the question itself.
enum Trouble {
    /// The protocol has a word for it.
    Fault(Fault, String),
    /// The database failed.
    Store(StoreError),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Trouble {
    fn fault(fault: Fault, words: impl Into<String>) -> Self {
        Self::Fault(fault, words.into())
    }
}

/// A request in the address.
pub async fn get(open: Open, RawQuery(query): RawQuery) -> Response {
    respond(&open, query.unwrap_or_default().as_bytes()).await
}

/// A request in the body, as a form.
pub async fn post(open: Open, body: axum::body::Bytes) -> Response {
    let kind = open.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/x-www-form-urlencoded") {
        return (StatusCode::UNSUPPORTED_MEDIA_TYPE, "send arguments as application/x-www-form-urlencoded\n")
            .into_response();
    }
    respond(&open, &body).await
}

async fn respond(open: &Open, query: &[u8]) -> Response {
    if let Err(response) = open.offers(|library| library.oai) {
        return response;
    }
    let arguments: Vec<(String, String)> = url::form_urlencoded::parse(query).into_owned().collect();
    let now = jiff::Timestamp::now().as_millisecond();
    let answer = match answer(open, &Arguments(&arguments)).await {
        Ok(answer) => answer,
        Err(Trouble::Fault(fault, words)) => OaiResponse::Fault(fault, words),
        Err(Trouble::Store(error)) => return open.broken(&error),
    };
    let text = xml::response(now, &Request { base: format!("{}/oai", open.base()), arguments }, &answer);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/xml; charset=utf-8")),
        // Every answer has its own date. Where plugins decide about each reader, an answer may hold full texts for this one only.
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    ];
    (headers, text).into_response()
}

async fn answer(open: &Open, arguments: &Arguments<'_>) -> Result<OaiResponse, Trouble> {
    match arguments.verb()? {
        "Identify" => {
            arguments.are(&[], &[])?;
            identify(open).await
        }
        "ListMetadataFormats" => {
            arguments.are(&[], &["identifier"])?;
            if let Some(identifier) = arguments.get("identifier") {
                Records::new(open).await?.header(identifier).await?;
            }
            Ok(OaiResponse::Formats)
        }
        "ListSets" => {
            if arguments.get("resumptionToken").is_some() {
                arguments.are(&["resumptionToken"], &[])?;
                return Err(Trouble::fault(
                    Fault::BadResumptionToken,
                    "sets are listed at once: there is nothing to resume",
                ));
            }
            arguments.are(&[], &[])?;
            sets(open).await
        }
        "GetRecord" => {
            arguments.are(&["identifier", "metadataPrefix"], &[])?;
            let format = prefix(arguments.get("metadataPrefix").unwrap_or_default())?;
            let records = Records::new(open).await?;
            let record = records.record_of(arguments.get("identifier").unwrap_or_default(), format).await?;
            Ok(OaiResponse::Record(Box::new(record)))
        }
        "ListIdentifiers" => list(open, arguments, Kind::Identifiers).await,
        "ListRecords" => list(open, arguments, Kind::Records).await,
        _ => Err(Trouble::fault(Fault::BadVerb, "the verb is none of the protocol's")),
    }
}

async fn identify(open: &Open) -> Result<OaiResponse, Trouble> {
    let (app, entry) = (&open.app, &open.scope.entry);
    let repository = repository(app, entry);
    let own = entry.site.library.contact.clone();
    Ok(OaiResponse::Identify(Identity {
        name: entry.site.name.get(masthead_domain::Lang::En).to_owned(),
        contact: if own.is_empty() { format!("postmaster@{}", domain(app, entry)) } else { own },
        earliest_ms: open.store().earliest_change().await?.unwrap_or_default(),
        repository,
    }))
}

/// The site's journals are its sets. One whose articles were all removed is not listed, but [`Records`] still answers for it: those who have
/// harvested it are told of the removals.
async fn sets(open: &Open) -> Result<OaiResponse, Trouble> {
    let lang = open.scope.entry.site.default_lang();
    let journals = open.store().shown_journals().await?;
    if journals.is_empty() {
        return Err(Trouble::fault(Fault::NoSetHierarchy, "this repository has no sets yet"));
    }
    let set = |journal: &masthead_domain::publication::Journal| {
        (arguments::set_spec(&journal.key), journal.title.get(lang).to_owned())
    };
    Ok(OaiResponse::Sets(journals.iter().map(set).collect()))
}

async fn list(open: &Open, arguments: &Arguments<'_>, kind: Kind) -> Result<OaiResponse, Trouble> {
    let site = open.scope.entry.site.id.0;
    let records = Records::new(open).await?;
    let listing = match arguments.get("resumptionToken") {
        Some(token) => {
            arguments.are(&["resumptionToken"], &[])?;
            Listing::open(token, kind, &open.app.key, site)
                .ok_or_else(|| Trouble::fault(Fault::BadResumptionToken, "the token was not given out for this list"))?
        }
        None => first(&records, arguments, kind)?,
    };
    let window = HarvestWindow {
        from_ms: listing.from_ms,
        until_ms: listing.until_ms,
        journal: listing.journal.clone(),
        after: listing.after,
    };
    let mut changed = open.store().article_changes(&window, i64::try_from(PAGE + 1).unwrap_or(i64::MAX)).await?;
    let rest = changed.len() > PAGE;
    changed.truncate(PAGE);
    if changed.is_empty() {
        return Err(match listing.after {
            None => Trouble::fault(Fault::NoRecordsMatch, "no record fits these arguments"),
            Some(_) => {
                Trouble::fault(Fault::BadResumptionToken, "what the token would lead to has changed; begin again")
            }
        });
    }
    let resumption = |taken: usize| {
        let more = rest || taken < changed.len();
        let last = changed.get(taken.saturating_sub(1)).map(ArticleChange::cursor);
        listing.resumption(more.then_some(last).flatten(), taken, &open.app.key, site)
    };
    Ok(match kind {
        Kind::Identifiers => {
            let headers = changed.iter().map(|one| records.header_of(one)).collect();
            OaiResponse::Headers(headers, resumption(changed.len()))
        }
        Kind::Records => {
            let made = records.records(&changed, listing.format).await?;
            let taken = made.len();
            OaiResponse::Records(made, resumption(taken))
        }
    })
}

/// The list that the arguments describe.
fn first(records: &Records, arguments: &Arguments<'_>, kind: Kind) -> Result<Listing, Trouble> {
    arguments.are(&["metadataPrefix"], &["from", "until", "set"])?;
    let from = arguments.get("from").map(day_or_second).transpose()?;
    let until = arguments.get("until").map(day_or_second).transpose()?;
    if let (Some(from), Some(until)) = (&from, &until) {
        if from.seconds != until.seconds {
            return Err(Trouble::fault(Fault::BadArgument, "from and until have to be of the same granularity"));
        }
        if from.first_ms > until.last_ms {
            return Err(Trouble::fault(Fault::BadArgument, "from is later than until"));
        }
    }
    let format: OaiFormat = prefix(arguments.get("metadataPrefix").unwrap_or_default())?;
    let journal = match arguments.get("set") {
        Some(set) => records.journal_of(set)?,
        None => String::new(),
    };
    Ok(Listing {
        kind,
        format,
        journal,
        from_ms: from.map_or(i64::MIN, |from| from.first_ms),
        until_ms: until.map_or(i64::MAX, |until| until.last_ms),
        after: None,
        cursor: 0,
    })
}
