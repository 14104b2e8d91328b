//! `masthead import`.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use crate::{Locations, find_site, import_report::Reporter};
use masthead_config::{Configuration, Saved};
use masthead_content::data_folder::open_store;
use masthead_content::import::{Format, Importer, Item, OldAddress};

/// Import content into a site. To resume an interrupted import, run the command again: items that were imported are skipped.
#[derive(Args)]
pub struct Import {
    /// Format of the files.
    #[arg(value_parser = formats())]
    format: Format,
    #[command(flatten)]
    locations: Locations,
    /// Files, folders, or packages (zip, tar, tar.gz) that contain articles with their images.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
    /// DOI of the article that the references belong to (format `references` only).
    #[arg(long, value_name = "DOI")]
    article: Option<String>,
    /// Address that the journal had in OJS (`https://HOST/index.php/JOURNAL`), once for each of several: pages, articles and files
    /// below it are redirected to what is imported (format `ojs` only).
    #[arg(long, value_name = "URL")]
    old_address: Vec<OldAddress>,
    /// Convert the files and print the report, but store nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print the report as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Parses the name of a format; `--help` lists the names with their descriptions.
fn formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|(_, name, about)| PossibleValue::new(name).help(about));
    // `PossibleValuesParser` accepts these names only.
    PossibleValuesParser::new(names).map(|name| Format::named(&name).unwrap_or_default())
}

impl Import {
    pub async fn run(self) -> anyhow::Result<()> {
        let configuration = Configuration::read(&self.locations.sites, &Saved::new())?;
        let site = find_site(&configuration, &self.site)?.id;
        for path in &self.paths {
            anyhow::ensure!(path.exists(), "{} does not exist", path.display());
        }
        OldAddress::fit(&self.old_address, self.format).map_err(anyhow::Error::msg)?;
        anyhow::ensure!(self.format.finds_any(&self.paths), "there is nothing to import in the given paths");
        let store = open_store(&self.locations.data, self.locations.database.as_deref()).await?;
        let mut importer =
            Importer::new(&store, site, &self.locations.data, self.dry_run).moved_from(self.old_address.clone());
        let mut reporter = Reporter::new(self.json);
        let mut on_item = |item: Item| reporter.add(item);
        let done = match (&self.article, self.format) {
            (Some(article), Format::References) => {
                let item = importer.references(article, &self.paths[0]).await;
                match item.stops() {
                    Some(sentence) => Err(anyhow::anyhow!(sentence)),
                    None => {
                        on_item(item);
                        Ok(())
                    }
                }
            }
            (None, Format::References) => {
                anyhow::bail!("references belong to an article: name it with --article DOI")
            }
            _ => importer.run(&self.paths, self.format, &mut on_item).await,
        };
        store.close().await;
        if let Err(stopped) = done {
            reporter.stop(format!("{stopped}, then run the command again: what is stored is skipped"));
        }
        reporter.finish(None)
    }
}
