//! Names of entries: their encoding, and whether they stay within the folder.

use encoding_rs::GB18030;

/// A name decoded as UTF-8, else as GBK (used by Windows in China); `None` if it is neither.
pub(super) fn decode(raw: &[u8]) -> Option<String> {
    std::str::from_utf8(raw)
        .map(str::to_owned)
        .ok()
        .or_else(|| GB18030.decode_without_bom_handling_and_without_replacement(raw).map(std::borrow::Cow::into_owned))
}

/// The path within the folder, or the reason for which the name is refused.
pub(super) fn safe(raw: &str) -> Result<String, &'static str> {
    if raw.is_empty() {
        return Err("it has no name");
    }
    if raw.len() > 1024 {
        return Err("its name is longer than 1024 bytes");
    }
    if raw.chars().any(char::is_control) {
        return Err("its name holds control characters");
    }
    if raw.contains('\\') {
        return Err("its name holds a backslash; folders are divided by /");
    }
    if raw.starts_with('/') {
        return Err("its name is an absolute path");
    }
    let mut start = raw.chars();
    if start.next().is_some_and(|c| c.is_ascii_alphabetic()) && start.next() == Some(':') {
        return Err("its name begins with a drive letter");
    }
    let parts: Vec<&str> = raw.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err("its name leads out of the package (..)");
    }
    if parts.len() > 32 {
        return Err("its name has more than 32 folders");
    }
    if parts.iter().any(|part| part.len() > 255) {
        return Err("a part of its name is longer than 255 bytes");
    }
    Ok(parts.join("/"))
}

/// Whether an operating system left this file behind (`.DS_Store` and the like).
pub(super) fn is_leftover(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or_default();
    name == "__MACOSX"
        || name.starts_with("__MACOSX/")
        || name.contains("/__MACOSX/")
        || last.starts_with("._")
        || matches!(last, ".DS_Store" | "Thumbs.db" | "desktop.ini")
}
