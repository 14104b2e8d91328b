//! What rows of a bundle may have that become part of a page, or of a record that an import writes later.

use anyhow::Context as _;
use masthead_domain::{
    access::Institution,
    link, of_kind,
    publication::{Issue, Journal},
    resource::{Picture, ResourceKind, TableSheet},
};
use masthead_store::{StoredForm as _, StoredResource, field, is_redirect_path, set_field, site_rows::SiteRow};
use serde_json::{Value, json};

use super::row::{numbers, set, text};
use crate::sanitize::cleaned;

/// The most parts of the path of an edited field; records have far fewer.
const DEEPEST: usize = 16;

/// A resource that passes the checks of an import, with its HTML cleaned.
pub fn permitted<T: StoredResource>(resource: T) -> anyhow::Result<T> {
    let resource = cleaned(resource)?;
    check_renditions(&serde_json::to_value(&resource)?)?;
    Ok(resource)
}

/// Refuses a figure whose pictures are on another server: a page sends no requests to other origins.
fn check_renditions(value: &Value) -> anyhow::Result<()> {
    match value {
        Value::Object(fields) => {
            for name in ["small", "big", "original"] {
                let address = fields.get(name).and_then(Value::as_str).unwrap_or_default();
                anyhow::ensure!(
                    address.is_empty() || address.starts_with("/media/"),
                    "the picture {address:?} is not on this host"
                );
            }
            fields.values().try_for_each(check_renditions)
        }
        Value::Array(all) => all.iter().try_for_each(check_renditions),
        _ => Ok(()),
    }
}

/// Refuses a cover with an address that no page may have.
pub fn check_cover(journal: &str, cover: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        cover.is_empty() || link::is_own_or_web(cover),
        "the cover {cover:?} of the journal {journal} in the bundle is neither an http(s) address nor one of this host"
    );
    Ok(())
}

/// Checks the figures and tables of a withdrawn article: they are those of a present one as soon as somebody puts it back.
pub fn exhibits(row: &mut SiteRow) -> anyhow::Result<()> {
    let given: Vec<(String, String)> =
        serde_json::from_str(text(row, "exhibits")?).context("the figures of a withdrawn article")?;
    let mut checked = Vec::with_capacity(given.len());
    for (kind, data) in given {
        let data = match ResourceKind::parse(&kind) {
            Some(ResourceKind::Picture) => permitted(Picture::decode(&data)?)?.encode()?,
            Some(ResourceKind::Table) => permitted(TableSheet::decode(&data)?)?.encode()?,
            _ => anyhow::bail!("a withdrawn article has {kind:?} among its figures and tables"),
        };
        checked.push((kind, data));
    }
    set(row, "exhibits", json!(checked).to_string());
    Ok(())
}

/// Checks a field that was edited by hand: imports put it into the record without a further check. It passes the check of a record that has
/// this field alone. A field of an article is checked when the article is rendered again.
pub fn edit(row: &mut SiteRow) -> anyhow::Result<()> {
    let (subject, path) = (text(row, "subject")?.to_owned(), text(row, "field")?.to_owned());
    anyhow::ensure!(path.split('.').count() <= DEEPEST, "the path of the edited field of {subject:?} is too long");
    let mut record = json!({});
    set_field(&mut record, &path, serde_json::from_str(text(row, "value")?)?);
    let record = record.to_string();
    match subject.split('/').next().unwrap_or_default() {
        "article" => Ok(()),
        // The import reads its path alone.
        "redirect" => path_of_redirect(subject.strip_prefix("redirect").unwrap_or_default()),
        "journal" => check_cover(&subject, &Journal::decode(&record)?.cover),
        "issue" => check_cover(&subject, &Issue::decode(&record)?.cover),
        kind => {
            let kind = ResourceKind::parse(kind).with_context(|| {
                format!("{subject:?} was edited, which this version does not know; use a newer Masthead")
            })?;
            of_kind!(kind, T => edit_of(row, &path, T::decode(&record)?))
        }
    }
}

fn edit_of<T: StoredResource>(row: &mut SiteRow, path: &str, given: T) -> anyhow::Result<()> {
    let cleaned = permitted(given.clone())?;
    if cleaned != given {
        let record: Value = serde_json::from_str(&cleaned.encode()?)?;
        set(row, "value", field(&record, path).to_string());
    }
    Ok(())
}

/// Refuses a redirect to another host.
pub fn redirect(row: &SiteRow) -> anyhow::Result<()> {
    let target = if text(row, "kind")? == "path" { Some(text(row, "target")?) } else { None };
    std::iter::once(text(row, "path")?).chain(target).try_for_each(path_of_redirect)
}

fn path_of_redirect(path: &str) -> anyhow::Result<()> {
    anyhow::ensure!(is_redirect_path(path), "{path:?} is no path of a site that a redirect can have or lead to");
    Ok(())
}

/// Refuses a notice with an address that no page may link to.
pub fn notice(row: &SiteRow) -> anyhow::Result<()> {
    let address = text(row, "address")?;
    anyhow::ensure!(address.is_empty() || link::is_web(address), "a notice has {address:?} as an address");
    Ok(())
}

