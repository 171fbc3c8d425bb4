//! The library: every operation on values, each in one row of one table.
//!
//! A row says how the operation is written and typed, what it means in one sentence, and an example that is true. The lowering types calls by it,
//! editors and the page `docs/reference/library.md` show it, and a test lets every engine look at the examples. What an operation
//! gives is decided by the reference interpreter (`semantics::builtins`).
//!
//! In a signature `T`, `K`, `V` and `U` stand for any type, and `def(T) -> Bool` for the name of a definition.

use crate::Builtin::{self, *};
use crate::Type;

/// One row of the library.
#[derive(Debug)]
pub struct Operation {
    /// `Seq<T>.insert(at: Int, x: T) -> Seq<T>`
    pub signature: &'static str,
    pub meaning: Meaning,
    /// What it gives, in one sentence.
    pub about: &'static str,
    /// A condition that holds. The examples may call `def even(n: Int): Bool` and `def last_digit(n: Int): Int`.
    pub example: &'static str,
}

/// How a call is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// By the interpreter and the engines.
    Value(Builtin),
    /// It is short for other words of the language.
    Short(Shorthand),
}

/// What is written out when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorthand {
    Any,
    All,
    LeastBy,
    GreatestBy,
    MapValues,
    Merge,
    Without,
}

impl Operation {
    /// What stands in front of the dot; `None` for a function.
    pub fn receiver(&self) -> Option<&'static str> {
        self.head().rsplit_once('.').map(|(receiver, _)| receiver)
    }

    pub fn name(&self) -> &'static str {
        self.head().rsplit_once('.').map_or(self.head(), |(_, name)| name)
    }

    /// The types of the arguments.
    pub fn params(&self) -> Vec<&'static str> {
        let inside = self.call().strip_prefix(self.head()).and_then(|rest| rest.strip_prefix('('));
        let inside = inside.and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
        library_parts(inside).into_iter().map(|param| param.split_once(": ").map_or(param, |(_, ty)| ty)).collect()
    }

    pub fn result(&self) -> &'static str {
        self.signature.rsplit_once(" -> ").map_or("", |(_, result)| result)
    }

    fn call(&self) -> &'static str {
        self.signature.rsplit_once(" -> ").map_or(self.signature, |(call, _)| call)
    }

    fn head(&self) -> &'static str {
        self.call().split_once('(').map_or(self.call(), |(head, _)| head)
    }
}

/// The parts of a list between commas that stand in no brackets.
pub fn library_parts(list: &'static str) -> Vec<&'static str> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '<' | '(' => depth += 1,
            ')' => depth -= 1,
            '>' if !list[..at].ends_with('-') => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(list[from..].trim());
    found.retain(|part| !part.is_empty());
    found
}

impl Builtin {
    /// As it is written behind a value of this type (without names for it at the top), or as a function.
    pub fn name(self, of: &Type) -> &'static str {
        let receiver = match of {
            Type::Int | Type::Range(_) => "Int",
            Type::String => "String",
            Type::Option(_) => "Option",
            Type::Seq(_) => "Seq",
            Type::Set(_) => "Set",
            Type::Map(..) => "Map",
            _ => "",
        };
        let mut rows = LIBRARY.iter().filter(|row| row.meaning == Meaning::Value(self));
        let fits = |row: &&Operation| row.receiver().is_none_or(|known| known.starts_with(receiver));
        rows.clone().find(fits).or_else(|| rows.next()).map_or("", Operation::name)
    }

    /// It is called as `name(...)`, not behind a value.
    pub fn is_function(self) -> bool {
        matches!(self, Sum | Min | Max | Count | Abs | Pow | Subsets | Maps)
    }
}

const fn row(signature: &'static str, function: Builtin, about: &'static str, example: &'static str) -> Operation {
    Operation { signature, meaning: Meaning::Value(function), about, example }
}

const fn short(signature: &'static str, means: Shorthand, about: &'static str, example: &'static str) -> Operation {
    Operation { signature, meaning: Meaning::Short(means), about, example }
}

