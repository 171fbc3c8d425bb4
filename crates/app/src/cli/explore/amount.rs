//! Numbers with units, as they are typed: times, sizes, threads.

use std::time::Duration;

/// Less memory is too little for the search itself.
const LEAST: u64 = 8_000_000;

/// `500ms`, `30s`, `10m`, `2h`; a number alone is seconds.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let seconds = number(text, &units).ok_or("write a number and a unit: 500ms, 30s, 10m, 2h")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "too long".into())
}

/// `512M`, `4G`; a number alone is bytes.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let upper = text.to_uppercase();
    let plain = upper.trim_end_matches("IB").trim_end_matches('B');
    let units = [("K", 1e3f64), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("", 1.0)];
    let binary = upper.ends_with("IB");
    let units = units.map(|(unit, bytes)| (unit, if binary { 1024f64.powf(bytes.log10() / 3.0) } else { bytes }));
    let bytes = number(plain, &units).filter(|bytes| *bytes >= 1.0);
    bytes.map(|bytes| bytes as u64).ok_or_else(|| "write a number and a unit: 512M, 4G, 16GiB".into())
}

/// A size that is enough to work with.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    size(text).and_then(|bytes| match bytes < LEAST {
        true => Err("too little: the minimum is 8M".into()),
        false => Ok(bytes),
    })
}

/// A number, or as many as the machine has.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        text => text.parse().ok().filter(|count| (1..=1024).contains(count)).ok_or("1 to 1024, or `all`".into()),
    }
}

fn number(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let split = text.find(|each: char| !each.is_ascii_digit() && each != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    digits.parse::<f64>().ok().map(|number| number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(time("1.5"), Ok(Duration::from_millis(1500)));
        assert!(time("soon").is_err() && time("-1s").is_err() && time("1e300h").is_err());
        assert_eq!(size("4G"), Ok(4_000_000_000));
        assert_eq!(size("16KiB"), Ok(16_384));
        assert_eq!(size("100"), Ok(100));
        assert!(size("much").is_err() && size("0").is_err());
        assert!(threads("0").is_err() && threads("all").is_ok_and(|count| count > 0));
    }
}
