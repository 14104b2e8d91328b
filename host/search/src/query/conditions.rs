//! The conditions of an advanced search as a typed text, for those who know a search as one text, and what they made of it as conditions again.

use super::{
    MAX_CLAUSES, MAX_TEXT,
    expression::{Expression, Typed},
    fields,
    lexer::{self, Kind, QUOTES, Token},
    parse::{one_or, parse, parse_at_most},
    request::{Clause, Join, Query, Target},
};

/// Limit on the characters of a text that stands for a typed one and for conditions.
const MAX_SAID: usize = 2 * (MAX_CLAUSES + 1) * MAX_TEXT;

impl Query {
    /// The typed text and the conditions as one typed text. Without conditions it is the text as typed.
    #[must_use]
    pub fn said(&self) -> String {
        Said::of(self).map_or_else(|| self.text.clone(), |said| said.whole.to_string())
    }

    /// The query of which the text is what somebody made of [`Query::said`]. Where the new text has the form of the former one, every condition
    /// keeps its field and its match, and what did not change stays as typed. A text of another form becomes the conditions; one with more or
    /// longer parts than a query has changes nothing.
    #[must_use]
    pub fn saying(self, text: &str) -> Self {
        let Some(said) = Said::of(&self) else { return Self { text: text.to_owned(), ..self } };
        if text == said.whole.to_string() {
            return self;
        }
        let Some(changed) = parse_at_most(text, MAX_SAID) else {
            return Self { text: String::new(), clauses: Vec::new(), ..self };
        };
        let in_form = said.parts(&changed).and_then(|parts| self.with(&said, parts));
        if let Some(query) = in_form {
            return query;
        }
        match conditions_of(&changed, said.is_precise()).filter(|_| said.is_complete) {
            Some(clauses) => Self { text: String::new(), clauses, ..self },
            None => self,
        }
    }

    /// The query with what became of its text and of its conditions; `None` if a value became something that is none.
    fn with(&self, said: &Said, parts: Parts<'_>) -> Option<Self> {
        let mut query = self.clone();
        if let Some(text) = parts.text.filter(|text| said.text.as_ref() != Some(*text)) {
            query.text = text.to_string();
        }
        for (condition, operand) in said.conditions().zip(parts.operands) {
            if *operand != condition.operand {
                query.clauses.get_mut(condition.place)?.text = text_of(condition.target, operand)?;
            }
        }
        Some(query)
    }
}

/// A query as one text.
struct Said {
    /// What was typed, if it has words.
    text: Option<Expression>,
    /// The conditions that have words: those between two ORs form a group.
    groups: Vec<Vec<Condition>>,
    /// All of it.
    whole: Expression,
    /// Whether no condition on a value is left out for having no letters.
    is_complete: bool,
}

/// A condition that has words.
struct Condition {
    /// Its place among the conditions of the query.
    place: usize,
    /// Its field.
    target: Target,
    /// Whether what it finds is excluded.
    excluded: bool,
    /// Whether its match is precise.
    precise: bool,
    /// What it searches in its field.
    operand: Expression,
}

/// The parts of a text that has the form of another one.
struct Parts<'e> {
    /// What stands for the typed text, if there is one.
    text: Option<&'e Expression>,
    /// What each of the conditions searches in its field.
    operands: Vec<&'e Expression>,
}

impl Said {
    /// `None` for a query without conditions.
    fn of(query: &Query) -> Option<Self> {
        let (mut groups, mut is_complete): (Vec<Vec<Condition>>, bool) = (Vec::new(), true);
        for (place, clause) in query.clauses.iter().enumerate().take(MAX_CLAUSES) {
            let Some(condition) = Condition::of(place, clause) else {
                is_complete &= clause.target.has_words() || clause.text.trim().is_empty();
                continue;
            };
            match groups.last_mut().filter(|_| clause.join != Join::Or) {
                Some(group) => group.push(condition),
                None => groups.push(vec![condition]),
            }
        }
        let group = |conditions: &Vec<Condition>| {
            one_or(conditions.iter().map(Condition::expression).collect(), Expression::And)
        };
        let conditions = one_or(groups.iter().filter_map(group).collect(), Expression::Or)?;
        let text = parse(&query.text);
        let whole = one_or(text.iter().cloned().chain([conditions]).collect(), Expression::And)?;
        Some(Self { text, groups, whole, is_complete })
    }

    fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.groups.iter().flatten()
    }

    /// Whether all conditions are precise: others in their place are then, too.
    fn is_precise(&self) -> bool {
        self.conditions().all(|condition| condition.precise)
    }

    /// The parts of a changed text; `None` if it has another form.
    fn parts<'e>(&self, changed: &'e Expression) -> Option<Parts<'e>> {
        let (text, conditions) = match (&self.text, changed) {
            (None, all) => (None, all),
            (Some(_), Expression::And(parts)) => match parts.as_slice() {
                [text, conditions] => (Some(text), conditions),
                _ => return None,
            },
            (Some(_), _) => return None,
        };
        let mut operands = Vec::new();
        for (group, alternative) in self.groups.iter().zip(split(conditions, self.groups.len(), alternatives)?) {
            for (condition, part) in group.iter().zip(split(alternative, group.len(), requirements)?) {
                operands.push(condition.operand_of(part)?);
            }
        }
        Some(Parts { text, operands })
    }
}

impl Condition {
    /// `None` for a condition without words.
    fn of(place: usize, clause: &Clause) -> Option<Self> {
        let Clause { join, target, precise, ref text } = *clause;
        let operand = if target.has_words() {
            let typed = parse(text.trim())?;
            if precise { adjacent(typed) } else { typed }
        } else {
            value(text, precise)?
        };
        Some(Self { place, target, excluded: join == Join::Not, precise, operand })
    }

    /// The condition as a part of a text.
    fn expression(&self) -> Expression {
        let operand = self.operand.clone();
        let in_field = match fields::name_of(self.target) {
            Some(named) => Expression::In(named, Box::new(operand)),
            None => operand,
        };
        if self.excluded { Expression::Not(Box::new(in_field)) } else { in_field }
    }

    /// What a part of a changed text searches in the field of the condition; `None` if it is no such condition.
    fn operand_of<'e>(&self, part: &'e Expression) -> Option<&'e Expression> {
        let in_field = match part {
            Expression::Not(inner) if self.excluded => inner.as_ref(),
            _ if self.excluded => return None,
            part => part,
        };
        match in_field {
            all if self.target == Target::Everything => Some(all),
            Expression::In(field, inner) if field.target == self.target => Some(inner.as_ref()),
            _ => None,
        }
    }
}

/// The same with words in sequence as phrases: a precise condition finds them side by side.
fn adjacent(expression: Expression) -> Expression {
    let each = |parts: Vec<Expression>| parts.into_iter().map(adjacent).collect();
    match expression {
        Expression::Words(words) => Expression::Phrase(Typed { text: joined(&words), at: 0..0 }),
        Expression::And(parts) => Expression::And(each(parts)),
        Expression::Or(parts) => Expression::Or(each(parts)),
        Expression::Not(part) => Expression::Not(Box::new(adjacent(*part))),
        Expression::In(field, part) if field.target.has_words() => Expression::In(field, Box::new(adjacent(*part))),
        other @ (Expression::Phrase(_) | Expression::In(..)) => other,
    }
}

/// A value as a word or, if it is none or has to match as a whole, as a phrase. `None` if it has neither letters nor digits.
fn value(text: &str, precise: bool) -> Option<Expression> {
    let short: String = text.trim().chars().take(MAX_TEXT).collect();
    let unquoted = short.replace(QUOTES, " ");
    let bare = unquoted.trim();
    let tokens = lexer::tokens(bare);
    let is_word = matches!(tokens.as_slice(), [Token { kind: Kind::Word(word), .. }] if *word == bare);
    let typed = Typed { text: bare.to_owned(), at: 0..0 };
    let expression = if is_word && !precise { Expression::Words(vec![typed]) } else { Expression::Phrase(typed) };
    lexer::has_word(bare).then_some(expression)
}

