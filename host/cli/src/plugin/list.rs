//! `masthead plugin list`.

use std::collections::BTreeMap;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::plugin::{
    admin,
    stats::{Filter, columns},
};

/// Show the plugins in use on a running host, and the folders that they come from.
#[derive(Args)]
pub struct List {
    #[command(flatten)]
    filter: Filter,
}

/// The plugins of a site, as the running host describes them.
#[derive(Deserialize)]
struct Site {
    plugins: Vec<InUse>,
    problems: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct InUse {
    /// Its site; the host lists plugins by site.
    #[serde(default)]
    site: String,
    plugin: String,
    version: String,
    digest: String,
    /// Its folder, or `built in`; nothing if it was removed from there.
    source: Option<String>,
    /// What readers may do while it fails; nothing if it does not decide on access.
    on_failure: Option<String>,
    quarantined_for_seconds: Option<u64>,
}

impl List {
    pub async fn run(self) -> anyhow::Result<()> {
        let sites: BTreeMap<String, Site> = admin::get(&self.filter.data, "/plugins").await?;
        let (mut rows, mut problems) = (Vec::new(), Vec::new());
        for (name, site) in sites {
            let here = self.filter.site.as_deref().is_none_or(|wanted| wanted == name);
            problems.extend(site.problems.iter().filter(|_| here).map(|problem| format!("{name}: {problem}")));
            let plugins = site.plugins.into_iter().filter(|row| self.filter.selects(&name, &row.plugin));
            rows.extend(plugins.map(|row| InUse { site: name.clone(), ..row }));
        }
        if self.filter.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
            return Ok(());
        }
        if rows.is_empty() {
            println!("no plugin in use matches");
        } else {
            println!("{}", table(&rows));
        }
        problems.iter().for_each(|problem| println!("{problem}"));
        Ok(())
    }
}

fn table(rows: &[InUse]) -> String {
    let head = ["site", "plugin", "version", "on failure", "from", "digest"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in rows {
        let state = if row.quarantined_for_seconds.is_some() { " (off)" } else { "" };
        lines.push(vec![
            row.site.clone(),
            format!("{}{state}", row.plugin),
            row.version.clone(),
            row.on_failure.as_deref().unwrap_or("-").to_owned(),
            row.source.as_deref().unwrap_or("(removed)").to_owned(),
            row.digest.clone(),
        ]);
    }
    columns(&lines, head.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_table_says_which_folder_serves() {
        let json = r#"{ "plugins": [
            { "plugin": "a", "version": "1.0.0", "digest": "sha256:1", "source": "built in", "onFailure": "deny",
              "hooks": [], "quarantinedForSeconds": 3 },
            { "plugin": "b", "version": "0.1.0", "digest": "sha256:2", "source": null, "onFailure": null,
              "hooks": [], "quarantinedForSeconds": null }
        ], "problems": [] }"#;
        let site: Site = serde_json::from_str(json).unwrap();
        let rows: Vec<_> = site.plugins.into_iter().map(|row| InUse { site: "one".to_owned(), ..row }).collect();
        assert_eq!(
            table(&rows),
            "site  plugin   version  on failure  from       digest\n\
             one   a (off)  1.0.0    deny        built in   sha256:1\n\
             one   b        0.1.0    -           (removed)  sha256:2"
        );
    }
}
