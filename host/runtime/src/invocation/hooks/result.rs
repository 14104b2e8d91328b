//! The result of one hook of one plugin.

use super::entries::TableEntry;

pub(crate) enum HookResult<E: TableEntry> {
    /// The plugin does not implement the hook.
    NotImplemented,
    /// The call failed, or the circuit breaker rejected it; see the outcome.
    Failed,
    /// The plugin returned an error.
    Refused(E::Refusal),
    /// The plugin returned a result, which the host accepts.
    Output(E::Output),
}
