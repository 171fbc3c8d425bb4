//! Where in a row each part of the state lies.
//!
//! Rows are bit fields packed into 64-bit words; no field crosses a word. A map over few keys lies open, one field per
//! key, so that reading and writing one entry touches a few bits; a set over a type of many values is a run of bits.
//! Unbounded integers and handles get the bits that they needed so far: when one does not fit, the engine says so, and
//! the exploration starts again with more ([`Widths`]).

use crate::kind::{Kind, Kinds, bits};
use crate::watch::Watch;
use crate::{Store, Unsupported};
use interplay_model::{ObserverId, Owner, StatementKind, Type, VariableId};
use interplay_semantics::{State, Value};

/// Maps with more keys than this are handles.
const MOST_KEYS: u64 = 64;
/// Sets over types with more values than this are handles.
const MOST_BITS: u64 = 1 << 12;

/// How much room the parts without a bound of their own get.
#[derive(Clone, Debug)]
pub struct Widths {
    /// Bits per variable whose words are integers or handles.
    pub variables: Vec<u32>,
    /// Objects per type.
    pub objects: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    pub word: usize,
    pub shift: u32,
    pub width: u32,
}

/// The place of a variable.
#[derive(Clone, Debug)]
pub enum Slot {
    Scalar(Scalar),
    /// One field per key, `per_word` of them in a word.
    Array {
        key: Kind,
        keys: u64,
        element: Scalar,
        stride: u32,
        per_word: u64,
    },
    /// One bit per value.
    Bits {
        element: Kind,
        count: u64,
        word: usize,
        shift: u32,
    },
}

/// One field with the kind of its words. If the value may be absent, zero says so and others are one more.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub field: Field,
    pub kind: Kind,
    pub optional: bool,
}

#[derive(Clone, Debug)]
pub struct Layout {
    pub words: usize,
    /// Those of the system, then those of observers.
    pub variables: Vec<Slot>,
    own: usize,
    pub locations: Vec<Option<Field>>,
    pub objects: Vec<Field>,
}

impl Layout {
    /// The initial states have the variables of observers behind their own. Gives those who watch their places too.
    pub fn new(
        kinds: &Kinds<'_>,
        widths: &Widths,
        initial: &[State],
        watch: &mut Watch,
    ) -> Result<Layout, Unsupported> {
        let model = kinds.instance.model();
        let mut room = Room::default();
        let mut plans = Vec::new();
        for (index, variable) in model.variables.iter().enumerate() {
            let idle = |id: ObserverId| watch.observers().all(|(watching, _)| watching != id);
            plans.push(match variable.owner {
                Owner::Observer(id) if idle(id) => Plan::Scalar { kind: Kind::bool(), optional: false, width: 0 },
                _ => plan(kinds, widths, initial, VariableId(index))?,
            });
        }
        // Large things first, so that small ones fill the gaps.
        let mut order: Vec<usize> = (0..plans.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(plans[*index].size()));
        let mut variables: Vec<Option<Slot>> = vec![None; plans.len()];
        for index in order {
            variables[index] = Some(plans[index].place(&mut room));
        }
        let counts = model.components.iter().enumerate().map(|(id, component)| {
            let count = model.locations.iter().filter(|location| location.component.0 == id).count() as u64;
            component.start.map(|_| count)
        });
        let locations = counts.map(|count| count.map(|_| room.take(bits(model.locations.len() as u64)))).collect();
        let objects = widths.objects.iter().map(|count| room.take(bits(count + 1))).collect();
        watch.place(&mut |width| room.take(width));
        Ok(Layout {
            words: room.words.len().max(1),
            variables: variables.into_iter().flatten().collect(),
            own: model.state_size(),
            locations,
            objects,
        })
    }

    pub fn encode(&self, state: &State, store: &Store) -> Option<Vec<u64>> {
        let mut row = vec![0; self.words];
        for (index, (slot, value)) in self.variables.iter().zip(&state.variables).enumerate() {
            // What an observer has forgotten is nothing.
            if index < self.own || value.is_some() {
                slot.encode(value.as_ref(), &mut row, store)?;
            }
        }
        for (field, location) in self.locations.iter().zip(&state.locations) {
            if let (Some(field), Some(location)) = (field, location) {
                field.set(&mut row, location.0 as u64)?;
            }
        }
        for (field, count) in self.objects.iter().zip(&state.objects) {
            field.set(&mut row, u64::from(*count))?;
        }
        Some(row)
    }

    pub fn decode(&self, row: &[u64], blank: &State, store: &Store) -> State {
        let mut state = blank.clone();
        state.variables = self.variables[..self.own].iter().map(|slot| slot.decode(row, store)).collect();
        for (location, field) in state.locations.iter_mut().zip(&self.locations) {
            *location = field.map(|field| interplay_model::LocationId(field.get(row) as usize));
        }
        state.objects = self.objects.iter().map(|field| field.get(row) as u32).collect();
        state
    }
}

