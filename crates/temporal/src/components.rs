//! Strongly connected components of a graph of numbers, by Pearce's form of Tarjan's algorithm: one number for each node, and a stack
//! of its own instead of the machine's.

/// Edges as one list: those of node `v` lead to `targets[offsets[v]..offsets[v + 1]]`.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// One more than there are nodes.
    pub offsets: Vec<usize>,
    pub targets: Vec<u32>,
}

/// An edge that is left out.
pub const NOWHERE: u32 = u32::MAX;

impl Edges {
    /// From lists of successors.
    pub fn of(lists: &[Vec<u32>]) -> Edges {
        let mut edges = Edges { offsets: vec![0], targets: Vec::new() };
        for list in lists {
            edges.targets.extend(list);
            edges.offsets.push(edges.targets.len());
        }
        edges
    }

    pub fn nodes(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The places of the edges of a node.
    pub fn places(&self, node: u32) -> std::ops::Range<usize> {
        self.offsets[node as usize]..self.offsets[node as usize + 1]
    }
}

/// The component of each node, numbered so that edges lead to the same or a smaller one, and how many there are.
pub fn components(edges: &Edges) -> (Vec<u32>, u32) {
    // Components are numbered from the top while the search goes on, so that a number below is an index of a node on the way.
    const DONE: u32 = 1 << 31;
    let count = edges.nodes();
    let mut low = vec![0u32; count];
    let (mut open, mut way): (Vec<u32>, Vec<(u32, usize, bool)>) = (Vec::new(), Vec::new());
    let (mut index, mut found) = (1, 0);
    for root in 0..count as u32 {
        if low[root as usize] != 0 {
            continue;
        }
        low[root as usize] = index;
        index += 1;
        way.push((root, edges.offsets[root as usize], true));
        while let Some((node, place, is_root)) = way.last_mut() {
            let node = *node;
            if *place < edges.offsets[node as usize + 1] {
                let target = edges.targets[*place];
                if target == NOWHERE {
                    *place += 1;
                    continue;
                }
                match low[target as usize] {
                    0 => {
                        low[target as usize] = index;
                        index += 1;
                        way.push((target, edges.offsets[target as usize], true));
                        continue;
                    }
                    known if known & DONE == 0 && known < low[node as usize] => {
                        low[node as usize] = known;
                        *is_root = false;
                    }
                    _ => {}
                }
                *place += 1;
                continue;
            }
            let is_root = *is_root;
            way.pop();
            if !is_root {
                open.push(node);
                continue;
            }
            while let Some(member) = open.last().copied().filter(|member| low[*member as usize] >= low[node as usize]) {
                low[member as usize] = DONE | found;
                open.pop();
            }
            low[node as usize] = DONE | found;
            found += 1;
        }
    }
    (low.into_iter().map(|number| number & !DONE).collect(), found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against what reaches what, on all small random graphs.
    #[test]
    fn nodes_of_a_component_reach_each_other() {
        let mut seed = 7u64;
        let mut below = |bound: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % bound
        };
        for _ in 0..2_000 {
            let count = 1 + below(8) as usize;
            let mut lists = vec![Vec::new(); count];
            for _ in 0..below(14) {
                lists[below(count as u64) as usize].push(below(count as u64) as u32);
            }
            let reaches = |from: usize| {
                let (mut seen, mut open) = (vec![false; count], vec![from as u32]);
                while let Some(node) = open.pop() {
                    for next in &lists[node as usize] {
                        if !std::mem::replace(&mut seen[*next as usize], true) {
                            open.push(*next);
                        }
                    }
                }
                seen
            };
            let reached: Vec<Vec<bool>> = (0..count).map(reaches).collect();
            let (found, _) = components(&Edges::of(&lists));
            for one in 0..count {
                for other in 0..count {
                    let together = one == other || reached[one][other] && reached[other][one];
                    assert_eq!(found[one] == found[other], together, "{lists:?}");
                    assert!(!reached[one][other] || found[one] >= found[other], "{lists:?}");
                }
            }
        }
    }
}
