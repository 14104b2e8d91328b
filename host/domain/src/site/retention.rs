//! How long a site keeps what its members leave behind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// After which times the host deletes what members left behind. What members delete themselves is gone at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Retention {
    /// Days after the latest view or download of an item for which the member's history has it; 0 for ever.
    pub history_days: u32,
    /// Months without a sign-in after which an account is erased with everything that is the member's; 0 for never.
    pub unused_months: u32,
}

impl Retention {
    /// Milliseconds of [`Self::history_days`]; `None` for ever.
    #[must_use]
    pub const fn history_ms(self) -> Option<i64> {
        days(self.history_days)
    }

    /// Milliseconds of [`Self::unused_months`], of 31 days each; `None` for ever.
    #[must_use]
    pub const fn unused_ms(self) -> Option<i64> {
        days(self.unused_months.saturating_mul(31))
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { history_days: 730, unused_months: 0 }
    }
}

const fn days(days: u32) -> Option<i64> {
    if days == 0 { None } else { Some(days as i64 * 86_400_000) }
}

#[cfg(test)]
mod tests {
    use super::Retention;

    #[test]
    fn nothing_is_the_time_of_ever() {
        let of = |history_days, unused_months| Retention { history_days, unused_months };
        assert_eq!((of(0, 0).history_ms(), of(0, 0).unused_ms()), (None, None));
        assert_eq!((of(1, 1).history_ms(), of(1, 1).unused_ms()), (Some(86_400_000), Some(31 * 86_400_000)));
        assert!(of(u32::MAX, u32::MAX).unused_ms().is_some_and(|time| time > 0), "no overflow");
        assert_eq!(Retention::default().unused_ms(), None, "no account is erased unless a site says so");
    }
}
