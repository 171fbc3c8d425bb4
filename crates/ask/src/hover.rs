//! What a reader wants to know about a name: how it is declared, its type, its documentation, its domain, and who reads and
//! writes it. As Markdown, which every editor shows.

use super::Understood;
use interplay_diagnostics::{Point, Span};
use interplay_model::{Declaration, DeclarationKind as Kind, Role, Type};

/// More rules than this are only counted.
const MOST_RULES: usize = 6;

#[derive(Clone, Debug, PartialEq)]
pub struct Hover {
    pub span: Span,
    pub text: String,
}

impl Understood {
    pub fn hover(&self, point: Point) -> Option<Hover> {
        let mention = self.index.at(point).into_iter().next();
        match mention {
            Some(mention) => {
                let declaration = mention.declared.and_then(|span| self.index.declaration(span));
                let text = match declaration {
                    Some(declaration) => self.describe(declaration),
                    None => self.describe_built_in(mention.span)?,
                };
                Some(Hover { span: mention.span, text })
            }
            None => {
                let (span, ty) = self.index.expression_at(point)?;
                Some(Hover { span, text: code(&self.written(ty)) })
            }
        }
    }

    /// All about a declaration, as Markdown.
    pub fn describe(&self, declaration: &Declaration) -> String {
        let mut parts = vec![code(&self.declared_as(declaration))];
        if !declaration.doc.is_empty() {
            parts.push(declaration.doc.clone());
        }
        let mut facts = self.domain_facts(declaration);
        facts.extend(self.use_facts(declaration));
        if !facts.is_empty() {
            let facts: Vec<String> = facts.iter().map(|fact| format!("- {fact}")).collect();
            parts.push(facts.join("\n"));
        }
        parts.join("\n\n")
    }

    /// The declaration in one line or a few.
    pub(super) fn declared_as(&self, declaration: &Declaration) -> String {
        let Declaration { name, kind, .. } = declaration;
        let ty = || declaration.ty.as_ref().map_or(String::new(), |ty| format!(": {}", self.written(ty)));
        match kind {
            Kind::Input | Kind::Output | Kind::Internal => format!("{} {}", kind.word(), self.head(declaration)),
            Kind::Local | Kind::Parameter | Kind::Field => format!("({}) {name}{}", kind.word(), ty()),
            Kind::Variant => {
                let parent = declaration.parent.and_then(|span| self.index.declaration(span));
                format!("{}.{}", parent.map_or("", |parent| &parent.name), self.head(declaration))
            }
            Kind::Definition => {
                let head = self.text(declaration.extent);
                if head.lines().count() <= 4 { head.into() } else { format!("def {name}{}", ty()) }
            }
            Kind::Location | Kind::Component | Kind::Observer | Kind::Setup | Kind::Scenario => {
                format!("{} {}", kind.word(), self.head(declaration))
            }
            _ => shortened(self.text(declaration.head)),
        }
    }

    /// `dial(u: User, to: User)`: the head ends before the bracket that its last part stands in.
    fn head(&self, declaration: &Declaration) -> String {
        let head = self.text(declaration.head);
        let open = head.matches('(').count().saturating_sub(head.matches(')').count());
        let head = format!("{head}{}", ")".repeat(open));
        shortened(&head)
    }

    /// Which values setups give to the type or parameter.
    fn domain_facts(&self, declaration: &Declaration) -> Vec<String> {
        let mut asked = vec![declaration.span];
        if let Some(Type::Alias(id)) = &declaration.ty {
            asked.push(self.index.types.aliases[id.0].span);
        }
        if let Some(Type::Object(id)) = &declaration.ty {
            asked.push(self.index.types.objects[id.0].span);
        }
        if let Some(Type::Range(id)) = &declaration.ty {
            let bounds = self.text(self.index.types.ranges[id.0].span);
            return vec![format!("values: `{bounds}`")];
        }
        let mentions = asked.iter().flat_map(|span| self.index.mentions_of(*span));
        mentions.filter_map(|mention| self.domain_entry(mention.span)).collect()
    }

