//! Who uses a name, and which rules read and write a variable.

use super::Understood;
use interplay_diagnostics::{Point, Span};
use interplay_model::Role;

/// One place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    pub span: Span,
    pub role: Role,
}

/// A rule, definition or judge, and the places in it where a name stands.
#[derive(Clone, Debug, PartialEq)]
pub struct UsesByBody {
    /// `on dial at Idle`, `property safe`
    pub title: String,
    pub span: Span,
    pub uses: Vec<Use>,
}

impl Understood {
    /// All places that name what stands here, the declaration too.
    pub fn uses(&self, point: Point) -> Vec<Use> {
        let declared: Vec<Span> = self.declarations_at(point).iter().map(|declaration| declaration.span).collect();
        let mut uses: Vec<Use> = declared.iter().flat_map(|span| self.uses_of(*span)).collect();
        uses.sort_by_key(|each| (each.span, each.role));
        uses.dedup_by_key(|each| each.span);
        uses
    }

    pub fn uses_of(&self, declared: Span) -> Vec<Use> {
        self.index.mentions_of(declared).map(|mention| Use { span: mention.span, role: mention.role }).collect()
    }

    /// The uses of a name, gathered by the rule or judge that they stand in.
    pub fn uses_by_body(&self, declared: Span) -> Vec<UsesByBody> {
        let mut found: Vec<UsesByBody> = Vec::new();
        for each in self.uses_of(declared).into_iter().filter(|each| each.role != Role::Declares) {
            let Some(body) = self.index.body_at(each.span.start_point()) else { continue };
            match found.iter_mut().find(|known| known.span == body.span) {
                Some(known) => known.uses.push(each),
                None => found.push(UsesByBody { title: body.title.clone(), span: body.span, uses: vec![each] }),
            }
        }
        found
    }

    /// The names that stand in a body, with where they do: what a rule reads and writes.
    pub fn used_in(&self, body: Span) -> Vec<(&interplay_model::Declaration, Vec<Use>)> {
        let mut found: Vec<(&interplay_model::Declaration, Vec<Use>)> = Vec::new();
        let inside = |span: Span| span.file == body.file && body.start <= span.start && span.end <= body.end;
        for mention in self.index.mentions.iter().filter(|mention| inside(mention.span)) {
            let declaration = mention.declared.and_then(|span| self.index.declaration(span));
            let Some(declaration) = declaration.filter(|declaration| !inside(declaration.span)) else { continue };
            let each = Use { span: mention.span, role: mention.role };
            match found.iter_mut().find(|(known, _)| known.span == declaration.span) {
                Some((_, uses)) => uses.push(each),
                None => found.push((declaration, vec![each])),
            }
        }
        found
    }
}
