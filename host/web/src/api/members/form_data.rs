//! Bodies of the type `multipart/form-data` (RFC 7578), in which browsers send files. The body is in memory and bounded before it is read
//! here; a part is a slice of it.

/// Greatest number of parts.
const MAX_PARTS: usize = 8;
/// Greatest length of the header fields of a part, in bytes.
const MAX_HEAD: usize = 4 << 10;
/// Greatest length of a boundary (RFC 2046, section 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// A part of a form. The sender's name and type of a file are not read, because they prove nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormPart<'a> {
    /// Name of the field.
    pub name: String,
    /// Its content.
    pub content: &'a [u8],
}

/// The parts of a body; `None` if it is not a complete form. `content_type` is the header field of that name.
#[must_use]
pub fn parts<'a>(content_type: &str, body: &'a [u8]) -> Option<Vec<FormPart<'a>>> {
    let (kind, _) = content_type.split_once(';')?;
    let boundary = parameter(content_type, "boundary")?;
    let is_boundary =
        (1..=MAX_BOUNDARY).contains(&boundary.len()) && boundary.bytes().all(|byte| byte.is_ascii_graphic());
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") || !is_boundary {
        return None;
    }
    let delimiter = format!("\r\n--{boundary}");
    // The first delimiter has no line before it.
    let mut rest = body.strip_prefix(delimiter.get(2..)?.as_bytes())?;
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        let after = rest.strip_prefix(b"\r\n")?;
        let end_of_head = find(after.get(..after.len().min(MAX_HEAD))?, b"\r\n\r\n")?;
        let (head, content) = (after.get(..end_of_head)?, after.get(end_of_head + 4..)?);
        let end = find(content, delimiter.as_bytes())?;
        if parts.len() == MAX_PARTS {
            return None;
        }
        parts.push(FormPart { name: name(head)?, content: content.get(..end)? });
        rest = content.get(end + delimiter.len()..)?;
    }
    Some(parts)
}

/// The name of a field, from the header fields of its part.
fn name(head: &[u8]) -> Option<String> {
    let head = std::str::from_utf8(head).ok()?;
    let fields = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let mut dispositions = fields.filter(|(name, _)| name.trim().eq_ignore_ascii_case("content-disposition"));
    let (_, value) = dispositions.next()?;
    parameter(value, "name").map(str::to_owned)
}

/// A parameter of a header field. Browsers write a quotation mark in a name as `%22`, so that quoted values contain none.
fn parameter<'a>(field: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = field.split_once(';')?.1;
    loop {
        let (key, after) = rest.split_once('=')?;
        let (value, next) = match after.trim_start().strip_prefix('"') {
            Some(quoted) => {
                let (value, next) = quoted.split_once('"')?;
                (value, next.split_once(';').map(|(_, next)| next))
            }
            None => match after.split_once(';') {
                Some((value, next)) => (value.trim(), Some(next)),
                None => (after.trim(), None),
            },
        };
        if key.trim().eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = next?;
    }
}

/// The place of a text in bytes.
fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    let mut from = 0;
    loop {
        let at = from + bytes.get(from..)?.iter().position(|byte| *byte == first)?;
        if bytes.get(at..)?.starts_with(text) {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=----WebKitFormBoundaryx7";

    fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (head, content) in parts {
            body.extend_from_slice(format!("------WebKitFormBoundaryx7\r\n{head}\r\n\r\n").as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"------WebKitFormBoundaryx7--\r\n");
        body
    }

    #[test]
    fn a_form_of_a_browser_has_its_fields_and_files() {
        let file = b"\x89PNG\r\n\x1a\n\r\n--\r\n------WebKitForm \0";
        let body = form(&[
            ("Content-Disposition: form-data; name=\"purpose\"", b"portrait"),
            (
                "content-disposition: form-data; filename=\"a; name=b.png\"; name=\"file\"\r\nContent-Type: text/html",
                file,
            ),
            ("Content-Disposition: form-data; name=empty", b""),
        ]);
        let read = parts(TYPE, &body).unwrap();
        let read: Vec<(&str, &[u8])> = read.iter().map(|part| (part.name.as_str(), part.content)).collect();
        assert_eq!(read, [("purpose", &b"portrait"[..]), ("file", file), ("empty", b"")]);
        assert_eq!(
            parts("Multipart/Form-Data;charset=x; Boundary=\"----WebKitFormBoundaryx7\"", &body).unwrap().len(),
            3
        );
        assert_eq!(parts(TYPE, b"------WebKitFormBoundaryx7--"), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_complete_form_has_no_parts() {
        let head = "Content-Disposition: form-data; name=\"file\"";
        let body = form(&[(head, b"x")]);
        for kind in [
            "",
            "multipart/form-data",
            "multipart/mixed; boundary=----WebKitFormBoundaryx7",
            "multipart/form-data; boundary=",
        ] {
            assert_eq!(parts(kind, &body), None, "{kind}");
        }
        let long = format!("multipart/form-data; boundary={}", "x".repeat(71));
        assert_eq!(parts(&long, &body), None);
        assert_eq!(parts(TYPE, &body[..body.len() - 4]), None, "cut off");
        assert_eq!(parts(TYPE, &body[1..]), None, "something before it");
        assert_eq!(parts(TYPE, &form(&[("Content-Type: text/plain", b"x")])), None, "a part without a name");
        assert_eq!(parts(TYPE, &form(&[(&"x".repeat(MAX_HEAD), b"x")])), None, "a long head");
        let many: Vec<(&str, &[u8])> = vec![(head, b"x"); MAX_PARTS + 1];
        assert_eq!(parts(TYPE, &form(&many)), None);
        assert_eq!(parts(TYPE, &form(&many[1..])).unwrap().len(), MAX_PARTS);
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0_usize..400, byte: u8, cut in 0_usize..400, kind in ".{0,80}") {
            let mut body = form(&[("Content-Disposition: form-data; name=\"file\"", &b"0123456789"[..]); 3]);
            let place = at % body.len();
            body[place] = byte;
            body.truncate(body.len() - cut % body.len());
            let _ = (parts(TYPE, &body), parts(&kind, &body));
        }

        #[test]
        fn any_content_is_read_back(content in proptest::collection::vec(any::<u8>(), 0..2000)) {
            let body = form(&[("Content-Disposition: form-data; name=\"file\"", &content)]);
            prop_assume!(find(&content, b"\r\n------WebKitFormBoundaryx7").is_none());
            let read = parts(TYPE, &body);
            let expected = vec![FormPart { name: "file".to_owned(), content: &content[..] }];
            prop_assert_eq!(read, Some(expected));
        }
    }
}
