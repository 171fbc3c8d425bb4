//! Cubes that cannot be reached within so many steps, by the highest number of steps for which that is known.

use crate::Cube;

#[derive(Default)]
pub(crate) struct Frames {
    /// The first is that of the initial state and stays empty.
    pub(crate) levels: Vec<Vec<Cube>>,
}

impl Frames {
    /// A known cube excludes this one at this level.
    pub(crate) fn exclude(&self, cube: &Cube, level: usize) -> bool {
        self.levels[level..].iter().flatten().any(|known| contains(cube, known))
    }

    pub(crate) fn add(&mut self, cube: Cube, level: usize) {
        for lower in &mut self.levels[1..=level] {
            lower.retain(|known| !contains(known, &cube));
        }
        self.levels[level].push(cube);
    }
}

/// Both are sorted.
pub(crate) fn contains(cube: &Cube, part: &Cube) -> bool {
    let mut rest = cube.iter();
    part.len() <= cube.len() && part.iter().all(|literal| rest.any(|each| each == literal))
}
