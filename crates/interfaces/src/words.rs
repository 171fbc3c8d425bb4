//! What people type: `name John pin John, amt 100`, or `name(John)` as in a specification. How many values follow an input is known from
//! the input, so several can be said in one line without any signs between them.

use interplay_services::{Input, Said};

/// Longer texts are not read.
const LONGEST: usize = 64 << 10;

/// All events of a line; the error says what was not understood.
pub(crate) fn read(line: &str, inputs: &[Input]) -> Result<Vec<Said>, String> {
    if line.len() > LONGEST {
        return Err(format!("a line has at most {LONGEST} bytes"));
    }
    let mut rest = Rest(line);
    let mut said = Vec::new();
    loop {
        rest.skip(|letter| letter.is_whitespace() || ",;".contains(letter));
        if rest.0.is_empty() {
            return Ok(said);
        }
        said.push(event(&mut rest, inputs)?);
    }
}

/// The input of this name; capital letters do not matter if no other input differs by them.
pub(crate) fn find(name: &str, inputs: &[Input]) -> Option<usize> {
    let exact = inputs.iter().position(|input| input.name == name);
    exact.or_else(|| inputs.iter().position(|input| input.name.eq_ignore_ascii_case(name)))
}

fn event(rest: &mut Rest, inputs: &[Input]) -> Result<Said, String> {
    let name = rest.take(|letter| !letter.is_whitespace() && !"(),;=\"".contains(letter));
    let Some(input) = find(name, inputs) else {
        let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        let what = if name.is_empty() { rest.0.chars().take(20).collect() } else { name.to_string() };
        return Err(format!("unknown input `{what}`; the inputs are: {}", names.join(", ")));
    };
    rest.skip(|letter| letter.is_whitespace() || letter == '=');
    let params = &inputs[input].params;
    let values = if rest.0.starts_with('(') { in_parentheses(rest)? } else { words(rest, params.len()) };
    if values.len() != params.len() {
        let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
        let wants = if names.is_empty() { "nothing".into() } else { names.join(" and ") };
        return Err(format!("`{name}` needs {wants}; values given: {}", values.len()));
    }
    Ok(Said { input, values })
}

/// `(John, "a b")`
fn in_parentheses(rest: &mut Rest) -> Result<Vec<String>, String> {
    rest.0 = &rest.0[1..];
    let mut values = Vec::new();
    loop {
        rest.skip(|letter| letter.is_whitespace() || letter == ',');
        if let Some(after) = rest.0.strip_prefix(')') {
            rest.0 = after;
            return Ok(values);
        }
        if rest.0.is_empty() {
            return Err("a parenthesis is not closed".into());
        }
        values.push(rest.value(|letter| ",)".contains(letter)));
    }
}

/// As many words as there are, but no more than so many.
fn words(rest: &mut Rest, most: usize) -> Vec<String> {
    let mut values = Vec::new();
    while values.len() < most {
        rest.skip(|letter| letter.is_whitespace() || letter == ',');
        if rest.0.is_empty() || rest.0.starts_with(';') {
            break;
        }
        values.push(rest.value(|letter| letter.is_whitespace() || ",;".contains(letter)));
    }
    values
}

/// What is still to be read.
struct Rest<'r>(&'r str);

impl<'r> Rest<'r> {
    fn skip(&mut self, what: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(what);
    }

    fn take(&mut self, what: impl Fn(char) -> bool) -> &'r str {
        let end = self.0.find(|letter| !what(letter)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    /// A text in quotes, or everything up to the end of the word outside brackets.
    fn value(&mut self, ends: impl Fn(char) -> bool) -> String {
        if self.0.starts_with('"') {
            let mut read = serde_json::Deserializer::from_str(self.0).into_iter::<String>();
            if let Some(Ok(text)) = read.next() {
                self.0 = &self.0[read.byte_offset()..];
                return text;
            }
        }
        let (mut depth, mut quoted) = (0, false);
        let end = self.0.char_indices().find(|(index, letter)| {
            match letter {
                '"' if !self.0[..*index].ends_with('\\') => quoted = !quoted,
                '[' | '{' | '(' if !quoted => depth += 1,
                ']' | '}' | ')' if !quoted && depth > 0 => {
                    depth -= 1;
                    return false;
                }
                _ => {}
            }
            !quoted && depth == 0 && ends(*letter)
        });
        let (value, rest) = self.0.split_at(end.map_or(self.0.len(), |(index, _)| index));
        self.0 = rest;
        value.trim_end().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interplay_services::{Param, ParamKind};

    fn inputs() -> Vec<Input> {
        let input = |name: &str, params: &[&str]| Input {
            name: name.into(),
            doc: String::new(),
            params: params.iter().map(|param| Param { name: param.to_string(), kind: ParamKind::Text }).collect(),
        };
        vec![input("quit", &[]), input("name", &["user"]), input("move", &["from", "to"])]
    }

    fn shown(line: &str) -> String {
        let show = |said: Said| format!("{}{:?}", inputs()[said.input].name, said.values);
        match read(line, &inputs()) {
            Ok(said) => said.into_iter().map(show).collect::<Vec<_>>().join(" "),
            Err(problem) => problem,
        }
    }

    #[test]
    fn several_events_stand_in_one_line() {
        assert_eq!(shown("name John quit"), r#"name["John"] quit[]"#);
        assert_eq!(shown("name(John), quit; NAME = Mary"), r#"name["John"] quit[] name["Mary"]"#);
        assert_eq!(shown("move a b, move(c, d)"), r#"move["a", "b"] move["c", "d"]"#);
        assert_eq!(shown(r#"name "a \"b\", c" quit()"#), r#"name["a \"b\", c"] quit[]"#);
        assert_eq!(shown(r#"move {"x": [1, 2]} [3, "q,"]"#), r#"move["{\"x\": [1, 2]}", "[3, \"q,\"]"]"#);
        assert_eq!(shown(" , ;"), "");
    }

    #[test]
    fn what_is_not_understood_is_said() {
        assert_eq!(shown("nme John"), "unknown input `nme`; the inputs are: quit, name, move");
        assert_eq!(shown("move a"), "`move` needs from and to; values given: 1");
        assert_eq!(shown("name(John"), "a parenthesis is not closed");
        assert_eq!(shown("quit(1)"), "`quit` needs nothing; values given: 1");
        assert_eq!(shown("(x)"), "unknown input `(x)`; the inputs are: quit, name, move");
        assert_eq!(shown("name \"open"), r#"name["\"open"]"#);
        assert_eq!(shown("größe"), "unknown input `größe`; the inputs are: quit, name, move");
    }
}
