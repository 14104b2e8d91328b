//! Digests of passwords: argon2id (RFC 9106). Computing one is expensive on purpose, so it runs beside the requests, and only so many at once.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use tokio::sync::{OnceCell, Semaphore};

/// Greatest length of a password that is compared, in bytes: longer ones are wrong without a look.
const MAX_BYTES: usize = 1024;
/// Greatest number of requests that wait for their turn: more would keep passwords in memory, and their readers would wait in vain.
const MAX_WAITING: usize = 128;

/// The cost of one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB.
    pub memory: u32,
    /// Passes over the memory.
    pub passes: u32,
}

impl Cost {
    /// 19 MiB and two passes, with one lane: the minimum that OWASP recommends (Password Storage Cheat Sheet). On a current server it takes
    /// about 20 ms.
    pub const DEFAULT: Self = Self { memory: Params::DEFAULT_M_COST, passes: Params::DEFAULT_T_COST };
    /// The lowest cost that argon2 allows, for tests.
    pub const LEAST: Self = Self { memory: Params::MIN_M_COST, passes: Params::MIN_T_COST };
}

/// Why a password could not be compared or kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Too many requests wait already.
    #[error("{MAX_WAITING} requests wait for the digest of a password; answer this one later")]
    Busy,
    /// The computation failed.
    #[error("computing the digest of a password: {0}")]
    Failed(String),
}

/// Result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordComparison {
    /// Whether the password is the right one.
    pub right: bool,
    /// Whether its digest was made with another cost, so that it is to be made anew while the password is known.
    pub outdated: bool,
}

/// Keeps and compares passwords.
#[derive(Debug)]
pub struct Passwords {
    cost: Cost,
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// A digest that no password has; it is compared where there is none, which takes the same time.
    nobody: OnceCell<String>,
}

impl Passwords {
    /// Digests of this cost, `at_once` at a time.
    #[must_use]
    pub fn new(cost: Cost, at_once: usize) -> Self {
        Self {
            cost,
            turns: Arc::new(Semaphore::new(at_once.max(1))),
            waiting: AtomicUsize::new(0),
            nobody: OnceCell::new(),
        }
    }

    /// The same with one digest for each processor at a time.
    #[must_use]
    pub fn for_this_machine(cost: Cost) -> Self {
        Self::new(cost, std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
    }

    /// The digest of a new password, as a PHC string.
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        let (cost, password) = (self.cost, password.to_owned());
        self.in_turn(move || hash(cost, password.as_bytes(), &rand::random())).await
    }

    /// Compares a password with the digest of an account. Without an account or digest (`None` or "") the answer is "wrong", after the same
    /// work.
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn verify(&self, password: &str, digest: Option<&str>) -> Result<PasswordComparison, PasswordError> {
        let known = digest.filter(|digest| !digest.is_empty()).map(str::to_owned);
        let exists = known.is_some();
        // Made by the first comparison, whether or not the account exists.
        let nobody = self.nobody().await?;
        let digest = known.unwrap_or(nobody);
        let too_long = password.len() > MAX_BYTES;
        let password = if too_long { String::new() } else { password.to_owned() };
        let cost = self.cost;
        let verdict = self.in_turn(move || verify(cost, password.as_bytes(), &digest)).await?;
        Ok(PasswordComparison { right: verdict.right && exists && !too_long, outdated: verdict.outdated && exists })
    }

    async fn nobody(&self) -> Result<String, PasswordError> {
        let cost = self.cost;
        let made = self
            .nobody
            .get_or_try_init(|| self.in_turn(move || hash(cost, &rand::random::<[u8; 32]>(), &rand::random())));
        made.await.cloned()
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let _waiting = Waiting::begin(&self.waiting)?;
        let failed = |error: &dyn std::error::Error| PasswordError::Failed(error.to_string());
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|error| failed(&error))?;
        // The turn belongs to the work: a request that is given up does not let another one begin before its own has ended.
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        done.await.map_err(|error| failed(&error))?
    }
}

