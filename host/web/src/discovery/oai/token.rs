//! Resumption tokens: a list and the place in it, signed. They outlive restarts, because nothing else needs to be remembered.

use crate::discovery::oai::xml::{OaiFormat, Resumption};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use masthead_domain::ArticleId;
use masthead_store::ChangeCursor;
use sha2::Sha256;

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Headers alone.
    Identifiers,
    /// Whole records.
    Records,
}

impl Kind {
    const fn letter(self) -> &'static str {
        match self {
            Self::Identifiers => "i",
            Self::Records => "r",
        }
    }
}

/// A list, and where it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub kind: Kind,
    pub format: OaiFormat,
    /// Key of a journal, or "".
    pub journal: String,
    pub from_ms: i64,
    pub until_ms: i64,
    /// The last change that the harvester has.
    pub after: Option<ChangeCursor>,
    /// Number of records before.
    pub cursor: u64,
}

/// Names the form of the token: one of another version is refused.
const VERSION: &str = "2";
/// Bytes of the signature.
const TAG: usize = 16;

impl Listing {
    /// What an answer says about how the list goes on behind `last`; nothing for a list that was whole.
    pub fn resumption(
        &self,
        last: Option<ChangeCursor>,
        taken: usize,
        key: &[u8; 32],
        site: i64,
    ) -> Option<Resumption> {
        let next = self.cursor + u64::try_from(taken).unwrap_or_default();
        let token = last.map(|last| Self { after: Some(last), cursor: next, ..self.clone() }.seal(key, site));
        match token {
            None if self.after.is_none() => None,
            token => Some(Resumption { token: token.unwrap_or_default(), cursor: self.cursor }),
        }
    }

    fn seal(&self, key: &[u8; 32], site: i64) -> String {
        let ChangeCursor { changed_ms, seq, id } =
            self.after.unwrap_or(ChangeCursor { changed_ms: 0, seq: 0, id: ArticleId(0) });
        let text = format!(
            "{VERSION}~{}~{}~{}~{}~{changed_ms}~{seq}~{id}~{}~{}",
            self.kind.letter(),
            self.format.prefix(),
            self.from_ms,
            self.until_ms,
            self.cursor,
            self.journal
        );
        let tag = mac(&text, key, site).map(|mac| mac.finalize().into_bytes()).unwrap_or_default();
        format!("{}.{}", URL_SAFE_NO_PAD.encode(text), URL_SAFE_NO_PAD.encode(&tag[..TAG]))
    }

    /// Reads a token that this site gave out for this kind of list.
    pub fn open(token: &str, kind: Kind, key: &[u8; 32], site: i64) -> Option<Self> {
        let (text, tag) = token.split_once('.')?;
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok().filter(|tag| tag.len() == TAG)?;
        mac(&text, key, site)?.verify_truncated_left(&tag).ok()?;
        let mut parts = text.splitn(10, '~');
        let mut next = || parts.next();
        let known = next()? == VERSION && next()? == kind.letter();
        let prefix = next().filter(|_| known)?;
        let format = OaiFormat::ALL.into_iter().find(|format| format.prefix() == prefix)?;
        let mut number = || next()?.parse::<i64>().ok();
        let (from_ms, until_ms) = (number()?, number()?);
        let after = ChangeCursor { changed_ms: number()?, seq: number()?, id: ArticleId(number()?) };
        let cursor = u64::try_from(number()?).ok()?;
        Some(Self { kind, format, journal: parts.next()?.to_owned(), from_ms, until_ms, after: Some(after), cursor })
    }
}

fn mac(text: &str, key: &[u8; 32], site: i64) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    // The same key signs cookies: what is signed says what it is, and for which site.
    mac.update(b"oai resumption");
    mac.update(&site.to_le_bytes());
    mac.update(text.as_bytes());
    Some(mac)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const KEY: [u8; 32] = [7; 32];
    const LAST: ChangeCursor = ChangeCursor { changed_ms: 5, seq: 7, id: ArticleId(6) };

    fn listing() -> Listing {
        Listing {
            kind: Kind::Records,
            format: OaiFormat::Jats,
            journal: "é~tudes".into(),
            from_ms: i64::MIN,
            until_ms: i64::MAX,
            after: None,
            cursor: 0,
        }
    }

    #[test]
    fn a_token_leads_on_where_the_list_ended() {
        let first = listing().resumption(Some(LAST), 100, &KEY, 1).unwrap();
        assert_eq!(first.cursor, 0);
        let second = Listing::open(&first.token, Kind::Records, &KEY, 1).unwrap();
        assert_eq!(second, Listing { after: Some(LAST), cursor: 100, ..listing() });
        let end = second.resumption(None, 20, &KEY, 1).unwrap();
        assert_eq!((end.token.as_str(), end.cursor), ("", 100));
        assert_eq!(listing().resumption(None, 20, &KEY, 1), None);
    }

    #[test]
    fn a_token_is_good_for_its_site_its_list_and_as_it_was() {
        let token = listing().resumption(Some(LAST), 100, &KEY, 1).unwrap().token;
        assert_eq!(Listing::open(&token, Kind::Identifiers, &KEY, 1), None);
        assert_eq!(Listing::open(&token, Kind::Records, &KEY, 2), None);
        assert_eq!(Listing::open(&token, Kind::Records, &[8; 32], 1), None);
        let (text, tag) = token.split_once('.').unwrap();
        for forged in ["", "x", ".", &format!("{text}."), &format!("{text}A.{tag}"), &format!("{text}.{}", &tag[..8])] {
            assert_eq!(Listing::open(forged, Kind::Records, &KEY, 1), None, "{forged}");
        }
    }
}
