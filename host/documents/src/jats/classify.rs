//! Classification of statements: by the type in the source, else by well-known headings.

/// The part of the article to which a statement belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Acknowledgements,
    Contribution,
    Equal,
    Conflict,
    Ethics,
    Funding,
    SupportingData,
    Supplementary,
    Glossary,
    Appendix,
}

/// The place for a `@fn-type`, `@notes-type`, `@sec-type` or `@content-type`.
pub(super) fn by_type(kind: &str) -> Option<Place> {
    let kind = kind.trim().to_ascii_lowercase().replace(['_', ' '], "-");
    let has = |words: &[&str]| words.iter().any(|word| kind.contains(word));
    Some(match kind.as_str() {
        "" => return None,
        "con" => Place::Contribution,
        "equal" => Place::Equal,
        "ack" | "acks" | "acknowledgement" | "acknowledgements" | "acknowledgment" | "acknowledgments" => {
            Place::Acknowledgements
        }
        "supported-by" | "financial-disclosure" => Place::Funding,
        "abbr" | "abbreviations" | "glossary" | "nomenclature" => Place::Glossary,
        "appendix" => Place::Appendix,
        "datasets" | "dataset" | "supporting-data" => Place::SupportingData,
        _ if has(&["conflict", "coi-statement", "competing", "disclosure-statement"]) => Place::Conflict,
        _ if has(&["contrib"]) => Place::Contribution,
        _ if has(&["ethic", "consent"]) => Place::Ethics,
        _ if has(&["funding"]) => Place::Funding,
        _ if has(&["data-availab", "code-availab", "availability"]) => Place::SupportingData,
        _ if has(&["supplement"]) => Place::Supplementary,
        _ => return None,
    })
}

/// Headings in several languages, in lower case; a heading matches if it begins with one of these.
const HEADINGS: &[(Place, &[&str])] = &[
    (
        Place::Acknowledgements,
        &[
            "acknowledg",
            "thanks",
            "致谢",
            "鸣谢",
            "谢辞",
            "agradecimento",
            "agradecimiento",
            "remerciement",
            "danksagung",
            "благодарност",
        ],
    ),
    (
        Place::Contribution,
        &[
            "author contribution",
            "authors contribution",
            "author's contribution",
            "authors' contribution",
            "contribution of author",
            "contributions",
            "contributors",
            "credit author",
            "作者贡献",
            "contribuição d",
            "contribuições d",
            "contribución d",
            "contribuciones d",
            "contribuição autor",
            "colaborador",
            "beiträge der autor",
        ],
    ),
    (
        Place::Conflict,
        &[
            "conflict of interest",
            "conflicts of interest",
            "conflict of competing",
            "competing interest",
            "competing financial",
            "declaration of interest",
            "declaration of competing",
            "declaration of conflict",
            "disclosure",
            "interest statement",
            "potential conflict",
            "利益冲突",
            "利益声明",
            "conflito de interesse",
            "conflitos de interesse",
            "conflicto de interes",
            "conflictos de interes",
            "conflicto de interés",
            "conflictos de interés",
        ],
    ),
    (
        Place::Ethics,
        &[
            "ethic",
            "consent",
            "informed consent",
            "patient consent",
            "institutional review board",
            "human subjects",
            "animal rights",
            "statement of ethics",
            "compliance with ethical",
            "伦理",
            "知情同意",
            "aspectos éticos",
            "ética",
            "considerações éticas",
            "consideraciones éticas",
            "responsabilidades éticas",
        ],
    ),
    (
        Place::Funding,
        &[
            "funding",
            "financial support",
            "financial disclosure",
            "source of funding",
            "sources of funding",
            "grant support",
            "support statement",
            "基金项目",
            "基金资助",
            "资助",
            "financiamento",
            "apoio financeiro",
            "suporte financeiro",
            "fonte de financiamento",
            "financiamiento",
            "financiación",
            "fuente de financiamiento",
            "apoyo financiero",
            "financement",
        ],
    ),
    (
        Place::SupportingData,
        &[
            "data availab",
            "availability of data",
            "availability of the data",
            "data and code availab",
            "data accessib",
            "code availab",
            "data and materials availab",
            "data sharing",
            "data deposition",
            "data statement",
            "data archiving",
            "software availab",
            "数据可用性",
            "数据可得性",
            "数据获取",
            "disponibilidade de dados",
            "disponibilidade dos dados",
            "declaração de disponibilidade",
            "disponibilidad de datos",
            "disponibilidad de los datos",
        ],
    ),
    (
        Place::Supplementary,
        &[
            "supplementa",
            "supporting information",
            "additional file",
            "electronic supplementary",
            "补充材料",
            "附加材料",
            "material suplementar",
            "materiais suplementares",
            "material suplementario",
            "material complementar",
        ],
    ),
    (
        Place::Glossary,
        &[
            "abbreviation",
            "glossary",
            "nomenclature",
            "list of symbols",
            "list of abbreviations",
            "symbols",
            "符号说明",
            "符号表",
            "缩略语",
            "缩写",
            "术语表",
            "abreviaturas",
            "glossário",
            "glosario",
            "siglas",
        ],
    ),
    (Place::Appendix, &["appendix", "appendices", "附录", "apêndice", "apéndice", "anexo", "annex"]),
];

/// The place for a heading of the back matter.
pub(super) fn by_heading(heading: &str) -> Option<Place> {
    let heading: String = heading
        .trim()
        .to_lowercase()
        .replace('’', "'")
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .chars()
        .take(80)
        .collect();
    if heading.is_empty() {
        return None;
    }
    HEADINGS.iter().find(|(_, starts)| starts.iter().any(|start| heading.starts_with(start))).map(|(place, _)| *place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_classified_by_type_and_heading() {
        assert_eq!(by_type("COI-statement"), Some(Place::Conflict));
        assert_eq!(by_type("AuthorContribution"), Some(Place::Contribution));
        assert_eq!(by_type("supplementary material"), Some(Place::Supplementary));
        assert_eq!(by_type("other"), None);
        for (heading, place) in [
            ("Acknowledgments", Place::Acknowledgements),
            ("7. 致谢", Place::Acknowledgements),
            ("Authors’ contributions", Place::Contribution),
            ("CONFLITO DE INTERESSES", Place::Conflict),
            ("利益冲突声明", Place::Conflict),
            ("Financiamiento", Place::Funding),
            ("Availability of data and materials", Place::SupportingData),
            ("Ethics approval and consent to participate", Place::Ethics),
            ("附录 A", Place::Appendix),
        ] {
            assert_eq!(by_heading(heading), Some(place), "{heading}");
        }
        assert_eq!(by_heading("Results"), None);
        assert_eq!(by_heading("12"), None);
    }
}