/// What a variable needs, before it has a place.
enum Plan {
    Scalar { kind: Kind, optional: bool, width: u32 },
    Array { key: Kind, keys: u64, kind: Kind, optional: bool, width: u32 },
    Bits { element: Kind, count: u64 },
}

fn plan(kinds: &Kinds<'_>, widths: &Widths, initial: &[State], id: VariableId) -> Result<Plan, Unsupported> {
    let model = kinds.instance.model();
    let variable = &model.variables[id.0];
    let free = widths.variables[id.0];
    let unset = initial.iter().any(|state| state.variables[id.0].is_none());
    match model.types.strip(&variable.ty) {
        Type::Map(key, value) if !unset => {
            let (key, kind) = (kinds.of(key)?, kinds.of(value)?);
            if let Some(keys) = key.card().filter(|keys| *keys <= MOST_KEYS) {
                let optional = !always_total(kinds, initial, id, keys);
                let width = width(&kind, optional, free);
                return Ok(Plan::Array { key, keys, kind, optional, width });
            }
        }
        Type::Set(element) if !unset => {
            let element = kinds.of(element)?;
            if let Some(count) = element.card().filter(|count| *count <= MOST_BITS) {
                return Ok(Plan::Bits { element, count });
            }
        }
        _ => {}
    }
    let kind = kinds.of(&variable.ty)?;
    let width = width(&kind, unset, free);
    Ok(Plan::Scalar { kind, optional: unset, width })
}

fn width(kind: &Kind, optional: bool, free: u32) -> u32 {
    match kind.card() {
        Some(card) => bits(card + u64::from(optional)),
        None => (free + u32::from(optional)).min(64),
    }
}

/// All keys are there at the start, and nothing takes one away or writes the map as a whole.
fn always_total(kinds: &Kinds<'_>, initial: &[State], id: VariableId, keys: u64) -> bool {
    let full =
        |state: &State| matches!(&state.variables[id.0], Some(Value::Map(entries)) if entries.len() as u64 == keys);
    let model = kinds.instance.model();
    let mut whole = false;
    let bodies = model
        .rules
        .iter()
        .flat_map(|rule| &rule.body)
        .chain(model.components.iter().flat_map(|component| &component.entry))
        .chain(model.observers.iter().flat_map(|observer| &observer.rules).flat_map(|rule| &rule.body));
    for statement in bodies {
        statement.walk(&mut |statement| {
            whole |= matches!(&statement.kind, StatementKind::Assign { place, .. } if place.variable == id && place.path.is_empty());
        });
    }
    !whole && initial.iter().all(full)
}

impl Plan {
    fn size(&self) -> u64 {
        match self {
            Plan::Scalar { width, .. } => u64::from(*width),
            Plan::Array { keys, width, .. } => keys * u64::from(*width),
            Plan::Bits { count, .. } => *count,
        }
    }

    fn place(&self, room: &mut Room) -> Slot {
        match self {
            Plan::Scalar { kind, optional, width } => {
                Slot::Scalar(Scalar { field: room.take(*width), kind: kind.clone(), optional: *optional })
            }
            Plan::Bits { element, count } => {
                let field =
                    if *count <= 64 { room.take(*count as u32) } else { room.take_words(count.div_ceil(64) as usize) };
                Slot::Bits { element: element.clone(), count: *count, word: field.word, shift: field.shift }
            }
            Plan::Array { key, keys, kind, optional, width } => {
                let (field, stride, per_word) = room.take_array(*keys, *width);
                let element =
                    Scalar { field: Field { width: *width, ..field }, kind: kind.clone(), optional: *optional };
                Slot::Array { key: key.clone(), keys: *keys, element, stride, per_word }
            }
        }
    }
}

/// Bits that are still free in each word.
#[derive(Default)]
struct Room {
    /// How many bits of each word are taken, from the low end.
    words: Vec<u32>,
}

impl Room {
    /// A field in the first word that has room for it.
    fn take(&mut self, width: u32) -> Field {
        if width == 0 {
            return Field { word: 0, shift: 0, width: 0 };
        }
        let word = self.words.iter().position(|used| used + width <= 64).unwrap_or_else(|| {
            self.words.push(0);
            self.words.len() - 1
        });
        let shift = self.words[word];
        self.words[word] += width;
        Field { word, shift, width }
    }

    fn take_words(&mut self, count: usize) -> Field {
        let word = self.words.len();
        self.words.extend(std::iter::repeat_n(64, count));
        Field { word, shift: 0, width: 64 }
    }

