//! States as bytes that another process understands: values written out, without numbers that only one process knows.
//!
//! Numbers take seven bits per byte, the lowest first; a value begins with the number of its kind.

use interplay_model::{LocationId, ObjectId};
use interplay_semantics::{ObserverState, State, Value};

pub(crate) fn write_state(state: &State, bytes: &mut Vec<u8>) {
    write_list(&state.variables, bytes, |value, bytes| write_option(value.as_ref(), bytes, write_value));
    write_list(&state.locations, bytes, |place, bytes| {
        write_option(place.as_ref(), bytes, |place, bytes| write_number(place.0 as u64, bytes));
    });
    write_list(&state.objects, bytes, |count, bytes| write_number(u64::from(*count), bytes));
}

pub(crate) fn read_state(bytes: &mut &[u8]) -> Option<State> {
    Some(State {
        variables: read_list(bytes, |bytes| read_option(bytes, read_value))?,
        locations: read_list(bytes, |bytes| read_option(bytes, |bytes| read_size(bytes).map(LocationId)))?,
        objects: read_list(bytes, |bytes| u32::try_from(read_number(bytes)?).ok())?,
    })
}

pub(crate) fn write_observer(state: &ObserverState, bytes: &mut Vec<u8>) {
    write_number(state.location as u64, bytes);
    write_list(&state.memory, bytes, |value, bytes| write_option(value.as_ref(), bytes, write_value));
}

pub(crate) fn read_observer(bytes: &mut &[u8]) -> Option<ObserverState> {
    let location = read_size(bytes)?;
    Some(ObserverState { location, memory: read_list(bytes, |bytes| read_option(bytes, read_value))? })
}

pub(crate) fn write_list<T>(items: &[T], bytes: &mut Vec<u8>, mut write: impl FnMut(&T, &mut Vec<u8>)) {
    write_number(items.len() as u64, bytes);
    items.iter().for_each(|item| write(item, bytes));
}

pub(crate) fn read_list<T>(bytes: &mut &[u8], mut read: impl FnMut(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    let count = read_size(bytes)?;
    (0..count).map(|_| read(bytes)).collect()
}

fn write_value(value: &Value, bytes: &mut Vec<u8>) {
    let mut tagged = |tag: u8| bytes.push(tag);
    match value {
        Value::Bool(value) => tagged(u8::from(*value)),
        Value::Int(number) => {
            tagged(2);
            // Small ones of either sign are short.
            write_number(((number << 1) ^ (number >> 63)) as u64, bytes);
        }
        Value::String(text) => {
            tagged(3);
            write_list(text.as_bytes(), bytes, |byte, bytes| bytes.push(*byte));
        }
        Value::Variant { variant, args } => {
            tagged(4);
            write_number(*variant as u64, bytes);
            write_list(args, bytes, write_value);
        }
        Value::Tuple(parts) => {
            tagged(5);
            write_list(parts, bytes, write_value);
        }
        Value::Option(inner) => {
            tagged(6);
            write_option(inner.as_deref(), bytes, write_value);
        }
        Value::Seq(items) => {
            tagged(7);
            write_list(items, bytes, write_value);
        }
        Value::Set(items) => {
            tagged(8);
            write_number(items.len() as u64, bytes);
            items.iter().for_each(|item| write_value(item, bytes));
        }
        Value::Map(pairs) => {
            tagged(9);
            write_number(pairs.len() as u64, bytes);
            for (key, value) in pairs.iter() {
                write_value(key, bytes);
                write_value(value, bytes);
            }
        }
        Value::Object { object, index } => {
            tagged(10);
            write_number(object.0 as u64, bytes);
            write_number(u64::from(*index), bytes);
        }
    }
}

fn read_value(bytes: &mut &[u8]) -> Option<Value> {
    Some(match read_byte(bytes)? {
        0 => Value::Bool(false),
        1 => Value::Bool(true),
        2 => {
            let number = read_number(bytes)?;
            Value::Int((number >> 1) as i64 ^ -((number & 1) as i64))
        }
        3 => Value::string(&String::from_utf8(read_list(bytes, read_byte)?).ok()?),
        4 => Value::Variant { variant: read_size(bytes)?, args: read_list(bytes, read_value)?.into() },
        5 => Value::Tuple(read_list(bytes, read_value)?.into()),
        6 => Value::Option(read_option(bytes, read_value)?.map(Into::into)),
        7 => Value::Seq(read_list(bytes, read_value)?.into()),
        8 => Value::Set(std::sync::Arc::new(read_list(bytes, read_value)?.into_iter().collect())),
        9 => {
            let pairs = read_list(bytes, |bytes| Some((read_value(bytes)?, read_value(bytes)?)))?;
            Value::Map(std::sync::Arc::new(pairs.into_iter().collect()))
        }
        10 => {
            let object = ObjectId(read_size(bytes)?);
            Value::Object { object, index: u32::try_from(read_number(bytes)?).ok()? }
        }
        _ => return None,
    })
}

fn write_option<T: ?Sized>(value: Option<&T>, bytes: &mut Vec<u8>, write: impl FnOnce(&T, &mut Vec<u8>)) {
    bytes.push(u8::from(value.is_some()));
    if let Some(value) = value {
        write(value, bytes);
    }
}

/// The outer `None` is a mistake in the bytes.
fn read_option<T>(bytes: &mut &[u8], read: impl FnOnce(&mut &[u8]) -> Option<T>) -> Option<Option<T>> {
    match read_byte(bytes)? {
        0 => Some(None),
        1 => read(bytes).map(Some),
        _ => None,
    }
}

fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = read_byte(bytes)?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn read_size(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(read_number(bytes)?).ok()
}

fn read_byte(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}
