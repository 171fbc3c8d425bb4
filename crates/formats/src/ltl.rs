//! Formulas of linear temporal logic in the notations of other tools, as formulas of ours: `G F X U R W M`, `[] <> ()`, the words of SPIN,
//! `~>` of TLA+, `WU` of the RERS challenge, and the past operators `Y O H S`.
//!
//! Operators bind as in those tools: prefixes first, then the binary temporal ones (to the right), `&&`, `||`, `->` (to the right), `<->`.
//! An atom is a name, with arguments in brackets if it has some, or any condition of ours between quotes. A name that is an operator has to
//! stand between quotes.

use crate::Malformed;

/// The formula in our words, with brackets around every part.
///
/// ```
/// let formula = interplay_formats::ltl::formula("[] (ask -> <> answer(_))")?;
/// assert_eq!(formula, "(always ((ask) implies (eventually (answer(_)))))");
/// # Ok::<(), interplay_formats::Malformed>(())
/// ```
pub fn formula(text: &str) -> Result<String, Malformed> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let formula = reader.equivalence()?;
    reader.space();
    if reader.at < text.len() {
        return Err(reader.wrong("expected an operator or the end of the formula"));
    }
    Ok(formula)
}

/// Formulas are not nested deeper.
const DEEPEST: usize = 200;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

type Read = Result<String, Malformed>;

impl Reader<'_> {
    fn equivalence(&mut self) -> Read {
        let mut left = self.implication()?;
        while self.eat(&["<->", "<=>"], &["iff", "equivalent"]) {
            left = format!("({left} iff {})", self.implication()?);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Read {
        let left = self.disjunction()?;
        match self.eat(&["->", "=>"], &["implies"]) {
            true => Ok(format!("({left} implies {})", self.deeper(Self::implication)?)),
            false => Ok(left),
        }
    }

    fn disjunction(&mut self) -> Read {
        let mut left = self.conjunction()?;
        while self.eat(&["||", "\\/", "|"], &["or"]) {
            left = format!("({left} or {})", self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Read {
        let mut left = self.temporal()?;
        while self.eat(&["&&", "/\\", "&"], &["and"]) {
            left = format!("({left} and {})", self.temporal()?);
        }
        Ok(left)
    }

    fn temporal(&mut self) -> Read {
        let left = self.prefixed()?;
        let again = |reader: &mut Self| reader.deeper(Self::temporal);
        Ok(match () {
            () if self.eat(&[], &["WU", "W", "weakuntil", "unless"]) => format!("({left} unless {})", again(self)?),
            () if self.eat(&[], &["U", "until", "stronguntil"]) => format!("({left} until {})", again(self)?),
            () if self.eat(&[], &["R", "V", "release"]) => format!("({left} release {})", again(self)?),
            () if self.eat(&[], &["S", "since"]) => format!("({left} since {})", again(self)?),
            () if self.eat(&["~>"], &[]) => format!("({left} leads to {})", again(self)?),
            () if self.eat(&[], &["M"]) => {
                let right = again(self)?;
                format!("({right} until ({left} and {right}))")
            }
            () => left,
        })
    }

    fn prefixed(&mut self) -> Read {
        let word = match () {
            () if self.eat(&["!", "~"], &["not"]) => "not",
            () if self.eat(&["[]"], &["G", "always"]) => "always",
            () if self.eat(&["<>"], &["F", "eventually"]) => "eventually",
            () if self.eat(&["()"], &["X", "next"]) => "next",
            () if self.eat(&[], &["Y", "previously"]) => "previously",
            () if self.eat(&[], &["O", "once"]) => "once",
            () if self.eat(&[], &["H", "historically"]) => "historically",
            () => return self.atom(),
        };
        Ok(format!("({word} {})", self.deeper(Self::prefixed)?))
    }

    fn atom(&mut self) -> Read {
        self.space();
        let rest = &self.text[self.at..];
        if rest.starts_with('(') {
            self.at += 1;
            let inner = self.deeper(Self::equivalence)?;
            self.space();
            if !self.text[self.at..].starts_with(')') {
                return Err(self.wrong("expected `)`"));
            }
            self.at += 1;
            return Ok(inner);
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(end) = quoted.find('"') else {
                return Err(self.wrong("expected `\"` at the end of the condition"));
            };
            self.at += end + 2;
            return Ok(format!("({})", &quoted[..end]));
        }
        let name: &str = word_of(rest);
        if name.is_empty() {
            return Err(self.wrong("expected a name, a condition between quotes, or `(`"));
        }
        self.at += name.len();
        let name = match name {
            "1" | "true" => "true",
            "0" | "false" => "false",
            name if name.starts_with(|letter: char| letter.is_ascii_digit()) => {
                self.at -= name.len();
                return Err(self.wrong("expected a name: a name does not begin with a digit"));
            }
            name => name,
        };
        Ok(format!("({name}{})", self.arguments()?))
    }

    /// As they are written, up to the bracket that closes them. A bracket behind a space is no list of arguments.
    fn arguments(&mut self) -> Read {
        let rest = &self.text[self.at..];
        if !rest.starts_with('(') {
            return Ok(String::new());
        }
        let mut open = 0;
        for (place, letter) in rest.char_indices() {
            open += match letter {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            if open == 0 {
                self.at += place + 1;
                return Ok(rest[..=place].into());
            }
        }
        Err(self.wrong("expected `)` behind the arguments"))
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Read) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("the formula is nested too deeply"));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// One of these signs, or of these words.
    fn eat(&mut self, signs: &[&str], words: &[&str]) -> bool {
        self.space();
        let rest = &self.text[self.at..];
        let sign = signs.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len());
        let word = word_of(rest);
        let found = sign.or_else(|| words.contains(&word).then_some(word.len()));
        self.at += found.unwrap_or(0);
        found.is_some()
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn wrong(&self, message: &str) -> Malformed {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Malformed { line, column, message: message.into() }
    }
}

/// The letters and digits in front.
fn word_of(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::formula;

    fn read(text: &str) -> String {
        formula(text).unwrap_or_else(|wrong| wrong.to_string())
    }

    #[test]
    fn notations_of_other_tools_are_one() {
        let ours = "(always ((req) implies (eventually (ack))))";
        for theirs in
            ["G (req -> F ack)", "[](req -> <>ack)", "always (req implies eventually ack)", "G(req => F(ack))"]
        {
            assert_eq!(read(theirs), ours, "{theirs}");
        }
        assert_eq!(read("! oY WU oZ"), "((not (oY)) unless (oZ))");
        assert_eq!(read("a U b U c"), "((a) until ((b) until (c)))");
        assert_eq!(read("a && b || c -> d"), "((((a) and (b)) or (c)) implies (d))");
        assert_eq!(read("X X a <-> \"x == 3\""), "((next (next (a))) iff (x == 3))");
        assert_eq!(read("send(1, _) R true"), "((send(1, _)) release (true))");
        assert_eq!(read("p ~> q"), "((p) leads to (q))");
    }

    #[test]
    fn mistakes_have_their_place() {
        assert_eq!(read("G (a"), "1:5: expected `)`");
        assert_eq!(read("a U"), "1:4: expected a name, a condition between quotes, or `(`");
        assert_eq!(read("a b"), "1:3: expected an operator or the end of the formula");
        assert_eq!(read(&"(".repeat(1000)), "1:202: the formula is nested too deeply");
    }
}
