//! The counts of today for each client: a table of fixed size, because the clients of a day are not limited in number.

/// Rows of the table. Every key has one cell in each row.
const ROWS: usize = 4;
/// Cells of a row: 8 MB for all rows.
const CELLS: usize = 1 << 21;

/// A count-min sketch of one day: the count of a key is the least of its cells. Keys that share all their cells share a count, so that an
/// event may be left out, and none is counted that did not happen.
#[derive(Debug, Default)]
pub struct DailyCounts {
    day: i64,
    cells: Vec<u8>,
}

impl DailyCounts {
    /// Adds one to the count of a key, given by its digest, unless that count has reached `max` today. Returns whether one
    /// was added.
    pub fn take(&mut self, day: i64, digest: [u8; 16], max: u8) -> bool {
        if self.day != day || self.cells.is_empty() {
            *self = Self { day, cells: vec![0; ROWS * CELLS] };
        }
        let mut places = [0; ROWS];
        for (row, (place, part)) in places.iter_mut().zip(digest.chunks_exact(4)).enumerate() {
            let number = part.iter().fold(0, |number, byte| (number << 8) | usize::from(*byte));
            *place = row * CELLS + number % CELLS;
        }
        let least = places.iter().map(|place| self.cells[*place]).min().unwrap_or_default();
        if least >= max {
            return false;
        }
        for place in places {
            let cell = &mut self.cells[place];
            *cell = (*cell).max(least + 1);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_counts_to_the_maximum_of_its_day() {
        let mut counts = DailyCounts::default();
        let key = |number: u32| {
            let mut digest = [0; 16];
            for (row, part) in digest.chunks_exact_mut(4).enumerate() {
                part.copy_from_slice(&(number * 4 + row as u32).to_be_bytes());
            }
            digest
        };
        for number in 0..100 {
            let taken = (0..9).filter(|_| counts.take(1, key(number), 3)).count();
            assert_eq!(taken, 3, "{number}");
        }
        assert!(counts.take(2, key(0), 3), "a new day");
        assert!(counts.take(2, key(0), u8::MAX));
    }
}
