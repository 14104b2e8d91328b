#![allow(clippy::unwrap_used)]

use super::*;
use crate::testing::{OTHER, SITE, START, store};

fn key() -> InstallationKey {
    InstallationKey::new([7; 32])
}

fn text_of(captchas: &Captchas<'_>, id: &str) -> String {
    captchas.open(id).unwrap().text
}

fn solve(challenge: &Challenge) -> u32 {
    (0..=challenge.max).find(|number| proof(&challenge.salt, *number) == challenge.digest).unwrap()
}

fn letters(id: &str, text: &str) -> CaptchaAnswer {
    CaptchaAnswer { id: id.to_owned(), text: Some(text.to_owned()), number: None }
}

#[tokio::test]
async fn both_forms_can_be_answered_once() {
    let (_folder, store) = store().await;
    let (key, site) = (key(), store.site(SITE));
    let captchas = Captchas::new(&key, SITE, START);
    let captcha = captchas.issue().unwrap();
    let text = text_of(&captchas, &captcha.id);
    let typed = format!(" {} ", text.to_lowercase());
    assert!(captchas.check(&site, &letters(&captcha.id, &typed)).await.unwrap());
    assert!(!captchas.check(&site, &letters(&captcha.id, &text)).await.unwrap(), "answered twice");
    let captcha = captchas.issue().unwrap();
    let number = solve(&captcha.challenge);
    let found = CaptchaAnswer { id: captcha.id.clone(), text: None, number: Some(number) };
    assert!(captchas.check(&site, &found).await.unwrap());
    assert!(!captchas.check(&site, &found).await.unwrap());
}

#[tokio::test]
async fn a_wrong_answer_uses_the_captcha_up() {
    let (_folder, store) = store().await;
    let (key, site) = (key(), store.site(SITE));
    let captchas = Captchas::new(&key, SITE, START);
    for wrong in ["", "     ", "OOOOO", "AAAAAAAAAAAAAA"] {
        let captcha = captchas.issue().unwrap();
        let text = text_of(&captchas, &captcha.id);
        assert!(!captchas.check(&site, &letters(&captcha.id, wrong)).await.unwrap(), "{wrong:?}");
        assert!(!captchas.check(&site, &letters(&captcha.id, &text)).await.unwrap(), "after {wrong:?}");
    }
    let captcha = captchas.issue().unwrap();
    let nothing = CaptchaAnswer { id: captcha.id, text: None, number: None };
    assert!(!captchas.check(&site, &nothing).await.unwrap());
}

#[tokio::test]
async fn an_answer_at_the_same_time_counts_once() {
    let (_folder, store) = store().await;
    let (key, site) = (key(), store.site(SITE));
    let captchas = Captchas::new(&key, SITE, START);
    let captcha = captchas.issue().unwrap();
    let answer = letters(&captcha.id, &text_of(&captchas, &captcha.id));
    let all = futures::future::join_all((0..8).map(|_| captchas.check(&site, &answer))).await;
    assert_eq!(all.into_iter().filter(|one| *one.as_ref().unwrap()).count(), 1);
}

#[tokio::test]
async fn captchas_of_another_site_time_or_installation_are_wrong() {
    let (_folder, store) = store().await;
    let (key, site) = (key(), store.site(SITE));
    let captcha = Captchas::new(&key, SITE, START).issue().unwrap();
    let text = text_of(&Captchas::new(&key, SITE, START), &captcha.id);
    let other_key = InstallationKey::new([8; 32]);
    for captchas in [
        Captchas::new(&key, OTHER, START),
        Captchas::new(&key, SITE, captcha.expires),
        Captchas::new(&other_key, SITE, START),
    ] {
        assert!(!captchas.check(&site, &letters(&captcha.id, &text)).await.unwrap());
        assert_eq!(captchas.picture(&captcha.id), None);
    }
    let captchas = Captchas::new(&key, SITE, captcha.expires - 1);
    for odd in ["", "x", "%%", &"A".repeat(1000), &captcha.id[1..]] {
        assert!(!captchas.check(&site, &letters(odd, &text)).await.unwrap(), "{odd}");
    }
    assert!(captchas.check(&site, &letters(&captcha.id, &text)).await.unwrap(), "none of these used it up");
}

#[test]
fn an_id_does_not_tell_the_answer() {
    let key = key();
    let captchas = Captchas::new(&key, SITE, START);
    let captcha = captchas.issue().unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(&captcha.id).unwrap();
    let text = text_of(&captchas, &captcha.id);
    assert!(!bytes.windows(LETTERS).any(|part| part == text.as_bytes()));
    assert!(captcha.id.len() < MAX_ID && text.chars().all(|letter| glyphs::LETTERS.contains(&letter)));
    assert_ne!(captchas.issue().unwrap().id, captcha.id);
}

#[test]
fn pictures_show_their_letters_and_stay_the_same() {
    let key = key();
    let captchas = Captchas::new(&key, SITE, START);
    let captcha = captchas.issue().unwrap();
    let png = captchas.picture(&captcha.id).unwrap();
    assert_eq!(captchas.picture(&captcha.id), Some(png.clone()), "asking again tells nothing more");
    assert!(png.len() < 16_000, "{}", png.len());
    let read = image::load_from_memory_with_format(&png, image::ImageFormat::Png).unwrap().to_luma8();
    assert_eq!((read.width(), read.height()), (picture::WIDTH, picture::HEIGHT));
    // Ink stands in every place of a letter.
    for place in 0..5 {
        let from = 12 + place * 34;
        let dark =
            read.enumerate_pixels().filter(|(x, _, pixel)| (from..from + 26).contains(x) && pixel.0[0] < 90).count();
        assert!((60..900).contains(&dark), "place {place}: {dark} dark pixels");
    }
    let blank = picture::draw("", [1; 32]).unwrap();
    assert_ne!(picture::draw("A", [1; 32]).unwrap(), blank);
    for letter in glyphs::LETTERS {
        assert!(!glyphs::strokes(letter).is_empty(), "{letter}");
        let within = |(x, y): &glyphs::Point| (0.0..=4.0).contains(x) && (0.0..=6.0).contains(y);
        assert!(glyphs::strokes(letter).iter().all(|stroke| stroke.len() > 1 && stroke.iter().all(within)), "{letter}");
    }
}

#[test]
fn full_width_letters_are_read() {
    assert_eq!(read("ａc Ｅ\t3７"), "ACE37");
    assert_eq!(read("ABCDEFGH").len(), 6, "more letters than a picture has are wrong, and are not kept");
}
