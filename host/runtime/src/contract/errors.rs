//! Errors of loading and admitting plugins. Each message names the operation, its object and the remedy.

use std::path::PathBuf;

/// The runtime cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The folder for compiled code cannot be used.
    #[error(
        "the folder for compiled plugins, {path}, cannot be used: {reason}; set another one or change its owner and mode"
    )]
    CacheDir {
        /// The folder.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The WebAssembly engine cannot be started on this machine or with these limits.
    #[error(
        "the WebAssembly engine does not start with these limits: {0}; lower max_concurrent_instances or memory_ceiling"
    )]
    Engine(String),
    /// The renderer of UI modules cannot be started.
    #[error("the renderer of UI modules does not start: {0}; `make ui` builds it again")]
    Renderer(String),
    /// The thread that measures computing time cannot be started.
    #[error("the thread that counts plugin time cannot be started: {0}")]
    Clock(std::io::Error),
}

/// A plugin cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PluginError {
    /// A file is missing or cannot be read.
    #[error("{path} cannot be read: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// `plugin.toml` is malformed.
    #[error("plugin.toml: {0}")]
    Manifest(String),
    /// The plugin was made for a contract that this host does not implement.
    #[error(
        "it was made for contract {required}, this host knows {known}: update the host, or use a version of the plugin for {known}"
    )]
    Contract {
        /// The plugin's contract.
        required: String,
        /// This host's contract.
        known: String,
    },
    /// The component exceeds the size limit.
    #[error("plugin.wasm has {bytes} bytes, the platform compiles at most {limit}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The component declares more memory, tables or instances than the limits for any plugin.
    #[error("plugin.wasm needs more than the platform gives to any plugin: {0}")]
    NeedsTooMuch(String),
    /// The bytes are not a component.
    #[error("plugin.wasm is not a WebAssembly component: {0}; was it converted with masthead-componentize?")]
    NotAComponent(String),
    /// The component has an import that it may not have, lacks an export, or differs from the contract in a type.
    #[error("plugin.wasm does not match plugin.toml: {0}")]
    Mismatch(String),
}

/// A plugin that is not used, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// Its id, or the name of its folder.
    pub plugin: String,
    /// The path of its folder, or another place that it comes from; "" if the problem has no such place.
    pub source: String,
    /// Cause and remedy.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { plugin, source, message } = self;
        // A folder of plugins that cannot be read has its path as its name.
        let place = if source.is_empty() || source == plugin { String::new() } else { format!(" ({source})") };
        write!(f, "plugin {plugin}{place}: {message}")
    }
}

/// An error of wasmtime with its causes on one line.
pub(crate) fn one_line(error: &wasmtime::Error) -> String {
    format!("{error:#}").lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}