    /// `domain User = {...}` around a mention in a setup.
    fn domain_entry(&self, mention: Span) -> Option<String> {
        let body = self.index.body_at(mention.start_point())?;
        let setup = body.title.strip_prefix("setup ")?;
        let text = &self.sources.file(mention.file).text;
        let before = &text[body.span.start as usize..mention.start as usize];
        let action = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '`');
        let head = before.trim_end_matches(action);
        head.trim_end().strip_suffix("domain")?;
        let start = body.span.start as usize + head.len();
        let line = text[start..body.span.end as usize].lines().next()?;
        // A setup on one line ends with its own brace.
        let closed = line.matches('}').count() > line.matches('{').count();
        let values = line.trim_end().strip_suffix('}').filter(|_| closed).unwrap_or(line).trim_end();
        Some(format!("in setup `{setup}`: `{values}`"))
    }

    fn use_facts(&self, declaration: &Declaration) -> Vec<String> {
        let (writes, reads) = match declaration.kind {
            Kind::Variable => ("written by", "read by"),
            Kind::Input | Kind::Output | Kind::Internal => ("emitted by", "rules"),
            Kind::Constant => ("set by", "read by"),
            _ => return Vec::new(),
        };
        let by = self.uses_by_body(declaration.span);
        let titles = |roles: &[Role]| {
            let bodies = by.iter().filter(|body| body.uses.iter().any(|each| roles.contains(&each.role)));
            bodies.map(|body| format!("`{}`", body.title)).collect::<Vec<_>>()
        };
        let facts = match declaration.kind {
            kind if kind.is_action() => [(writes, titles(&[Role::Emits])), (reads, titles(&[Role::Handles]))],
            _ => [(writes, titles(&[Role::Writes])), (reads, titles(&[Role::Reads]))],
        };
        let told = facts.into_iter().filter(|(_, titles)| !titles.is_empty());
        told.map(|(word, titles)| format!("{word}: {}", some_of(&titles))).collect()
    }

    fn describe_built_in(&self, span: Span) -> Option<String> {
        let word = self.text(span);
        let about = BUILT_IN.iter().find(|(known, _)| *known == word).map(|(_, about)| *about)?;
        Some(format!("{}\n\n{about}", code(word)))
    }
}

fn some_of(titles: &[String]) -> String {
    match titles.len() {
        more if more > MOST_RULES => format!("{} and {} more", titles[..MOST_RULES].join(", "), more - MOST_RULES),
        _ => titles.join(", "),
    }
}

fn code(text: &str) -> String {
    format!("```interplay\n{text}\n```")
}

/// A declaration of many lines is cut behind its first ones.
fn shortened(text: &str) -> String {
    const MOST_LINES: usize = 8;
    let lines: Vec<&str> = text.lines().collect();
    match lines.len() > MOST_LINES {
        true => format!("{}\n...", lines[..MOST_LINES].join("\n")),
        false => text.trim_end().to_string(),
    }
}

const BUILT_IN: &[(&str, &str)] = &[
    ("Bool", "`true` or `false`."),
    ("Int", "An integer of 64 bits; a result outside them is an error (M002)."),
    ("String", "A text; compared by code point."),
    ("Option", "`none`, or `some(value)`."),
    ("Seq", "A sequence; the first element is `s[0]`."),
    ("Set", "A set: no order, no element twice."),
    ("Map", "A map from keys to values."),
    ("sum", "The sum of integers: `sum(x for x in s)`."),
    ("min", "The smallest element; an error if there is none."),
    ("max", "The largest element; an error if there is none."),
    ("count", "How many there are: `count(x for x in s where c)`; of an object type, how many were made."),
    ("abs", "The absolute value."),
    ("all", "All objects of this type that were made so far."),
    ("length", "How many elements a sequence, or letters a text has."),
    ("size", "How many elements there are."),
    ("is_empty", "There is no element."),
    ("first", "The first element; an error if there is none."),
    ("last", "The last element; an error if there is none."),
    ("rest", "All elements but the first."),
    ("front", "All elements but the last."),
    ("reverse", "The elements in the other order."),
    ("starts_with", "The sequence begins with the given one."),
    ("contains", "The element is there."),
    ("take", "The first n elements."),
    ("drop", "All elements but the first n."),
    ("elements", "A sequence as a set, or a set as a sequence in ascending order."),
    ("subset_of", "All elements are in the other set."),
    ("only", "The only element; an error if there are none or several."),
    ("get", "Of an option: the value, an error if there is none. Of a map: `m.get(key, default)`."),
    ("or", "The value, or the default if there is none."),
    ("is_some", "There is a value."),
    ("is_none", "There is no value."),
    ("find", "The value of a key as an option."),
    ("keys", "The set of keys."),
    ("values", "The values in the order of their keys."),
    ("end", "The location where a component has ended: it does nothing any more."),
    ("bad", "The observer has seen what must never happen."),
    ("good", "The observer has seen what should be possible."),
];
