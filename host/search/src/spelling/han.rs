//! Chinese characters: what was meant is a word that sounds alike, which is what an input method by pinyin offers beside it.

use std::cmp::Reverse;

use crate::{
    analysis::{HanRun, Homophone, han_runs},
    index::{Index, SearchError, Sites},
};

use super::{Replacement, Word, entries};

/// Limit on the characters in one piece of which mistakes are looked for.
const MAX_CHARACTERS: usize = 24;
/// Limit on the words of one query that are compared with the dictionary, which takes some hundredths of a second.
const MAX_COMPARED: usize = 100_000;
/// Limit on the words that are looked up for one piece of Chinese text.
const MAX_WORDS_LOOKED_UP: usize = 512;

/// For parts of Chinese text that no entry contains: words of these sites with the same or similar pronunciation.
pub async fn replacements(index: &dyn Index, sites: &Sites, words: &[Word]) -> Result<Vec<Replacement>, SearchError> {
    let mut all = Vec::new();
    let mut left = MAX_COMPARED;
    for Word { of, typed } in words {
        for run in han_runs(&typed.text).into_iter().filter(|run| (2..=MAX_CHARACTERS).contains(&run.len())) {
            let doubtful = doubtful(index, sites, &run).await?;
            let (homophones, rest) = compared(run.clone(), doubtful, left).await?;
            left = rest;
            let texts = homophones.iter().take(MAX_WORDS_LOOKED_UP).map(|one| one.text.clone());
            let known = entries(index, sites, texts).await?;
            for chosen in best(homophones, &known) {
                let place = run.bytes(chosen.start..chosen.end());
                let at = typed.at.start + place.start..typed.at.start + place.end;
                all.push(Replacement { of: *of, at, by: chosen.text });
            }
        }
    }
    Ok(all)
}

/// The words that sound like parts of a run, and how many more may be compared. They are compared on a blocking thread.
async fn compared(run: HanRun, doubtful: Vec<bool>, mut left: usize) -> Result<(Vec<Homophone>, usize), SearchError> {
    let compared = tokio::task::spawn_blocking(move || (run.homophones(&doubtful, &mut left), left));
    let doing = "looking for words that sound alike";
    compared.await.map_err(|source| SearchError::Ended { doing, source: Box::new(source) })
}

/// For each character of a run, whether it is in no word that an entry has.
async fn doubtful(index: &dyn Index, sites: &Sites, run: &HanRun) -> Result<Vec<bool>, SearchError> {
    let mut doubtful = vec![true; run.len()];
    let words = run.words();
    let texts = words.iter().take(MAX_WORDS_LOOKED_UP).map(|(_, text)| text.clone());
    let known = entries(index, sites, texts).await?;
    for ((place, _), entries) in words.into_iter().zip(known) {
        if entries > 0
            && let Some(characters) = doubtful.get_mut(place)
        {
            characters.fill(false);
        }
    }
    Ok(doubtful)
}

/// The words to use, without overlap: a long one before a short one, one of the same sound before one of nearly the same, a frequent one
/// before a rare one.
fn best(homophones: Vec<Homophone>, entries: &[u64]) -> Vec<Homophone> {
    let known = homophones.into_iter().zip(entries).filter(|(_, entries)| **entries > 0);
    let mut known: Vec<(Homophone, u64)> = known.map(|(one, entries)| (one, *entries)).collect();
    known.sort_by_key(|(one, entries)| (Reverse(one.end() - one.start), !one.same_sound, Reverse(*entries), one.start));
    let mut chosen: Vec<Homophone> = Vec::new();
    for (one, _) in known {
        let apart = |other: &Homophone| one.end() <= other.start || other.end() <= one.start;
        if chosen.iter().all(apart) {
            chosen.push(one);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_words_do_not_overlap() {
        let word = |start, text: &str, same_sound| Homophone { start, text: text.to_owned(), same_sound };
        let words = vec![
            word(0, "海阳", true),
            word(0, "海洋", true),
            word(1, "样品", true),
            word(0, "海燕", false),
            word(2, "沉积物", true),
        ];
        let texts = |entries: &[u64]| {
            best(words.clone(), entries).into_iter().map(|one| (one.start, one.text)).collect::<Vec<_>>()
        };
        assert_eq!(texts(&[1, 40, 0, 90, 3]), [(2, "沉积物".to_owned()), (0, "海洋".to_owned())]);
        assert_eq!(texts(&[0, 0, 7, 90, 0]), [(1, "样品".to_owned())]);
        assert_eq!(texts(&[0; 5]), []);
    }
}
