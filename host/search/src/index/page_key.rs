//! The key by which the next page of hits is asked for: an answer has it, and a request names it.

use std::{fmt, str::FromStr};

/// The place of a hit in the order of a search: the next page begins behind it, however many hits were before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageKey {
    /// The value by which the hits are ordered; none for a hit without one.
    pub value: Option<i64>,
    /// The number of the entry, by which hits of the same value are ordered.
    pub id: i64,
    /// What distinguishes hits of the same value and number.
    pub place: u64,
}

/// In characters that an address may have: value, number and place, with dots between them.
impl fmt::Display for PageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.map(|value| value.to_string()).unwrap_or_default();
        write!(f, "{value}.{}.{}", self.id, self.place)
    }
}

impl FromStr for PageKey {
    type Err = ();

    /// Reads what [`PageKey`] writes; anything else is no key.
    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split('.');
        let (Some(value), Some(id), Some(place), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(());
        };
        let value = if value.is_empty() { None } else { Some(value.parse().map_err(drop)?) };
        Ok(Self { value, id: id.parse().map_err(drop)?, place: place.parse().map_err(drop)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written_and_nothing_else_is_one() {
        for (value, id, place) in [
            (None, -7, u64::MAX),
            (Some(0), -7, u64::MAX),
            (Some(i64::MAX), -7, u64::MAX),
            (Some(-1), -7, u64::MAX),
            (Some(-20_260_102), 7, u64::MAX),
            (None, i64::MIN, 0),
        ] {
            let key = PageKey { value, id, place };
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for text in [
            "",
            ".",
            "..",
            "1",
            "1.2",
            "1.2.3.4",
            "a.b.c",
            "x.1.1",
            "1.2.-3",
            "1.+1.1x",
            "1..1",
            "99999999999999999999.1.1",
            "．.1.1",
            "\u{0}.1.1",
        ] {
            assert_eq!(text.parse::<PageKey>(), Err(()), "{text:?}");
        }
    }
}
