//! "Did you mean": the declared name that is nearest to a misspelt one.

/// A help line that proposes the nearest of `candidates`, if one is near enough to be a slip of the pen.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // A word of one or two letters is near to everything.
    let allowed = wrong.chars().count() / 3;
    candidates
        .into_iter()
        .filter(|candidate| *candidate != wrong)
        .map(|candidate| (distance(wrong, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| format!("did you mean `{candidate}`?"))
}

/// Edit distance with neighbouring letters swapped as one edit; letter case costs nothing.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut rows = vec![(0..=right.len()).collect::<Vec<_>>()];
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            let mut best = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_corrected_and_a_stranger_is_not() {
        let names = ["members", "pending", "x"];
        assert_eq!(did_you_mean("memebrs", names), Some("did you mean `members`?".into()));
        assert_eq!(did_you_mean("Pending", names), Some("did you mean `pending`?".into()));
        assert_eq!(did_you_mean("balance", names), None);
        assert_eq!(did_you_mean("X", names), Some("did you mean `x`?".into()));
        assert_eq!(did_you_mean("y", names), None);
    }
}
