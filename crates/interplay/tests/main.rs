//! All integration tests of the face, in one program.

mod crashes;
mod lock;
mod lottery;
mod lru;
