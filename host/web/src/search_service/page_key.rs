//! Keys of pages as addresses and calls have them: the place of the last hit of a page, as text.

use masthead_search::PageKey;

/// The key as text, in characters that an address may have.
#[must_use]
pub fn text(key: &PageKey) -> String {
    let value = key.value.map(|value| value.to_string()).unwrap_or_default();
    format!("{value}.{}.{}", key.id, key.place)
}

/// The key that a text stands for; `None` for any other text.
#[must_use]
pub fn parse(text: &str) -> Option<PageKey> {
    let mut parts = text.split('.');
    let mut next = || parts.next();
    let (value, id, place) = (next()?, next()?, next()?);
    let value = if value.is_empty() { None } else { Some(value.parse().ok()?) };
    let key = PageKey { value, id: id.parse().ok()?, place: place.parse().ok()? };
    next().is_none().then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_what_its_text_says() {
        for key in [
            PageKey { value: Some(-20_260_102), id: 7, place: u64::MAX },
            PageKey { value: None, id: i64::MIN, place: 0 },
        ] {
            assert_eq!(parse(&text(&key)), Some(key));
        }
        for odd in ["", "1", "1.2", "1.2.3.4", "a.b.c", "1.2.-3", "99999999999999999999.1.1", "1..1", "．.1.1"] {
            assert_eq!(parse(odd), None, "{odd}");
        }
    }
}
