//! The rules for the profile of a member (specification section 5, Profile). Pages check the same before they send it; this is the check
//! that counts.

use masthead_domain::member::{Gender, MemberName, Profile};

/// Greatest length of a name, in characters.
pub const MAX_NAME: usize = 60;
/// Greatest length of any other text of a profile, in characters.
pub const MAX_TEXT: usize = 200;
/// Why a profile is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// No name.
    #[error("the profile has no name")]
    NameMissing,
    /// The name has characters that names do not have, or is too long.
    #[error("the name has characters that names do not have, or more than {MAX_NAME}")]
    Name,
    /// No e-mail address.
    #[error("the profile has no e-mail address")]
    EmailMissing,
    /// Not the form of an e-mail address.
    #[error("the e-mail address does not have the form of one")]
    Email,
    /// No research field.
    #[error("the profile has no research field")]
    ResearchFieldMissing,
    /// A text is too long, or has control characters.
    #[error("a text of the profile has more than {MAX_TEXT} characters, or control characters")]
    Text,
    /// The gender is neither `male`, nor `female`, nor empty.
    #[error("the gender is neither male nor female nor left open")]
    Gender,
}

impl ProfileError {
    /// Key of the message for the member.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::NameMissing => "person_name_needed",
            Self::Name => "person_name_format",
            Self::EmailMissing => "email_needed",
            Self::Email => "email_format",
            Self::ResearchFieldMissing => "research_field_needed",
            Self::Text => "profile_text_format",
            Self::Gender => "bad_request",
        }
    }
}

/// A person's name without the space around it.
///
/// # Errors
/// [`ProfileError::NameMissing`], [`ProfileError::Name`].
pub fn name(text: &str) -> Result<&str, ProfileError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ProfileError::NameMissing);
    }
    // Names of all scripts: of ASCII, letters and what joins them; of everything else, whatever is visible.
    let belongs = |c: char| c.is_ascii_alphabetic() || " .-',".contains(c) || (!c.is_ascii() && !is_invisible(c));
    let fits = text.chars().count() <= MAX_NAME && text.chars().all(belongs) && text.chars().any(char::is_alphabetic);
    if fits { Ok(text) } else { Err(ProfileError::Name) }
}

/// The e-mail address of a profile. Its form is checked, not that it exists: a code proves that.
///
/// # Errors
/// [`ProfileError::EmailMissing`], [`ProfileError::Email`].
pub fn email(text: &str) -> Result<MemberName, ProfileError> {
    if text.trim().is_empty() {
        return Err(ProfileError::EmailMissing);
    }
    MemberName::email(text).map_err(|_| ProfileError::Email)
}

/// A research field without the space around it.
///
/// # Errors
/// [`ProfileError::ResearchFieldMissing`], [`ProfileError::Text`].
pub fn research_field(text: &str) -> Result<&str, ProfileError> {
    match self::text(text)? {
        "" => Err(ProfileError::ResearchFieldMissing),
        field => Ok(field),
    }
}

/// A text in one line, or none, without the space around it.
///
/// # Errors
/// [`ProfileError::Text`].
pub fn text(text: &str) -> Result<&str, ProfileError> {
    let text = text.trim();
    let fits = text.chars().count() <= MAX_TEXT && !text.chars().any(is_invisible);
    if fits { Ok(text) } else { Err(ProfileError::Text) }
}

/// `male`, `female`, or "" where it is left open.
///
/// # Errors
/// [`ProfileError::Gender`].
pub fn gender(text: &str) -> Result<Option<Gender>, ProfileError> {
    match text {
        "" => Ok(None),
        named => Gender::parse(named).map(Some).ok_or(ProfileError::Gender),
    }
}

/// The fields of a profile, as they were sent. The photo is not among them: it is the identifier of an upload.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draft<'a> {
    /// Name.
    pub name: &'a str,
    /// Region.
    pub region: &'a str,
    /// Major.
    pub major: &'a str,
    /// Institution.
    pub institution: &'a str,
    /// Research field.
    pub research_field: &'a str,
    /// `male`, `female` or "".
    pub gender: &'a str,
}

/// The profile to store.
///
/// # Errors
/// [`ProfileError`], for the first field that is wrong, in the order of the form.
pub fn checked(draft: &Draft<'_>, photo: &str) -> Result<Profile, ProfileError> {
    Ok(Profile {
        name: name(draft.name)?.to_owned(),
        region: text(draft.region)?.to_owned(),
        major: text(draft.major)?.to_owned(),
        institution: text(draft.institution)?.to_owned(),
        research_field: research_field(draft.research_field)?.to_owned(),
        gender: gender(draft.gender)?,
        photo: photo.to_owned(),
    })
}

/// Whether a character controls the text around it instead of being shown; this includes those that change the direction of text.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_names() {
        for fine in [
            "王小明",
            "Anna-Lena O'Neill",
            "J. R. R. Tolkien",
            "Ирина",
            "محمد علي",
            "José Núñez",
            "李·阿不都",
            "नेहा",
            "O’Brien",
        ] {
            assert_eq!(name(&format!(" {fine} ")), Ok(fine));
        }
        assert_eq!(name(" \t"), Err(ProfileError::NameMissing));
        let long = "a".repeat(MAX_NAME + 1);
        for odd in ["13812345678", "<b>", "a;b", "a\u{202e}b", "a\nb", "--", "a@b", "R2D2", "x\0", &long] {
            assert_eq!(name(odd), Err(ProfileError::Name), "{odd:?}");
        }
    }

    #[test]
    fn addresses_are_required_in_their_form() {
        assert_eq!(email(" Ada@Example.org ").map(|email| email.shown().to_owned()), Ok("Ada@Example.org".to_owned()));
        assert_eq!(email(" ").err(), Some(ProfileError::EmailMissing));
        assert_eq!(email("ada@example.org\r\nBcc: b@example.org").err(), Some(ProfileError::Email));
    }

    #[test]
    fn the_first_field_that_is_wrong_is_named() {
        let fine = Draft { name: " 王小明 ", research_field: "海洋", gender: "male", ..Draft::default() };
        let stored = checked(&fine, "p1").unwrap_or_default();
        assert_eq!((stored.name.as_str(), stored.photo.as_str(), stored.gender), ("王小明", "p1", Some(Gender::Male)));
        for (draft, error) in [
            (Draft::default(), ProfileError::NameMissing),
            (Draft { region: "a\nb", ..fine }, ProfileError::Text),
            (Draft { research_field: " ", ..fine }, ProfileError::ResearchFieldMissing),
            (Draft { gender: "x", ..fine }, ProfileError::Gender),
        ] {
            assert_eq!(checked(&draft, "").err(), Some(error));
        }
    }

    #[test]
    fn the_research_field_is_required_and_other_texts_are_not() {
        assert_eq!((research_field(" "), text(" ")), (Err(ProfileError::ResearchFieldMissing), Ok("")));
        assert_eq!(research_field(" 海洋 "), Ok("海洋"));
        let fits = "字".repeat(MAX_TEXT);
        assert_eq!(text(&fits), Ok(fits.as_str()));
        for odd in [&format!("{fits}x"), "a\nb", "a\u{202e}b"] {
            assert_eq!(text(odd), Err(ProfileError::Text), "{odd:?}");
        }
        assert_eq!(
            (gender(""), gender("female"), gender("Male")),
            (Ok(None), Ok(Some(Gender::Female)), Err(ProfileError::Gender))
        );
    }
}
