//! The command line: `masthead serve|import|harvest|journal|issue|article|resource|audit|redirect|demo|config|doctor|site|backup|
//! restore|crossref|search|plugin|secrets|session|admin|institution|member|token|openapi`.
//!
//! What it is: one file for each command, the tools for plugin authors (`plugin`), and the demo content (`demo_content`).
//! What it is not: it handles no requests and stores no content itself; `web` and `content` do.
//! Who may depend on it: its own binary, and tests.

mod admin;
mod backup;
mod config;
mod crossref;
mod demo;
pub mod demo_content;
mod doctor;
mod harvest;
mod import;
mod import_job;
mod import_report;
mod installation;
mod institution;
mod logging;
mod member;
mod plugin;
mod records;
mod redirect;
mod search;
mod secrets;
mod serve;
mod session;
mod site_compare;
mod site_load;
mod token;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use masthead_content::records::RecordType;

/// Masthead serves many journal sites from one host.
#[derive(Parser)]
#[command(name = "masthead", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the sites.
    Serve(serve::Serve),
    /// Import content into a site.
    Import(import::Import),
    /// Import the upload of an import job; `serve` starts this for each upload.
    #[command(hide = true)]
    ImportJob(import_job::ImportJob),
    /// Take over the articles of another platform over OAI-PMH.
    Harvest(harvest::Harvest),
    /// List, show, change and remove journals.
    #[command(subcommand)]
    Journal(records::OfType),
    /// List, show, change and remove issues, named JOURNAL/YEAR/ISSUE.
    #[command(subcommand)]
    Issue(records::OfType),
    /// List, show, change, move, withdraw and remove articles.
    #[command(subcommand)]
    Article(records::Articles),
    /// List, show, change and remove resources: news, experts, albums and the other kinds.
    #[command(subcommand)]
    Resource(records::Resources),
    /// Show who changed what by hand.
    #[command(subcommand)]
    Audit(records::Audit),
    /// Generate demo content.
    #[command(subcommand)]
    Demo(demo::Demo),
    /// Show where settings come from; save or delete an override of a site's.
    #[command(subcommand)]
    Config(config::Config),
    /// Check configuration and content, and name the fix of everything that is wrong.
    Doctor(doctor::Doctor),
    /// Check, list, export, load or compare sites.
    #[command(subcommand)]
    Site(config::Sites),
    /// Write a backup of the whole installation; list and verify backups.
    Backup(backup::Backup),
    /// Restore a backup.
    Restore(backup::Restore),
    /// Write a Crossref deposit, which registers DOIs, corrected metadata and notices.
    Crossref(crossref::Crossref),
    /// Build the search index again.
    #[command(subcommand)]
    Search(search::Search),
    /// Create, test and manage plugins.
    #[command(subcommand)]
    Plugin(plugin::Plugin),
    /// List, set and remove the secrets that plugins use.
    #[command(subcommand)]
    Secrets(secrets::Secrets),
    /// List, add or remove redirects of earlier addresses.
    #[command(subcommand)]
    Redirect(redirect::Redirects),
    /// End the sessions of readers.
    #[command(subcommand)]
    Session(session::Sessions),
    /// Invite, list and revoke administrators.
    #[command(subcommand)]
    Admin(admin::Admins),
    /// Show and change the institutions whose readers a site lets in.
    #[command(subcommand)]
    Institution(institution::Institutions),
    /// Show, close, open again and erase the accounts of members.
    #[command(subcommand)]
    Member(member::Members),
    /// Create, list and revoke the tokens for the administrators' calls.
    #[command(subcommand)]
    Token(token::Tokens),
    /// Print the OpenAPI document.
    Openapi,
}

/// Options that several commands share: configuration folder, data folder and database.
#[derive(Args)]
struct Locations {
    /// Folder with the configuration of the sites.
    #[arg(long, default_value = "sites", env = "MASTHEAD_SITES", value_name = "DIR")]
    sites: PathBuf,
    /// Data folder: database, media files, search index and secrets.
    #[arg(long, default_value = "data", env = "MASTHEAD_DATA", value_name = "DIR")]
    data: PathBuf,
    /// URL of a PostgreSQL database. Without it, content is stored in an SQLite file in the data folder.
    #[arg(long, env = "MASTHEAD_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
}

/// Runs a command.
///
/// # Errors
/// A message for the user that names the failed operation, its object and, where known, the remedy.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    if let Command::Backup(backup) = &cli.command {
        backup.give_way();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match cli.command {
        Command::Serve(serve) => runtime.block_on(serve.run()),
        Command::Import(import) => runtime.block_on(import.run()),
        Command::ImportJob(job) => runtime.block_on(job.run()),
        Command::Harvest(harvest) => runtime.block_on(harvest.run()),
        Command::Journal(journals) => runtime.block_on(journals.run(RecordType::Journal)),
        Command::Issue(issues) => runtime.block_on(issues.run(RecordType::Issue)),
        Command::Article(articles) => runtime.block_on(articles.run()),
        Command::Resource(resources) => runtime.block_on(resources.run()),
        Command::Audit(audit) => runtime.block_on(audit.run()),
        Command::Demo(demo) => runtime.block_on(demo.run()),
        Command::Config(config) => runtime.block_on(config.run()),
        Command::Doctor(doctor) => runtime.block_on(doctor.run()),
        Command::Site(sites) => runtime.block_on(sites.run()),
        Command::Backup(backup) => runtime.block_on(backup.run()),
        Command::Restore(restore) => runtime.block_on(restore.run()),
        Command::Crossref(crossref) => runtime.block_on(crossref.run()),
        Command::Search(search) => runtime.block_on(search.run()),
        Command::Plugin(plugin) => runtime.block_on(plugin.run()),
        Command::Secrets(secrets) => runtime.block_on(secrets.run()),
        Command::Redirect(redirects) => runtime.block_on(redirects.run()),
        Command::Session(sessions) => runtime.block_on(sessions.run()),
        Command::Admin(admins) => runtime.block_on(admins.run()),
        Command::Institution(institutions) => runtime.block_on(institutions.run()),
        Command::Member(members) => runtime.block_on(members.run()),
        Command::Token(tokens) => runtime.block_on(tokens.run()),
        Command::Openapi => {
            println!("{}", masthead_web::api::openapi().to_pretty_json()?);
            Ok(())
        }
    }
}

/// Finds a site by number or short name; the error lists the existing sites.
fn find_site<'a>(
    configuration: &'a masthead_config::Configuration,
    wanted: &str,
) -> anyhow::Result<&'a masthead_domain::site::Site> {
    let by_id = wanted.parse::<i64>().ok();
    let sites = configuration.sites.values().map(AsRef::as_ref);
    sites.clone().find(|site| site.sld == wanted || Some(site.id.0) == by_id).ok_or_else(|| {
        let near = masthead_domain::text::nearest(wanted, sites.clone().map(|site| site.sld.as_str()));
        let hint = near.map_or_else(String::new, |near| format!(" (do you mean {near:?}?)"));
        let known: Vec<_> = sites.map(|site| format!("{} ({})", site.id, site.sld)).collect();
        anyhow::anyhow!("there is no site {wanted:?}{hint}; existing sites: {}", known.join(", "))
    })
}
