//! The query with which a provider sends a reader back (RFC 6749, section 4.1.2, and RFC 9207).

use super::IdentityError;

/// Longest code that is passed on to the provider, in bytes.
const MAX_CODE: usize = 4096;

/// The parameters with which a reader comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackQuery {
    pub(super) code: String,
    pub(super) issuer: Option<String>,
}

impl CallbackQuery {
    /// Reads the parameters. The state has been compared before.
    ///
    /// # Errors
    /// [`IdentityError::Refused`] with the provider's code of the error, or [`IdentityError::Invalid`].
    pub fn read(query: &[(String, String)]) -> Result<Self, IdentityError> {
        let all = |name: &str| query.iter().filter(|(key, _)| key == name).map(|(_, value)| value).collect::<Vec<_>>();
        let one = |name: &str| match all(name)[..] {
            [] => Ok(None),
            [value] => Ok(Some(value.clone())),
            _ => Err(IdentityError::Invalid(format!("the provider sent the parameter {name} more than once"))),
        };
        if let Some(error) = one("error")? {
            return Err(IdentityError::Refused(error_code(&error)));
        }
        let issuer = one("iss")?;
        match one("code")? {
            Some(code) if !code.is_empty() && code.len() <= MAX_CODE => Ok(Self { code, issuer }),
            _ => Err(IdentityError::Invalid("the provider sent no code".to_owned())),
        }
    }
}

/// The code of an error, if it has the form of one; other texts are not shown.
fn error_code(error: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let known = (1..=64).contains(&error.len()) && error.chars().all(fits);
    if known { error.to_owned() } else { "error".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &[(&str, &str)]) -> Result<CallbackQuery, IdentityError> {
        let owned: Vec<_> = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        CallbackQuery::read(&owned)
    }

    #[test]
    fn a_code_comes_back_once() {
        let returned = CallbackQuery { code: "c-1".to_owned(), issuer: Some("https://a.example".to_owned()) };
        assert_eq!(read(&[("state", "s"), ("code", "c-1"), ("iss", "https://a.example")]), Ok(returned));
        for query in [&[("code", "a"), ("code", "b")][..], &[("code", "")], &[("state", "s")], &[]] {
            assert!(matches!(read(query), Err(IdentityError::Invalid(_))), "{query:?}");
        }
        assert!(read(&[("code", &"x".repeat(MAX_CODE + 1))]).is_err());
        assert!(read(&[("code", "a"), ("iss", "https://a.example"), ("iss", "https://b.example")]).is_err());
    }

    #[test]
    fn an_error_is_named_by_its_code_alone() {
        let refused = |error: &str| read(&[("error", error), ("error_description", "call +1 555"), ("code", "c")]);
        assert_eq!(refused("access_denied"), Err(IdentityError::Refused("access_denied".to_owned())));
        for error in ["<b>call us</b>", "", &"x".repeat(65), "call us at +1 555"] {
            assert_eq!(refused(error), Err(IdentityError::Refused("error".to_owned())), "{error}");
        }
    }
}
