//! Sets of packed states: open addressing, growing, for one thread and for several.
use std::sync::atomic::{AtomicU64, Ordering::*};
pub fn peak_rss_kb() -> u64 {
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    s.lines().find(|l| l.starts_with("VmHWM")).unwrap().split_whitespace().nth(1).unwrap().parse().unwrap()
}
#[inline(always)]
pub fn hash(x: u64) -> u64 {
    // 64x64->128 folded multiply (wyhash-style), two rounds are enough for packed states
    let m = (x ^ 0x9E37_79B9_7F4A_7C15) as u128 * 0xD6E8_FEB8_6659_FD93u128;
    let h = (m as u64) ^ ((m >> 64) as u64);
    h.wrapping_mul(0xA076_1D64_78BD_642F)
}
/// zeroed, huge-page-advised memory
pub fn alloc<T>(n: usize) -> *mut T {
    unsafe {
        let bytes = n * std::mem::size_of::<T>();
        let p = libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
        assert!(p != libc::MAP_FAILED);
        if std::env::var_os("NOTHP").is_none() {
            libc::madvise(p, bytes, libc::MADV_HUGEPAGE);
        }
        p as *mut T
    }
}
#[inline(always)]
pub fn prefetch<T>(p: *const T) {
    unsafe { std::arch::x86_64::_mm_prefetch(p as *const i8, std::arch::x86_64::_MM_HINT_T0) }
}
pub trait Set {
    fn new(log2: u32) -> Self;
    fn insert(&mut self, x: u64) -> bool;
    fn prefetch(&self, x: u64);
}
/// growing open-addressing linear-probe table of u64 (value 0 = empty, states stored +1)
pub struct Flat { t: *mut u64, log2: u32, len: usize }
impl Flat {
    #[inline(always)]
    fn at(&self, x: u64) -> usize { (hash(x) >> (64 - self.log2)) as usize }
    #[cold]
    fn grow(&mut self) {
        let n = 1usize << self.log2;
        let old = self.t;
        self.log2 += 1;
        self.t = alloc::<u64>(2 * n);
        let mask = 2 * n - 1;
        unsafe {
            for i in 0..n {
                let v = *old.add(i);
                if v != 0 {
                    let mut j = self.at(v - 1);
                    while *self.t.add(j) != 0 { j = (j + 1) & mask }
                    *self.t.add(j) = v;
                }
            }
            libc::munmap(old as *mut _, n * 8);
        }
    }
}
impl Set for Flat {
    fn new(log2: u32) -> Self { Flat { t: alloc(1usize << log2), log2, len: 0 } }
    #[inline(always)]
    fn insert(&mut self, x: u64) -> bool {
        let mask = (1usize << self.log2) - 1;
        let mut j = self.at(x);
        unsafe {
            loop {
                let v = *self.t.add(j);
                if v == x + 1 { return false }
                if v == 0 {
                    *self.t.add(j) = x + 1;
                    self.len += 1;
                    if self.len * 4 > (mask + 1) * 3 { self.grow() }
                    return true;
                }
                j = (j + 1) & mask;
            }
        }
    }
    #[inline(always)]
    fn prefetch(&self, x: u64) { prefetch(unsafe { self.t.add(self.at(x)) }) }
}
/// same, but every state occupies 16 bytes
pub struct Wide { t: *mut u128, log2: u32, len: usize }
impl Wide {
    #[inline(always)]
    fn at(&self, x: u64) -> usize { (hash(x) >> (64 - self.log2)) as usize }
    #[cold]
    fn grow(&mut self) {
        let n = 1usize << self.log2;
        let old = self.t;
        self.log2 += 1;
        self.t = alloc::<u128>(2 * n);
        let mask = 2 * n - 1;
        unsafe {
            for i in 0..n {
                let v = *old.add(i);
                if v != 0 {
                    let mut j = self.at((v - 1) as u64);
                    while *self.t.add(j) != 0 { j = (j + 1) & mask }
                    *self.t.add(j) = v;
                }
            }
            libc::munmap(old as *mut _, n * 16);
        }
    }
}
impl Set for Wide {
    fn new(log2: u32) -> Self { Wide { t: alloc(1usize << log2), log2, len: 0 } }
    #[inline(always)]
    fn insert(&mut self, x: u64) -> bool {
        let mask = (1usize << self.log2) - 1;
        let mut j = self.at(x);
        let key = x as u128 + 1;
        unsafe {
            loop {
                let v = *self.t.add(j);
                if v == key { return false }
                if v == 0 {
                    *self.t.add(j) = key;
                    self.len += 1;
                    if self.len * 4 > (mask + 1) * 3 { self.grow() }
                    return true;
                }
                j = (j + 1) & mask;
            }
        }
    }
    #[inline(always)]
    fn prefetch(&self, x: u64) { prefetch(unsafe { self.t.add(self.at(x)) }) }
}
/// std HashSet with SipHash: what a naive Rust author gets
pub struct StdSet(std::collections::HashSet<u64>);
impl Set for StdSet {
    fn new(_: u32) -> Self { StdSet(Default::default()) }
    fn insert(&mut self, x: u64) -> bool { self.0.insert(x) }
    fn prefetch(&self, _: u64) {}
}
/// lock-free fixed-size table
pub struct ConcSet { t: *mut AtomicU64, log2: u32 }
unsafe impl Sync for ConcSet {}
unsafe impl Send for ConcSet {}
impl ConcSet {
    pub fn new(log2: u32) -> Self { ConcSet { t: alloc(1usize << log2), log2 } }
    #[inline(always)]
    fn at(&self, x: u64) -> usize { (hash(x) >> (64 - self.log2)) as usize }
    #[inline(always)]
    pub fn insert(&self, x: u64) -> bool {
        let mask = (1usize << self.log2) - 1;
        let mut j = self.at(x);
        let key = x + 1;
        unsafe {
            loop {
                let c = &*self.t.add(j);
                let v = c.load(Relaxed);
                if v == key { return false }
                if v == 0 {
                    match c.compare_exchange(0, key, Relaxed, Relaxed) {
                        Ok(_) => return true,
                        Err(o) if o == key => return false,
                        Err(_) => {}
                    }
                }
                j = (j + 1) & mask;
            }
        }
    }
    #[inline(always)]
    pub fn prefetch(&self, x: u64) { prefetch(unsafe { self.t.add(self.at(x)) }) }
}
