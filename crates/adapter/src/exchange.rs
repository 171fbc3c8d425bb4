//! The last lines that went to and fro, for reports. Old lines lend their memory to new ones, so that keeping them costs a copy.

use std::collections::VecDeque;

const LINES: usize = 40;
const LONGEST: usize = 2000;

#[derive(Default)]
pub(crate) struct Exchange(VecDeque<(Side, Vec<u8>)>);

#[derive(Clone, Copy)]
pub(crate) enum Side {
    Interplay,
    Adapter,
}

impl Exchange {
    pub(crate) fn note(&mut self, side: Side, line: &[u8]) {
        log::debug!("{}", shown(side, &line[..line.len().min(LONGEST)]));
        let mut kept = if self.0.len() < LINES { Vec::new() } else { self.0.pop_front().expect("there are some").1 };
        kept.clear();
        kept.extend_from_slice(&line[..line.len().min(LONGEST)]);
        self.0.push_back((side, kept));
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.iter().map(|(side, line)| shown(*side, line)).collect()
    }
}

fn shown(side: Side, line: &[u8]) -> String {
    let who = match side {
        Side::Interplay => "interplay  ",
        Side::Adapter => "adapter    ",
    };
    format!("{who}{}", String::from_utf8_lossy(line).trim_end())
}