/// Refuses an institution that no administrator could have added: what is closed to others is open to readers in its networks.
pub fn institution(row: &SiteRow) -> anyhow::Result<()> {
    let key = text(row, "institution")?;
    let networks: Vec<String> = serde_json::from_str(text(row, "networks")?)
        .with_context(|| format!("the networks of the institution {key}"))?;
    Institution::checked(key, text(row, "name")?, networks)
        .map_err(|fault| anyhow::anyhow!("the institution {key}: {fault}"))?;
    numbers(row, &["until", "changed"])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_store::backup::Value as Field;

    use super::*;

    fn row(columns: &[(&str, &str)]) -> SiteRow {
        columns.iter().map(|(name, text)| ((*name).to_owned(), Field::Text((*text).to_owned()))).collect()
    }

    #[test]
    fn figures_of_withdrawn_articles_pass_the_checks_of_an_import() {
        let with = |exhibits: &Value| row(&[("exhibits", &exhibits.to_string())]);
        let digest = "ab".repeat(32);
        let own = json!({ "pictures": [{ "small": format!("/media/1/{digest}.png") }] }).to_string();
        let mut good = with(&json!([["picture", own], ["table", "{}"]]));
        exhibits(&mut good).unwrap();
        let once = good.clone();
        exhibits(&mut good).unwrap();
        assert_eq!(good, once, "what was checked stays as it is");
        assert!(text(&good, "exhibits").unwrap().contains(&digest));
        for bad in [
            json!([["picture", "{\"pictures\":[{\"small\":\"https://a.example/x.png\"}]}"]]),
            json!([["news", "{}"]]),
            json!([["picture"]]),
            json!({}),
        ] {
            assert!(exhibits(&mut with(&bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn edited_fields_pass_the_checks_of_their_record() {
        let edited = |subject: &str, path: &str, value: &Value| {
            let mut row = row(&[("subject", subject), ("field", path), ("value", &value.to_string())]);
            edit(&mut row).map(|()| serde_json::from_str::<Value>(text(&row, "value").unwrap()).unwrap())
        };
        let evil = json!("<p>Tide<script>alert(1)</script></p>");
        assert_eq!(edited("news/n", "content.en", &evil).unwrap(), json!("<p>Tide</p>"));
        let clean = json!({ "en": "<p>Tide</p>" });
        assert_eq!(edited("news/n", "content", &clean).unwrap(), clean);
        assert_eq!(edited("news/n", "author", &Value::Null).unwrap(), Value::Null);
        assert_eq!(edited("article/7", "titles.en", &evil).unwrap(), evil, "it is cleaned when it is rendered");
        assert_eq!(edited("issue/tides/2026/3", "title.en", &json!("On silt")).unwrap(), json!("On silt"));
        let target = json!({ "kind": "path", "target": "/about" });
        assert_eq!(edited("redirect/old/a", "to", &target).unwrap(), target);
        assert!(
            edited("redirect//evil.example/", "to", &target).is_err() && edited("redirect", "to", &target).is_err()
        );
        let script = json!("javascript:alert(1)");
        for (subject, path) in [("news/n", "cover"), ("issue/tides/2026/3", "cover"), ("journal/tides", "cover")] {
            assert!(edited(subject, path, &script).is_err(), "{subject} {path}");
        }
        assert!(edited("hologram/h", "title", &json!("x")).is_err());
        assert!(edited("article/7", &"a.".repeat(100_000), &json!("x")).is_err());
    }

    #[test]
    fn redirects_and_notices_lead_to_no_other_place_than_they_may() {
        let to = |kind: &str, path: &str, target: &str| {
            redirect(&row(&[("kind", kind), ("path", path), ("target", target)]))
        };
        assert!(to("path", "/old", "/about").is_ok() && to("article", "/old", "12").is_ok());
        for (path, target) in [("/old", "//evil.example/"), ("/old", "https://evil.example/"), ("//x", "/about")] {
            assert!(to("path", path, target).is_err(), "{path} {target}");
        }
        assert!(notice(&row(&[("address", "https://doi.org/10.5555/a")])).is_ok());
        assert!(notice(&row(&[("address", "")])).is_ok());
        assert!(notice(&row(&[("address", "javascript:alert(1)")])).is_err());
    }

    #[test]
    fn institutions_are_those_that_an_administrator_could_add() {
        let of = |key: &str, name: &str, networks: &str, until: i64| {
            let mut row = row(&[("institution", key), ("name", name), ("networks", networks)]);
            row.extend([("until", until), ("changed", 5)].map(|(name, number)| (name.to_owned(), Field::Int(number))));
            institution(&row).map_err(|error| format!("{error:#}"))
        };
        let good = json!(["192.0.2.0/24", "2001:db8:7::/48"]).to_string();
        let good = good.as_str();
        of("harbour", "Harbour", good, 0).unwrap();
        of("harbour", "Harbour", "[]", 1_900_000_000_000).unwrap();
        for (key, name, networks, until, words) in [
            ("Har bour", "Harbour", good, 0, "no key"),
            ("harbour", " ", good, 0, "a name has"),
            ("harbour", "Harbour", "[\"0.0.0.0/0\"]", 0, "0.0.0.0/0"),
            ("harbour", "Harbour", "[\"2001:db8::1\"]", 0, "narrower"),
            ("harbour", "Harbour", "[\"192.0.2\"]", 0, "192.0.2"),
            ("harbour", "Harbour", "{}", 0, "networks"),
            ("harbour", "Harbour", good, -1, "until"),
        ] {
            let refused = of(key, name, networks, until).unwrap_err();
            assert!(refused.contains(words), "{words}: {refused}");
        }
    }
}
