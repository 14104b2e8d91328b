//! Writes changed values into a TOML document and leaves everything else as it is: what is equal keeps its place and its comments.

use masthead_content::toml_values;
use serde_json::{Map, Value as Json};
use toml_edit::{Array, ArrayOfTables, Item, Table, TableLike, Value};

use crate::plugin::site_file;

/// Changes the keys of a table that differ. `before` is the table as JSON.
pub fn merge(table: &mut dyn TableLike, before: &Json, after: &Json) {
    let none = Map::new();
    let (before, after) = (before.as_object().unwrap_or(&none), after.as_object().unwrap_or(&none));
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        table.remove(key);
    }
    for (key, value) in after.iter().filter(|(key, value)| before.get(*key) != Some(*value)) {
        if let (Some(old), Some(item)) = (before.get(key), table.get_mut(key)) {
            let was_value = item.is_value();
            merge_item(item, old, value);
            let is_value = item.is_value();
            // The name in a header of a table has no space behind it.
            if is_value
                && !was_value
                && let Some(mut key) = table.key_mut(key)
            {
                key.leaf_decor_mut().clear();
            }
            continue;
        }
        // The space before a closing brace belongs to the last value of an inline table.
        if let Some((_, Item::Value(last))) = table.iter_mut().last()
            && last.decor().suffix().and_then(|suffix| suffix.as_str()).is_some_and(|suffix| suffix.trim().is_empty())
        {
            last.decor_mut().set_suffix("");
        }
        table.insert(key, Item::Value(site_file::value(value)));
    }
}

fn merge_item(item: &mut Item, before: &Json, after: &Json) {
    match (before, after, &mut *item) {
        (Json::Array(before), Json::Array(after), Item::Value(Value::Array(array))) if array.len() == before.len() => {
            merge_array(array, before, after);
            return;
        }
        (Json::Array(before), Json::Array(after), Item::ArrayOfTables(tables))
            if tables.len() == before.len() && after.iter().all(Json::is_object) =>
        {
            merge_tables(tables, before, after);
            return;
        }
        _ => {}
    }
    if before.is_object()
        && after.is_object()
        && let Some(table) = item.as_table_like_mut()
    {
        merge(table, before, after);
        return;
    }
    toml_values::replace(item, site_file::value(after));
}

/// The number of equal entries at the beginning of two lists, and the numbers of entries of each between those and the equal ones at
/// the end.
fn changed(before: &[Json], after: &[Json]) -> (usize, usize, usize) {
    let equal = |(left, right): &(&Json, &Json)| left == right;
    let first = before.iter().zip(after).take_while(equal).count();
    let rest = before.len().min(after.len()) - first;
    let last = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(equal).count();
    (first, before.len() - first - last, after.len() - first - last)
}

fn merge_array(array: &mut Array, before: &[Json], after: &[Json]) {
    let (first, gone, new) = changed(before, after);
    for at in first..first + gone.min(new) {
        if let (Some(Value::InlineTable(table)), Json::Object(_)) = (array.get_mut(at), &after[at]) {
            merge(table, &before[at], &after[at]);
            continue;
        }
        array.replace(at, site_file::value(&after[at]));
    }
    for _ in new..gone {
        array.remove(first + new);
    }
    for (at, added) in after.iter().enumerate().take(first + new).skip(first + gone) {
        insert(array, at, site_file::value(added));
    }
}

/// Inserts an entry on a line of its own, if the entries are on lines of their own.
fn insert(array: &mut Array, at: usize, mut value: Value) {
    let prefix = array.get(0).and_then(|first| first.decor().prefix()?.as_str());
    let Some((_, indent)) = prefix.and_then(|prefix| prefix.rsplit_once('\n')) else {
        array.insert(at, value);
        return;
    };
    let indent = indent.to_owned();
    let before = if at == array.len() { split_end(array, &mut value) } else { String::new() };
    value.decor_mut().set_prefix(format!("{before}\n{indent}"));
    array.insert_formatted(at, value);
}

/// The comment behind the last entry of a list, which stays there when another entry follows. The lines below it go to the end of the
/// list, or, if there is no comma at the end, behind the new entry.
fn split_end(array: &mut Array, new: &mut Value) -> String {
    let has_comma = array.trailing_comma();
    let end = match array.iter().last() {
        Some(last) if !has_comma => last.decor().suffix().and_then(|suffix| suffix.as_str()),
        _ => array.trailing().as_str(),
    };
    let Some((comment, lines)) = end.and_then(|end| end.split_once('\n')) else { return String::new() };
    let (comment, lines) = (comment.to_owned(), format!("\n{lines}"));
    if has_comma {
        array.set_trailing(lines);
    } else {
        let last = array.len().saturating_sub(1);
        if let Some(last) = array.get_mut(last) {
            last.decor_mut().set_suffix("");
        }
        new.decor_mut().set_suffix(lines);
    }
    comment
}