/// All operations, by what they work on.
pub const LIBRARY: &[Operation] = &[
    row("sum(of: Seq<Int>) -> Int", Sum, "The sum of a comprehension or collection.", "sum(n * n for n in 1..3) == 14"),
    row(
        "min(of: Seq<T>) -> T",
        Min,
        "The least of several arguments, or of a comprehension or collection; an error if there is none.",
        "min(3, 1, 2) == 1 and min([4, 3]) == 3",
    ),
    row(
        "max(of: Seq<T>) -> T",
        Max,
        "The greatest of several arguments, or of a comprehension or collection; an error if there is none.",
        "max(3, 1, 2) == 3 and max([4, 3]) == 4",
    ),
    row(
        "count(of: Seq<T>) -> Int",
        Count,
        "How many items a comprehension has.",
        "count(n for n in 1..9 where even(n)) == 4",
    ),
    row("abs(n: Int) -> Int", Abs, "The absolute value.", "abs(-3) == 3"),
    row(
        "pow(base: Int, exponent: Int) -> Int",
        Pow,
        "The base multiplied by itself so many times; an error if the exponent is negative.",
        "pow(2, 10) == 1024 and pow(5, 0) == 1",
    ),
    row(
        "subsets(of: Set<T>) -> Set<Set<T>>",
        Subsets,
        "All sets made of some of these elements.",
        "subsets({1, 2}) == {{}, {1}, {2}, {1, 2}}",
    ),
    row(
        "maps(keys: Set<K>, values: Set<V>) -> Set<Map<K, V>>",
        Maps,
        "All maps that give each of these keys one of these values.",
        "maps({1, 2}, {true, false}).size == 4",
    ),
    row("Int.to_string -> String", ToString, "The number as decimal digits.", "(0 - 12).to_string == \"-12\""),
    row("String.length -> Int", Size, "How many characters it has.", "\"größe\".length == 5"),
    row("String.is_empty -> Bool", IsEmpty, "It has no characters.", "\"\".is_empty"),
    row(
        "String.starts_with(start: String) -> Bool",
        StartsWith,
        "It begins with this text.",
        "\"GET /\".starts_with(\"GET\")",
    ),
    row("String.ends_with(end: String) -> Bool", EndsWith, "It ends with this text.", "\"a.txt\".ends_with(\".txt\")"),
    row("String.contains(part: String) -> Bool", Contains, "This text is a part of it.", "\"a-b\".contains(\"-\")"),
    row(
        "String.index_of(part: String) -> Option<Int>",
        IndexOf,
        "Where this text begins first, counted from 0.",
        "\"a-b\".index_of(\"b\") == some(2) and \"a\".index_of(\"b\") == none",
    ),
    row(
        "String.slice(from: Int, to: Int) -> String",
        Slice,
        "The characters from a position up to, not including, another; positions outside count as the nearest end.",
        "\"abcde\".slice(1, 3) == \"bc\" and \"ab\".slice(1, 9) == \"b\"",
    ),
    row(
        "String.split(separator: String) -> Seq<String>",
        Split,
        "The texts between the separators; an empty separator gives the characters.",
        "\"a,b\".split(\",\") == [\"a\", \"b\"]",
    ),
    row(
        "String.replace(old: String, new: String) -> String",
        Replace,
        "With every occurrence of the first text replaced by the second; an empty first text changes nothing.",
        "\"a-b-c\".replace(\"-\", \"\") == \"abc\"",
    ),
    row("String.lower -> String", Lower, "In lower case.", "\"Abc\".lower == \"abc\""),
    row("String.upper -> String", Upper, "In upper case.", "\"Abc\".upper == \"ABC\""),
    row(
        "String.to_int -> Option<Int>",
        ToInt,
        "The number that it writes in decimal digits, with a `-` in front if negative; `none` if it writes no integer of 64 bits.",
        "\"-12\".to_int == some(0 - 12) and \"x\".to_int == none",
    ),
    row("Option<T>.get -> T", OptionGet, "The value; an error if there is none.", "some(3).get == 3"),
    row("Option<T>.or(default: T) -> T", OptionOr, "The value, or the default if there is none.", "some(3).or(4) == 3"),
    row("Option<T>.is_some -> Bool", IsSome, "There is a value.", "some(3).is_some"),
    row("Option<T>.is_none -> Bool", IsNone, "There is no value.", "not some(3).is_none"),
    row("Seq<T>.length -> Int", Size, "How many elements it has.", "[4, 4].length == 2"),
    row("Seq<T>.size -> Int", Size, "The same as `.length`.", "[4, 4].size == 2"),
    row("Seq<T>.is_empty -> Bool", IsEmpty, "It has no elements.", "not [1].is_empty"),
    row("Seq<T>.first -> T", First, "The first element; an error if there is none.", "[1, 2].first == 1"),
    row("Seq<T>.last -> T", Last, "The last element; an error if there is none.", "[1, 2].last == 2"),
    row("Seq<T>.rest -> Seq<T>", Rest, "All elements but the first; an error if there is none.", "[1, 2].rest == [2]"),
    row(
        "Seq<T>.front -> Seq<T>",
        Front,
        "All elements but the last; an error if there is none.",
        "[1, 2].front == [1]",
    ),
    row("Seq<T>.reverse -> Seq<T>", Reverse, "The elements in the other order.", "[1, 2].reverse == [2, 1]"),
    row(
        "Seq<T>.starts_with(start: Seq<T>) -> Bool",
        StartsWith,
        "It begins with these elements.",
        "[1, 2, 3].starts_with([1, 2])",
    ),
    row(
        "Seq<T>.ends_with(end: Seq<T>) -> Bool",
        EndsWith,
        "It ends with these elements.",
        "[1, 2, 3].ends_with([2, 3])",
    ),
    row("Seq<T>.contains(x: T) -> Bool", Contains, "It has this element; also written `x in s`.", "[1, 2].contains(2)"),
    row(
        "Seq<T>.index_of(x: T) -> Option<Int>",
        IndexOf,
        "Where this element is first, counted from 0.",
        "[7, 8, 8].index_of(8) == some(1) and [7].index_of(8) == none",
    ),
    row("Seq<T>.count(x: T) -> Int", Occurrences, "How many times it has this element.", "[7, 8, 8].count(8) == 2"),
    row(
        "Seq<T>.take(n: Int) -> Seq<T>",
        Take,
        "The first n elements, or all if it is shorter.",
        "[1, 2, 3].take(2) == [1, 2]",
    ),
    row("Seq<T>.drop(n: Int) -> Seq<T>", Drop, "All but the first n elements.", "[1, 2, 3].drop(2) == [3]"),
    row(
        "Seq<T>.slice(from: Int, to: Int) -> Seq<T>",
        Slice,
        "The elements from a position up to, not including, another; positions outside count as the nearest end.",
        "[1, 2, 3, 4].slice(1, 3) == [2, 3]",
    ),
    row(
        "Seq<T>.insert(at: Int, x: T) -> Seq<T>",
        Insert,
        "With one more element at this position; an error outside `0..s.length`.",
        "[1, 2].insert(1, 9) == [1, 9, 2]",
    ),
    row(
        "Seq<T>.update(at: Int, x: T) -> Seq<T>",
        Update,
        "With another element at this position; an error outside.",
        "[1, 2].update(1, 9) == [1, 9]",
    ),
    row(
        "Seq<T>.remove_at(at: Int) -> Seq<T>",
        RemoveAt,
        "Without the element at this position; an error outside.",
        "[1, 2, 3].remove_at(1) == [1, 3]",
    ),
    row(
        "Seq<T>.remove_first(x: T) -> Seq<T>",
        RemoveFirst,
        "Without the first occurrence of this element; unchanged if it has none.",
        "[1, 2, 1].remove_first(1) == [2, 1]",
    ),
    row("Seq<T>.sort -> Seq<T>", Sort, "The elements in ascending order.", "[3, 1, 2].sort == [1, 2, 3]"),
    row(
        "Seq<T>.distinct -> Seq<T>",
        Distinct,
        "Each element once, where it was first.",
        "[2, 1, 2].distinct == [2, 1]",
    ),
    row(
        "Seq<T>.zip(other: Seq<U>) -> Seq<(T, U)>",
        Zip,
        "The pairs of elements at the same position, as many as the shorter one has.",
        "[1, 2].zip([true, false, true]) == [(1, true), (2, false)]",
    ),
    row(
        "Seq<String>.join(separator: String) -> String",
        Join,
        "The texts one after the other, with the separator between them.",
        "[\"a\", \"b\"].join(\", \") == \"a, b\"",
    ),
    row("Seq<T>.elements -> Set<T>", Elements, "The elements as a set.", "[2, 1, 2].elements == {1, 2}"),
    short(
        "Seq<T>.any(holds: def(T) -> Bool) -> Bool",
        Shorthand::Any,
        "The definition holds for an element.",
        "[1, 2].any(even)",
    ),
    short(
        "Seq<T>.all(holds: def(T) -> Bool) -> Bool",
        Shorthand::All,
        "The definition holds for every element.",
        "not [1, 2].all(even)",
    ),
    short(
        "Seq<T>.min_by(key: def(T) -> U) -> T",
        Shorthand::LeastBy,
        "The element for which the definition gives the least value (of several the least element); an error if there is none.",
        "[19, 21].min_by(last_digit) == 21",
    ),
    short(
        "Seq<T>.max_by(key: def(T) -> U) -> T",
        Shorthand::GreatestBy,
        "The element for which the definition gives the greatest value (of several the greatest element); an error if there is none.",
        "[19, 21].max_by(last_digit) == 19",
    ),
    row("Set<T>.size -> Int", Size, "How many elements it has.", "{1, 2}.size == 2"),
    row("Set<T>.is_empty -> Bool", IsEmpty, "It has no elements.", "not {1}.is_empty"),
    row("Set<T>.contains(x: T) -> Bool", Contains, "It has this element; also written `x in s`.", "{1, 2}.contains(2)"),
    row(
        "Set<T>.subset_of(other: Set<T>) -> Bool",
        SubsetOf,
        "The other set has all its elements.",
        "{1}.subset_of({1, 2})",
    ),
    row("Set<T>.only -> T", Only, "The single element; an error if there are none or several.", "{7}.only == 7"),
    row(
        "Set<T>.elements -> Seq<T>",
        Elements,
        "The elements as a sequence, in ascending order.",
        "{2, 1}.elements == [1, 2]",
    ),
    short(
        "Set<T>.without(x: T) -> Set<T>",
        Shorthand::Without,
        "All elements but this one: `s - {x}`.",
        "{1, 2}.without(2) == {1}",
    ),
    short(
        "Set<T>.any(holds: def(T) -> Bool) -> Bool",
        Shorthand::Any,
        "The definition holds for an element.",
        "{1, 2}.any(even)",
    ),
    short(
        "Set<T>.all(holds: def(T) -> Bool) -> Bool",
        Shorthand::All,
        "The definition holds for every element.",
        "{2, 4}.all(even)",
    ),
    short(
        "Set<T>.min_by(key: def(T) -> U) -> T",
        Shorthand::LeastBy,
        "The element for which the definition gives the least value (of several the least element); an error if there is none.",
        "{19, 21}.min_by(last_digit) == 21",
    ),
    short(
        "Set<T>.max_by(key: def(T) -> U) -> T",
        Shorthand::GreatestBy,
        "The element for which the definition gives the greatest value (of several the greatest element); an error if there is none.",
        "{19, 21}.max_by(last_digit) == 19",
    ),
    row("Map<K, V>.size -> Int", Size, "How many keys it has.", "{ 1: 2 }.size == 1"),
    row("Map<K, V>.is_empty -> Bool", IsEmpty, "It has no keys.", "not { 1: 2 }.is_empty"),
    row(
        "Map<K, V>.get(key: K, default: V) -> V",
        MapGet,
        "The value of a key, or the default if the key is absent.",
        "{ 1: 2 }.get(3, 4) == 4",
    ),
    row(
        "Map<K, V>.find(key: K) -> Option<V>",
        MapFind,
        "The value of a key as an option.",
        "{ 1: 2 }.find(1) == some(2)",
    ),
    row("Map<K, V>.keys -> Set<K>", Keys, "The set of keys.", "{ 1: 2 }.keys == {1}"),
    row(
        "Map<K, V>.values -> Seq<V>",
        Values,
        "The values in the order of their keys.",
        "{ 1: 5, 2: 5 }.values == [5, 5]",
    ),
    row(
        "Map<K, V>.entries -> Seq<(K, V)>",
        Entries,
        "The keys with their values, in the order of the keys.",
        "{ 1: true, 2: false }.entries == [(1, true), (2, false)]",
    ),
    short(
        "Map<K, V>.merge(other: Map<K, V>) -> Map<K, V>",
        Shorthand::Merge,
        "The keys of both; where both have a key, the value of the other: `m + other`.",
        "{ 1: 2 }.merge({ 1: 3 }) == { 1: 3 }",
    ),
    short(
        "Map<K, V>.without(key: K) -> Map<K, V>",
        Shorthand::Without,
        "All but this key: `m - {key}`.",
        "{ 1: 2, 3: 4 }.without(3) == { 1: 2 }",
    ),
    short(
        "Map<K, V>.map_values(change: def(V) -> U) -> Map<K, U>",
        Shorthand::MapValues,
        "The same keys, each with what the definition gives for its value.",
        "{ 1: 2 }.map_values(even) == { 1: true }",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_taken_apart() {
        let zip = LIBRARY.iter().find(|row| row.name() == "zip").unwrap();
        assert_eq!((zip.receiver(), zip.params(), zip.result()), (Some("Seq<T>"), vec!["Seq<U>"], "Seq<(T, U)>"));
        let any = LIBRARY.iter().find(|row| row.name() == "any").unwrap();
        assert_eq!((any.params(), any.result()), (vec!["def(T) -> Bool"], "Bool"));
        let pow = LIBRARY.iter().find(|row| row.name() == "pow").unwrap();
        assert_eq!((pow.receiver(), pow.params()), (None, vec!["Int", "Int"]));
    }
}