    /// Fields of one size: all in one word if they fit, otherwise in words of their own, a power of two in each.
    fn take_array(&mut self, count: u64, width: u32) -> (Field, u32, u64) {
        if count * u64::from(width) <= 64 {
            return (self.take((count * u64::from(width)) as u32), width, count.max(1));
        }
        let stride = width.next_power_of_two();
        let per_word = u64::from(64 / stride);
        (self.take_words(count.div_ceil(per_word) as usize), stride, per_word)
    }
}

impl Field {
    pub fn mask(self) -> u64 {
        if self.width >= 64 { u64::MAX } else { (1 << self.width) - 1 }
    }

    pub fn get(self, row: &[u64]) -> u64 {
        if self.width == 0 { 0 } else { row[self.word] >> self.shift & self.mask() }
    }

    /// `None` if the value has more bits than the field.
    pub fn set(self, row: &mut [u64], value: u64) -> Option<()> {
        if value & !self.mask() != 0 {
            return None;
        }
        if self.width > 0 {
            row[self.word] = row[self.word] & !(self.mask() << self.shift) | value << self.shift;
        }
        Some(())
    }
}

impl Scalar {
    /// The bits of a word, or of its absence.
    pub(crate) fn code(&self, word: Option<u64>) -> Option<u64> {
        let (width, mask) = (self.field.width, self.field.mask());
        match (word, &self.kind) {
            (None, _) => Some(0),
            (Some(word), Kind::Int(..)) => {
                // Signed, in two's complement of the width; with absence, moved up by one bit.
                let width = width - u32::from(self.optional);
                let fits = width >= 64 || (word as i64) << (64 - width) >> (64 - width) == word as i64;
                let low = if width >= 64 { word } else { word & ((1 << width) - 1) };
                fits.then_some(if self.optional { low << 1 | 1 } else { low })
            }
            (Some(word), Kind::Handle(_)) if self.optional => {
                word.checked_mul(2).map(|word| word + 1).filter(|code| code & !mask == 0)
            }
            (Some(word), _) => Some(word + u64::from(self.optional)).filter(|code| code & !mask == 0),
        }
    }

    pub(crate) fn word(&self, code: u64) -> Option<u64> {
        if self.optional && code == 0 {
            return None;
        }
        Some(match &self.kind {
            Kind::Int(..) => {
                let width = self.field.width - u32::from(self.optional);
                let low = code >> u32::from(self.optional);
                if width >= 64 {
                    low
                } else if width == 0 {
                    0
                } else {
                    ((low << (64 - width)) as i64 >> (64 - width)) as u64
                }
            }
            Kind::Handle(_) => code >> u32::from(self.optional),
            Kind::Small { .. } => code - u64::from(self.optional),
        })
    }
}

impl Slot {
    /// The field of one key of an array.
    pub fn element_field(&self, index: u64) -> Field {
        let Slot::Array { element, stride, per_word, .. } = self else { unreachable!("only arrays have elements") };
        let field = element.field;
        Field {
            word: field.word + (index / per_word) as usize,
            shift: field.shift + (index % per_word) as u32 * stride,
            ..field
        }
    }

    fn encode(&self, value: Option<&Value>, row: &mut [u64], store: &Store) -> Option<()> {
        match self {
            Slot::Scalar(scalar) => {
                let word = value.map(|value| scalar.kind.encode(value, store).ok_or(())).transpose().ok()?;
                scalar.field.set(row, scalar.code(word)?)
            }
            Slot::Bits { element, word, shift, .. } => {
                let Some(Value::Set(elements)) = value else { return None };
                for value in elements.iter() {
                    let bit = element.encode(value, store)? + u64::from(*shift);
                    row[word + (bit / 64) as usize] |= 1 << (bit % 64);
                }
                Some(())
            }
            Slot::Array { key, element, .. } => {
                let Some(Value::Map(entries)) = value else { return None };
                for (at, value) in entries.iter() {
                    let word = element.kind.encode(value, store)?;
                    self.element_field(key.encode(at, store)?).set(row, element.code(Some(word))?)?;
                }
                Some(())
            }
        }
    }

    pub fn decode(&self, row: &[u64], store: &Store) -> Option<Value> {
        match self {
            Slot::Scalar(scalar) => scalar.word(scalar.field.get(row)).map(|word| scalar.kind.decode(word, store)),
            Slot::Bits { element, count, word, shift } => {
                let bits = (0..*count).filter(|bit| {
                    row[word + ((bit + u64::from(*shift)) / 64) as usize] >> ((bit + u64::from(*shift)) % 64) & 1 == 1
                });
                Some(Value::set(bits.map(|bit| element.decode(bit, store))))
            }
            Slot::Array { key, keys, element, .. } => {
                let entry = |index: u64| {
                    let word = element.word(self.element_field(index).get(row))?;
                    Some((key.decode(index, store), element.kind.decode(word, store)))
                };
                Some(Value::map((0..*keys).filter_map(entry)))
            }
        }
    }
}
