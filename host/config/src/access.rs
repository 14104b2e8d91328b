//! What is wrong with the rules about who may read and download (`[access]`).

use masthead_domain::{
    access::{Institution, SiteAccess},
    site::Site,
};

use crate::Fault;

/// The faults of `[access]`. An unknown audience, and what is no network, are refused when the value is read.
pub fn faults(site: &Site) -> Vec<Fault> {
    let SiteAccess { institutions, .. } = &site.access;
    let mut faults = Vec::new();
    for (index, institution) in institutions.iter().enumerate() {
        let key = format!("access.institutions[{index}]");
        let id = &institution.id;
        if institutions[..index].iter().any(|other| other.id == *id) {
            let message = format!("{key}.id {id:?} is the key of another institution of the site");
            faults.push(Fault::new(format!("{key}.id"), message, "give each institution a key of its own"));
        }
        faults.extend(institution_faults(institution, &key));
    }
    faults
}

fn institution_faults(institution: &Institution, key: &str) -> Vec<Fault> {
    let Institution { id, name, networks } = institution;
    let mut faults = Vec::new();
    if !Institution::is_key(id) {
        let most = Institution::MAX_KEY;
        let message = format!("{key}.id {id:?} is no key: it has 1 to {most} lower-case letters, digits and hyphens");
        faults.push(Fault::new(format!("{key}.id"), message, "write a key such as estuary-university"));
    }
    if name.0.values().all(|text| text.trim().is_empty()) {
        let message = format!("{key}.name is missing: readers see it");
        faults.push(Fault::new(format!("{key}.name"), message, "write name = { en = \"Estuary University\" }"));
    }
    if let Some(reason) = Institution::refused_network(networks) {
        let fix = "write the networks of the institution alone, of IPv6 at least as wide as a /64";
        faults.push(Fault::new(format!("{key}.networks"), format!("{key}.networks: {reason}"), fix));
    }
    faults
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The keys of the faults of the institutions in this TOML.
    fn keys(institutions: &str) -> Vec<String> {
        let text = format!(
            "id = 1\nsld = \"one\"\nname = {{ en = \"One\" }}\ncolorId = 1\nlanguages = [\"en\"]\n[header]\n{institutions}"
        );
        let site: Site = toml::from_str(&text).unwrap();
        faults(&site).into_iter().map(|fault| fault.key).collect()
    }

    #[test]
    fn institutions_that_are_described_in_full_have_no_faults() {
        let found = keys(
            "[access]\nfullText = \"institutions\"\ndownloads = \"members\"\n\
             [[access.institutions]]\nid = \"estuary\"\nname = { en = \"Estuary University\" }\nnetworks = [\"192.0.2.0/24\", \"2001:db8:7::/48\"]\n\
             [[access.institutions]]\nid = \"delta\"\nname = { zh = \"三角洲学院\" }\n",
        );
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn what_would_let_in_nobody_or_everybody_is_a_fault() {
        for (line, key) in [
            ("id = \"Estuary\"", "id"),
            ("id = \"\"", "id"),
            ("id = \"delta\"", "id"),
            ("name = { en = \" \" }", "name"),
            ("networks = [\"0.0.0.0/0\"]", "networks"),
            ("networks = [\"2001:db8::1\"]", "networks"),
        ] {
            let name = line.split(' ').next().unwrap_or_default();
            let others = [("id", "id = \"estuary\""), ("name", "name = { en = \"Estuary\" }"), ("networks", "")];
            let rest: Vec<&str> = others.iter().filter(|(known, _)| *known != name).map(|(_, line)| *line).collect();
            let found = keys(&format!(
                "[[access.institutions]]\nid = \"delta\"\nname = {{ en = \"Delta\" }}\n[[access.institutions]]\n{line}\n{}\n",
                rest.join("\n")
            ));
            assert_eq!(found, [format!("access.institutions[1].{key}")], "{line}");
        }
        assert!(toml::from_str::<SiteAccess>("fullText = \"subscribers\"").is_err());
        assert!(toml::from_str::<SiteAccess>("[[institutions]]\nid = \"a\"\nnetworks = [\"a.example\"]").is_err());
    }
}
