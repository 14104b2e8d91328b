//! Codes of six digits, sent to a mobile number or an e-mail address to prove that it is the reader's. A code is valid for one site,
//! purpose and target, once, for ten minutes. Its digest is stored, made with the key of the installation: an attacker with a copy of the
//! database could try a million codes at once, but not without that key.

use masthead_domain::{
    Lang,
    member::{CodePurpose, MemberName},
};
use masthead_store::{CodeCheck, CodeIssue, CodeUse, NewCode, SiteStore, StoreError};

use crate::{
    installation_key::InstallationKey,
    messages::Message,
    outbox::{MessageComposer, QueueError, Recipient},
};

/// Digits of a code.
const DIGITS: usize = 6;
/// Minutes for which a code can be used.
const MINUTES: u32 = 10;
/// Milliseconds for which a code can be used.
pub const LIFETIME: i64 = MINUTES as i64 * 60_000;
/// Milliseconds after which another code can be sent for the same purpose to the same target.
pub const RESEND_AFTER: i64 = 60_000;
/// Number of attempts for a code from the network that asked for it, and as many from all others together: an attacker who knows the number
/// or address of a reader cannot use up the reader's attempts.
const ATTEMPTS: i64 = 5;

/// Why no code was sent.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// One was sent a moment ago; another one can be sent after this number of milliseconds.
    #[error("a code was sent a moment ago; the next one can be sent in {0} milliseconds")]
    TooSoon(i64),
    /// Nothing can be sent to the target.
    #[error(transparent)]
    Recipient(#[from] QueueError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A code, as it was drawn: evenly from all numbers of six digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

impl Code {
    /// The code of a random number.
    #[must_use]
    pub fn of(random: u64) -> Self {
        // A million divides 2^64 with a rest so small that no code is noticeably more likely.
        Self(format!("{:06}", random % 1_000_000))
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code")
    }
}

/// The codes of one site at one time.
#[derive(Clone, Copy, Debug)]
pub struct Codes<'a> {
    key: &'a InstallationKey,
    store: &'a SiteStore,
    network: &'a str,
    now: i64,
}

impl<'a> Codes<'a> {
    /// The codes of the store's site, for a client of this network ("" if it is not known).
    #[must_use]
    pub const fn new(key: &'a InstallationKey, store: &'a SiteStore, network: &'a str, now: i64) -> Self {
        Self { key, store, network, now }
    }

    /// Stores a code and queues the message with it, whether or not an account has the number or address.
    ///
    /// # Errors
    /// [`CodeError`]; nothing is sent then.
    pub async fn send(
        &self,
        purpose: CodePurpose,
        target: &MemberName,
        lang: Lang,
        code: &Code,
    ) -> Result<(), CodeError> {
        let message = Message::Code { purpose, code: code.0.clone(), minutes: MINUTES };
        let message = MessageComposer::new(self.key, self.store.id(), self.now).message(
            &Recipient::of(target)?,
            lang,
            message,
        )?;
        let digest = self.digest(purpose, target, &code.0);
        let new = NewCode {
            purpose,
            target: target.key(),
            digest: &digest,
            network: &self.network(),
            expires: self.now + LIFETIME,
            unless_after: self.now - RESEND_AFTER,
        };
        match self.store.issue_code(&new, &[message], self.now).await? {
            CodeIssue::Issued => Ok(()),
            CodeIssue::TooSoon(sent) => {
                Err(CodeError::TooSoon((sent + RESEND_AFTER - self.now).clamp(1, RESEND_AFTER)))
            }
        }
    }

