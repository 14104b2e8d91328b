//! Accounts of a site's readers: whether there are any, and how long a sign-in lasts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::providers::IdentityProvider;

/// Accounts of readers. They belong to the site: a reader of two sites has two accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Accounts {
    /// Whether readers can have accounts.
    pub enabled: bool,
    /// Whether readers can create accounts themselves. Those who have one can sign in without it.
    pub registration: bool,
    /// Where the user agreement is that readers accept when they register: an address of the web, or a path behind the language such as
    /// `aboutus/12`; "" for a short text that the host has in every language.
    pub agreement: String,
    /// Months after which a member is advised to change the password; 0 for no advice.
    pub password_months: u32,
    /// Failed sign-ins at one account within a day, from all networks together, after which a captcha is asked for; 0 asks always.
    pub captcha_after: u32,
    /// How long a sign-in lasts.
    pub sessions: SessionTimes,
    /// Identity providers at which readers can sign in, by a name of up to 32 small letters, digits and hyphens that stays the same: members
    /// are bound to it.
    pub providers: BTreeMap<String, IdentityProvider>,
}

impl Accounts {
    /// Greatest number of months after which a change of the password is advised.
    pub const MAX_PASSWORD_MONTHS: u32 = 120;
    /// Greatest number of failed sign-ins before a captcha.
    pub const MAX_CAPTCHA_AFTER: u32 = 20;
}

impl Default for Accounts {
    fn default() -> Self {
        Self {
            enabled: true,
            registration: true,
            agreement: String::new(),
            password_months: 3,
            captcha_after: 10,
            sessions: SessionTimes::default(),
            providers: BTreeMap::new(),
        }
    }
}

/// How long a sign-in lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SessionTimes {
    /// Minutes without a request after which it ends: a reader may read an article for long.
    pub idle_minutes: u32,
    /// Hours after which it ends, however it is used.
    pub max_hours: u32,
}

impl SessionTimes {
    /// Greatest number of hours of a sign-in: a quarter of a year.
    pub const MAX_HOURS: u32 = 24 * 92;

    /// [`Self::idle_minutes`] in milliseconds.
    #[must_use]
    pub const fn idle_ms(self) -> i64 {
        self.idle_minutes as i64 * 60_000
    }

    /// [`Self::max_hours`] in milliseconds.
    #[must_use]
    pub const fn max_ms(self) -> i64 {
        self.max_hours as i64 * 3_600_000
    }
}

impl Default for SessionTimes {
    fn default() -> Self {
        Self { idle_minutes: 120, max_hours: 12 }
    }
}
