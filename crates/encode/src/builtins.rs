//! Methods.

use super::context::{Context, Val, choose, same};
use super::shape::{Shape, Sort};
use super::{Res, unsupported};
use crate::collections::sum;
use interplay_diagnostics::Span;
use interplay_model::{Builtin, Expr};
use interplay_smt::Term;

impl Context<'_> {
    pub(crate) fn builtin(&mut self, function: Builtin, args: &[Expr], whole: &Expr, want: Option<&Shape>) -> Res<Val> {
        use Builtin::*;
        let (receiver, rest) = args.split_first().expect("every method has a receiver");
        match function {
            Size | Count => self.size(receiver).map(Val::int),
            IsEmpty => self.is_empty(receiver).map(Val::bool),
            Sum => {
                let mut total = Term::int(0);
                for (there, item) in self.elements(receiver)? {
                    let item = Term::ite(there, item.term(), Term::int(0));
                    let next = sum(total.clone(), item.clone());
                    self.must_fit(whole, &[total, item], &next);
                    total = next;
                }
                Ok(Val::int(total))
            }
            Min | Max => self.extreme(function == Min, receiver, whole.span),
            Abs => {
                let value = self.term(receiver)?;
                let negative = Term::order("<", value.clone(), Term::int(0));
                let result = Term::ite(negative, super::expression::negate(value.clone()), value.clone());
                self.must_fit(whole, &[value], &result);
                Ok(Val::int(result))
            }
            Contains => {
                let (collection, needle) = (self.value(receiver)?, self.value(&rest[0])?);
                self.contains(&collection, &needle, whole.span).map(Val::bool)
            }
            First | Last | Rest | Front | Take | Drop => self.part(function, receiver, rest.first(), want),
            StartsWith => {
                let all = self.value(receiver)?;
                let start = self.expr(&rest[0], Some(&all.shape))?;
                let word = if all.shape == Shape::Leaf(Sort::String) { "str.prefixof" } else { "seq.prefixof" };
                let pairs = start.leaves.into_iter().zip(all.leaves);
                Ok(Val::bool(Term::and(pairs.map(|(start, all)| Term::app(word, [start, all])))))
            }
            SubsetOf => self.subset(receiver, &rest[0], whole.span).map(Val::bool),
            Only => self.only(receiver),
            MapGet | MapFind => self.map_get(function, receiver, rest, whole.span),
            Keys => {
                let map = self.value(receiver)?;
                match &map.shape {
                    Shape::FewMap(keys, inner) => {
                        let there = map.leaves.chunks(1 + inner.count()).map(|cell| cell[0].clone());
                        Ok(Val { leaves: there.collect(), shape: Shape::FewSet(keys.clone()) })
                    }
                    Shape::Map(key, _) => {
                        Ok(Val { leaves: vec![map.leaves[0].clone()], shape: Shape::Set(key.clone()) })
                    }
                    _ => unsupported(whole.span, "this is no map"),
                }
            }
            OptionGet | OptionOr | IsSome | IsNone => self.option(function, receiver, rest, want),
            Elements => {
                // Only of what can be written out; a set of a sequence forgets the order.
                let shape = self.shape_for(whole, want)?;
                let (Shape::FewSet(_) | Shape::Set(_)) = shape else {
                    return unsupported(whole.span, "not supported by the solver: the order of these elements");
                };
                let mut set = Val::default(&shape);
                for (there, element) in self.elements(receiver)? {
                    set = self.with_element(&set, &element, None, (&there, true), whole.span)?;
                }
                Ok(set)
            }
            Reverse | Values => unsupported(whole.span, "not supported by the solver: this method"),
        }
    }

    fn size(&mut self, receiver: &Expr) -> Res<Term> {
        if let Some(items) = self.known_items(receiver) {
            return Ok(Term::int(items.len() as i64));
        }
        if let Ok(Shape::Seq(_) | Shape::Leaf(_)) = self.shape(&receiver.ty, receiver.span)
            && let Ok((val, defined)) = self.separately(|inner| inner.value(receiver))
        {
            self.require(defined);
            let word = if val.shape == Shape::Leaf(Sort::String) { "str.len" } else { "seq.len" };
            return Ok(Term::app(word, [val.leaves[0].clone()]));
        }
        let items = self.elements(receiver)?;
        let one = |(there, _): (Term, Val)| Term::ite(there, Term::int(1), Term::int(0));
        Ok(items.into_iter().map(one).fold(Term::int(0), sum))
    }

    fn is_empty(&mut self, receiver: &Expr) -> Res<Term> {
        let val = self.value(receiver)?;
        match &val.shape {
            Shape::FewSet(_) => Ok(Term::or(val.leaves).not()),
            Shape::FewMap(_, inner) => {
                Ok(Term::or(val.leaves.chunks(1 + inner.count()).map(|cell| cell[0].clone())).not())
            }
            Shape::Text(_) | Shape::Tuple(_) | Shape::Option(_) | Shape::Enum(_) => {
                unsupported(receiver.span, "this has no elements")
            }
            shape => Ok(val.leaves[0].clone().eq(shape.defaults()[0].clone())),
        }
    }

    fn extreme(&mut self, least: bool, receiver: &Expr, span: Span) -> Res<Val> {
        let items = self.elements(receiver)?;
        self.require(Term::or(items.iter().map(|(there, _)| there.clone())));
        let mut best: Option<(Term, Term)> = None;
        for (there, item) in items {
            if item.shape != Shape::INT {
                return unsupported(span, "not supported by the solver: `min` and `max` of other values than integers");
            }
            let item = item.term();
            best = Some(match best {
                None => (there, item),
                Some((any, old)) => {
                    let better = Term::order(if least { "<" } else { ">" }, item.clone(), old.clone());
                    let take = Term::and([there.clone(), Term::or([any.clone().not(), better])]);
                    (Term::or([any, there]), Term::ite(take, item, old))
                }
            });
        }
        Ok(Val::int(best.map_or(Term::int(0), |(_, value)| value)))
    }

    /// A part of a sequence.
    fn part(&mut self, function: Builtin, receiver: &Expr, count: Option<&Expr>, want: Option<&Shape>) -> Res<Val> {
        use Builtin::*;
        let wanted = want.filter(|_| !matches!(function, First | Last));
        let seq = self.expr(receiver, wanted)?;
        let Shape::Seq(inner) = &seq.shape else { return unsupported(receiver.span, "this is no sequence") };
        let length = Term::app("seq.len", [seq.leaves[0].clone()]);
        let last = Term::app("-", [length.clone(), Term::int(1)]);
        let extract = |leaf: &Term, from: Term, count: Term| Term::app("seq.extract", [leaf.clone(), from, count]);
        if matches!(function, First | Last | Rest | Front) {
            self.require(Term::order(">", length.clone(), Term::int(0)));
        }
        let count = count.map(|count| self.term(count)).transpose()?.unwrap_or_else(|| Term::int(0));
        let leaf = |leaf: &Term| match function {
            First => Term::app("seq.nth", [leaf.clone(), Term::int(0)]),
            Last => Term::app("seq.nth", [leaf.clone(), last.clone()]),
            Rest => extract(leaf, Term::int(1), last.clone()),
            Front => extract(leaf, Term::int(0), last.clone()),
            Take => extract(leaf, Term::int(0), count.clone()),
            _ => {
                let negative = Term::order("<", count.clone(), Term::int(0));
                extract(leaf, Term::ite(negative, Term::int(0), count.clone()), length.clone())
            }
        };
        let leaves = seq.leaves.iter().map(leaf).collect();
        let shape = if matches!(function, First | Last) { (**inner).clone() } else { seq.shape.clone() };
        Ok(Val { leaves, shape })
    }

    fn subset(&mut self, left: &Expr, right: &Expr, span: Span) -> Res<Term> {
        let one = self.value(left)?;
        let other = self.expr(right, Some(&one.shape))?;
        match &one.shape {
            Shape::FewSet(_) => {
                Ok(Term::and(one.leaves.into_iter().zip(other.leaves).map(|(one, other)| one.implies(other))))
            }
            Shape::Set(_) => {
                let map = |word: &str| Term::list([Term::atom("_"), Term::atom("map"), Term::atom(word)]);
                let outside = Term::list([map("not"), other.leaves[0].clone()]);
                let left_over = Term::list([map("and"), one.leaves[0].clone(), outside]);
                Ok(left_over.eq(one.shape.defaults()[0].clone()))
            }
            _ => unsupported(span, "this is no set"),
        }
    }

    fn only(&mut self, receiver: &Expr) -> Res<Val> {
        let items = self.elements(receiver)?;
        let one = |(there, _): &(Term, Val)| Term::ite(there.clone(), Term::int(1), Term::int(0));
        let count = items.iter().map(one).fold(Term::int(0), sum);
        self.require(count.eq(Term::int(1)));
        let mut items = items.into_iter().rev();
        let Some((_, last)) = items.next() else { return unsupported(receiver.span, "this has no elements") };
        Ok(items.fold(last, |rest, (there, item)| Val {
            leaves: choose(&there, &item.leaves, &rest.leaves),
            shape: item.shape,
        }))
    }

    /// Whether a map has the key, and what it has there.
    pub(crate) fn look_up(&mut self, map: &Val, key: &Val, span: Span) -> Res<(Term, Val)> {
        let there = self.contains(map, key, span)?;
        let leaves = match &map.shape {
            Shape::FewMap(keys, inner) => {
                let cells = keys.iter().zip(map.leaves.chunks(1 + inner.count()));
                cells.rev().fold(inner.defaults(), |rest, (value, cell)| {
                    choose(&same(&key.leaves, &key.shape.literal(value)), &cell[1..], &rest)
                })
            }
            Shape::Map(..) => {
                let select = |array: &Term| Term::app("select", [array.clone(), key.leaves[0].clone()]);
                map.leaves[1..].iter().map(select).collect()
            }
            _ => return unsupported(span, "this is no map"),
        };
        Ok((there, Val { leaves, shape: self.map_value_shape(&map.shape) }))
    }

    fn map_get(&mut self, function: Builtin, receiver: &Expr, rest: &[Expr], span: Span) -> Res<Val> {
        let (map, key) = (self.value(receiver)?, self.value(&rest[0])?);
        let (there, value) = self.look_up(&map, &key, span)?;
        if function == Builtin::MapFind {
            let inside = choose(&there, &value.leaves, &value.shape.defaults());
            return Ok(Val { leaves: [vec![there], inside].concat(), shape: Shape::Option(value.shape.into()) });
        }
        let default = self.expr(&rest[1], Some(&value.shape))?;
        Ok(Val { leaves: choose(&there, &value.leaves, &default.leaves), shape: value.shape })
    }

    fn option(&mut self, function: Builtin, receiver: &Expr, rest: &[Expr], want: Option<&Shape>) -> Res<Val> {
        let wanted = want.filter(|_| matches!(function, Builtin::OptionGet | Builtin::OptionOr));
        let wanted = wanted.map(|inner| Shape::Option(inner.clone().into()));
        let wanted = if self.shape(&receiver.ty, receiver.span).is_ok() { None } else { wanted };
        let option = self.expr(receiver, wanted.as_ref())?;
        let Shape::Option(inner) = &option.shape else { return unsupported(receiver.span, "this is no option") };
        let there = option.leaves[0].clone();
        let inside = option.slice(1..option.leaves.len(), inner);
        match function {
            Builtin::IsSome => Ok(Val::bool(there)),
            Builtin::IsNone => Ok(Val::bool(there.not())),
            Builtin::OptionGet => {
                self.require(there);
                Ok(inside)
            }
            _ => {
                let default = self.expr(&rest[0], Some(inner))?;
                Ok(Val { leaves: choose(&there, &inside.leaves, &default.leaves), shape: inside.shape })
            }
        }
    }
}