    /// Whether a code is right. If it is, it is spent.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn spend(&self, purpose: CodePurpose, target: &MemberName, typed: &str) -> Result<bool, StoreError> {
        let Some(digest) = self.digest_of_typed(purpose, target, typed) else { return Ok(false) };
        let network = self.network();
        let code = CodeUse { purpose, target: target.key(), digest: &digest, network: &network, attempts: ATTEMPTS };
        Ok(self.store.spend_code(&code, self.now).await? == CodeCheck::Right)
    }

    /// Whether a code is right that will be spent later. A wrong one takes an attempt.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn check(&self, purpose: CodePurpose, target: &MemberName, typed: &str) -> Result<bool, StoreError> {
        let Some(digest) = self.digest_of_typed(purpose, target, typed) else { return Ok(false) };
        let network = self.network();
        let code = CodeUse { purpose, target: target.key(), digest: &digest, network: &network, attempts: ATTEMPTS };
        Ok(self.store.check_code(&code, self.now).await? == CodeCheck::Right)
    }

    fn digest_of_typed(&self, purpose: CodePurpose, target: &MemberName, typed: &str) -> Option<String> {
        let digits: String = typed.chars().filter(|c| !c.is_whitespace()).take(DIGITS + 1).map(narrow).collect();
        let is_code = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_code.then(|| self.digest(purpose, target, &digits))
    }

    fn network(&self) -> String {
        self.key.digest("code-network", &[self.network])
    }

    fn digest(&self, purpose: CodePurpose, target: &MemberName, code: &str) -> String {
        let site = self.store.id().to_string();
        self.key.digest("code", &[&site, purpose.as_str(), target.key(), code])
    }
}

