//! What a command told on its way, to be drawn over time in its report.

use interplay_report::{Plot, Series};
use std::sync::Mutex;
use std::time::Instant;

/// What a run told on its way, to be drawn over time.
pub(crate) struct Samples {
    started: Instant,
    points: Mutex<Vec<[f64; 3]>>,
}

/// When there are so many, every other one goes.
const MOST: usize = 2_000;

impl Samples {
    pub(crate) fn new() -> Samples {
        Samples { started: Instant::now(), points: Mutex::new(Vec::new()) }
    }

    /// Two numbers at this moment.
    pub(crate) fn note(&self, one: f64, other: f64) {
        let Ok(mut points) = self.points.lock() else { return };
        if points.len() >= MOST {
            let mut index = 0;
            points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        points.push([self.started.elapsed().as_secs_f64(), one, other]);
    }

    /// The two numbers over the seconds, as far as there is something to see.
    pub(crate) fn over_time(&self, title: &str, names: [&str; 2]) -> Option<Plot> {
        let points = self.points.lock().ok()?;
        let series = [(names[0], 1), (names[1], 2)].map(|(name, column)| Series {
            name: name.into(),
            points: points.iter().map(|point| (point[0], point[column])).collect(),
        });
        let up = names.join(", ");
        (points.len() > 2).then(|| plot(title, "seconds", &up, series.into()))
    }

    /// The second number over the first.
    pub(crate) fn second_over_first(&self, title: &str, names: [&str; 2]) -> Option<Plot> {
        let points = self.points.lock().ok()?;
        let line = points.iter().map(|point| (point[1], point[2])).collect();
        let series = vec![Series { name: names[1].into(), points: line }];
        (points.len() > 2).then(|| plot(title, names[0], names[1], series))
    }
}

fn plot(title: &str, across: &str, up: &str, series: Vec<Series>) -> Plot {
    Plot { title: title.into(), across: across.into(), up: up.into(), series, logarithmic: false }
}
