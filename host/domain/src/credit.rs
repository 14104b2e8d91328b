//! CRediT, the Contributor Role Taxonomy (ANSI/NISO Z39.104-2022): the fourteen roles by which articles say who did what.

use crate::text::letters;

/// A role of the taxonomy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditRole {
    /// The term, as the standard writes it.
    pub term: &'static str,
    /// The last segment of its address.
    slug: &'static str,
}

/// Where the taxonomy is published.
pub const CREDIT: &str = "https://credit.niso.org/";

const ROLES: [CreditRole; 14] = [
    CreditRole { term: "Conceptualization", slug: "conceptualization" },
    CreditRole { term: "Data curation", slug: "data-curation" },
    CreditRole { term: "Formal analysis", slug: "formal-analysis" },
    CreditRole { term: "Funding acquisition", slug: "funding-acquisition" },
    CreditRole { term: "Investigation", slug: "investigation" },
    CreditRole { term: "Methodology", slug: "methodology" },
    CreditRole { term: "Project administration", slug: "project-administration" },
    CreditRole { term: "Resources", slug: "resources" },
    CreditRole { term: "Software", slug: "software" },
    CreditRole { term: "Supervision", slug: "supervision" },
    CreditRole { term: "Validation", slug: "validation" },
    CreditRole { term: "Visualization", slug: "visualization" },
    CreditRole { term: "Writing – original draft", slug: "writing-original-draft" },
    CreditRole { term: "Writing – review & editing", slug: "writing-review-editing" },
];

impl CreditRole {
    /// The role that a printed text names, whatever its case, dashes and British or American spelling, and with or without the degree of the
    /// contribution in parentheses; `None` for any other role.
    #[must_use]
    pub fn of(printed: &str) -> Option<Self> {
        let bare = printed.split_once('(').map_or(printed, |(term, _)| term);
        // `Conceptualisation`, `Writing - review and editing`, `Writing—original draft preparation`.
        let folded = letters(bare).replace("isation", "ization").replace("reviewandediting", "reviewediting");
        let folded = folded.strip_suffix("preparation").unwrap_or(&folded);
        ROLES.into_iter().find(|role| letters(role.term) == folded)
    }

    /// The address of its definition.
    #[must_use]
    pub fn address(self) -> String {
        format!("{CREDIT}contributor-roles/{}/", self.slug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_found_as_journals_print_them() {
        let term = |printed| CreditRole::of(printed).map(|role| role.term);
        for role in ROLES {
            assert_eq!(term(role.term), Some(role.term));
        }
        assert_eq!(term("conceptualisation"), Some("Conceptualization"));
        assert_eq!(term("Writing - Review and Editing (supporting)"), Some("Writing – review & editing"));
        assert_eq!(term("Writing—original draft preparation"), Some("Writing – original draft"));
        for other in ["", "Editor", "Writing", "Software engineer", "(lead)"] {
            assert_eq!(term(other), None, "{other}");
        }
    }

    #[test]
    fn a_role_has_the_address_of_its_definition() {
        let address = CreditRole::of("Formal analysis").map(CreditRole::address);
        assert_eq!(address.as_deref(), Some("https://credit.niso.org/contributor-roles/formal-analysis/"));
    }
}