fn merge_tables(tables: &mut ArrayOfTables, before: &[Json], after: &[Json]) {
    let (first, gone, new) = changed(before, after);
    if gone >= new {
        for at in first..first + new {
            if let Some(table) = tables.get_mut(at) {
                merge(table, &before[at], &after[at]);
            }
        }
        for _ in new..gone {
            tables.remove(first + new);
        }
        return;
    }
    // A table can be added at the end only.
    for (at, entry) in after.iter().enumerate().skip(first) {
        match (tables.get_mut(at), before.get(at)) {
            (Some(table), Some(old)) => merge(table, old, entry),
            _ => tables.push(table_of(entry)),
        }
    }
}

fn table_of(entry: &Json) -> Table {
    match site_file::value(entry) {
        Value::InlineTable(table) => table.into_table(),
        _ => Table::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;
    use toml_edit::DocumentMut;

    use super::*;

    /// The text after its values were changed to these, which are read from it again.
    fn merged(text: &str, change: impl FnOnce(&mut Json)) -> String {
        let read = |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
        let before = read(text);
        let mut after = before.clone();
        change(&mut after);
        let mut document: DocumentMut = text.parse().unwrap();
        merge(document.as_table_mut(), &before, &after);
        let written = document.to_string();
        assert_eq!(read(&written), after, "{written}");
        written
    }

    const LIST: &str = "# all\nlinks = [\n  # ours\n  { name = \"a\", rank = 1 }, # first\n  { name = \"b\" },\n  { name = \"c\" }\n]\nend = 1 # end\n";

    #[test]
    fn only_what_differs_is_written() {
        let text = "# size\nsize = 3 # wide\n[title] # words\nzh = \"甲\" # Chinese\nen = \"A\"\n# last\n[more]\nx = { y = 1 } # y\n";
        let written = merged(text, |value| {
            value["size"] = json!(4);
            value["title"]["en"] = json!("B");
            value["more"]["x"]["z"] = json!([1]);
        });
        let expected =
            text.replace("size = 3", "size = 4").replace("\"A\"", "\"B\"").replace("y = 1 }", "y = 1, z = [1] }");
        assert_eq!(written, expected);
        let written = merged(text, |value| drop(value.as_object_mut().unwrap().remove("size")));
        assert!(!written.contains("size =") && written.contains("zh = \"甲\" # Chinese"), "{written}");
    }

    #[test]
    fn entries_of_a_list_are_changed_added_and_removed_one_by_one() {
        let written = merged(LIST, |value| value["links"][1]["name"] = json!("d"));
        assert_eq!(written, LIST.replace("\"b\"", "\"d\""));
        let written = merged(LIST, |value| value["links"].as_array_mut().unwrap().push(json!({ "name": "e" })));
        assert!(written.contains("\n  { name = \"c\" },\n  { name = \"e\" }\n]\nend = 1 # end\n"), "{written}");
        assert!(written.starts_with(&LIST[..LIST.find("  { name = \"c\"").unwrap()]), "{written}");
        let text = "a = [\n  1, # one\n  2, # two\n  # end\n]\n";
        let written = merged(text, |value| value["a"] = json!([1, 2, 3]));
        assert_eq!(written, text.replace("2, # two\n", "2, # two\n  3,\n"));
        let text = "a = [\n  1, # one\n  2 # two\n]\n";
        let written = merged(text, |value| value["a"] = json!([1, 2, 3]));
        assert_eq!(written, text.replace("2 # two\n", "2, # two\n  3\n"));
        let written = merged(LIST, |value| drop(value["links"].as_array_mut().unwrap().remove(1)));
        assert!(written.contains("# ours\n  { name = \"a\", rank = 1 }") && !written.contains("\"b\""), "{written}");
        assert_eq!(merged("a = [1, 2]\n", |value| value["a"] = json!([1, 3, 2])), "a = [1, 3, 2]\n");
        assert_eq!(merged("a = []\n", |value| value["a"] = json!(["x"])), "a = [\"x\"]\n");
    }

    #[test]
    fn tables_of_a_list_keep_their_comments() {
        let text = "[[links]] # first\nname = \"a\" # A\n[[links]]\nname = \"b\" # B\n";
        let written = merged(text, |value| {
            value["links"][0]["name"] = json!("c");
            value["links"].as_array_mut().unwrap().push(json!({ "name": "d" }));
        });
        assert!(written.starts_with(&text.replace("\"a\"", "\"c\"")) && written.contains("name = \"d\""), "{written}");
        let written = merged(text, |value| drop(value["links"].as_array_mut().unwrap().remove(0)));
        assert_eq!(written, "[[links]]\nname = \"b\" # B\n");
        let written = merged(text, |value| value["links"] = json!("none"));
        assert_eq!(written.trim(), "links = \"none\"");
    }
}
