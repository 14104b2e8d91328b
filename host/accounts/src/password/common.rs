//! Passwords that are guessed first. Lists of leaked passwords have few that keep the rules, and these are words with a capital, digits at
//! their ends and letters written as digits; a password is looked up after these are undone.

/// Words that passwords are made of, without digits and signs at their ends.
const WORDS: &[&str] = &[
    "a",
    "aa",
    "aaa",
    "ab",
    "abc",
    "abcd",
    "abcde",
    "abcdef",
    "abcdefg",
    "abcdefgh",
    "access",
    "account",
    "admin",
    "administrator",
    "aini",
    "alexander",
    "amanda",
    "america",
    "andrea",
    "andrew",
    "angel",
    "anhyeuem",
    "anthony",
    "apple",
    "asd",
    "asdf",
    "asdfg",
    "asdfgh",
    "asdfghjkl",
    "ashley",
    "azerty",
    "babygirl",
    "bailey",
    "baseball",
    "basketball",
    "batman",
    "beautiful",
    "beijing",
    "biteme",
    "blink",
    "butterfly",
    "changeme",
    "charlie",
    "chelsea",
    "china",
    "chocolate",
    "computer",
    "cookie",
    "daniel",
    "default",
    "demo",
    "dragon",
    "elephant",
    "facebook",
    "family",
    "flower",
    "football",
    "freedom",
    "friends",
    "fuckyou",
    "gfhjkm",
    "ginger",
    "google",
    "guest",
    "hannah",
    "hello",
    "helloworld",
    "hunter",
    "ihateyou",
    "iloveu",
    "iloveyou",
    "internet",
    "jasmine",
    "jennifer",
    "jessica",
    "jesus",
    "jordan",
    "joshua",
    "journal",
    "justin",
    "killer",
    "letmein",
    "liverpool",
    "login",
    "london",
    "love",
    "lovely",
    "loveme",
    "lovers",
    "manager",
    "manchester",
    "master",
    "matthew",
    "member",
    "michael",
    "michelle",
    "monkey",
    "mustang",
    "mynoob",
    "nicole",
    "ninja",
    "nothing",
    "orange",
    "pa",
    "pass",
    "passwd",
    "password",
    "passwort",
    "patrick",
    "phone",
    "pokemon",
    "portal",
    "princess",
    "pwd",
    "q",
    "qaz",
    "qazwsx",
    "qazwsxedc",
    "qq",
    "qw",
    "qwe",
    "qweasd",
    "qweasdzxc",
    "qweqwe",
    "qwer",
    "qwert",
    "qwerty",
    "qwertyu",
    "qwertyui",
    "qwertyuiop",
    "qwertz",
    "root",
    "samsung",
    "secret",
    "secure",
    "security",
    "shadow",
    "shanghai",
    "soccer",
    "starwars",
    "student",
    "summer",
    "sunshine",
    "superman",
    "system",
    "taylor",
    "teacher",
    "temp",
    "tennis",
    "test",
    "tester",
    "testing",
    "thomas",
    "tigger",
    "tinkle",
    "trustno",
    "university",
    "user",
    "vfvfktn",
    "welcome",
    "whatever",
    "winter",
    "woaini",
    "wsx",
    "wsxedc",
    "xiaoming",
    "yamaha",
    "zaq",
    "zaqxsw",
    "zxc",
    "zxcv",
    "zxcvb",
    "zxcvbn",
    "zxcvbnm",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "spring",
    "autumn",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "motdepasse",
    "contrasena",
    "kennwort",
    "mima",
    "parol",
];

/// Sequences of keys that have digits within.
const SEQUENCES: &[&str] = &[
    "1qaz2wsx",
    "1q2w3e4r",
    "1q2w3e4r5t",
    "q1w2e3r4",
    "q1w2e3r4t5",
    "zaq12wsx",
    "zaq1xsw2",
    "1qazxsw2",
    "qaz123wsx",
    "a1b2c3d4",
    "a1b2c3d4e5",
    "123qweasd",
    "123qweasdzxc",
    "1a2b3c4d",
    "abc123abc",
    "pass1word",
    "ncc1701",
    "trustno1",
    "1234qwer",
    "123qwe123",
];

/// Whether a password (in lower case) is one of those that are guessed first.
pub fn is_common(lower: &str) -> bool {
    let bare: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    if SEQUENCES.contains(&bare.as_str()) || has_few_characters(&bare) {
        return true;
    }
    // Letters written as digits are undone after the digits at the ends are gone: `passw0rd1` is `password`.
    let within = |text: &str| text.trim_matches(|c: char| !c.is_alphabetic()).to_owned();
    let stems = [within(lower), within(&plain(lower)), plain(&within(lower))];
    stems.iter().any(|stem| WORDS.contains(&stem.as_str()) || is_repeated(stem))
}

/// Letters for the digits and signs that stand for them.
fn plain(text: &str) -> String {
    let letter = |c| match c {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    };
    text.chars().map(letter).collect()
}

/// Whether it consists of fewer than four different characters: `Aa1Aa1Aa1`.
fn has_few_characters(text: &str) -> bool {
    let mut seen: Vec<char> = Vec::new();
    for c in text.chars() {
        if !seen.contains(&c) {
            seen.push(c);
        }
    }
    seen.len() < 4
}

/// Whether it is a listed word twice: `testtest`.
fn is_repeated(stem: &str) -> bool {
    let (first, second) = stem.split_at_checked(stem.len() / 2).unwrap_or((stem, ""));
    first == second && WORDS.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::is_common;

    #[test]
    fn words_are_found_behind_digits_signs_and_other_spellings() {
        for common in [
            "password1",
            "p@ssw0rd2026!",
            "123abc456",
            "!!welcome99",
            "t3st1234",
            "testtest12",
            "aa1aa1aa1",
            "1q2w3e4r",
        ] {
            assert!(is_common(common), "{common}");
        }
        for other in ["tide7xqk", "correct4horse", "潮汐tide7xqk", "passwordtide7"] {
            assert!(!is_common(other), "{other}");
        }
    }
}
