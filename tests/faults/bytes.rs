//! Loading of arbitrary bytes as `plugin.wasm` returns a plugin or an error message.

use std::sync::OnceLock;

use masthead_runtime::Runtime;
use proptest::prelude::*;

use crate::{
    common::{config, handmade},
    guests::{Handmade, good, layout},
    page::start,
};

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut config = config();
        config.max_concurrent_instances = 4;
        start(config)
    })
}

/// The error message; `None` if the bytes are a valid component.
fn load(bytes: &[u8]) -> Option<String> {
    runtime().load_plugin(&handmade::manifest("guest"), bytes).err().map(|error| error.to_string())
}

fn small() -> &'static [u8] {
    static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
    SMALL.get_or_init(|| layout(&Handmade::Body("")))
}

#[test]
fn truncated_components_are_rejected() {
    let component = small();
    let mut whole = 0;
    for length in 0..component.len() {
        match load(&component[..length]) {
            Some(message) => assert!(message.starts_with("plugin.wasm"), "cut at {length}: {message}"),
            None => whole += 1,
        }
    }
    assert_eq!(load(component), None);
    // The name sections at the end are optional, so cuts between them give valid components.
    assert!(whole <= 4, "{whole} of {} cuts", component.len());
    // The same in larger steps for a component of the usual size.
    let component = good();
    for length in (0..component.len()).step_by(component.len() / 100 + 1) {
        let message = load(&component[..length]).expect("cut");
        assert!(message.starts_with("plugin.wasm"), "cut at {length}: {message}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_rejected(bytes in prop::collection::vec(any::<u8>(), 0..4096), header in any::<bool>()) {
        let bytes = if header { [b"\0asm\x0d\0\x01\0".to_vec(), bytes].concat() } else { bytes };
        let message = load(&bytes).expect("random bytes");
        prop_assert!(message.starts_with("plugin.wasm"), "{}", message);
    }
}

proptest! {
    // Most changes are detected before compilation; the others cost a compilation, so there are fewer cases.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_are_rejected_or_harmless(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = small().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(message) = load(&bytes) {
            prop_assert!(message.starts_with("plugin.wasm") || message.starts_with("it was made for contract"), "{}", message);
        }
    }
}
