//! `masthead crossref`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use masthead_content::{
    crossref::{DepositError, DepositRequest},
    export::crossref_deposit::Deposited,
    records::Records,
};
use masthead_web::sites::addresses::public_address;
use serde_json::json;

use crate::{Locations, installation, plugin::plural};

/// Write a Crossref deposit of articles: the file (`doi_batch`, schema 5.3.1) with which a publisher registers DOIs, corrected metadata, and
/// notices such as retractions. It is sent to Crossref by the publisher; nothing is sent from here.
#[derive(Args)]
pub struct Crossref {
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
    /// A journal, or an issue JOURNAL/YEAR/ISSUE; all articles of the site if neither this nor --article is given.
    #[arg(long = "in", value_name = "JOURNAL[/YEAR/ISSUE]", default_value = "", hide_default_value = true)]
    within: String,
    /// Number or DOI of an article; may be repeated.
    #[arg(long, value_name = "NUMBER|DOI", conflicts_with = "within")]
    article: Vec<String>,
    /// Name of the depositor.
    #[arg(long, env = "MASTHEAD_CROSSREF_DEPOSITOR", value_name = "NAME")]
    depositor: String,
    /// E-mail address to which Crossref reports.
    #[arg(long, env = "MASTHEAD_CROSSREF_EMAIL", value_name = "ADDRESS")]
    email: String,
    /// Organization that owns the content; the depositor if omitted.
    #[arg(long, env = "MASTHEAD_CROSSREF_REGISTRANT", value_name = "NAME")]
    registrant: Option<String>,
    /// DOI of the publisher's Crossmark policy, without which Crossref takes no corrections and retractions.
    #[arg(long, env = "MASTHEAD_CROSSMARK_POLICY", value_name = "DOI")]
    crossmark_policy: Option<String>,
    /// Public address of the site, such as https://journal.example.org; by default its canonical host or first domain.
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Crossref {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self { locations, site, within, article, depositor, email, registrant, .. } = self;
        let (crossmark_policy, address) = (self.crossmark_policy, self.address);
        let request =
            DepositRequest { within, articles: article, depositor, email, registrant, crossmark_policy, address };
        request.check()?;
        let configuration = installation::configuration(&locations).await?;
        let (store, site) = installation::open_site(&locations, &site).await?;
        // The canonical host may be a saved setting.
        let site = configuration.sites.get(&site.sld).map_or(site, |site| site.as_ref().clone());
        let lang = site.default_lang();
        let public = public_address(&configuration.platform, &site, lang);
        let records = Records::new(&store, site.id, &locations.data);
        let now = jiff::Timestamp::now().as_millisecond();
        let made = request.write(&store.site(site.id), &records, (&public, lang), now).await;
        store.close().await;
        let made = made.map_err(|error| match error {
            DepositError::TooMany => anyhow::anyhow!("{error} with --in"),
            other => other.into(),
        })?;
        tokio::fs::write(&self.to, &made.xml).await.with_context(|| format!("writing {}", self.to.display()))?;
        report(&made, &self.to, self.json);
        Ok(())
    }
}

/// Prints what is in the deposit, and what is not.
fn report(made: &Deposited, to: &Path, as_json: bool) {
    let Deposited { articles, left_out, notices_left_out, .. } = made;
    if as_json {
        let left_out: Vec<_> = left_out.iter().map(|(id, reason)| json!({ "article": id, "reason": reason })).collect();
        println!("{}", json!({ "articles": articles, "leftOut": left_out, "noticesLeftOut": notices_left_out }));
        return;
    }
    println!("{}: {articles} article{}", to.display(), plural(*articles));
    left_out.iter().for_each(|(id, reason)| println!("article {id} is left out: {reason}"));
    if *notices_left_out > 0 {
        println!(
            "{notices_left_out} notice{} left out: name the Crossmark policy with --crossmark-policy",
            plural(*notices_left_out)
        );
    }
}
