//! Content negotiation (RFC 9110, section 12.5.1): selects the offered media type that an `Accept` header prefers.

/// The offer with the highest weight; among equals the first. `None` when no offer is acceptable.
///
/// An empty header accepts everything.
#[must_use]
pub fn best<'a, T>(accept: &str, offers: &'a [(T, &'static str)]) -> Option<&'a (T, &'static str)> {
    if accept.trim().is_empty() {
        return offers.first();
    }
    let ranges: Vec<Range> = accept.split(',').filter_map(Range::parse).collect();
    let mut best: Option<(u16, &'a (T, &'static str))> = None;
    for offer in offers {
        let weight = weight(&ranges, offer.1);
        if weight > best.map_or(0, |(max, _)| max) {
            best = Some((weight, offer));
        }
    }
    best.map(|(_, offer)| offer)
}

/// A media range with its weight in thousandths.
struct Range {
    kind: String,
    sub: String,
    weight: u16,
}

impl Range {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';');
        let (kind, sub) = parts.next()?.trim().split_once('/')?;
        let weight = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim()
                .eq_ignore_ascii_case("q")
                .then(|| value.trim().parse::<f32>().ok().filter(|q| (0.0..=1.0).contains(q)))
        });
        // A malformed weight counts as 0 rather than as the default of 1.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let weight = weight.map_or(1000, |q| q.map_or(0, |q| (q * 1000.0).round() as u16));
        Some(Self { kind: kind.to_ascii_lowercase(), sub: sub.to_ascii_lowercase(), weight })
    }

    /// How specifically the range matches a media type: 3 for the type itself, 2 for `type/*`, 1 for `*/*`, 0 for no
    /// match.
    fn fits(&self, kind: &str, sub: &str) -> u8 {
        match (self.kind.as_str(), self.sub.as_str()) {
            (own, part) if own == kind && part == sub => 3,
            (own, "*") if own == kind => 2,
            ("*", "*") => 1,
            _ => 0,
        }
    }
}

/// The weight of the most specific range that matches the media type, in thousandths.
fn weight(ranges: &[Range], offered: &str) -> u16 {
    let (kind, sub) = offered.split_once('/').unwrap_or((offered, ""));
    let fitting = ranges.iter().map(|range| (range.fits(kind, sub), range.weight)).filter(|(fits, _)| *fits > 0);
    fitting.max_by_key(|(fits, _)| *fits).map_or(0, |(_, weight)| weight)
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn the_most_specific_range_gives_the_weight() {
        let offers = [('h', "text/html"), ('b', "application/x-bibtex"), ('x', "application/xml")];
        for (accept, expected) in [
            ("", Some('h')),
            ("*/*", Some('h')),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Some('h')),
            ("application/x-bibtex", Some('b')),
            ("Application/X-BibTeX", Some('b')),
            ("application/*", Some('b')),
            ("application/*;q=0.5, application/xml", Some('x')),
            ("text/html;q=0.3, application/xml;q=0.7", Some('x')),
            ("*/*, text/html;q=0", Some('b')),
            ("text/html;level=1;q=0.4, application/xml ; q=0.5", Some('x')),
            ("image/png", None),
            ("text/html;q=0", None),
            ("text/html;q=x", None),
            ("nonsense", None),
        ] {
            assert_eq!(best(accept, &offers).map(|(name, _)| *name), expected, "{accept}");
        }
    }
}
