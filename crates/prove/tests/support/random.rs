//! Random small specifications of a kind that the prover understands.

/// Choices from a seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % count
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn condition(&mut self, locals: &[&str], depth: u64) -> String {
        if depth > 0 && self.below(2) == 0 {
            let word = self.pick(&["and", "or", "implies"]);
            return format!("({} {word} {})", self.condition(locals, depth - 1), self.condition(locals, depth - 1));
        }
        match self.below(9) {
            0 => self.pick(&["flag", "not flag"]).into(),
            1 => format!("hue {} {}", self.pick(&["==", "!="]), self.pick(&["red", "green", "blue"])),
            2 => format!("{} in seen", self.pick(&["red", "green", "hue"])),
            3 => self.pick(&["held.is_some", "held.is_none", "held == some(1)", "held.or(2) > 1"]).into(),
            4 => format!("{} in count", self.pick(&["red", "hue"])),
            5 => format!("count.get(hue, 0) {} {}", self.pick(&["<", "=="]), self.below(3)),
            6 => self.pick(&["at Here", "at There", "seen.size > 1", "count.is_empty"]).into(),
            _ => format!("{} {} {}", self.number(locals), self.pick(&["<", "<=", "==", "!="]), self.number(locals)),
        }
    }

    /// A condition that has no value in some states.
    fn partial(&mut self) -> String {
        let part =
            self.pick(&["6 / x > 1", "6 % y == 0", "count[hue] > 0", "held.get > 1", "seen.only == red", "x + y < 9"]);
        let word = self.pick(&["and", "or", "implies"]);
        match self.below(3) {
            0 => part.into(),
            1 => format!("({} {word} {part})", self.condition(&[], 0)),
            _ => format!("({part} {word} {})", self.condition(&[], 0)),
        }
    }

    fn number(&mut self, locals: &[&str]) -> String {
        match self.below(5) {
            0 | 1 => self.pick(&["x", "y"]).into(),
            2 if !locals.is_empty() => self.pick(locals).into(),
            3 => format!("({} {} {})", self.pick(&["x", "y"]), self.pick(&["+", "-", "%"]), 1 + self.below(2)),
            _ => self.below(4).to_string(),
        }
    }

    fn block(&mut self, locals: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(3) {
            text += &match self.below(11) {
                0 | 1 => format!("x = ({}) % 4\n", self.number(locals)),
                2 => format!("y = ({}) % 3\n", self.number(locals)),
                3 => "flag = not flag\n".into(),
                4 => format!("hue = {}\n", self.pick(&["red", "green", "blue"])),
                5 => format!("seen = seen {} {{{}}}\n", self.pick(&["+", "-"]), self.pick(&["red", "hue"])),
                6 => format!("held = {}\n", self.pick(&["none", "some(1)", "some(0)"])),
                7 => format!("count[hue] = ({}) % 3\n", self.number(locals)),
                8 => format!("count = count - {{{}}}\n", self.pick(&["red", "hue"])),
                9 => format!("x = {}\n", self.number(locals)),
                _ => {
                    let condition = self.condition(locals, 1);
                    let word = self.pick(&["x = 0", "flag = true", "y = 1", "hue = red"]);
                    format!("if {condition} {{ {word} }} else {{ held = some(y) }}\n")
                }
            };
        }
        text
    }

    pub(crate) fn specification(&mut self) -> String {
        let mut text = String::from(
            "system Random\nenum Hue { red, green, blue }\ntype Small = 0..3\n\
             var x: Small = 0\nvar y: Small = 1\nvar flag: Bool = false\nvar hue: Hue = red\n\
             var seen: Set<Hue> = {}\nvar held: Option<Small> = none\nvar count: Map<Hue, Small> = {}\n\
             input go(p: Small), tick\noutput say(m: Small), done\ninternal turn\n",
        );
        if self.below(3) == 0 {
            let condition = self.pick(&[
                "6 / z > 2",
                "z > 0 and 6 / z > 2",
                "z > 3",
                "z in {1, 2}",
                "z > 0",
                "6 / z > 2 and z == 2",
            ]);
            text += &format!("var z: Small\ninit {condition}\n");
        }
        text += "start Here\n";
        for place in ["Here", "There"] {
            text += &format!("at {place} {{\n");
            for _ in 0..2 + self.below(2) {
                let (pattern, locals): (&str, &[&str]) = match self.below(5) {
                    0 | 1 => ("go(p)", &["p"]),
                    2 => ("tick", &[]),
                    3 => ("say(m)", &["m"]),
                    _ => (self.pick(&["turn", "done"]), &[]),
                };
                let first = if pattern == "say(m)" { "m == x and " } else { "" };
                let (condition, block) = (self.condition(locals, 1), self.block(locals));
                let target = self.pick(&["", "-> Here", "-> There"]);
                text += &format!("on {pattern} when {first}{condition} {{\n{block}}} {target}\n");
            }
            text += "}\n";
        }
        for (index, polarity) in ["never", "possible"].iter().enumerate() {
            let verdict = if index == 0 { "bad" } else { "good" };
            text += &format!("observer watch{index} {polarity} {{\nvar n: Int = 0\nstart One\nat One {{\n");
            let guard = self.condition(&["q"], 1);
            text += &format!("on go(q) when {guard} {{ n = q }} -> Two\n}}\nat Two {{\n");
            let event = self.pick(&["done", "silence", "tick", "any"]);
            let partial = self.partial();
            let guard = self.pick(&["n > 1", "x == n", "flag", "true", &partial]);
            text += &format!("on {event} when {guard} -> {verdict}\n}}\n}}\n");
        }
        for index in 0..2 {
            let condition = self.condition(&[], 2);
            text += &format!("property always{index}: {} ({condition})\n", self.pick(&["always", "never", "possible"]));
        }
        let partial = self.partial();
        text += &format!("property partial: {} {partial}\n", self.pick(&["always", "never", "possible"]));
        text
    }

    /// Signals with relations among them, one or two components, and properties that speak of signals.
    pub(crate) fn synchronous(&mut self) -> String {
        let mut text = String::from(
            "system Random synchronous\nenum Hue { red, green, blue }\ntype Small = 0..3\n\
             var x: Small = 0\nvar y: Small = 1\nvar flag: Bool = false\nvar hue: Hue = red\n\
             var seen: Set<Hue> = {}\nvar held: Option<Small> = none\nvar count: Map<Hue, Small> = {}\n\
             input signal a, b, level(v: Small)\noutput signal p, q, shown(v: Small)\n",
        );
        for _ in 0..1 + self.below(2) {
            let relations = ["exclusive a, b", "relation level implies not b", "relation a or b or level"];
            let with_outputs = ["exclusive p, q", "exactly one a, b", "relation p implies a or b"];
            let kind = if self.below(3) == 0 { with_outputs } else { relations };
            text += self.pick(&kind);
            text += "\n";
        }
        // Without any rule the outputs are free.
        let rules = self.below(6) > 0;
        text += "start Here\n";
        for place in ["Here", "There"] {
            text += &format!("at {place} {{\n");
            for _ in 0..if rules { 1 + self.below(2) } else { 0 } {
                let guard = self.signal();
                let block = self.signalling(&["x = (x + 1) % 4", "flag = not flag", "hue = green"]);
                let target = self.pick(&["", "-> Here", "-> There"]);
                text += &format!("on step when {guard} {{\n{block}}} {target}\n");
            }
            text += "}\n";
        }
        if rules && self.below(2) == 0 {
            let block = self.signalling(&["y = (y + 1) % 3", "held = some(y)", "seen = seen + {red}"]);
            // From there the places of the system have longer names.
            let block = block.replace("at Here", "at Random.Here").replace("at There", "at Random.There");
            text += &format!("component Other {{\non step {{\n{block}}}\n}}\n");
        }
        let event = self.pick(&["step", "a", "p"]);
        let guard = self.pick(&["x > 1", "flag", "q", "b or q"]);
        text += &format!(
            "observer watch never {{\nstart One\nat One {{ on {event} when {guard} -> Two }}\n\
             at Two {{ on level(w) when w == x -> bad }}\n}}\n"
        );
        for (index, word) in ["always", "never", "possible"].iter().enumerate() {
            let (one, other) = (self.signal(), self.signal());
            text += &format!("property p{index}: {word} ({one} {} {other})\n", self.pick(&["and", "or", "implies"]));
        }
        text
    }

    fn signal(&mut self) -> String {
        match self.below(6) {
            0 => self.condition(&[], 1),
            1 => format!("(level and level.v {} {})", self.pick(&["<", "=="]), self.below(4)),
            2 => "(level and level.v == x)".into(),
            _ => self.pick(&["a", "b", "not a", "level", "not level"]).into(),
        }
    }

    fn signalling(&mut self, writes: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(2) {
            let condition = self.signal();
            let done = match self.below(3) {
                0 => self.pick(writes).to_string(),
                1 => format!("emit {}", self.pick(&["p", "q", "shown(x)", "shown(1)"])),
                _ => format!("{}\nemit {}", self.pick(writes), self.pick(&["p", "q"])),
            };
            text += &format!("if {condition} {{\n{done}\n}}\n");
        }
        text
    }
}
