//! Rate limits. Every limited action has a share for each client and a limit for the whole site, so that one client cannot use up the limit
//! of the site. Uses are counted in the memory of this process.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use masthead_domain::{SiteId, member::MemberId};

use crate::{
    client::Client,
    usage::{Clock, keyed_hash},
};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);
/// Digits of a phone number by which its codes are counted: the last ones, because the country code may be omitted or
/// written in several ways.
const PHONE_DIGITS: usize = 10;
/// Greatest number of keys in one generation of a limit: about 6 MB for both generations.
const MAX_KEYS: usize = 50_000;

/// A limit is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooOften {
    /// Seconds after which the action is allowed again.
    pub retry_after: u64,
}

/// Declares the actions once; `ALL` is derived from the same list, so that it cannot miss one.
macro_rules! actions {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// An action of which a client, and a site, may do only so many in a minute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Action {
            $($(#[$about])* $name,)*
        }

        impl Action {
            /// Every action, in the order of its declaration.
            const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];
        }
    };
}

actions! {
    /// Requests a verification code by message.
    Code,
    /// Translates a text by machine.
    Translation,
    /// Submits a comment.
    Comment,
    /// Begins a sign-in.
    SignIn,
    /// Returns from an identity provider.
    SignInReturn,
    /// Opens the assistant.
    Assistant,
    /// Calls a route of a plugin.
    PluginRoute,
    /// Calls an administrators' call with a wrong token.
    WrongToken,
    /// Asks for a captcha, or for a key to encrypt a password with.
    Captcha,
    /// Sends a password: it costs the host a digest.
    Password,
    /// Sends a verification code.
    CodeCheck,
    /// Registers.
    Registration,
    /// Uploads a picture.
    Upload,
    /// A change in the personal centre: favourites, albums, the profile, saved searches.
    PersonalChange,
    /// Exports all data of a member.
    PersonalExport,
    /// A sign-in with the password of an administrator, or the acceptance of an invitation.
    AdminSignIn,
}

impl Action {
    /// Uses in a minute: of one client over all sites, and of all clients on one site. Many readers of an institution may
    /// share an address.
    #[must_use]
    pub const fn per_minute(self) -> (u32, u32) {
        match self {
            Self::Code => (10, 60),
            Self::Translation => (120, 600),
            Self::Comment => (20, 300),
            Self::SignIn | Self::SignInReturn | Self::Assistant => (60, 600),
            Self::PluginRoute => (600, 6000),
            Self::WrongToken => (30, 300),
            Self::Captcha => (120, 3000),
            Self::Password | Self::CodeCheck => (30, 1200),
            Self::Registration => (20, 300),
            Self::Upload => (60, 600),
            Self::PersonalChange => (240, 6000),
            Self::PersonalExport => (6, 60),
            // All clients together get so many that they cannot keep the administrators out. Wrong passwords are counted by account, too.
            Self::AdminSignIn => (30, 30_000),
        }
    }
}

/// The limits of calls that cost money, send messages to people or store data of unknown senders.
pub struct RateLimits {
    clock: Clock,
    /// Keys are hashed with this secret, so that phone numbers and addresses are not kept.
    secret: [u8; 32],
    /// The limits of each action: of a client, and of a site.
    actions: [(Limit, Limit); Action::ALL.len()],
    code_minute: Limit,
    /// Codes to a target that one client asks for.
    code_day_of_client: Limit,
    code_day: Limit,
    comments_of_user: Limit,
}

impl std::fmt::Debug for RateLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RateLimits")
    }
}

