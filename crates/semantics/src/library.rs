//! Operations of the library whose result depends on the values of their arguments alone: strings, parts of sequences, powers.
//!
//! The interpreter calls [`library`], and so does compiled code at run time, so that there is one meaning of each. Positions count from
//! zero; in strings they count characters. What would outgrow [`LIMIT`] is an error (M013), like for `+`.

use crate::{LIMIT, Value};
use interplay_diagnostics::Code;
use interplay_model::Builtin::{self, *};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether [`library`] has the answer.
pub(crate) fn is_in_library(function: Builtin, args: &[Value]) -> bool {
    match function {
        Contains => matches!(args, [Value::String(_), _]),
        EndsWith | IndexOf | Occurrences | Slice | Insert | Update | RemoveAt | RemoveFirst | Sort | Distinct | Zip
        | Join | Split | Replace | Lower | Upper | ToInt | ToString | Entries | Pow | Subsets | Maps => true,
        _ => false,
    }
}

/// The result of an operation, or the code of the error of the model: outside (M005), overflow (M002), no value (M008), too long
/// (M013), too many (M009).
pub fn library(function: Builtin, args: &[Value]) -> Result<Value, Code> {
    match args {
        [Value::String(text), rest @ ..] => of_text(function, text, rest),
        [Value::Seq(items), rest @ ..] => of_sequence(function, items, rest),
        [Value::Map(pairs)] => {
            Ok(Value::seq(pairs.iter().map(|(key, value)| Value::tuple([key.clone(), value.clone()]))))
        }
        [Value::Int(number)] => Ok(Value::string(&number.to_string())),
        [Value::Int(base), Value::Int(exponent)] => power(*base, *exponent).map(Value::Int),
        [Value::Set(items)] => subsets(items),
        [Value::Set(keys), Value::Set(values)] => maps(keys, values),
        _ => ill_typed(function, args),
    }
}

fn subsets(items: &BTreeSet<Value>) -> Result<Value, Code> {
    let mut all = vec![Value::set([])];
    for item in items {
        few(all.len() * 2)?;
        let with = |set: &Value| Value::set(set.elements().into_iter().flatten().chain([item.clone()]));
        all.extend(all.iter().map(with).collect::<Vec<_>>());
    }
    Ok(Value::set(all))
}

