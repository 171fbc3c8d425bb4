//! Which leaves make a state: symbolic constants, variables (and whether they are set), places, counts of objects, and
//! what a monitor remembers. Constants are leaves that never change, so that every engine sees just one kind.

use super::Unsupported;
use super::context::Val;
use super::rules::Param;
use super::shape::{Shape, Sort};
use interplay_model::{ConstantId, LocationId, Model, Owner, Type, VariableId};
use interplay_semantics::{Instance, Value, show_name, show_value};
use interplay_smt::{Term, quoted};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Debug)]
pub struct Leaf {
    pub name: String,
    pub sort: Sort,
    pub shown: Shown,
}

/// How a leaf is told to people.
#[derive(Clone, Debug)]
pub enum Shown {
    /// An expression of the language.
    Plain(String),
    /// The number of a case: of an enum, or of a place.
    Case {
        of: String,
        word: &'static str,
        names: Vec<(i64, String)>,
    },
    /// An array: its keys are elements of this.
    Keys(String),
    /// An array: what a map has at a key.
    Values(String),
    Hidden,
}

/// A run of leaves that make one value.
#[derive(Clone, Debug)]
pub struct Slot {
    pub range: Range<usize>,
    pub shape: Shape,
    pub ty: Type,
    /// The leaf that says whether it has a value at all.
    pub set: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Integers have no end: their 64 bits are not looked at.
    pub(crate) endless: bool,
    /// Something may need more than 64 bits, as far as the text says.
    pub overflows: Arc<AtomicBool>,
    /// All there are, if they are known.
    pub(crate) strings: Option<Arc<[Value]>>,
    pub leaves: Vec<Leaf>,
    /// Those without a value.
    pub constants: Vec<Option<Slot>>,
    pub variables: Vec<Option<Slot>>,
    /// Those that never change, with what they are.
    pub fixed: Vec<Option<Val>>,
    /// By component.
    pub places: Vec<Option<usize>>,
    /// By type of object.
    pub objects: Vec<usize>,
    /// Where the observer is.
    pub observer: Option<usize>,
    /// Where the oracles of a formula are.
    pub(crate) oracles: Vec<usize>,
    /// What a formula about the past remembers; at last, whether it was broken.
    pub(crate) memory: Vec<usize>,
}

impl Layout {
    /// Everything that belongs to the system; `unset` says which variables may be without a value.
    pub(crate) fn new(
        instance: &Instance,
        strings: Option<Arc<[Value]>>,
        fixed: &BTreeMap<VariableId, Value>,
        unset: &dyn Fn(VariableId) -> bool,
    ) -> Result<Layout, Unsupported> {
        let model = instance.model();
        let mut layout = Layout { strings, ..Layout::default() };
        for (index, constant) in model.constants.iter().enumerate() {
            let slot = match instance.constant(ConstantId(index)) {
                Ok(_) => None,
                Err(_) => Some(layout.slot(instance, &constant.name, &constant.ty, constant.span, false)?),
            };
            layout.constants.push(slot);
        }
        for (index, component) in model.components.iter().enumerate() {
            let place = component.start.map(|_| layout.place(model, index));
            layout.places.push(place);
        }
        for object in &model.types.objects {
            let shown = Shown::Plain(format!("{}.count", show_name(&object.name)));
            let leaf = layout.leaf(&format!("{}.count", object.name), Sort::Int, shown);
            layout.objects.push(leaf);
        }
        for (index, variable) in model.variables.iter().enumerate() {
            let fixed = fixed.get(&VariableId(index));
            let shape = |ty: &Type| Shape::of(instance, layout.strings.as_ref(), ty).ok();
            let known = fixed.and_then(|value| Some((shape(&variable.ty)?, value)));
            let known = known.map(|(shape, value)| Val { leaves: shape.literal(value), shape });
            let fixed = known.is_some();
            layout.fixed.push(known);
            let slot = match variable.owner {
                Owner::Observer(_) => None,
                _ if fixed => None,
                _ => {
                    let unset = unset(VariableId(index));
                    Some(layout.slot(instance, &variable.name, &variable.ty, variable.span, unset)?)
                }
            };
            layout.variables.push(slot);
        }
        Ok(layout)
    }

    pub(crate) fn leaf(&mut self, name: &str, sort: Sort, shown: Shown) -> usize {
        let index = self.leaves.len();
        // Names may repeat (an event of two nodes); the number keeps them apart.
        self.leaves.push(Leaf { name: quoted(&format!("{name}#{index}")), sort, shown });
        index
    }