fn joined(words: &[Typed]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The text of a condition on a field; `None` for what is no value, where the field has values.
fn text_of(target: Target, operand: &Expression) -> Option<String> {
    match operand {
        words if target.has_words() => Some(words.to_string()),
        Expression::Words(words) => Some(joined(words)),
        Expression::Phrase(phrase) => Some(phrase.text.clone()),
        _ => None,
    }
}

/// The operands of an OR; anything else alone.
fn alternatives(expression: &Expression) -> &[Expression] {
    if let Expression::Or(parts) = expression { parts.as_slice() } else { std::slice::from_ref(expression) }
}

/// The operands of an AND; anything else alone.
fn requirements(expression: &Expression) -> &[Expression] {
    if let Expression::And(parts) = expression { parts.as_slice() } else { std::slice::from_ref(expression) }
}

/// So many operands of an expression, of which `all` gives them; a single one may have operands itself.
fn split(expression: &Expression, count: usize, all: fn(&Expression) -> &[Expression]) -> Option<&[Expression]> {
    let parts = if count == 1 { std::slice::from_ref(expression) } else { all(expression) };
    (parts.len() == count).then_some(parts)
}

/// The conditions that a text means; `None` if they are more than a query has, or longer.
fn conditions_of(expression: &Expression, precise: bool) -> Option<Vec<Clause>> {
    let mut clauses = Vec::new();
    for (group, alternative) in alternatives(expression).iter().enumerate() {
        for (index, part) in requirements(alternative).iter().enumerate() {
            // What is excluded first is excluded by the text of the condition: an alternative has one operator before it.
            let (join, part) = match part {
                first if index == 0 => (if group == 0 { Join::And } else { Join::Or }, first),
                Expression::Not(excluded) => (Join::Not, excluded.as_ref()),
                required => (Join::And, required),
            };
            clauses.push(Clause { join, target: Target::Everything, text: part.to_string(), precise });
        }
    }
    let fits = |clause: &Clause| clause.text.chars().nth(MAX_TEXT).is_none();
    (clauses.len() <= MAX_CLAUSES && clauses.iter().all(fits)).then_some(clauses)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        entry::ExactField,
        query::{Field, compile},
    };

    const TITLE: Target = Target::Part(Field::Title);
    const AUTHORS: Target = Target::Part(Field::Authors);

    fn clause(join: Join, target: Target, text: &str, precise: bool) -> Clause {
        Clause { join, target, text: text.to_owned(), precise }
    }

    fn query(text: &str, clauses: Vec<Clause>) -> Query {
        Query { text: text.to_owned(), clauses, ..Query::default() }
    }

    /// Two conditions on texts, one of which excludes, behind a typed text.
    fn typed() -> Query {
        query(
            "Sea-ice?  the",
            vec![clause(Join::And, TITLE, "tidal  flats", true), clause(Join::Not, AUTHORS, "Lin", false)],
        )
    }

    #[test]
    fn conditions_are_said_in_the_query_language() {
        let page = Target::Exact(ExactField::FirstPage);
        for (text, clauses, expected) in [
            ("Sea  ice?", vec![], "Sea  ice?"),
            ("", vec![clause(Join::And, TITLE, "tide", false)], "title:tide"),
            ("", vec![clause(Join::And, TITLE, "sea level", false)], "title:(sea level)"),
            ("", vec![clause(Join::And, TITLE, "sea level", true)], "title:\"sea level\""),
            (
                "",
                vec![
                    clause(Join::And, Target::Everything, "tide", false),
                    clause(Join::Not, Target::Everything, "ice OR snow", false),
                    clause(Join::Or, AUTHORS, "Lin Wei", true),
                    clause(Join::And, Target::Doi, "10.5555/a.1", false),
                ],
                "tide AND NOT (ice OR snow) OR author:\"Lin Wei\" AND doi:10.5555/a.1",
            ),
            ("", vec![clause(Join::And, page, "17 (b)", false)], "firstPageNum:\"17 (b)\""),
            ("", vec![clause(Join::And, TITLE, "!?", false), clause(Join::Or, TITLE, "a", false)], "title:a"),
            ("tide OR ebb", vec![clause(Join::And, TITLE, "a", false)], "(tide OR ebb) AND title:a"),
        ] {
            assert_eq!(query(text, clauses).said(), expected);
        }
    }

    #[test]
    fn what_is_said_means_the_same() {
        for clauses in [
            vec![clause(Join::And, TITLE, "tidal sediment", false)],
            vec![clause(Join::And, TITLE, "tide", false), clause(Join::Not, AUTHORS, "\"Lin Wei\"", false)],
            vec![
                clause(Join::And, Target::Everything, "tide OR ebb", false),
                clause(Join::And, Target::Year, "2019-2024", false),
                clause(Join::Or, Target::Doi, "10.5555/a.1", false),
            ],
        ] {
            let query = query("", clauses);
            let again = conditions_of(&parse(&query.said()).unwrap(), false).unwrap();
            assert_eq!(compile(&Query { clauses: again, ..query.clone() }), compile(&query), "{}", query.said());
        }
    }

    #[test]
    fn a_text_of_the_same_form_changes_what_it_changes() {
        let said = typed().said();
        assert_eq!(said, "Sea-ice? the AND (title:\"tidal flats\" AND NOT author:Lin)");
        assert_eq!(typed().saying(&said), typed());
        let mut expected = typed();
        expected.clauses[1].text = "Lin OR Wei".to_owned();
        assert_eq!(typed().saying(&said.replace("Lin", "(Lin OR Wei)")), expected);
        let mut expected = typed();
        expected.text = "ice".to_owned();
        assert_eq!(typed().saying(&said.replace("Sea-ice? the", "ice")), expected);
        let value = query("", vec![clause(Join::And, Target::Year, "2019", false)]);
        assert_eq!(value.clone().saying("year:\"2019-\"").clauses[0].text, "2019-");
        assert_eq!(query("tide", vec![]).saying("tide OR ebb"), query("tide OR ebb", vec![]));
    }

    #[test]
    fn a_text_of_another_form_becomes_the_conditions() {
        let title = |precise| query("", vec![clause(Join::And, TITLE, "tide", precise)]);
        let all = |join, text: &str, precise| clause(join, Target::Everything, text, precise);
        assert_eq!(
            title(false).saying("title:tide OR NOT ice AND ebb NOT (snow OR hail)").clauses,
            [
                all(Join::And, "title:tide", false),
                all(Join::Or, "NOT ice", false),
                all(Join::And, "ebb", false),
                all(Join::Not, "snow OR hail", false),
            ]
        );
        assert_eq!(title(true).saying("title:\"tide\" OR ebb").clauses[1], all(Join::Or, "ebb", true));
        assert_eq!(typed().saying("ebb"), query("", vec![all(Join::And, "ebb", false)]));
        assert_eq!(typed().saying(" !? "), query("", vec![]));
    }

    #[test]
    fn a_text_that_is_no_query_any_more_changes_nothing() {
        let many = vec!["title:a"; MAX_CLAUSES + 1].join(" OR ");
        let long = format!("title:a OR {}", "sea ".repeat(MAX_TEXT));
        let value = query("", vec![clause(Join::And, TITLE, "a", false), clause(Join::And, Target::Doi, "…", false)]);
        for (query, text) in [(typed(), many), (typed(), long), (value, "title:a OR ebb".to_owned())] {
            assert_eq!(query.clone().saying(&text), query);
        }
    }
}