fn maps(keys: &BTreeSet<Value>, values: &BTreeSet<Value>) -> Result<Value, Code> {
    let mut all = vec![Vec::new()];
    for key in keys {
        few(all.len() * values.len())?;
        let with = |pairs: &Vec<(Value, Value)>| {
            let pairs = pairs.clone();
            values.iter().map(move |value| [&pairs[..], &[(key.clone(), value.clone())]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    Ok(Value::set(all.into_iter().map(Value::map)))
}

fn few(count: usize) -> Result<(), Code> {
    if count > LIMIT { Err(Code::M009) } else { Ok(()) }
}

fn of_text(function: Builtin, text: &str, rest: &[Value]) -> Result<Value, Code> {
    Ok(match (function, rest) {
        (EndsWith, [Value::String(end)]) => text.ends_with(&**end).into(),
        (Contains, [Value::String(part)]) => text.contains(&**part).into(),
        (IndexOf, [Value::String(part)]) => position(text.find(&**part).map(|bytes| text[..bytes].chars().count())),
        (Slice, [Value::Int(from), Value::Int(to)]) => {
            let (from, to) = bounds(*from, *to, text.chars().count());
            let kept: String = text.chars().skip(from).take(to - from).collect();
            Value::string(&kept)
        }
        (Split, [Value::String(separator)]) if separator.is_empty() => {
            Value::seq(text.chars().map(|letter| Value::string(&letter.to_string())))
        }
        (Split, [Value::String(separator)]) => Value::seq(text.split(&**separator).map(Value::string)),
        (Replace, [Value::String(old), Value::String(_)]) if old.is_empty() => Value::string(text),
        (Replace, [Value::String(old), Value::String(new)]) => {
            // Counted before it is made: each step could multiply the length.
            let growth = text.matches(&**old).count().saturating_mul(new.len());
            limited(text.len().saturating_add(growth), || Value::string(&text.replace(&**old, new)))?
        }
        (Lower, []) => limited(text.len(), || Value::string(&text.to_lowercase()))?,
        (Upper, []) => limited(text.len(), || Value::string(&text.to_uppercase()))?,
        (ToInt, []) => Value::Option(number(text).map(|number| Arc::new(Value::Int(number)))),
        _ => ill_typed(function, rest),
    })
}

/// Decimal digits with `-` in front or not; nothing else.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn of_sequence(function: Builtin, items: &Arc<[Value]>, rest: &[Value]) -> Result<Value, Code> {
    let at = |index: i64, end: usize| usize::try_from(index).ok().filter(|index| *index < end).ok_or(Code::M005);
    Ok(match (function, rest) {
        (EndsWith, [Value::Seq(end)]) => items.ends_with(end).into(),
        (IndexOf, [needle]) => position(items.iter().position(|item| item == needle)),
        (Occurrences, [needle]) => Value::Int(items.iter().filter(|item| *item == needle).count() as i64),
        (Slice, [Value::Int(from), Value::Int(to)]) => {
            let (from, to) = bounds(*from, *to, items.len());
            Value::Seq(items[from..to].into())
        }
        (Insert, [Value::Int(index), new]) => {
            let index = at(*index, items.len() + 1)?;
            let (before, after) = items.split_at(index);
            limited(items.len() + 1, || Value::seq(before.iter().chain([new]).chain(after).cloned()))?
        }
        (Update, [Value::Int(index), new]) => {
            let mut items = items.to_vec();
            let index = at(*index, items.len())?;
            items[index] = new.clone();
            Value::Seq(items.into())
        }
        (RemoveAt, [Value::Int(index)]) => without(items, Some(at(*index, items.len())?)),
        (RemoveFirst, [needle]) => without(items, items.iter().position(|item| item == needle)),
        (Sort, []) => {
            let mut items = items.to_vec();
            items.sort();
            Value::Seq(items.into())
        }
        (Distinct, []) => {
            let mut seen = BTreeSet::new();
            Value::seq(items.iter().filter(|item| seen.insert(*item)).cloned())
        }
        (Zip, [Value::Seq(others)]) => {
            Value::seq(items.iter().zip(others.iter()).map(|(one, other)| Value::tuple([one.clone(), other.clone()])))
        }
        (Join, [Value::String(separator)]) => {
            let texts: Vec<&str> = items.iter().map(text_of).collect();
            let length: usize = texts.iter().map(|text| text.len() + separator.len()).sum();
            limited(length, || Value::string(&texts.join(separator)))?
        }
        _ => ill_typed(function, rest),
    })
}

fn text_of(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        other => panic!("the types say that this is a string: {other:?}"),
    }
}

fn without(items: &[Value], index: Option<usize>) -> Value {
    Value::seq(items.iter().enumerate().filter(|(at, _)| Some(*at) != index).map(|(_, item)| item.clone()))
}

fn position(found: Option<usize>) -> Value {
    Value::Option(found.map(|at| Arc::new(Value::Int(at as i64))))
}

/// Positions outside are the nearest end; the wrong way round they hold nothing.
fn bounds(from: i64, to: i64, length: usize) -> (usize, usize) {
    let inside = |at: i64| usize::try_from(at.max(0)).map_or(length, |at| at.min(length));
    (inside(from), inside(to).max(inside(from)))
}

fn power(base: i64, exponent: i64) -> Result<i64, Code> {
    if exponent < 0 {
        return Err(Code::M008);
    }
    match base {
        // However large the exponent is.
        0 | 1 => Ok(if exponent == 0 { 1 } else { base }),
        -1 => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).ok_or(Code::M002),
    }
}

fn limited(length: usize, make: impl FnOnce() -> Value) -> Result<Value, Code> {
    if length > LIMIT { Err(Code::M013) } else { Ok(make()) }
}

fn ill_typed(function: Builtin, args: &[Value]) -> ! {
    panic!("the types say that {function:?} is defined for {args:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_end_where_64_bits_do() {
        assert_eq!(power(2, 62), Ok(1 << 62));
        assert_eq!((power(2, 63), power(-2, 63)), (Err(Code::M002), Ok(i64::MIN)));
        assert_eq!((power(-1, i64::MAX), power(0, 0), power(3, -1)), (Ok(-1), Ok(1), Err(Code::M008)));
        assert_eq!(power(2, i64::MAX), Err(Code::M002));
    }

    #[test]
    fn numbers_are_digits_and_nothing_else() {
        assert_eq!(["0", "-7", "007"].map(number), [Some(0), Some(-7), Some(7)]);
        for other in ["", "-", "+1", " 1", "1_0", "9223372036854775808", "٣"] {
            assert_eq!(number(other), None, "{other}");
        }
        assert_eq!(number("-9223372036854775808"), Some(i64::MIN));
    }

    #[test]
    fn positions_outside_are_the_nearest_end() {
        assert_eq!(bounds(-3, 2, 5), (0, 2));
        assert_eq!(bounds(4, 2, 5), (4, 4));
        assert_eq!(bounds(i64::MIN, i64::MAX, 5), (0, 5));
    }
}
