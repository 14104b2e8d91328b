//! The names of the capabilities, and of the WASI packages that a component may import.

/// WASI packages that a component may import. `sockets` and `http` are excluded: components use the contract's own `http`.
pub(crate) const WASI_PACKAGES: [&str; 5] =
    ["wasi:cli/", "wasi:io/", "wasi:clocks/", "wasi:random/", "wasi:filesystem/"];

/// A row of the table of capabilities.
pub(crate) struct CapabilitySpec {
    pub capability: Capability,
    /// Its name in `plugin.toml`, which is also that of its WIT interface.
    pub name: &'static str,
    /// Whether its results depend on the plugin's settings only, so that a hook's result may be cached.
    pub deterministic: bool,
    /// Whether a component imports it; a browser capability is granted only.
    pub imported: bool,
}

macro_rules! capability_table {
    ($( $capability:ident = $name:literal { deterministic: $deterministic:literal, imported: $imported:literal } )+) => {
        /// A capability of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Capability { $( $capability ),+ }

        /// Every capability of contract 0.1.
        pub(crate) const CAPABILITIES: &[CapabilitySpec] = &[ $( CapabilitySpec {
            capability: Capability::$capability, name: $name, deterministic: $deterministic, imported: $imported,
        } ),+ ];
    };
}

capability_table! {
    Log = "log" { deterministic: true, imported: true }
    Settings = "settings" { deterministic: true, imported: true }
    Clock = "clock" { deterministic: false, imported: true }
    Random = "random" { deterministic: false, imported: true }
    Content = "content" { deterministic: false, imported: true }
    Kv = "kv" { deterministic: false, imported: true }
    Http = "http" { deterministic: false, imported: true }
    Secrets = "secrets" { deterministic: false, imported: true }
    Frames = "frames" { deterministic: true, imported: false }
}

/// The names of the capabilities of contract 0.1, as in `plugin.toml`.
#[must_use]
pub fn capability_names() -> Vec<&'static str> {
    CAPABILITIES.iter().map(|spec| spec.name).collect()
}
