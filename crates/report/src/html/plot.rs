//! A plot as SVG: a few series over one axis. Colours come from the style of the page, numbers can be read in tooltips.

use crate::escape;
use interplay_answers::Drawn;
use maud::{Markup, html};
use std::collections::{HashMap, VecDeque};

#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    pub title: String,
    /// What the axes count.
    pub across: String,
    pub up: String,
    pub series: Vec<Series>,
    /// Every line of the grid is ten times the one below it.
    pub logarithmic: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// More points than this cannot be told apart.
const POINTS: usize = 240;
/// Points that are few enough are marked.
const MARKED: usize = 60;
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const LOW: f64 = 44.0;

impl Plot {
    /// How many states there are so many steps from the start, and how many of them were visited.
    pub(crate) fn by_depth(drawn: &Drawn) -> Option<Plot> {
        let picture = &drawn.picture;
        let mut next: HashMap<usize, Vec<usize>> = HashMap::new();
        picture.arcs.iter().for_each(|arc| next.entry(arc.from).or_default().push(arc.to));
        let mut depth: HashMap<usize, usize> = picture.initial.iter().map(|node| (*node, 0)).collect();
        let mut waiting: VecDeque<usize> = picture.initial.iter().copied().collect();
        while let Some(node) = waiting.pop_front() {
            for target in next.get(&node).into_iter().flatten() {
                if !depth.contains_key(target) {
                    depth.insert(*target, depth[&node] + 1);
                    waiting.push_back(*target);
                }
            }
        }
        let deepest = depth.values().copied().max().filter(|deepest| *deepest > 0)?;
        let counted = |wanted: &dyn Fn(usize) -> bool| {
            let mut counts = vec![0.0; deepest + 1];
            depth.iter().filter(|(node, _)| wanted(**node)).for_each(|(_, depth)| counts[*depth] += 1.0);
            counts.into_iter().enumerate().map(|(depth, count)| (depth as f64, count)).collect()
        };
        let mut series = vec![Series { name: "states of the model".into(), points: counted(&|_| true) }];
        if !drawn.visited.is_empty() {
            let visited = counted(&|node| drawn.visited.get(node) == Some(&true));
            series.push(Series { name: "visited by the test".into(), points: visited });
        }
        let title = "States by their distance from the start".into();
        Some(Plot { title, across: "steps from the start".into(), up: "states".into(), series, logarithmic: false })
    }

    /// It counts things, of which there are no halves.
    fn is_whole(&self) -> bool {
        self.series.iter().flat_map(|series| &series.points).all(|point| point.1.fract() == 0.0)
    }

    fn extent(&self) -> (f64, f64) {
        let points = self.series.iter().flat_map(|series| &series.points);
        let (x, y) = points.fold((0.0_f64, 0.0_f64), |(x, y), point| (x.max(point.0), y.max(point.1)));
        (if x > 0.0 { x } else { 1.0 }, if y > 0.0 { y } else { 1.0 })
    }
}

pub(crate) fn plot(plot: &Plot) -> Markup {
    let (most_x, most_y) = plot.extent();
    let scale_y = |y: f64| match plot.logarithmic {
        true => (y.max(1.0)).log10() / most_y.max(10.0).log10(),
        false => y / most_y,
    };
    let x = |value: f64| round(LEFT + value / most_x * (WIDTH - LEFT - RIGHT));
    let y = |value: f64| round(HEIGHT - LOW - scale_y(value) * (HEIGHT - LOW - TOP));
    let up = match plot.logarithmic {
        true => powers(most_y),
        false => ticks(most_y).into_iter().filter(|tick| !plot.is_whole() || tick.fract() == 0.0).collect(),
    };
    html! {
        figure.plot {
            figcaption { (escape(&plot.title)) }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label={ (escape(&plot.title)) } {
                @for tick in &up {
                    line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y(*tick)) y2=(y(*tick)) {}
                    text.tick x=(LEFT - 6.0) y=(y(*tick) + 4.0) text-anchor="end" { (short(*tick)) }
                }
                @for tick in ticks(most_x) {
                    line.grid x1=(x(tick)) x2=(x(tick)) y1=(TOP) y2=(HEIGHT - LOW) {}
                    text.tick x=(x(tick)) y=(HEIGHT - LOW + 16.0) text-anchor="middle" { (short(tick)) }
                }
                text.axis x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 8.0) text-anchor="middle" { (escape(&plot.across)) }
                text.axis x="14" y=((TOP + HEIGHT - LOW) / 2.0) text-anchor="middle"
                    transform={ "rotate(-90 14 " ((TOP + HEIGHT - LOW) / 2.0) ")" } { (escape(&plot.up)) }
                @for (number, series) in plot.series.iter().enumerate() {
                    @let points = thinned(&series.points);
                    @let path = points.iter().map(|(across, up)| format!("{},{}", x(*across), y(*up))).collect::<Vec<_>>().join(" ");
                    polyline class={ "s" (number % 4) } points=(path) {}
                    @if points.len() <= MARKED {
                        @for (across, up) in &points {
                            circle class={ "s" (number % 4) } cx=(x(*across)) cy=(y(*up)) r="3.5" {
                                title { (escape(&series.name)) ": " (short(*up)) " (" (escape(&plot.across)) ": " (short(*across)) ")" }
                            }
                        }
                    }
                }
            }
            ul.legend { @for (number, series) in plot.series.iter().enumerate() {
                li { span class={ "swatch s" (number % 4) } {} (escape(&series.name)) @if let Some((_, last)) = series.points.last() { span.last { " " (short(*last)) } } }
            } }
        }
    }
}

/// The first, the last, and so many between them.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= POINTS {
        return points.to_vec();
    }
    (0..POINTS).map(|index| points[index * (points.len() - 1) / (POINTS - 1)]).collect()
}

/// Round numbers up to this one, about five of them.
fn ticks(most: f64) -> Vec<f64> {
    let rough = most / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(rough);
    (0..=10).map(|index| index as f64 * step).take_while(|tick| *tick <= most * 1.001).collect()
}

fn powers(most: f64) -> Vec<f64> {
    (0..20).map(|power| 10_f64.powi(power)).take_while(|tick| *tick <= most.max(10.0)).collect()
}

fn short(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{}M", trimmed(value / 1e6)),
        value if value >= 1e4 => format!("{}k", trimmed(value / 1e3)),
        value => trimmed(value),
    }
}

fn trimmed(value: f64) -> String {
    let digits = if value >= 100.0 { 0 } else { 3 };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers_and_plots_of_nothing_are_drawn() {
        assert_eq!(ticks(7.0), [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(ticks(0.1).len(), 6);
        assert_eq!([0.0, 0.125, 12_345.0, 2e6].map(short), ["0", "0.125", "12.345k", "2M"]);
        let nothing =
            Plot { title: "t".into(), across: "a".into(), up: "u".into(), series: Vec::new(), logarithmic: true };
        let flat = Plot { series: vec![Series { name: "n".into(), points: vec![(0.0, 0.0)] }], ..nothing.clone() };
        for each in [nothing, flat] {
            assert!(!plot(&each).into_string().contains("NaN"));
        }
    }
}
