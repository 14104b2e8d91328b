//! Writes lines to the host's log: `log::info!("{} links", links.len())`. Needs the capability `log` in `plugin.toml`.

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::log as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::log as host;

use crate::bindings::capabilities::masthead::plugin::log::Level;

#[doc(hidden)]
pub fn write(level: u8, message: &str) {
    let level = match level {
        0 => Level::Debug,
        1 => Level::Info,
        2 => Level::Warn,
        _ => Level::Error,
    };
    host::write(level, message);
}

/// Logs a line for the author of the plugin (level debug).
#[macro_export]
#[doc(hidden)]
macro_rules! __debug { ($($arg:tt)*) => { $crate::log::write(0, &::std::format!($($arg)*)) } }

/// Logs an informational line.
#[macro_export]
#[doc(hidden)]
macro_rules! __info { ($($arg:tt)*) => { $crate::log::write(1, &::std::format!($($arg)*)) } }

/// Logs a warning.
#[macro_export]
#[doc(hidden)]
macro_rules! __warn { ($($arg:tt)*) => { $crate::log::write(2, &::std::format!($($arg)*)) } }

/// Logs an error.
#[macro_export]
#[doc(hidden)]
macro_rules! __error { ($($arg:tt)*) => { $crate::log::write(3, &::std::format!($($arg)*)) } }

pub use crate::{__debug as debug, __error as error, __info as info, __warn as warn};
