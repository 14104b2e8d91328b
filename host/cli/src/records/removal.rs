//! `masthead journal|issue|article|resource remove`.

use clap::Args;
use masthead_content::records::{Done, RecordError, RecordType};
use serde_json::json;

use super::{
    arguments::{How, SiteArguments},
    printing::{print_changes, print_done, tell_of_last_editor},
};

/// Remove a record.
#[derive(Args)]
#[group(id = "removal")]
pub struct Remove {
    /// Name: a key, or of an issue JOURNAL/YEAR/ISSUE.
    name: String,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: SiteArguments,
}

/// Remove articles.
#[derive(Args)]
pub struct RemoveArticles {
    /// Number, DOI or source key of an article; may be repeated.
    #[arg(value_name = "NAME", required_unless_present_any = ["doi", "id"])]
    names: Vec<String>,
    /// DOI of an article; may be repeated.
    #[arg(long, value_name = "DOI")]
    doi: Vec<String>,
    /// Number of an article on the site; may be repeated.
    #[arg(long, value_name = "NUMBER")]
    id: Vec<i64>,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    place: SiteArguments,
}

impl Remove {
    pub(super) async fn run(self, of: RecordType) -> anyhow::Result<()> {
        let site = self.place.open().await?;
        let done = site.records.remove(of, &self.name, &self.how.change()).await;
        site.store.close().await;
        print_done(&done.map_err(RecordError::advised)?, self.place.json)
    }
}

impl RemoveArticles {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let site = self.place.open().await?;
        let change = self.how.change();
        let (mut removed, mut missing): (Vec<Done>, Vec<String>) = (Vec::new(), Vec::new());
        let mut failed = None;
        let names = self.names.iter().cloned().chain(self.doi.iter().cloned());
        for name in names.chain(self.id.iter().map(ToString::to_string)) {
            match site.records.remove(RecordType::Article, &name, &change).await {
                Ok(done) => removed.push(done),
                Err(RecordError::Missing(_)) => missing.push(name),
                Err(error) => {
                    failed = Some(anyhow::Error::from(error).context(format!("removing the article {name}")));
                    break;
                }
            }
        }
        site.store.close().await;
        if self.place.json {
            let ids: Vec<i64> = removed.iter().filter_map(|done| done.name.parse().ok()).collect();
            let report = json!({ "removed": ids, "missing": missing, "dryRun": change.dry_run, "articles": removed });
            println!("{report}");
        } else {
            removed.iter().for_each(|done| print_removed(done, &site.sld));
        }
        if let Some(error) = failed {
            return Err(error);
        }
        anyhow::ensure!(missing.is_empty(), "site {} has no article {}", site.sld, missing.join(", "));
        Ok(())
    }
}

fn print_removed(done: &Done, site: &str) {
    let would = if done.dry_run { "would be removed" } else { "removed" };
    println!("article {}: {would} from {site}", done.name);
    print_changes(done);
    tell_of_last_editor(done);
}
