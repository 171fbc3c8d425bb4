//! Paths and seconds against the depth, one line per driver, on logarithmic scales: the two halves of the paper's Figure 4.

use crate::escape;
use interplay_answers::SystematicTable;
use std::fmt::Write;

const COLOURS: [&str; 4] = ["#0b5fa5", "#c2410c", "#15803d", "#6b21a8"];
const MARKS: [&str; 4] = ["circle", "square", "diamond", "triangle"];
const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 56.0;
const BETWEEN: f64 = 90.0;

pub fn systematic_svg(table: &SystematicTable) -> String {
    let (width, height) = (LEFT + 2.0 * WIDTH + BETWEEN + 30.0, TOP + HEIGHT + 84.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{title}</text>\n",
        title = text(&table.title)
    );
    let paths = |cell: &(u64, f64)| cell.0 as f64;
    let seconds = |cell: &(u64, f64)| cell.1;
    svg += &chart(table, LEFT, "paths", &paths);
    svg += &chart(table, LEFT + WIDTH + BETWEEN, "seconds", &seconds);
    for (index, driver) in table.drivers.iter().enumerate() {
        let (x, y) = (LEFT + 130.0 * index as f64, TOP + HEIGHT + 66.0);
        let colour = COLOURS[index % COLOURS.len()];
        let _ =
            writeln!(svg, "{}<text x=\"{}\" y=\"{}\">{}</text>", mark(index, x, y), x + 12.0, y + 4.0, text(driver));
        let _ =
            writeln!(svg, "<line x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\"/>", x - 8.0, x + 8.0);
    }
    svg + "</svg>\n"
}

/// One set of axes with all lines.
fn chart(table: &SystematicTable, left: f64, what: &str, value: &dyn Fn(&(u64, f64)) -> f64) -> String {
    let values: Vec<f64> = table.rows.iter().flat_map(|row| row.cells.iter().flatten().map(value)).collect();
    let positive = || values.iter().copied().filter(|value| *value > 0.0);
    let low = positive().fold(f64::INFINITY, f64::min).min(1e9).log10().floor();
    let high = positive().fold(0.0, f64::max).max(1e-9).log10().ceil().max(low + 1.0);
    let (first, last) = (table.rows.first().map_or(0, |row| row.depth), table.rows.last().map_or(1, |row| row.depth));
    let x = |depth: u64| left + WIDTH * (depth - first) as f64 / (last - first).max(1) as f64;
    let y = |value: f64| TOP + HEIGHT * (1.0 - (value.max(10f64.powf(low)).log10() - low) / (high - low));
    let mut svg = format!(
        "<g stroke=\"#333333\" fill=\"none\"><rect x=\"{left}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/></g>\n<text x=\"{left}\" y=\"{}\">{what}</text>\n<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">depth (events)</text>\n",
        TOP - 8.0,
        left + WIDTH / 2.0,
        TOP + HEIGHT + 36.0
    );
    for power in low as i32..=high as i32 {
        let line = y(10f64.powi(power));
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{line:.1}\" y2=\"{line:.1}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">1e{power}</text>",
            left + WIDTH,
            left - 6.0,
            line + 4.0
        );
    }
    for row in table.rows.iter().filter(|row| (row.depth - first) % ((last - first) / 16 + 1) == 0) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(row.depth),
            TOP + HEIGHT + 18.0,
            row.depth
        );
    }
    for index in 0..table.drivers.len() {
        let points: Vec<(f64, f64)> = table
            .rows
            .iter()
            .filter_map(|row| row.cells[index].as_ref().map(|cell| (x(row.depth), y(value(cell)))))
            .collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"{}\"/>",
            COLOURS[index % COLOURS.len()],
            line.join(" ")
        );
        points.iter().for_each(|(x, y)| svg += &mark(index, *x, *y));
    }
    svg
}

/// Lines are told apart by the form of their points too, not by colour alone.
fn mark(index: usize, x: f64, y: f64) -> String {
    let colour = COLOURS[index % COLOURS.len()];
    let polygon = |points: &[(f64, f64)]| {
        let points: Vec<String> = points.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        format!("<polygon points=\"{}\" fill=\"{colour}\"/>\n", points.join(" "))
    };
    match MARKS[index % MARKS.len()] {
        "circle" => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{colour}\"/>\n"),
        "square" => polygon(&[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]),
        "diamond" => polygon(&[(0.0, -4.2), (4.2, 0.0), (0.0, 4.2), (-4.2, 0.0)]),
        _ => polygon(&[(0.0, -4.0), (3.8, 3.0), (-3.8, 3.0)]),
    }
}

fn text(plain: &str) -> String {
    escape(plain).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use interplay_answers::SystematicRow;

    #[test]
    fn a_picture_is_xml_with_a_line_for_every_driver_and_a_point_for_every_cell() {
        let rows = vec![
            SystematicRow { depth: 1, cells: vec![Some((1, 0.0)), Some((2, 1e-5))] },
            SystematicRow { depth: 2, cells: vec![None, Some((70_000, 0.2))] },
        ];
        let drivers = vec!["simple".to_string(), "planned".to_string()];
        let svg = systematic_svg(&SystematicTable { title: "a < b & c".into(), drivers, rows });
        let document = roxmltree::Document::parse(&svg).expect("it is XML");
        let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
        // Two charts with two lines each; the points of both, and one of each kind in the legend.
        assert_eq!((count("polyline"), count("circle"), count("polygon")), (4, 2 + 1, 4 + 1));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn nothing_to_draw_is_drawn_too() {
        let table = SystematicTable { title: String::new(), drivers: Vec::new(), rows: Vec::new() };
        assert!(roxmltree::Document::parse(&systematic_svg(&table)).is_ok());
    }
}
