//! Which encoding of an answer a client prefers.

use axum::http::{HeaderMap, header};

/// An encoding of an answer's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// RFC 7932.
    Brotli,
    /// RFC 1952.
    Gzip,
}

impl Encoding {
    /// Its name in HTTP.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The one of `offered` that the client prefers (RFC 9110, section 12.5.3); of two with the same weight the earlier. `None` stands for the answer as
    /// it is, which is right when the client accepts neither or names no encoding.
    #[must_use]
    pub fn preferred(headers: &HeaderMap, offered: &[Self]) -> Option<Self> {
        let mut best = None;
        for &encoding in offered {
            let weight = weight(headers, encoding.name());
            if weight > best.map_or(0.0, |(_, known)| known) {
                best = Some((encoding, weight));
            }
        }
        best.map(|(encoding, _)| encoding)
    }
}

/// The weight, 0 to 1, that a client gives an encoding by its name or else by `*`; 0 if it accepts it not.
fn weight(headers: &HeaderMap, name: &str) -> f32 {
    let codings = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut any = 0.0;
    for coding in codings.flat_map(|value| value.split(',')) {
        let (coding, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let quality = parameters.trim().strip_prefix("q=").map_or(1.0, |quality| quality.trim().parse().unwrap_or(0.0));
        match coding.trim() {
            coding if coding.eq_ignore_ascii_case(name) => return quality,
            "*" => any = quality,
            _ => {}
        }
    }
    any
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Encoding::*, *};

    #[test]
    fn the_clients_weights_decide_and_then_the_order() {
        let offered = [Brotli, Gzip];
        for (value, preferred) in [
            ("gzip, deflate, br, zstd", Some(Brotli)),
            ("gzip", Some(Gzip)),
            ("GZIP", Some(Gzip)),
            ("br;q=0.5, gzip;q=0.8", Some(Gzip)),
            ("br;q=0, gzip", Some(Gzip)),
            ("gzip;q=0", None),
            ("gzip;q=0.000, br;q=0.0", None),
            ("*", Some(Brotli)),
            ("*;q=0.1, gzip;q=0.2", Some(Gzip)),
            ("*, br;q=0", Some(Gzip)),
            ("identity", None),
            ("gzip;q=nonsense", None),
            ("", None),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, value.parse().unwrap())]);
            assert_eq!(Encoding::preferred(&headers, &offered), preferred, "{value}");
        }
        assert_eq!(Encoding::preferred(&HeaderMap::new(), &offered), None);
        let both = HeaderMap::from_iter([(header::ACCEPT_ENCODING, "br, gzip".parse().unwrap())]);
        assert_eq!(Encoding::preferred(&both, &[Gzip]), Some(Gzip));
    }
}
