//! Chance that is the same on every machine, whatever the version of a library (SplitMix64).

/// A source of numbers that a seed determines.
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub const fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// A number from 0 up to 1.
    pub const fn part(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of a list that is not empty.
    pub const fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// At most `many` different ones of a list, in the order in which they were drawn.
    pub fn some<'a, T>(&mut self, list: &'a [T], many: usize) -> Vec<&'a T> {
        let mut all: Vec<&T> = list.iter().collect();
        let mut drawn = Vec::with_capacity(many.min(all.len()));
        while drawn.len() < many && !all.is_empty() {
            drawn.push(all.swap_remove(self.below(all.len())));
        }
        drawn
    }
}
