//! What a copy of a site has of each table.

/// What a copy of a site has of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Its rows of the site, as they are.
    Kept,
    /// Its rows of the site; they are made from the rows of other tables, and a bundle does not have them.
    Made,
    /// Nothing.
    Left,
}

/// What becomes of the rows that a site has and the copy that replaces it has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AbsentRows {
    /// They are deleted.
    Deleted,
    /// They stay.
    Retained,
    /// The use that they record ends now.
    Ended,
}

/// The decision about one table.
#[derive(Clone, Copy, Debug)]
pub struct TableDecision {
    /// The table.
    pub table: &'static str,
    /// What a copy has of it.
    pub decision: Decision,
    /// Why.
    pub reason: &'static str,
    /// Columns by which a difference is named.
    pub(crate) shown: &'static [&'static str],
    /// Columns in which two copies of one site may differ.
    pub(crate) ignored: &'static [&'static str],
    /// Condition of the rows that belong to the copy, or "".
    pub(crate) only: &'static str,
    pub(crate) gone: AbsentRows,
}

const fn kept(table: &'static str, shown: &'static [&'static str], reason: &'static str) -> TableDecision {
    TableDecision { table, decision: Decision::Kept, reason, shown, ignored: &[], only: "", gone: AbsentRows::Deleted }
}

const fn made(table: &'static str, shown: &'static [&'static str], reason: &'static str) -> TableDecision {
    TableDecision { decision: Decision::Made, ..kept(table, shown, reason) }
}

const fn left(table: &'static str, reason: &'static str) -> TableDecision {
    TableDecision { decision: Decision::Left, ..kept(table, &[], reason) }
}

/// The decision about every table of the database. A table that a migration adds belongs in this list; a test compares the two. The kept
/// tables are in the order in which a bundle is read: articles come before what belongs to them.
pub static TABLES: &[TableDecision] = &[
    kept("journals", &["journal"], "journals with their order"),
    kept("issues", &["journal", "year", "issue"], "issues with their descriptions"),
    kept("articles", &["id", "source_key"], "articles with their numbers and the datestamps of OAI-PMH"),
    kept("resources", &["kind", "entry"], "all other content with its numbers: news, books, figures, comments, ..."),
    TableDecision {
        // What was removed on this site stays removed for harvesters, whatever the copy knows of it.
        gone: AbsentRows::Retained,
        ..kept("removed_articles", &["id", "source_key"], "tombstones: harvesters are told, and the number stays taken")
    },
    kept("withdrawn_articles", &["id", "source_key"], "withdrawn articles, which still have a page and a number"),
    kept("article_notices", &["article_id", "position"], "which article says what of another article"),
    kept("article_identifiers", &["identifier", "article_id"], "the identifiers by which notices name articles"),
    kept("sections", &["entry"], "the sections of the site and how they are written"),
    kept("section_names", &["entry"], "the names of these sections in several languages"),
    kept("edits", &["subject", "field"], "what editors changed by hand: the next import keeps it"),
    kept("redirects", &["path"], "earlier addresses that still lead to their article or journal"),
    kept("settings", &["setting"], "settings that administrators saved"),
    kept("institutions", &["institution", "name"], "agreements of the site with institutions, and their networks"),
    kept("counts", &["kind", "entity", "day"], "views and downloads by day"),
    kept("external_citations", &["article_id"], "how often articles are cited according to Crossref"),
    kept("searches", &["words", "day"], "how often readers searched for which words; no reader is in it"),
    kept("plugin_values", &["plugin"], "data that plugins store for the site"),
    kept("plugin_usage", &["plugin"], "sums of these data, by which quotas are kept"),
    kept("harvests", &["repository", "record_set"], "how far the harvests of other repositories have come"),
    kept("harvested_records", &["repository", "identifier"], "which article came from which record of a repository"),
    TableDecision {
        ignored: &["saved"],
        only: "EXISTS (SELECT 1 FROM media_uses WHERE media_uses.site_id = media.site_id \
             AND media_uses.digest = media.digest AND media_uses.ended = 0)",
        // The uses of a file end, and it is deleted after the time for which removed files are kept.
        gone: AbsentRows::Retained,
        ..kept("media", &["name", "digest"], "names and types of the files in use; the bundle has their bytes")
    },
    TableDecision {
        only: "ended = 0",
        gone: AbsentRows::Ended,
        ..made("media_uses", &["used_by", "digest"], "found in what uses the files")
    },
    made("article_shelves", &["shelf", "label", "article_id"], "found in the metadata of the articles"),
    made("citations", &["article_id", "cited"], "found in the references of the articles"),
    made("compressed_html", &["article_id"], "compressed from the pages of the articles"),
    left("sequences", "counters of the installation; they are raised above the numbers of a site that is loaded"),
    left("changes", "the installation's log of its own changes; loading a site adds to it"),
    left("rewritten_articles", "what the installation's next backup has to read again"),
    left("readers", "how far the installation's processes have read its change log"),
    left("deliveries", "events that this installation has yet to tell plugins of; it delivers them itself"),
    left("sessions", "sign-ins of readers: they belong to the host that made them, and sign in again elsewhere"),
    left("search_readers", "hashes of readers, deleted after two days"),
    left("reader_secrets", "the secrets of these hashes, deleted after two days"),
    left("members", "accounts of this installation: a copy of a site has no members"),
    left("member_names", "the names by which members of this installation sign in"),
    left("member_identities", "the identities that are bound to members of this installation"),
    left("member_passkeys", "passkeys of members of this installation"),
    left("codes", "codes that were sent a few minutes ago"),
    left("tickets", "what is used once within minutes"),
    left("sign_in_attempts", "failed attempts to sign in here"),
    left("favourites", "they belong to members of this installation"),
    left("member_uses", "what members of this installation viewed and downloaded"),
    left("member_albums", "they belong to members of this installation"),
    left("member_album_items", "they belong to members of this installation"),
    left("member_files", "pictures that members of this installation uploaded"),
    left("member_comments", "which members of this installation wrote which comments: a copy has the comments alone"),
    left("subscriptions", "addresses of people who subscribed here: nobody else writes to them"),
    left("saved_searches", "they belong to members of this installation"),
    left("alerts", "what subscribers of this installation were told of"),
    left("mail_outbox", "messages that this installation has yet to send; it sends them itself"),
    left("institution_members", "members of this installation: a copy has the institutions without them"),
    left("administrators", "accounts of this installation"),
    left("administrator_roles", "what administrators may do in this installation"),
    left("administrator_invites", "invitations to administer this installation"),
    left("administrator_sessions", "sign-ins of administrators of this installation"),
    left("audit", "who changed what in this installation; the names of its administrators stay in it"),
    left("loaded_configuration", "configuration files that a load has yet to write"),
    left("_sqlx_migrations", "which tables this installation has"),
];
