//! Style sheets of the shell and of built-in modules, combined into one file for each combination that pages have. A page waits for its style
//! sheets before it is painted, and one is there sooner than four.
//!
//! The address names the parts, `/assets/styles/main-1a2b+nav-default-3c4d.css`: any host of the same build serves it, before it has sent a page
//! with it and after a restart. The style sheets of modules from folders are no parts: a brace that is missing in one of them would hide the
//! rules of those behind it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use masthead_content::{compressed_html::whole_streams, files};
use moka::sync::Cache;

use super::Asset;

/// Folder of the combined style sheets, below `/assets/`.
pub const FOLDER: &str = "styles/";
/// Between the names of the parts.
const SEPARATOR: &str = "+";
/// The greatest number of parts.
const MAX_PARTS: usize = 12;
/// Combined style sheets that are kept, about 50 KB each.
const KEPT: u64 = 64;

/// The style sheets that can be combined.
#[derive(Clone, Debug)]
pub(super) struct CombinedStyles {
    /// Path below `/assets/`, by file name without ending.
    paths: Arc<HashMap<String, String>>,
    kept: Cache<String, Arc<Asset>>,
}

impl Default for CombinedStyles {
    fn default() -> Self {
        Self::of(std::iter::empty())
    }
}

/// The name of a style sheet as a part; `None` if an address cannot have it.
fn name_of(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?.strip_suffix(".css")?;
    (!name.is_empty() && !name.contains(SEPARATOR)).then_some(name)
}

impl CombinedStyles {
    /// The style sheets at these paths below `/assets/`. Of several with one name, none can be combined.
    pub(super) fn of<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let (mut named, mut twice) = (HashMap::new(), HashSet::new());
        for path in paths {
            let Some(name) = name_of(path) else { continue };
            if named.insert(name.to_owned(), path.to_owned()).is_some() {
                twice.insert(name.to_owned());
            }
        }
        named.retain(|name, _| !twice.contains(name));
        Self { paths: Arc::new(named), kept: Cache::new(KEPT) }
    }

    /// The address of one style sheet with those at these addresses, in their order; `None` if one of them cannot be combined, or there
    /// is no second one.
    pub(super) fn address(&self, hrefs: &[&str]) -> Option<String> {
        let mut names = Vec::with_capacity(hrefs.len());
        for href in hrefs {
            let path = href.strip_prefix("/assets/")?;
            let name = name_of(path)?;
            if self.paths.get(name).is_none_or(|known| known != path) {
                return None;
            }
            names.push(name);
        }
        (2..=MAX_PARTS).contains(&names.len()).then(|| format!("/assets/{FOLDER}{}.css", names.join(SEPARATOR)))
    }

    /// The file at a path under `/assets/`; `None` if it is not one of these, or has a part that this build does not have.
    pub(super) fn asset(&self, path: &str, part: impl Fn(&str) -> Option<Asset>) -> Option<Arc<Asset>> {
        let names: Vec<&str> = path.strip_prefix(FOLDER)?.strip_suffix(".css")?.split(SEPARATOR).collect();
        let different: HashSet<&str> = names.iter().copied().collect();
        if !(2..=MAX_PARTS).contains(&names.len()) || different.len() < names.len() {
            return None;
        }
        let paths: Vec<&String> = names.iter().map(|name| self.paths.get(*name)).collect::<Option<_>>()?;
        self.kept.optionally_get_with_by_ref(path, || {
            let mut plain = Vec::new();
            for path in paths {
                plain.extend_from_slice(&part(path)?.plain);
                plain.push(b'\n');
            }
            let (br, gz) = whole_streams(&plain).unzip();
            Some(Arc::new(Asset { plain: plain.into(), br, gz, mime: files::media_type(path) }))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use axum::body::Bytes;

    use super::*;

    const MAIN: &str = "shell/assets/main-1a.css";
    const NAV: &str = "modules/nav/assets/nav-2b.css";

    fn part(path: &str) -> Option<Asset> {
        let plain = Bytes::from(format!("/* {path} */"));
        Some(Asset { plain, br: None, gz: None, mime: "text/css" })
    }

    #[test]
    fn an_address_names_its_parts_in_their_order() {
        let styles = CombinedStyles::of([MAIN, NAV].into_iter());
        let address = styles.address(&["/assets/shell/assets/main-1a.css", "/assets/modules/nav/assets/nav-2b.css"]);
        assert_eq!(address.as_deref(), Some("/assets/styles/main-1a+nav-2b.css"));
        let asset = styles.asset("styles/main-1a+nav-2b.css", part).unwrap();
        assert_eq!(asset.plain, format!("/* {MAIN} */\n/* {NAV} */\n"));
        let mut unpacked = Vec::new();
        let mut reader = flate2::read::GzDecoder::new(asset.gz.as_deref().unwrap());
        std::io::Read::read_to_end(&mut reader, &mut unpacked).unwrap();
        assert_eq!(unpacked, asset.plain);
        assert!(asset.br.is_some());
        let other = styles.asset("styles/nav-2b+main-1a.css", part).unwrap();
        assert_ne!(other.plain, asset.plain, "the last rule wins: order is part of the address");
    }

    #[test]
    fn what_is_not_built_in_is_not_combined() {
        let twice = "modules/other/assets/nav-2b.css";
        let styles = CombinedStyles::of([MAIN, NAV, "modules/a/assets/a.css"].into_iter());
        assert_eq!(styles.address(&["/assets/shell/assets/main-1a.css"]), None, "one alone");
        assert_eq!(
            styles.address(&["/assets/shell/assets/main-1a.css", "/assets/modules/far/0f/assets/nav-2b.css"]),
            None
        );
        let ambiguous = CombinedStyles::of([MAIN, NAV, twice].into_iter());
        assert_eq!(
            ambiguous.address(&["/assets/shell/assets/main-1a.css", "/assets/modules/nav/assets/nav-2b.css"]),
            None
        );
        for path in [
            "styles/main-1a.css",
            "styles/main-1a+main-1a.css",
            "styles/main-1a+absent.css",
            "styles/main-1a+nav-2b",
            "styles/+.css",
            "styles/../main-1a+nav-2b.css",
            "other/main-1a+nav-2b.css",
        ] {
            assert!(styles.asset(path, part).is_none(), "{path}");
        }
    }
}
