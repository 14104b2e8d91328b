//! `masthead crossref`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use masthead_content::{
    export::crossref_deposit::{self, Depositor, MAX_ARTICLES},
    records::{ListQuery, RecordType, Records},
};
use masthead_domain::{ArticleId, Doi, route::Route};
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
        let depositor = self.depositor()?;
        let configuration = installation::configuration(&self.locations).await?;
        let (store, site) = installation::open_site(&self.locations, &self.site).await?;
        // The canonical host may be a saved setting.
        let site = configuration.sites.get(&site.sld).map_or(site, |site| site.as_ref().clone());
        let lang = site.default_lang();
        let base = match &self.address {
            Some(address) => format!("{}/{lang}", web_address(address)?),
            None => public_address(&configuration.platform, &site, lang),
        };
        let page = |id: ArticleId| format!("{base}/{}", Route::Article(id).path());
        let records = Records::new(&store, site.id, &self.locations.data);
        let now = jiff::Timestamp::now().as_millisecond();
        let made = match self.articles(&records).await {
            Ok(ids) => {
                crossref_deposit::write(&store.site(site.id), &ids, &depositor, page, now).await.map_err(Into::into)
            }
            Err(error) => Err(error),
        };
        store.close().await;
        let made = made?;
        let left_out: Vec<_> =
            made.left_out.iter().map(|(id, reason)| json!({ "article": id, "reason": reason })).collect();
        anyhow::ensure!(
            made.articles > 0,
            "no article can be registered{}",
            made.left_out.first().map(|(id, reason)| format!(": article {id}: {reason}")).unwrap_or_default()
        );
        tokio::fs::write(&self.to, &made.xml).await.with_context(|| format!("writing {}", self.to.display()))?;
        if self.json {
            let report =
                json!({ "articles": made.articles, "leftOut": left_out, "noticesLeftOut": made.notices_left_out });
            println!("{report}");
            return Ok(());
        }
        println!("{}: {} article{}", self.to.display(), made.articles, plural(made.articles));
        made.left_out.iter().for_each(|(id, reason)| println!("article {id} is left out: {reason}"));
        if made.notices_left_out > 0 {
            let number = made.notices_left_out;
            println!("{number} notice{} left out: name the Crossmark policy with --crossmark-policy", plural(number));
        }
        Ok(())
    }

    fn depositor(&self) -> anyhow::Result<Depositor> {
        let email = self.email.trim();
        let (name, host) = email.split_once('@').unwrap_or_default();
        anyhow::ensure!(!name.is_empty() && host.contains('.'), "{email:?} is not an e-mail address");
        let policy = self.crossmark_policy.as_deref().map(Doi::parse).transpose()?;
        Ok(Depositor {
            name: self.depositor.trim().to_owned(),
            email: email.to_owned(),
            registrant: self.registrant.as_deref().unwrap_or(&self.depositor).trim().to_owned(),
            crossmark_policy: policy,
        })
    }

    /// The numbers of the articles.
    async fn articles(&self, records: &Records) -> anyhow::Result<Vec<ArticleId>> {
        let mut names = Vec::new();
        for name in &self.article {
            names.push(records.show(RecordType::Article, name).await?.name);
        }
        if self.article.is_empty() {
            let limit = i64::try_from(MAX_ARTICLES)? + 1;
            let query = ListQuery { within: self.within.clone(), limit, ..ListQuery::default() };
            names.extend(records.list(RecordType::Article, &query).await?.records.into_iter().map(|one| one.name));
        }
        anyhow::ensure!(
            names.len() <= MAX_ARTICLES,
            "a deposit has at most {MAX_ARTICLES} articles: name a journal or an issue with --in"
        );
        let place = if self.within.is_empty() { "the site" } else { self.within.as_str() };
        anyhow::ensure!(!names.is_empty(), "{place} has no articles");
        Ok(names.iter().filter_map(|name| name.parse().ok()).map(ArticleId).collect())
    }
}

/// An address of the web without a path.
fn web_address(text: &str) -> anyhow::Result<&str> {
    let text = text.trim_end_matches('/');
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    anyhow::ensure!(
        !rest.is_empty() && !rest.contains(['/', '?', '#', '@']) && !rest.contains(char::is_whitespace),
        "{text:?} is not the address of a site: give https:// and a host"
    );
    Ok(text)
}
