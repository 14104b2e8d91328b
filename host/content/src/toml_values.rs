//! Values in TOML files that people write, too: comments stay.

use toml_edit::{Item, TableLike, Value};

/// Sets a value and keeps the comment of the old one.
pub fn set(entry: &mut dyn TableLike, key: &str, value: impl Into<Value>) {
    let mut value = value.into();
    value.decor_mut().clear();
    match entry.get_mut(key) {
        Some(item) => replace(item, value),
        None => drop(entry.insert(key, Item::Value(value))),
    }
}

/// Replaces an item by a value, which gets the comment of the old one.
pub fn replace(item: &mut Item, mut value: Value) {
    if let Item::Value(old) = item {
        *value.decor_mut() = old.decor().clone();
    }
    *item = Item::Value(value);
}
