//! The agreements of a site with institutions go with it into another installation.

use std::{collections::BTreeMap, path::Path};

use serde_json::Value;

use super::site_copies::{Installation, altered, full};

/// The institutions of the site, as they are listed.
fn listed(one: &Installation) -> Value {
    serde_json::from_str(&one.good(&["institution", "list", "--site", "oceanledger", "--json"])).unwrap()
}

fn set(one: &Installation, key: &str, network: &str) {
    let arguments = ["institution", "set", key, "--name", "Library", "--network", network, "--site", "oceanledger"];
    one.good(&[&arguments[..], &["--until", "2090-01-01T00:00:00Z"]].concat());
}

/// The bundle as another version would write it: some of its files changed or left out, and digests of these.
fn rewritten(one: &Installation, bundle: &Path, change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>) -> Vec<u8> {
    let digest = |bytes: &[u8]| masthead_content::files::keep(&one.desk.folder.join("digests"), bytes).unwrap();
    let (mut digests, mut of_digests) = (BTreeMap::new(), String::new());
    altered(bundle, |name, bytes| match name {
        "digests.json" => {
            let bytes = serde_json::to_vec_pretty(&digests).unwrap();
            of_digests = digest(&bytes);
            Some(bytes)
        }
        "bundle.json" => {
            let mut manifest: Value = serde_json::from_slice(&bytes).unwrap();
            manifest["digests"] = Value::from(of_digests.as_str());
            Some(manifest.to_string().into_bytes())
        }
        _ => {
            let bytes = change(name, bytes)?;
            digests.insert(name.to_owned(), digest(&bytes));
            Some(bytes)
        }
    })
}

#[test]
fn agreements_with_institutions_are_copied() {
    let (here, there) = (full("agreements-here"), Installation::new("agreements-there"));
    set(&here, "harbour", "192.0.2.0/24");
    let bundle = here.export("site.tar.gz");
    let (good, out, errors) = there.load(&bundle, &["--dry-run"]);
    assert!(good && out.contains("institutions: 1 new, 0 replaced, 0 removed"), "{out}{errors}");
    assert_eq!(listed(&there), serde_json::json!([]), "a dry run changes nothing");
    let (good, out, errors) = there.load(&bundle, &[]);
    assert!(good, "{out}{errors}");
    assert_eq!(listed(&there), listed(&here));
    assert_eq!(listed(&here)[0]["networks"], serde_json::json!(["192.0.2.0/24"]));
    assert!(there.load(&bundle, &[]).1.contains("unchanged"));

    set(&there, "harbour", "198.51.100.0/24");
    set(&there, "strait", "203.0.113.0/24");
    let own = listed(&there);
    let (good, out, errors) = there.load(&bundle, &[]);
    assert!(!good && errors.contains("--replace"), "{out}{errors}");
    assert!(out.contains("institutions: 0 new, 1 replaced, 1 removed") && out.contains("strait Library"), "{out}");
    assert_eq!(listed(&there), own);

    // Earlier versions left institutions out.
    let earlier = rewritten(&there, &bundle, |name, bytes| (name != "tables/institutions.jsonl").then_some(bytes));
    let earlier = there.desk.write("earlier.tar.gz", earlier);
    let (good, out, errors) = there.load(&earlier, &["--replace"]);
    assert!(good && out.contains("unchanged"), "{out}{errors}");
    assert_eq!(listed(&there), own, "what the bundle does not speak of stays");

    // A network that no administrator could add.
    let wide = rewritten(&there, &bundle, |name, bytes| {
        let is_meant = name == "tables/institutions.jsonl";
        let text = String::from_utf8_lossy(&bytes).replace("192.0.2.0/24", "0.0.0.0/0");
        Some(if is_meant { text.into_bytes() } else { bytes })
    });
    let wide = there.desk.write("wide.tar.gz", wide);
    let (good, out, errors) = there.load(&wide, &["--replace"]);
    let names_line = errors.contains("tables/institutions.jsonl:1") && errors.contains("0.0.0.0/0");
    assert!(!good && names_line, "{out}{errors}");
    assert_eq!(listed(&there), own);

    let (good, out, errors) = there.load(&bundle, &["--replace"]);
    assert!(good, "{out}{errors}");
    assert_eq!(listed(&there), listed(&here));
}
