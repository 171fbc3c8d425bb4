//! The implementations of the examples: the correct ones do what their specifications say, and every fault shows. The judge is
//! the reference interpreter, along every input where that is possible, and in live conversations where it is not.

mod brp;
mod common;
mod folders;
mod live;
mod services;
mod synchronous;
