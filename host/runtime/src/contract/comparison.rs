//! Compares a component's exports and imports with its manifest. The messages name plugin.toml and the capability, which
//! wasmtime's message about a missing import does not.

use wasmtime::{
    Engine,
    component::{Component, types::ComponentItem},
};

use super::{
    capabilities::{CAPABILITIES, WASI_PACKAGES},
    errors::{PluginError, one_line},
    hook_table::{HOOKS, Hook},
    manifest::{CONTRACT, Manifest},
};

const PACKAGE: &str = "masthead:plugin/";

pub(crate) fn compare(engine: &Engine, component: &Component, manifest: &Manifest) -> Result<(), PluginError> {
    let kind = component.component_type();
    for (name, item) in kind.imports(engine) {
        import(engine, name, &item.ty, manifest)?;
    }
    let exports: Vec<&str> = kind.exports(engine).map(|(name, _)| name).collect();
    for name in &exports {
        export(name, manifest)?;
    }
    for spec in HOOKS.iter().filter(|spec| manifest.has_hook(spec.hook)) {
        let exported =
            exports.iter().any(|name| interface(name).is_some_and(|(interface, _)| interface == spec.interface));
        if !exported {
            return Err(mismatch(format!(
                "plugin.toml names the hook {}, but the component does not export the interface {PACKAGE}{}; \
                 register the hook in the code, or remove it from `hooks`",
                spec.name, spec.interface
            )));
        }
    }
    Ok(())
}

fn import(engine: &Engine, name: &str, item: &ComponentItem, manifest: &Manifest) -> Result<(), PluginError> {
    if only_types(engine, item) {
        return Ok(());
    }
    if WASI_PACKAGES.iter().any(|package| name.starts_with(package)) {
        return Ok(());
    }
    let Some((capability, version)) = interface(name) else {
        let advice = if name.starts_with("wasi:") { "; use the capabilities of the contract instead" } else { "" };
        return Err(mismatch(format!("the component imports {name}, which no plugin may import{advice}")));
    };
    same_contract(name, version)?;
    if !CAPABILITIES.iter().any(|known| known.name == capability && known.imported) {
        return Err(mismatch(format!("the component imports {name}, which contract {CONTRACT} does not have")));
    }
    if manifest.capabilities.contains_key(capability) {
        return Ok(());
    }
    Err(mismatch(format!(
        "the component uses the capability {capability:?}, which plugin.toml does not ask for; \
         add `{capability} = \"why it is needed\"` under [capabilities], or do without it"
    )))
}

fn export(name: &str, manifest: &Manifest) -> Result<(), PluginError> {
    let Some((interface, version)) = interface(name) else { return Ok(()) };
    same_contract(name, version)?;
    let mut hooks = HOOKS.iter().filter(|spec| spec.interface == interface).peekable();
    if hooks.peek().is_none() {
        return Err(mismatch(format!("the component exports {name}, which is not a hook of contract {CONTRACT}")));
    }
    // An interface with two hooks exports both.
    match hooks.find(|spec| !manifest.has_hook(spec.hook)) {
        None => Ok(()),
        Some(spec) => Err(mismatch(format!(
            "the component implements the hook {}, which plugin.toml does not name under `hooks`",
            spec.name
        ))),
    }
}

fn same_contract(name: &str, version: &str) -> Result<(), PluginError> {
    let minor = version.rsplit_once('.').map_or(version, |(minor, _)| minor);
    if minor == CONTRACT {
        return Ok(());
    }
    let required = format!("{minor} (it implements {name})");
    Err(PluginError::Contract { required, known: CONTRACT.to_owned() })
}

/// `masthead:plugin/links@0.1.0` -> (`links`, `0.1.0`).
fn interface(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix(PACKAGE)?.split_once('@')
}

/// Whether a component imports WASI, that is, was built for `wasm32-wasip2`.
pub(crate) fn imports_wasi(engine: &Engine, component: &Component) -> bool {
    component.component_type().imports(engine).any(|(name, _)| name.starts_with("wasi:"))
}

/// Whether the results of a component depend on its settings and a hook's input only.
pub(crate) fn is_deterministic(engine: &Engine, component: &Component) -> bool {
    component.component_type().imports(engine).all(|(name, item)| {
        let known =
            interface(name).and_then(|(name, _)| CAPABILITIES.iter().find(|capability| capability.name == name));
        known.map_or_else(|| only_types(engine, &item.ty), |capability| capability.deterministic)
    })
}

/// Whether an import consists of types only, which give a component no access to anything.
fn only_types(engine: &Engine, item: &ComponentItem) -> bool {
    matches!(item, ComponentItem::ComponentInstance(instance)
        if instance.exports(engine).all(|(_, item)| matches!(item.ty, ComponentItem::Type(_))))
}

pub(crate) fn mismatch(message: String) -> PluginError {
    PluginError::Mismatch(message)
}

/// The message for a hook whose function is missing or has other types.
pub(crate) fn wrong_types(hook: Hook, error: &wasmtime::Error) -> PluginError {
    mismatch(format!(
        "its export for the hook {} does not fit the WIT of contract {CONTRACT} ({}); build it with this host's plugin-sdk",
        hook.name(),
        one_line(error)
    ))
}
