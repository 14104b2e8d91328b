//! Rows as lines of a bundle: a JSON object with the columns of the row. Bytes are `{"hex": "..."}`.

use masthead_domain::text::{from_hex, hex};
use masthead_store::{backup::Value as Field, site_rows::SiteRow};
use serde_json::{Map, Value};

/// A row as a line, without the line feed.
pub fn to_line(row: &SiteRow) -> String {
    let value = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Int(number) => Value::from(*number),
        Field::Text(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => Value::Object(Map::from_iter([("hex".to_owned(), Value::from(hex(bytes)))])),
    };
    Value::Object(row.iter().map(|(name, field)| (name.clone(), value(field))).collect()).to_string()
}

/// Reads a line.
///
/// # Errors
/// A message, if the line is no row.
pub fn from_line(line: &str) -> anyhow::Result<SiteRow> {
    let object: Map<String, Value> = serde_json::from_str(line)?;
    let field = |name: &str, value: Value| {
        Ok(match value {
            Value::Null => Field::Null,
            Value::String(text) => Field::Text(text),
            Value::Number(number) => Field::Int(
                number.as_i64().ok_or_else(|| anyhow::anyhow!("{name} is {number}, which is not a 64-bit integer"))?,
            ),
            Value::Object(bytes) => {
                let text = bytes.get("hex").and_then(Value::as_str);
                Field::Bytes(text.and_then(from_hex).ok_or_else(|| anyhow::anyhow!("{name} is not in hexadecimal"))?)
            }
            other => anyhow::bail!("{name} is {other}, which no column holds"),
        })
    };
    object.into_iter().map(|(name, value)| Ok((name.clone(), field(&name, value)?))).collect()
}

/// The text in a column.
///
/// # Errors
/// A message, if the row has none.
pub fn text<'a>(row: &'a SiteRow, column: &str) -> anyhow::Result<&'a str> {
    match row.get(column) {
        Some(Field::Text(text)) => Ok(text),
        _ => anyhow::bail!("the row has no text {column}"),
    }
}

/// The number in a column.
///
/// # Errors
/// A message, if the row has none, or one that is no number of an installation.
pub fn number(row: &SiteRow, column: &str) -> anyhow::Result<i64> {
    /// Half of the numbers that all JSON parsers read exactly: the next numbers of all sites are greater than those that are loaded.
    const GREATEST: i64 = 1 << 52;
    match row.get(column) {
        Some(Field::Int(number)) if (0..=GREATEST).contains(number) => Ok(*number),
        Some(Field::Int(number)) => anyhow::bail!("{column} is {number}, which is outside of all numbers and times"),
        _ => anyhow::bail!("the row has no number {column}"),
    }
}

/// Checks the numbers in columns.
///
/// # Errors
/// As [`number`].
pub fn numbers(row: &SiteRow, columns: &[&str]) -> anyhow::Result<()> {
    columns.iter().try_for_each(|column| number(row, column).map(|_| ()))
}

/// The moment in a column, in milliseconds since 1970, which must not be later than `latest`.
///
/// # Errors
/// A message, if the row has none or a later one.
pub fn moment(row: &SiteRow, column: &str, latest: i64) -> anyhow::Result<i64> {
    let moment = number(row, column)?;
    anyhow::ensure!(
        moment <= latest,
        "{column} is {moment} milliseconds since 1970, which is in the future, and the next change of every site would come behind it; the \
         clock of one of the two installations is or was wrong"
    );
    Ok(moment)
}

/// Sets the text in a column.
pub fn set(row: &mut SiteRow, column: &str, value: String) {
    row.insert(column.to_owned(), Field::Text(value));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rows_are_read_back_as_written() {
        let row = SiteRow::from([
            ("a".to_owned(), Field::Null),
            ("b".to_owned(), Field::Int(-7)),
            ("c".to_owned(), Field::Text("tide \"海\"\n".to_owned())),
            ("d".to_owned(), Field::Bytes(vec![0, 0xff, 0x1a])),
            ("e".to_owned(), Field::Bytes(Vec::new())),
        ]);
        let line = to_line(&row);
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(from_line(&line).unwrap(), row);
    }

    #[test]
    fn damaged_lines_are_refused() {
        for line in
            ["", "[]", "{\"a\":1.5}", "{\"a\":true}", "{\"a\":{\"hex\":\"0\"}}", "{\"a\":{\"hex\":\"0g\"}}", "{\"a\":1"]
        {
            assert!(from_line(line).is_err(), "{line}");
        }
        let row = from_line("{\"id\":-1,\"far\":9223372036854775807,\"key\":\"x\"}").unwrap();
        assert!(number(&row, "id").is_err() && number(&row, "far").is_err() && number(&row, "key").is_err());
        assert_eq!(text(&row, "key").unwrap(), "x");
    }

    #[test]
    fn numbers_leave_room_for_the_next_ones_and_moments_are_not_in_the_future() {
        let row = SiteRow::from([("id".to_owned(), Field::Int(1 << 53)), ("changed".to_owned(), Field::Int(2000))]);
        assert!(number(&row, "id").is_err());
        assert_eq!(moment(&row, "changed", 2000).unwrap(), 2000);
        let error = moment(&row, "changed", 1999).unwrap_err().to_string();
        assert!(error.contains("clock"), "{error}");
    }
}