    pub(crate) fn slot(
        &mut self,
        instance: &Instance,
        name: &str,
        ty: &Type,
        span: interplay_diagnostics::Span,
        unset: bool,
    ) -> Result<Slot, Unsupported> {
        let shape = Shape::of(instance, self.strings.as_ref(), ty)
            .map_err(|why| Unsupported { message: format!("`{name}` is not supported by the solver: {why}"), span })?;
        let set = unset.then(|| self.leaf(&format!("{name} is set"), Sort::Bool, Shown::Hidden));
        let start = self.leaves.len();
        let mut shown = Vec::new();
        show(instance.model(), ty, &shape, &show_name(name), &mut shown);
        for (sort, shown) in shape.sorts().into_iter().zip(shown) {
            self.leaf(name, sort, shown);
        }
        Ok(Slot { range: start..self.leaves.len(), shape, ty: ty.clone(), set })
    }

    fn place(&mut self, model: &Model, component: usize) -> usize {
        let several = model.components.iter().filter(|component| component.start.is_some()).count() > 1;
        let name = &model.components[component].name;
        let here = |index: &usize| model.locations[*index].component.0 == component;
        let shown = |index: usize| match several {
            true => format!("{}.{}", show_name(name), show_name(&model.locations[index].name)),
            false => show_name(&model.locations[index].name),
        };
        let names = (0..model.locations.len()).filter(here).map(|index| (index as i64, shown(index))).collect();
        self.leaf(&format!("at {name}"), Sort::Int, Shown::Case { of: String::new(), word: "at", names })
    }

    /// The same with further names, for questions that speak of more than the state.
    pub(crate) fn with<'p>(&self, params: impl Iterator<Item = &'p Param>) -> Layout {
        let mut wide = self.clone();
        for param in params {
            if wide.leaves.iter().all(|leaf| leaf.name != param.name) {
                wide.leaves.push(Leaf { name: param.name.clone(), sort: param.sort.clone(), shown: Shown::Hidden });
            }
        }
        wide
    }

    /// The state itself, as terms.
    pub fn terms(&self) -> Vec<Term> {
        self.leaves.iter().map(|leaf| Term::atom(&leaf.name)).collect()
    }
}

pub fn place_number(location: LocationId) -> Term {
    Term::int(location.0 as i64)
}

fn show(model: &Model, ty: &Type, shape: &Shape, base: &str, shown: &mut Vec<Shown>) {
    let hide = |shape: &Shape, shown: &mut Vec<Shown>| shown.extend(vec![Shown::Hidden; shape.count()]);
    match (shape, model.types.strip(ty)) {
        (Shape::Leaf(_), _) => shown.push(Shown::Plain(base.to_string())),
        (Shape::Text(known), _) => {
            let names = known.iter().enumerate().map(|(index, value)| (index as i64, show_value(model, ty, value)));
            shown.push(Shown::Case { of: base.to_string(), word: "==", names: names.collect() });
        }
        (Shape::Tuple(parts), Type::Tuple(types)) => {
            for (index, (part, ty)) in parts.iter().zip(types).enumerate() {
                show(model, ty, part, &format!("{base}.{index}"), shown);
            }
        }
        (Shape::Tuple(parts), Type::Record(id)) => {
            for (part, (name, ty)) in parts.iter().zip(&model.types.records[id.0].fields) {
                show(model, ty, part, &format!("{base}.{}", show_name(name)), shown);
            }
        }
        (Shape::Option(inner), Type::Option(ty)) => {
            shown.push(Shown::Plain(format!("{base}.is_some")));
            show(model, ty, inner, &format!("{base}.get"), shown);
        }
        (Shape::Enum(payloads), Type::Enum(id)) => {
            let variants = model.types.enums[id.0].variants.iter().enumerate();
            let names = variants.map(|(index, variant)| (index as i64, show_name(&variant.name))).collect();
            let plain = payloads.iter().all(Vec::is_empty);
            let word = if plain { "==" } else { "is" };
            shown.push(Shown::Case { of: base.to_string(), word, names });
            payloads.iter().flatten().for_each(|payload| hide(payload, shown));
        }
        (Shape::FewSet(values), Type::Set(ty)) => {
            shown
                .extend(values.iter().map(|value| Shown::Plain(format!("{} in {base}", show_value(model, ty, value)))));
        }
        (Shape::FewMap(keys, inner), Type::Map(key_type, ty)) => {
            for key in keys.iter() {
                let key = show_value(model, key_type, key);
                shown.push(Shown::Plain(format!("{key} in {base}")));
                show(model, ty, inner, &format!("{base}[{key}]"), shown);
            }
        }
        (Shape::Set(_), _) => shown.push(Shown::Keys(base.to_string())),
        (Shape::Map(_, inner), _) => {
            shown.push(Shown::Keys(base.to_string()));
            match **inner {
                Shape::Leaf(_) => shown.push(Shown::Values(base.to_string())),
                _ => hide(inner, shown),
            }
        }
        (shape, _) => hide(shape, shown),
    }
}
