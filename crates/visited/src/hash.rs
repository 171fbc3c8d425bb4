//! Rows to 64 well-mixed bits: two rounds of multiplication whose high half is folded onto the low one.
//!
//! [`super::Narrow`] keeps rows of one word mixed by [`mix`], which takes no two words to the same one.

const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xD6E8_FEB8_6659_FD93;
const THIRD: u64 = 0xA076_1D64_78BD_642F;

/// A bijection that spreads what words differ in over the upper bits; zero stays zero.
#[inline(always)]
pub(super) fn mix(word: u64) -> u64 {
    let half = (word ^ word >> 32).wrapping_mul(SECOND);
    (half ^ half >> 29).wrapping_mul(FIRST)
}

#[inline]
pub(super) fn hash_row(row: &[u64], seed: u64) -> u64 {
    let mut state = seed ^ FIRST;
    for word in row {
        state = fold(state ^ word, SECOND).wrapping_add(word.rotate_left(29)) ^ THIRD;
    }
    fold(state, THIRD) ^ state.rotate_left(32).wrapping_mul(FIRST)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}
