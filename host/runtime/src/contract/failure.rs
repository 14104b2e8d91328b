//! Why a call gave no result, in words.

use std::{fmt, time::Duration};

use wasmtime::Trap;

use crate::{invocation::store_state::Refused, plugin::engine::TABLE_ELEMENTS};

/// Words for the ledger and the metrics: the labels of [`Cause`], and calls that were not made because of quarantine.
pub(crate) const OUTCOMES: [&str; 13] = [
    "loop",
    "timeout",
    "memory",
    "crowded",
    "recursion",
    "too_much_data",
    "trap",
    "bad_result",
    "refused",
    "start",
    "busy",
    "late",
    "quarantined",
];

/// The reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It computed longer than its budget.
    Loop(Duration),
    /// It did not come back in time although it hardly computed.
    Timeout {
        /// The time that it had.
        limit: Duration,
        /// The host call that it was waiting for.
        waiting: Option<&'static str>,
    },
    /// It asked for more memory than it may have.
    Memory {
        /// What it would have had, in bytes.
        wanted: usize,
        /// What it may have.
        limit: usize,
    },
    /// It asked for a larger table than any plugin may have.
    Table {
        /// The elements that it would have had.
        wanted: usize,
    },
    /// The plugins of this request together have no memory left for it; not the plugin's fault.
    Crowded {
        /// What it would have had, in bytes.
        wanted: usize,
    },
    /// It called itself too deeply.
    Recursion,
    /// It gave more data than the host takes.
    TooMuchData,
    /// It stopped with a WebAssembly trap.
    Trap(String),
    /// It gave something that the hook does not allow.
    BadResult(String),
    /// It declined in words.
    Refused(String),
    /// It cannot be started.
    Start(String),
    /// All instances of the process are in use; not the plugin's fault.
    Busy,
    /// Nothing was left of the page's time; not the plugin's fault.
    Late,
}

impl Cause {
    /// Reads wasmtime's error.
    pub(crate) fn of(error: &wasmtime::Error, budget: Duration, refused: Option<Refused>, limit: usize) -> Self {
        let trap = error.downcast_ref::<Trap>();
        if trap == Some(&Trap::Interrupt) {
            return Self::Loop(budget);
        }
        match refused {
            Some(Refused::Own(wanted)) => return Self::Memory { wanted, limit },
            Some(Refused::Shared(wanted)) => return Self::Crowded { wanted },
            Some(Refused::Table(wanted)) => return Self::Table { wanted },
            None => {}
        }
        match trap {
            Some(Trap::StackOverflow) => Self::Recursion,
            Some(Trap::UnreachableCodeReached) => Self::Trap("unreachable (a panic in Rust)".to_owned()),
            // Rust's own stack lies at the low end of linear memory and runs out before the call stack does.
            Some(Trap::MemoryOutOfBounds) => {
                Self::Trap("out of bounds memory access (in Rust mostly a recursion without end)".to_owned())
            }
            Some(trap) => Self::Trap(trap.to_string().trim_start_matches("wasm trap: ").to_owned()),
            None => {
                let text = error.root_cause().to_string();
                // The error's type is private to wasmtime.
                if text.contains("fuel allocated for hostcalls") {
                    return Self::TooMuchData;
                }
                // A host call that ends the call brings the guest's stack with it, which belongs into the log for authors.
                let in_host_call = error.downcast_ref::<wasmtime::WasmBacktrace>().is_some();
                Self::Trap(if in_host_call {
                    text
                } else {
                    format!("what it passes to the host cannot be read: {text}")
                })
            }
        }
    }

    /// Whether it counts towards quarantine.
    pub(crate) fn is_fault(&self) -> bool {
        !matches!(self, Self::Refused(_) | Self::Crowded { .. } | Self::Busy | Self::Late)
    }

    /// Its word among [`OUTCOMES`].
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::Loop(_) => "loop",
            Self::Timeout { .. } => "timeout",
            Self::Memory { .. } | Self::Table { .. } => "memory",
            Self::Crowded { .. } => "crowded",
            Self::Recursion => "recursion",
            Self::TooMuchData => "too_much_data",
            Self::Trap(_) => "trap",
            Self::BadResult(_) => "bad_result",
            Self::Refused(_) => "refused",
            Self::Start(_) => "start",
            Self::Busy => "busy",
            Self::Late => "late",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loop(budget) => write!(f, "endless loop: stopped after {budget:?} of computing"),
            Self::Timeout { limit, waiting: None } => write!(f, "no answer within {limit:?}"),
            Self::Timeout { limit, waiting: Some(call) } => {
                write!(f, "no answer within {limit:?}: it was still waiting for {call}")
            }
            Self::Memory { wanted, limit } => {
                write!(
                    f,
                    "memory: wanted {} KiB in memories and tables, allowed are {} KiB",
                    wanted.div_ceil(1024),
                    limit / 1024
                )
            }
            Self::Table { wanted } => {
                write!(f, "memory: wanted a table of {wanted} elements, allowed are {TABLE_ELEMENTS}")
            }
            Self::Crowded { wanted } => {
                write!(f, "memory: wanted {} KiB, the other plugins of this request leave less", wanted.div_ceil(1024))
            }
            Self::Recursion => write!(f, "endless recursion: call stack exhausted"),
            Self::TooMuchData => write!(f, "it gave more data than the host takes from one call"),
            Self::Trap(trap) => write!(f, "trap: {trap}"),
            Self::BadResult(reason) => write!(f, "its result is not allowed: {reason}"),
            Self::Refused(reason) => write!(f, "it declined: {reason}"),
            Self::Start(reason) => write!(f, "it cannot be started: {reason}"),
            Self::Busy => write!(f, "all plugin instances of the host are in use"),
            Self::Late => write!(f, "nothing was left of the page's time"),
        }
    }
}
