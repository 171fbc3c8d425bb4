//! Rows to 64 well-mixed bits: two rounds of multiplication whose high half is folded onto the low one.
//!
//! The finish is a bijection of the folded word, so a single word that differs gives a different product almost always;
//! [`super::Narrow`] stores the rows themselves and needs only a good spread, [`super::Compact`] needs more and takes both
//! seeds into account.

const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xD6E8_FEB8_6659_FD93;
const THIRD: u64 = 0xA076_1D64_78BD_642F;

#[inline(always)]
pub(super) fn hash_word(word: u64) -> u64 {
    fold(word ^ FIRST, SECOND).wrapping_mul(THIRD)
}

#[inline]
pub(super) fn hash_row(row: &[u64], seed: u64) -> u64 {
    hash_words(row.iter().copied(), seed)
}

#[inline]
pub(super) fn hash_words(words: impl Iterator<Item = u64>, seed: u64) -> u64 {
    let mut state = seed ^ FIRST;
    for word in words {
        state = fold(state ^ word, SECOND).wrapping_add(word.rotate_left(29)) ^ THIRD;
    }
    fold(state, THIRD) ^ state.rotate_left(32).wrapping_mul(FIRST)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}