impl RateLimits {
    /// Creates limits that take the time from this clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let actions = Action::ALL.map(|action| {
            let (client, site) = action.per_minute();
            (Limit::new(client, MINUTE), Limit::new(site, MINUTE))
        });
        Self {
            clock,
            secret: rand::random(),
            actions,
            code_minute: Limit::new(3, MINUTE),
            code_day_of_client: Limit::new(10, DAY),
            code_day: Limit::new(30, DAY),
            comments_of_user: Limit::new(5, MINUTE),
        }
    }

    /// Records a use of an action by a client on a site. A client that has used up its share uses up nothing of the site.
    ///
    /// # Errors
    /// [`TooOften`], if the share of the client or the limit of the site is used up.
    pub fn take(&self, action: Action, client: Client, site: SiteId) -> Result<(), TooOften> {
        self.take_of(action, client, &site.to_string())
    }

    /// Records a call of a route of a plugin on a site.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn take_plugin_route(&self, client: Client, site: SiteId, plugin: &str) -> Result<(), TooOften> {
        self.take_of(Action::PluginRoute, client, &format!("{site} {plugin}"))
    }

    /// Records a wrong administrator token; administrators have no site.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn take_wrong_token(&self, client: Client) -> Result<(), TooOften> {
        self.take_of(Action::WrongToken, client, "")
    }

    /// Records an attempt with the password of an administrator.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn take_admin_sign_in(&self, client: Client) -> Result<(), TooOften> {
        self.take_of(Action::AdminSignIn, client, "")
    }

    fn take_of(&self, action: Action, client: Client, whole: &str) -> Result<(), TooOften> {
        let (of_client, of_whole) = &self.actions[action as usize];
        let now = (self.clock)();
        of_client.take(now, self.key(&[&client.to_string()]))?;
        of_whole.take(now, self.key(&[whole]))
    }

    /// Records a verification code to a phone number or e-mail address, over all sites and purposes: three in a minute, ten in a day for one
    /// client, and thirty in a day for all. A client that has used up its share uses up nothing of the others', so that it takes several
    /// clients to keep codes from the target's owner.
    ///
    /// # Errors
    /// [`TooOften`].
    pub fn take_code(&self, client: Client, target: &str) -> Result<(), TooOften> {
        let target = if target.contains('@') { target.to_lowercase() } else { last_digits(target) };
        let (now, key) = ((self.clock)(), self.key(&[&target]));
        self.code_day_of_client.take(now, self.key(&[&target, &client.to_string()]))?;
        self.code_minute.take(now, key)?;
        self.code_day.take(now, key)
    }

    /// Records a comment of a member of a site.
    ///
    /// # Errors
    /// [`TooOften`].
    pub fn take_comment_of_user(&self, site: SiteId, member: MemberId) -> Result<(), TooOften> {
        self.comments_of_user.take((self.clock)(), self.key(&[&site.to_string(), &member.to_string()]))
    }

    fn key(&self, parts: &[&str]) -> u128 {
        u128::from_le_bytes(keyed_hash(&self.secret, parts))
    }
}

/// The digits of a phone number by which its codes are counted.
fn last_digits(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    digits[digits.len().saturating_sub(PHONE_DIGITS)..].iter().collect()
}

/// Counts uses by key. The window of a key begins with its first use.
#[derive(Debug)]
struct Limit {
    max: u32,
    /// Milliseconds.
    window: i64,
    uses: Mutex<Uses>,
}

/// The uses of the keys that are in use. Keys move to `older` with time, or when `recent` is full, and are dropped when they
/// have not been used until the next move: the memory is bounded, and a flood of keys drops the keys that are used least.
#[derive(Debug, Default)]
struct Uses {
    recent: HashMap<u128, Window>,
    older: HashMap<u128, Window>,
    /// When `older` was last replaced.
    moved: i64,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    began: i64,
    uses: u32,
}

impl Limit {
    fn new(max: u32, window: Duration) -> Self {
        Self { max, window: i64::try_from(window.as_millis()).unwrap_or(i64::MAX), uses: Mutex::default() }
    }

