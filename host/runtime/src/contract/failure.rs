//! Causes of calls without a result.

use std::{fmt, time::Duration};

use wasmtime::Trap;

use super::limits::TABLE_ELEMENTS;

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// It exceeded its budget of computing time, which is given.
    BudgetExceeded(Duration),
    /// It did not return in time, although it computed for less than its budget.
    Timeout {
        /// Wall-clock time of the call.
        limit: Duration,
        /// The host call that it was waiting for, such as `http.fetch`.
        pending_host_call: Option<&'static str>,
    },
    /// It requested more memory than one instance may have.
    Memory {
        /// Bytes of its memories and tables after the growth.
        requested: usize,
        /// Bytes that it may have.
        limit: usize,
    },
    /// It requested a larger table than any plugin may have.
    Table {
        /// Elements of the table after the growth.
        requested: usize,
    },
    /// The plugins of this request together have used up its memory; not the plugin's fault.
    RequestMemory {
        /// Bytes of the plugin's memories and tables after the growth.
        requested: usize,
    },
    /// The plugins of all requests together have used up the memory of the process; not the plugin's fault.
    ProcessMemory {
        /// Bytes of the plugin's memories and tables after the growth.
        requested: usize,
    },
    /// Its call stack is exhausted.
    Recursion,
    /// It passed more data to the host in one call than the host accepts.
    TooMuchData,
    /// It stopped with a WebAssembly trap.
    Trap(String),
    /// Its result is not allowed by the hook.
    InvalidResult(String),
    /// It returned an error.
    Refused(String),
    /// It cannot be instantiated.
    StartFailed(String),
    /// All instances of the site or of the process are in use; not the plugin's fault.
    InstancesBusy,
    /// The page's deadline has passed; not the plugin's fault.
    DeadlinePassed,
}

/// A growth of memory that was refused, with the size that it would have led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusedGrowth {
    /// More bytes than this instance may have.
    Instance(usize),
    /// More bytes than the other plugins of the request have left.
    Request(usize),
    /// More bytes than the plugins of all requests have left.
    Process(usize),
    /// A table of more elements than any plugin may have.
    Table(usize),
}

/// The label of calls that the open circuit breaker rejected.
pub(crate) const CIRCUIT_OPEN: &str = "quarantined";

macro_rules! label_table {
    ($( $pattern:pat => $label:literal )+) => {
        impl FailureCause {
            /// Its label in the metrics, one of [`FAILURE_LABELS`].
            pub(crate) fn label(&self) -> &'static str {
                match self { $( $pattern => $label ),+ }
            }
        }

        /// All labels of calls without a result.
        pub(crate) const FAILURE_LABELS: &[&str] = &[ $( $label ),+ , CIRCUIT_OPEN ];
    };
}

label_table! {
    Self::BudgetExceeded(_) => "loop"
    Self::Timeout { .. } => "timeout"
    Self::Memory { .. } | Self::Table { .. } => "memory"
    Self::RequestMemory { .. } => "crowded"
    Self::ProcessMemory { .. } => "host_memory"
    Self::Recursion => "recursion"
    Self::TooMuchData => "too_much_data"
    Self::Trap(_) => "trap"
    Self::InvalidResult(_) => "bad_result"
    Self::Refused(_) => "refused"
    Self::StartFailed(_) => "start"
    Self::InstancesBusy => "busy"
    Self::DeadlinePassed => "late"
}

impl FailureCause {
    /// Classifies an error of wasmtime. `budget` is the computing time of the call, `refused` the last growth that the limiter
    /// refused, `limit` the instance's memory limit in bytes.
    pub(crate) fn from_wasmtime(
        error: &wasmtime::Error,
        budget: Duration,
        refused: Option<RefusedGrowth>,
        limit: usize,
    ) -> Self {
        let trap = error.downcast_ref::<Trap>();
        if trap == Some(&Trap::Interrupt) {
            return Self::BudgetExceeded(budget);
        }
        match refused {
            Some(RefusedGrowth::Instance(requested)) => return Self::Memory { requested, limit },
            Some(RefusedGrowth::Request(requested)) => return Self::RequestMemory { requested },
            Some(RefusedGrowth::Process(requested)) => return Self::ProcessMemory { requested },
            Some(RefusedGrowth::Table(requested)) => return Self::Table { requested },
            None => {}
        }
        match trap {
            Some(Trap::StackOverflow) => Self::Recursion,
            Some(Trap::UnreachableCodeReached) => Self::Trap("unreachable (a panic in Rust)".to_owned()),
            // In Rust, the stack is at the low end of linear memory and overflows before the call stack does.
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
                // An error raised inside a host call carries the guest's stack.
                let in_host_call = error.downcast_ref::<wasmtime::WasmBacktrace>().is_some();
                Self::Trap(if in_host_call {
                    text
                } else {
                    format!("what it passes to the host cannot be read: {text}")
                })
            }
        }
    }

    /// Whether it counts as a failure of the plugin for the circuit breaker.
    pub(crate) fn is_fault(&self) -> bool {
        !matches!(
            self,
            Self::Refused(_)
                | Self::RequestMemory { .. }
                | Self::ProcessMemory { .. }
                | Self::InstancesBusy
                | Self::DeadlinePassed
        )
    }
}

impl fmt::Display for FailureCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BudgetExceeded(budget) => write!(f, "endless loop: stopped after {budget:?} of computing"),
            Self::Timeout { limit, pending_host_call: None } => write!(f, "no answer within {limit:?}"),
            Self::Timeout { limit, pending_host_call: Some(call) } => {
                write!(f, "no answer within {limit:?}: it was still waiting for {call}")
            }
            Self::Memory { requested, limit } => {
                write!(
                    f,
                    "memory: wanted {} KiB in memories and tables, allowed are {} KiB",
                    requested.div_ceil(1024),
                    limit / 1024
                )
            }
            Self::Table { requested } => {
                write!(f, "memory: wanted a table of {requested} elements, allowed are {TABLE_ELEMENTS}")
            }
            Self::RequestMemory { requested } => {
                write!(
                    f,
                    "memory: wanted {} KiB, the other plugins of this request leave less",
                    requested.div_ceil(1024)
                )
            }
            Self::ProcessMemory { requested } => {
                write!(
                    f,
                    "memory: wanted {} KiB, the plugins of all requests leave less of what the host gives to plugins",
                    requested.div_ceil(1024)
                )
            }
            Self::Recursion => write!(f, "endless recursion: call stack exhausted"),
            Self::TooMuchData => write!(f, "it gave more data than the host takes from one call"),
            Self::Trap(trap) => write!(f, "trap: {trap}"),
            Self::InvalidResult(reason) => write!(f, "its result is not allowed: {reason}"),
            Self::Refused(reason) => write!(f, "it declined: {reason}"),
            Self::StartFailed(reason) => write!(f, "it cannot be started: {reason}"),
            Self::InstancesBusy => write!(f, "all plugin instances of the host are in use"),
            Self::DeadlinePassed => write!(f, "the page's deadline has passed"),
        }
    }
}
