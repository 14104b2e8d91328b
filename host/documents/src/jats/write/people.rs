//! Export of contributors and affiliations.

use std::collections::HashMap;

use masthead_domain::{
    article::{Affiliation, Contributor},
    credit::{CREDIT, CreditRole},
};

use super::Export;

impl Export<'_> {
    pub(super) fn contributors(&mut self, all: &[Contributor]) {
        if all.is_empty() {
            return;
        }
        self.element("contrib-group", &[], |this| {
            this.out.line();
            for (one, members) in with_members(all) {
                this.contributor(one, &members);
                this.out.line();
            }
        });
        self.out.line();
    }

    /// Contributors of whom only the names are known.
    pub(super) fn names(&mut self, names: &[String]) {
        if names.is_empty() {
            return;
        }
        self.element("contrib-group", &[], |this| {
            for name in names {
                this.element("contrib", &[("contrib-type", "author")], |this| this.leaf("string-name", &[], name));
            }
        });
        self.out.line();
    }

    fn contributor(&mut self, one: &Contributor, members: &[&Contributor]) {
        let yes = |state: bool| if state { "yes" } else { "" };
        let attributes = [
            ("contrib-type", one.role.as_str()),
            ("corresp", yes(one.corresponding)),
            ("equal-contrib", yes(one.equal)),
        ];
        self.element("contrib", &attributes, |this| {
            if !one.orcid.is_empty() {
                let address = format!("https://orcid.org/{}", one.orcid);
                this.leaf("contrib-id", &[("contrib-id-type", "orcid")], &address);
            }
            this.name_of(one, members);
            one.credit.iter().for_each(|role| this.role(role));
            if !one.email.is_empty() {
                this.leaf("email", &[], &one.email);
            }
            if !one.address.is_empty() {
                this.element("address", &[], |this| this.leaf("addr-line", &[], &one.address));
            }
            for id in &one.affiliations {
                this.cross_reference("aff", std::slice::from_ref(id), |_| {});
            }
            if !one.bio.is_empty() {
                this.element("bio", &[], |this| this.blocks(&one.bio));
            }
        });
    }

    /// A role; one of the CRediT taxonomy says so.
    fn role(&mut self, printed: &str) {
        let Some(role) = CreditRole::of(printed) else { return self.leaf("role", &[], printed) };
        let address = role.address();
        let attributes = [
            ("vocab", "credit"),
            ("vocab-identifier", CREDIT),
            ("vocab-term", role.term),
            ("vocab-term-identifier", address.as_str()),
        ];
        self.leaf("role", &attributes, printed);
    }

    fn name_of(&mut self, one: &Contributor, members: &[&Contributor]) {
        let divided = !one.surname.is_empty() || !one.given_names.is_empty();
        match one.alternatives.split_first() {
            None if divided => self.divided(one, None),
            None if one.collab.is_empty() => {}
            None => self.element("collab", &[], |this| {
                this.out.characters(&one.collab);
                if !members.is_empty() {
                    this.element("contrib-group", &[], |this| {
                        members.iter().for_each(|member| this.contributor(member, &[]));
                    });
                }
            }),
            Some((main, others)) => self.element("name-alternatives", &[], |this| {
                if divided {
                    this.divided(one, Some(main));
                } else {
                    this.whole(main);
                }
                others.iter().for_each(|other| this.whole(other));
            }),
        }
    }

    /// A name in its parts, with its language if there are alternatives.
    fn divided(&mut self, one: &Contributor, display: Option<&(String, String)>) {
        let lang = display.map(|(lang, _)| self.inherited(lang)).unwrap_or_default();
        self.element("name", &[("xml:lang", &lang)], |this| {
            for (name, part) in [("surname", &one.surname), ("given-names", &one.given_names), ("suffix", &one.suffix)]
            {
                if !part.is_empty() {
                    this.leaf(name, &[], part);
                }
            }
        });
    }

    fn whole(&mut self, (lang, name): &(String, String)) {
        let lang = self.inherited(lang);
        self.leaf("string-name", &[("xml:lang", &lang)], name);
    }

    /// Affiliations; those with the same id are one affiliation in several languages.
    pub(super) fn affiliations(&mut self, all: &[Affiliation]) {
        for same in all.chunk_by(|a, b| a.id == b.id) {
            match same {
                [one] => self.affiliation(one, &one.id),
                [first, ..] => self.element("aff-alternatives", &[("id", &first.id)], |this| {
                    same.iter().for_each(|one| this.affiliation(one, ""));
                }),
                [] => {}
            }
            self.out.line();
        }
    }

    fn affiliation(&mut self, one: &Affiliation, id: &str) {
        self.element("aff", &[("id", id), ("xml:lang", &one.lang)], |this| {
            if !one.label.is_empty() {
                this.leaf("label", &[], &one.label);
            }
            let at = one.text.rfind(&one.country).filter(|_| !one.country.is_empty());
            match at.map(|at| one.text.split_at(at)) {
                Some((before, rest)) => {
                    this.out.characters(before);
                    this.leaf("country", &[], &one.country);
                    this.out.characters(rest.get(one.country.len()..).unwrap_or_default());
                }
                None => this.out.characters(&one.text),
            }
            if !one.institution_id.is_empty() {
                this.element("institution-wrap", &[], |this| this.leaf("institution-id", &[], &one.institution_id));
            }
            if at.is_none() && !one.country.is_empty() {
                this.leaf("country", &[], &one.country);
            }
            for contact in one.contact.split("; ").filter(|contact| !contact.is_empty()) {
                this.leaf(if contact.contains('@') { "email" } else { "phone" }, &[], contact);
            }
        });
    }
}

/// The contributors in order, each group with its members; members of a group that is not among them stand alone.
fn with_members(all: &[Contributor]) -> Vec<(&Contributor, Vec<&Contributor>)> {
    let mut made: Vec<(&Contributor, Vec<&Contributor>)> = Vec::new();
    let mut groups: HashMap<&str, usize> = HashMap::new();
    for one in all {
        let group = groups.get(one.group.as_str()).filter(|_| !one.group.is_empty());
        if let Some((_, members)) = group.and_then(|at| made.get_mut(*at)) {
            members.push(one);
            continue;
        }
        let whole = one.surname.is_empty() && one.given_names.is_empty() && one.alternatives.is_empty();
        if whole && !one.collab.is_empty() && one.group.is_empty() {
            groups.insert(&one.collab, made.len());
        }
        made.push((one, Vec::new()));
    }
    made
}