/// One of the requests that wait.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Result<Self, PasswordError> {
        let before = count.fetch_add(1, Ordering::AcqRel);
        let waiting = Self(count);
        if before < MAX_WAITING { Ok(waiting) } else { Err(PasswordError::Busy) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn hash(cost: Cost, password: &[u8], salt: &[u8; 16]) -> Result<String, PasswordError> {
    let failed = |error: &dyn std::fmt::Display| PasswordError::Failed(error.to_string());
    let params = Params::new(cost.memory, cost.passes, 1, None).map_err(|error| failed(&error))?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let made = argon2.hash_password_with_salt(password, salt).map_err(|error| failed(&error))?;
    Ok(made.to_string())
}

fn verify(cost: Cost, password: &[u8], digest: &str) -> Result<PasswordComparison, PasswordError> {
    let failed = |error: &dyn std::fmt::Display| PasswordError::Failed(format!("a stored digest: {error}"));
    let parsed = PasswordHash::new(digest).map_err(|error| failed(&error))?;
    let params = Params::try_from(&parsed).map_err(|error| failed(&error))?;
    if parsed.salt.is_none() || parsed.hash.is_none() {
        return Err(failed(&"it has no salt or no hash"));
    }
    // The cost is that of the stored digest.
    let right = Argon2::default().verify_password(password, &parsed).is_ok();
    let outdated = (params.m_cost(), params.t_cost()) != (cost.memory, cost.passes);
    Ok(PasswordComparison { right, outdated })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const RIGHT: PasswordComparison = PasswordComparison { right: true, outdated: false };
    const WRONG: PasswordComparison = PasswordComparison { right: false, outdated: false };

    #[tokio::test]
    async fn a_password_is_right_for_its_own_digest_only() {
        let passwords = Passwords::new(Cost::LEAST, 2);
        let (first, second) = (passwords.hash("Tide7xQk").await.unwrap(), passwords.hash("Tide7xQk").await.unwrap());
        assert_ne!(first, second, "every digest has a salt of its own");
        assert!(first.starts_with("$argon2id$v=19$m=8,t=1,p=1$") && !first.contains("Tide"), "{first}");
        assert_eq!(passwords.verify("Tide7xQk", Some(&first)).await, Ok(RIGHT));
        for wrong in ["tide7xQk", "Tide7xQ", "", "Tide7xQk\u{0}"] {
            assert_eq!(passwords.verify(wrong, Some(&first)).await, Ok(WRONG), "{wrong:?}");
        }
        for nothing in [None, Some("")] {
            assert_eq!(passwords.verify("Tide7xQk", nothing).await, Ok(WRONG));
            assert_eq!(passwords.verify("", nothing).await, Ok(WRONG));
        }
    }

    #[tokio::test]
    async fn a_digest_of_another_cost_is_right_and_outdated() {
        let (old, new) = (Passwords::new(Cost::LEAST, 1), Passwords::new(Cost { memory: 16, passes: 2 }, 1));
        let digest = old.hash("Tide7xQk").await.unwrap();
        assert_eq!(new.verify("Tide7xQk", Some(&digest)).await, Ok(PasswordComparison { right: true, outdated: true }));
        assert_eq!(new.verify("other", Some(&digest)).await, Ok(PasswordComparison { right: false, outdated: true }));
    }

    #[tokio::test]
    async fn passwords_without_end_are_wrong_and_damaged_digests_are_errors() {
        let passwords = Passwords::new(Cost::LEAST, 1);
        let long = "Aa1".repeat(10_000);
        let digest = passwords.hash(&long).await.unwrap();
        assert_eq!(passwords.verify(&long, Some(&digest)).await, Ok(WRONG));
        let digest = passwords.hash("").await.unwrap();
        assert_eq!(passwords.verify(&long, Some(&digest)).await, Ok(WRONG));
        let damaged = passwords.verify("Tide7xQk", Some("$argon2id$v=19$m=8")).await;
        assert!(matches!(damaged, Err(PasswordError::Failed(_))), "{damaged:?}");
    }

    /// Work is what a turn is for, and a digest says what it costs: neither depends on the machine. The benchmark `sign_in` compares times.
    #[tokio::test]
    async fn an_unknown_account_takes_as_much_work_as_a_known_one() {
        let passwords = Arc::new(Passwords::new(Cost { memory: 64, passes: 2 }, 1));
        let known = passwords.hash("Tide7xQk").await.unwrap();
        let nobody = passwords.nobody().await.unwrap();
        let cost = |digest: &str| digest.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!((cost(&nobody), nobody.len()), (cost(&known), known.len()), "what is compared costs the same");
        assert_eq!(cost(&known), "$argon2id$v=19$m=64,t=2,p=1");
        // Nobody gets a turn, so that whatever is answered has been answered without the work.
        let held = Arc::clone(&passwords.turns).acquire_owned().await.unwrap();
        let digests = [Some(known), None, Some(String::new())];
        let attempts = digests.len();
        let tasks = digests.map(|digest| {
            let passwords = Arc::clone(&passwords);
            tokio::spawn(async move { passwords.verify("Other7xQk", digest.as_deref()).await })
        });
        while passwords.waiting.load(Ordering::Acquire) < attempts {
            assert!(!tasks.iter().any(tokio::task::JoinHandle::is_finished), "an answer without the work");
            tokio::task::yield_now().await;
        }
        drop(held);
        for task in tasks {
            assert_eq!(task.await.unwrap(), Ok(WRONG));
        }
    }

    #[tokio::test]
    async fn requests_beyond_the_limit_are_refused_at_once() {
        let passwords = Arc::new(Passwords::new(Cost::LEAST, 1));
        let held = Arc::clone(&passwords.turns).acquire_owned().await.unwrap();
        let tasks: Vec<_> = (0..MAX_WAITING)
            .map(|_| {
                let passwords = Arc::clone(&passwords);
                tokio::spawn(async move { passwords.hash("Tide7xQk").await })
            })
            .collect();
        while passwords.waiting.load(Ordering::Acquire) < MAX_WAITING {
            tokio::task::yield_now().await;
        }
        assert_eq!(passwords.hash("Tide7xQk").await, Err(PasswordError::Busy));
        drop(held);
        for task in tasks {
            assert!(task.await.unwrap().is_ok());
        }
        assert!(passwords.hash("Tide7xQk").await.is_ok(), "the others have left");
    }
}
