//! Ids of elements. The page around the content has ids of its own, and scripts find elements by them; an id of a source that
//! equalled one of them would take its place. Every id of the content therefore begins with [`PREFIX`], and no other id does.

/// What every id in rendered content begins with. Ids of the host's documents, of the shell and of modules begin otherwise.
pub const PREFIX: &str = "a-";

/// The id that an element has in HTML, for its id in the source: [`PREFIX`], and the source's id in a form that is safe in HTML,
/// CSS and addresses.
#[must_use]
pub fn element_id(id: &str) -> String {
    format!("{PREFIX}{}", safe(id))
}

fn safe(id: &str) -> String {
    let plain = id.starts_with(|c: char| c.is_ascii_alphabetic())
        && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if plain || id.is_empty() {
        return id.chars().take(200).collect();
    }
    let safe: String = id
        .chars()
        .take(100)
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') {
                c.to_string()
            } else {
                format!("-{:x}", u32::from(c))
            }
        })
        .collect();
    format!("x-{safe}")
}

#[cfg(test)]
mod tests {
    use super::element_id;

    #[test]
    fn ids_are_made_safe_and_get_the_prefix() {
        assert_eq!(element_id("B12.a-b"), "a-B12.a-b");
        assert_eq!(element_id("1 a\"<"), "a-x-1-20a-22-3c");
    }

    #[test]
    fn an_id_that_begins_like_the_prefix_gets_it_too() {
        assert_eq!(element_id("a-main"), "a-a-main", "the ids main and a-main of a source stay two ids");
    }
}
