//! The memory of an instance, from which others begin.

use wasmtime::{AsContextMut, Memory};

/// Bytes that are kept or left out together.
const PAGE: usize = 4096;
/// Size of a page of WebAssembly.
const WASM_PAGE: usize = 64 << 10;

/// The content of a memory, without the zeros behind its first part.
pub(super) struct Image {
    size: usize,
    parts: Vec<(usize, Box<[u8]>)>,
}

impl Image {
    /// The content that a memory has now. `initial` is the size with which it begins: below it, zeros are kept, because a fresh instance
    /// may have other bytes there.
    pub(super) fn of(memory: &[u8], initial: usize) -> Self {
        let mut parts: Vec<(usize, Vec<u8>)> = Vec::new();
        for (index, page) in memory.chunks(PAGE).enumerate() {
            let at = index * PAGE;
            if at >= initial && page.iter().all(|byte| *byte == 0) {
                continue;
            }
            match parts.last_mut() {
                Some((start, bytes)) if *start + bytes.len() == at => bytes.extend_from_slice(page),
                _ => parts.push((at, page.to_vec())),
            }
        }
        let parts = parts.into_iter().map(|(at, bytes)| (at, bytes.into_boxed_slice())).collect();
        Self { size: memory.len(), parts }
    }

    /// Gives the memory of a fresh instance this content.
    pub(super) fn restore(&self, memory: Memory, mut store: impl AsContextMut) -> wasmtime::Result<()> {
        let missing = self.size.saturating_sub(memory.data_size(store.as_context()));
        if missing > 0 {
            memory.grow(&mut store, missing.div_ceil(WASM_PAGE) as u64)?;
        }
        for (at, bytes) in &self.parts {
            memory.write(&mut store, *at, bytes)?;
        }
        Ok(())
    }

    /// Bytes that it takes.
    pub(super) fn weight(&self) -> usize {
        self.parts.iter().map(|(_, bytes)| bytes.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_behind_the_first_part_are_left_out() {
        let mut memory = vec![0; 5 * PAGE];
        memory[3 * PAGE] = 7;
        memory[4 * PAGE + 1] = 8;
        let image = Image::of(&memory, PAGE);
        let kept: Vec<_> = image.parts.iter().map(|(at, bytes)| (at / PAGE, bytes.len() / PAGE)).collect();
        assert_eq!(kept, [(0, 1), (3, 2)]);
        assert_eq!((image.size, image.weight()), (5 * PAGE, 3 * PAGE));
    }
}