    fn take(&self, now: i64, key: u128) -> Result<(), TooOften> {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back begins a new window, too.
        let current = |began: i64| (0..self.window).contains(&(now - began));
        if uses.recent.len() >= MAX_KEYS || !current(uses.moved) {
            uses.older = std::mem::take(&mut uses.recent);
            uses.moved = now;
        }
        let known = uses.recent.get(&key).copied().or_else(|| uses.older.remove(&key));
        let mut window = known.filter(|window| current(window.began)).unwrap_or(Window { began: now, uses: 0 });
        let allowed = window.uses < self.max;
        window.uses += u32::from(allowed);
        uses.recent.insert(key, window);
        if allowed {
            return Ok(());
        }
        let left = u64::try_from(window.began + self.window - now).unwrap_or_default();
        Err(TooOften { retry_after: left.div_ceil(1000).max(1) })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{
        net::IpAddr,
        sync::{
            Arc,
            atomic::{AtomicI64, Ordering},
        },
    };

    use super::*;

    const SITE: SiteId = SiteId(7);
    const OTHER: SiteId = SiteId(8);

    fn limits() -> (Arc<AtomicI64>, RateLimits) {
        let time = Arc::new(AtomicI64::new(1_700_000_000_000));
        let clock = Arc::clone(&time);
        (time, RateLimits::new(Arc::new(move || clock.load(Ordering::Relaxed))))
    }

    fn client(number: u8) -> Client {
        IpAddr::from([192, 0, 2, number]).into()
    }

    #[test]
    fn one_client_uses_up_its_own_share_of_every_action_only() {
        for action in Action::ALL {
            let (time, limits) = limits();
            let (share, whole) = action.per_minute();
            assert!(share < whole, "{action:?}: one client must not use up the whole");
            for _ in 0..share {
                assert_eq!(limits.take(action, client(1), SITE), Ok(()), "{action:?}");
            }
            for _ in 0..whole {
                assert_eq!(limits.take(action, client(1), SITE), Err(TooOften { retry_after: 60 }), "{action:?}");
            }
            assert!(limits.take(action, client(1), OTHER).is_err(), "{action:?}: the share is over all sites");
            assert_eq!(limits.take(action, client(2), SITE), Ok(()), "{action:?}: another client is served");
            time.fetch_add(59_001, Ordering::Relaxed);
            assert_eq!(limits.take(action, client(1), SITE), Err(TooOften { retry_after: 1 }), "{action:?}");
            time.fetch_add(999, Ordering::Relaxed);
            assert_eq!(limits.take(action, client(1), SITE), Ok(()), "{action:?}: a new minute");
        }
    }

    #[test]
    fn all_clients_together_have_the_limit_of_the_site() {
        let (_, limits) = limits();
        let (share, whole) = Action::Code.per_minute();
        let allowed = (0..=255).flat_map(|number| (0..share).map(move |_| client(number)));
        let allowed = allowed.filter(|client| limits.take(Action::Code, *client, SITE).is_ok()).count();
        assert_eq!(allowed, whole as usize);
        let unused = IpAddr::from([198, 51, 100, 1]).into();
        assert_eq!(limits.take(Action::Code, unused, OTHER), Ok(()), "another site has a limit of its own");
    }

    #[test]
    fn actions_and_plugins_are_counted_separately() {
        let (_, limits) = limits();
        while limits.take(Action::SignIn, client(1), SITE).is_ok() {}
        assert_eq!(limits.take(Action::Translation, client(1), SITE), Ok(()));
        let (share, whole) = Action::PluginRoute.per_minute();
        for number in 0..whole {
            let number = u8::try_from(number / share).unwrap();
            assert_eq!(limits.take_plugin_route(client(number), SITE, "a"), Ok(()));
        }
        assert!(limits.take_plugin_route(client(99), SITE, "a").is_err());
        assert_eq!(limits.take_plugin_route(client(98), SITE, "b"), Ok(()));
    }

    #[test]
    fn codes_are_limited_by_target_over_all_spellings() {
        let (time, limits) = limits();
        for spelling in ["+8613812345678", "13812345678", "008613812345678"] {
            assert_eq!(limits.take_code(client(1), spelling), Ok(()));
        }
        assert_eq!(limits.take_code(client(2), "8613812345678"), Err(TooOften { retry_after: 60 }));
        assert_eq!(limits.take_code(client(1), "15812345678"), Ok(()), "another number");
        for address in ["a1@example.org", "A1@example.org", "a1@example.org"] {
            assert_eq!(limits.take_code(client(1), address), Ok(()));
        }
        assert!(limits.take_code(client(1), "a1@Example.org").is_err());
        assert_eq!(limits.take_code(client(1), "b1@example.org"), Ok(()), "another address");
        time.fetch_add(60_000, Ordering::Relaxed);
        assert_eq!(limits.take_code(client(1), "13812345678"), Ok(()));
    }

    #[test]
    fn one_client_does_not_use_up_the_codes_of_a_target() {
        let (time, limits) = limits();
        let taken = |from: Client| {
            (0..50)
                .filter(|_| {
                    time.fetch_add(60_000, Ordering::Relaxed);
                    limits.take_code(from, "13812345678").is_ok()
                })
                .count()
        };
        assert_eq!([1, 2, 3, 4].map(|number| taken(client(number))), [10, 10, 10, 0]);
        time.fetch_add(86_400_000, Ordering::Relaxed);
        assert_eq!(limits.take_code(client(1), "13812345678"), Ok(()));
    }

    #[test]
    fn comments_are_limited_by_user_and_site() {
        let (_, limits) = limits();
        while limits.take_comment_of_user(SITE, MemberId(1)).is_ok() {}
        assert_eq!(limits.take_comment_of_user(SITE, MemberId(2)), Ok(()));
        assert_eq!(limits.take_comment_of_user(OTHER, MemberId(1)), Ok(()));
    }

    #[test]
    fn the_memory_of_a_limit_is_bounded() {
        let limit = Limit::new(1, MINUTE);
        for key in 0..3 * MAX_KEYS as u128 {
            assert_eq!(limit.take(0, key), Ok(()));
            // A key that is in use is kept.
            assert_eq!(limit.take(0, u128::MAX).is_ok(), key == 0, "{key}");
        }
        let held = |limit: &Limit| {
            let uses = limit.uses.lock().unwrap();
            uses.recent.len() + uses.older.len()
        };
        assert!(held(&limit) <= 2 * MAX_KEYS, "{}", held(&limit));
        for minute in 1..=2 {
            assert_eq!(limit.take(60_000 * minute, 5), Ok(()));
        }
        assert_eq!(held(&limit), 1, "windows that have ended are dropped");
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out() {
        let limit = Limit::new(1, DAY);
        assert_eq!(limit.take(1_700_000_000_000, 1), Ok(()));
        assert_eq!(limit.take(1_600_000_000_000, 1), Ok(()));
    }
}
