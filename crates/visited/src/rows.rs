//! Many rows in one piece of memory: what a search hands from hand to hand.

/// Rows one after the other in one flat vector.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub words: Vec<u64>,
}

impl Rows {
    pub fn clear(&mut self) {
        self.words.clear();
    }

    pub fn push(&mut self, row: &[u64]) {
        self.words.extend_from_slice(row);
    }

    pub fn iter(&self, width: usize) -> impl Iterator<Item = &[u64]> {
        self.words.chunks_exact(width.max(1))
    }

    pub fn count(&self, width: usize) -> usize {
        self.words.len() / width.max(1)
    }

    pub fn row(&self, width: usize, index: usize) -> &[u64] {
        &self.words[index * width..(index + 1) * width]
    }
}
