//! Pseudo-random numbers that are the same on every machine and in every version of the program (SplitMix64).

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Stream(u64);

impl Stream {
    /// The stream for one purpose of one article of a seed. Streams with different arguments are independent.
    pub fn new(seed: u64, index: u64, purpose: u64) -> Self {
        let mut stream = Self(seed);
        for part in [index, purpose] {
            stream.0 = stream.next() ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        stream
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end - 1`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The remainder is smaller than `end`, which is a `usize`.
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or_default()
    }

    /// A number from `low` to `high`, inclusive.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = u64::try_from(high - low).unwrap_or_default() + 1;
        low + i64::try_from(self.next() % span).unwrap_or_default()
    }

    /// True with a probability of `percent` per cent.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// A random element. The list must not be empty, which [`crate::demo_content::generate::words`] checks for the word lists.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Up to `many` random elements, in their original order.
    pub fn some<'a, T>(&mut self, all: &'a [T], many: usize) -> Vec<&'a T> {
        let mut places: Vec<usize> = (0..all.len()).collect();
        while places.len() > many {
            places.remove(self.below(places.len()));
        }
        places.into_iter().map(|at| &all[at]).collect()
    }
}