/// A full-width digit as an ASCII one; keyboards for Chinese and Japanese write them.
const fn narrow(c: char) -> char {
    match c {
        '０'..='９' => (b'0' + (c as u32 - '０' as u32) as u8) as char,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{SiteId, member::Channel};
    use masthead_store::Store;

    use super::*;
    use crate::testing::{OTHER, SITE, START, store};

    const HERE: &str = "192.0.2.1";

    fn key() -> InstallationKey {
        InstallationKey::new([7; 32])
    }

    fn phone() -> MemberName {
        MemberName::mobile("13812345678").unwrap()
    }

    async fn send(store: &Store, purpose: CodePurpose, target: &MemberName, now: i64) -> Result<(), CodeError> {
        Codes::new(&key(), &store.site(SITE), HERE, now).send(purpose, target, Lang::Zh, &Code::of(42_137)).await
    }

    async fn spend(
        store: &Store,
        site: SiteId,
        purpose: CodePurpose,
        target: &MemberName,
        typed: &str,
        now: i64,
    ) -> bool {
        Codes::new(&key(), &store.site(site), HERE, now).spend(purpose, target, typed).await.unwrap()
    }

    #[tokio::test]
    async fn a_code_is_of_use_once_for_its_site_purpose_and_target() {
        let (_folder, store) = store().await;
        send(&store, CodePurpose::Login, &phone(), START).await.unwrap();
        let elsewhere = MemberName::mobile("13812345679").unwrap();
        for (site, purpose, target) in [
            (OTHER, CodePurpose::Login, &phone()),
            (SITE, CodePurpose::Reset, &phone()),
            (SITE, CodePurpose::Login, &elsewhere),
        ] {
            assert!(!spend(&store, site, purpose, target, "042137", START).await, "{site} {purpose:?}");
        }
        let other_key = InstallationKey::new([8; 32]);
        let site = store.site(SITE);
        let stolen = Codes::new(&other_key, &site, HERE, START);
        assert!(!stolen.check(CodePurpose::Login, &phone(), "042137").await.unwrap(), "another installation's key");
        assert!(spend(&store, SITE, CodePurpose::Login, &phone(), " 042 137", START).await);
        assert!(!spend(&store, SITE, CodePurpose::Login, &phone(), "042137", START).await, "a second time");
    }

    #[tokio::test]
    async fn a_code_ends_after_its_time_and_after_five_attempts() {
        let (_folder, store) = store().await;
        send(&store, CodePurpose::Login, &phone(), START).await.unwrap();
        assert!(!spend(&store, SITE, CodePurpose::Login, &phone(), "042137", START + LIFETIME).await, "too late");
        for _ in 0..4 {
            assert!(!spend(&store, SITE, CodePurpose::Login, &phone(), "000000", START).await);
        }
        for odd in ["", "42137", "0421377", "abcdef", "０４２１３", "042137x"] {
            assert!(
                !spend(&store, SITE, CodePurpose::Login, &phone(), odd, START).await,
                "{odd} is no code, and no attempt"
            );
        }
        let check = async || {
            Codes::new(&key(), &store.site(SITE), HERE, START).check(CodePurpose::Login, &phone(), "０42137").await
        };
        assert!(check().await.unwrap() && check().await.unwrap(), "a right code is checked as often as needed");
        assert!(!spend(&store, SITE, CodePurpose::Login, &phone(), "000000", START).await);
        assert!(!spend(&store, SITE, CodePurpose::Login, &phone(), "042137", START).await, "after five wrong ones");
    }

    #[tokio::test]
    async fn wrong_codes_from_elsewhere_keep_nobody_out() {
        let (_folder, store) = store().await;
        let (site, key) = (store.site(SITE), key());
        send(&store, CodePurpose::Reset, &phone(), START).await.unwrap();
        for stranger in 0..20 {
            let network = format!("198.51.100.{stranger}");
            let codes = Codes::new(&key, &site, &network, START);
            assert!(!codes.spend(CodePurpose::Reset, &phone(), "000000").await.unwrap());
        }
        let elsewhere = Codes::new(&key, &site, "203.0.113.1", START);
        assert!(!elsewhere.spend(CodePurpose::Reset, &phone(), "042137").await.unwrap(), "their attempts are used up");
        assert!(spend(&store, SITE, CodePurpose::Reset, &phone(), "042137", START).await);
    }

    #[tokio::test]
    async fn two_uses_at_the_same_time_are_one() {
        let (_folder, store) = store().await;
        send(&store, CodePurpose::Login, &phone(), START).await.unwrap();
        let uses = (0..8).map(|_| async { spend(&store, SITE, CodePurpose::Login, &phone(), "042137", START).await });
        let all = futures::future::join_all(uses).await;
        assert_eq!(all.into_iter().filter(|right| *right).count(), 1);
    }

    #[tokio::test]
    async fn another_code_is_sent_after_a_minute_and_replaces_the_first() {
        let (_folder, store) = store().await;
        send(&store, CodePurpose::Login, &phone(), START).await.unwrap();
        let again = send(&store, CodePurpose::Login, &phone(), START + 20_000).await;
        assert!(matches!(again, Err(CodeError::TooSoon(40_000))), "{again:?}");
        let back = send(&store, CodePurpose::Bind, &phone(), START + 3_600_000).await;
        assert!(
            back.is_ok() && send(&store, CodePurpose::Bind, &phone(), START).await.is_ok(),
            "a clock that was set back"
        );
        send(&store, CodePurpose::Register, &phone(), START).await.unwrap();
        let site = store.site(SITE);
        let later = START + RESEND_AFTER;
        Codes::new(&key(), &site, HERE, later)
            .send(CodePurpose::Login, &phone(), Lang::Zh, &Code::of(7))
            .await
            .unwrap();
        assert!(!spend(&store, SITE, CodePurpose::Login, &phone(), "042137", later).await, "the first one");
        assert!(spend(&store, SITE, CodePurpose::Login, &phone(), "000007", later).await);
    }

    #[tokio::test]
    async fn the_message_waits_in_the_outbox_and_shows_no_code() {
        let (_folder, store) = store().await;
        let address = MemberName::email("Ada@Example.org").unwrap();
        send(&store, CodePurpose::Reset, &address, START).await.unwrap();
        let messages = store.claim_messages(Channel::Mail, START, 60_000, 10).await.unwrap();
        let [message] = &messages[..] else { unreachable!("{messages:?}") };
        assert_eq!((message.site, message.recipient.to_lowercase().as_str()), (SITE, "ada@example.org"));
        assert!(!message.payload.contains("042137"), "{}", message.payload);
        let name = MemberName::account("ada").unwrap();
        let nowhere = send(&store, CodePurpose::Reset, &name, START).await;
        assert!(matches!(nowhere, Err(CodeError::Recipient(_))), "{nowhere:?}");
    }

    #[test]
    fn codes_have_six_digits_and_stay_out_of_logs() {
        assert_eq!((Code::of(5).0.as_str(), Code::of(1_999_999).0.as_str()), ("000005", "999999"));
        assert_eq!(format!("{:?}", Code::of(5)), "Code");
    }
}
