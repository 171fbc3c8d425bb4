//! The models by hand, each state packed into one u64.
use crate::Model;
/// ---------- (a) Peterson's filter lock, N processes ----------
/// local state l: 0 idle; 1+3(j-1)+{0: about to write level j, 1: about to write victim[j], 2: waiting at j}; last = crit
pub struct Peterson { pub n: usize }
impl Peterson {
    #[inline(always)] fn loc(&self, s: u64, i: usize) -> u64 { s >> (5 * i) & 31 }
    #[inline(always)] fn vic(&self, s: u64, j: usize) -> u64 { s >> (32 + 3 * (j - 1)) & 7 }
    #[inline(always)] fn level(&self, l: u64) -> u64 {
        // level[i] as visible to the others
        if l == 0 { 0 } else { let j = (l - 1) / 3 + 1; if l == 3 * (self.n as u64 - 1) + 1 { self.n as u64 - 1 } else if (l - 1) % 3 == 0 { j - 1 } else { j } }
    }
}
impl Model for Peterson {
    fn init(&self) -> u64 { 0 }
    #[inline(always)]
    fn succ(&self, s: u64, f: &mut impl FnMut(u64)) {
        let n = self.n;
        let crit = 3 * (n as u64 - 1) + 1;
        for i in 0..n {
            let l = self.loc(s, i);
            let up = s + (1 << (5 * i));
            if l == 0 { f(up) }
            else if l == crit { f(s & !(31 << (5 * i))) }
            else {
                let j = (l - 1) / 3 + 1;
                match (l - 1) % 3 {
                    0 => f(up),
                    1 => { let sh = 32 + 3 * (j - 1); f(up & !(7 << sh) | (i as u64) << sh) }
                    _ => {
                        let free = self.vic(s, j as usize) != i as u64
                            || (0..n).all(|k| k == i || self.level(self.loc(s, k)) < j);
                        if free { f(up) }
                    }
                }
            }
        }
    }
    #[inline(always)]
    fn inv(&self, s: u64) -> bool {
        let crit = 3 * (self.n as u64 - 1) + 1;
        (0..self.n).filter(|&i| self.loc(s, i) == crit).count() <= 1
    }
}
/// ---------- (a') dining philosophers ----------
pub struct Phil { pub n: usize }
impl Model for Phil {
    fn init(&self) -> u64 { 0 }
    #[inline(always)]
    fn succ(&self, s: u64, f: &mut impl FnMut(u64)) {
        // pc: 0 think, 1 has first, 2 has both, 3 has second only.  philosopher n-1 takes the right fork first.
        let n = self.n;
        let pc = |i: usize| s >> (2 * i) & 3;
        for i in 0..n {
            // fork i is left fork of i and right fork of i-1
            let (first, second) = if i == n - 1 { ((i + 1) % n, i) } else { (i, (i + 1) % n) };
            let taken = |k: usize| {
                // held by k as its left or by k-1 as its right
                let l = k; let r = (k + n - 1) % n;
                let lh = if l == n - 1 { pc(l) & 2 != 0 } else { pc(l) == 1 || pc(l) == 2 };
                let rh = if r == n - 1 { pc(r) == 1 || pc(r) == 2 } else { pc(r) & 2 != 0 };
                lh || rh
            };
            match pc(i) {
                0 => if !taken(first) { f(s + (1 << (2 * i))) },
                1 => if !taken(second) { f(s + (1 << (2 * i))) },
                2 => f(s + (1 << (2 * i))),
                _ => f(s & !(3 << (2 * i))),
            }
        }
    }
    #[inline(always)]
    fn inv(&self, s: u64) -> bool {
        let n = self.n;
        (0..n).all(|i| !(s >> (2 * i) & 3 == 2 && s >> (2 * ((i + 1) % n)) & 3 == 2))
    }
}
/// ---------- (b) two-phase commit ----------
/// rm: 2 bits each (0 working 1 prepared 2 committed 3 aborted) | tmPrepared n bits @24 | msgPrepared n bits @40 | tm 2 bits @56
pub struct TwoPc { pub n: usize }
impl Model for TwoPc {
    fn init(&self) -> u64 { 0 }
    #[inline(always)]
    fn succ(&self, s: u64, f: &mut impl FnMut(u64)) {
        let n = self.n;
        let tm = s >> 56 & 3;
        let full = (1u64 << n) - 1;
        if tm == 0 {
            if s >> 24 & full == full { f(s | 1 << 56) }
            f(s | 2 << 56);
        }
        for r in 0..n {
            let rm = s >> (2 * r) & 3;
            let base = s & !(3 << (2 * r));
            if tm == 0 && s >> (40 + r) & 1 == 1 { f(s | 1 << (24 + r)) }
            if rm == 0 {
                f(base | 1 << (2 * r) | 1 << (40 + r));
                f(base | 3 << (2 * r));
            }
            if tm == 1 { f(base | 2 << (2 * r)) }
            if tm == 2 { f(base | 3 << (2 * r)) }
        }
    }
    #[inline(always)]
    fn inv(&self, s: u64) -> bool {
        let (mut a, mut c) = (false, false);
        for r in 0..self.n { match s >> (2 * r) & 3 { 2 => c = true, 3 => a = true, _ => {} } }
        !(a && c)
    }
}
/// ---------- (d) racy counter: n threads, each k times { t = x; x = t + 1 } ----------
/// x 6 bits @0; thread i: pc 1 bit, cnt 3 bits, t 6 bits -> 10 bits @ 6+10 i      (n<=5, n*k<64)
pub struct Inc { pub n: usize, pub k: usize }
impl Model for Inc {
    fn init(&self) -> u64 { 0 }
    #[inline(always)]
    fn succ(&self, s: u64, f: &mut impl FnMut(u64)) {
        let x = s & 63;
        for i in 0..self.n {
            let o = 6 + 10 * i;
            let th = s >> o & 1023;
            let (pc, cnt, t) = (th & 1, th >> 1 & 7, th >> 4);
            let rest = s & !(1023 << o);
            if pc == 0 {
                if cnt < self.k as u64 { f(rest | (1 | cnt << 1 | x << 4) << o) }
            } else {
                f((rest & !63) | (t + 1) | ((cnt + 1) << 1) << o) // t reset to 0
            }
        }
    }
    #[inline(always)]
    fn inv(&self, s: u64) -> bool {
        let mut done = 0;
        for i in 0..self.n { done += s >> (6 + 10 * i + 1) & 7 }
        (s & 63) <= done
    }
}
/// ---------- (c) go-back-N sliding window over two lossy bounded FIFO channels, with data ----------
/// window w (<=3), modulus m=w+1, d data values (<=4), channel capacity c (<=5)
/// layout: base 2 | cnt 2 | exp 2 | buf w*2 (6) | dlen 3 | alen 3 | data chan c*4 (20) | ack chan c*2 (10)
pub struct Swp { pub w: usize, pub d: usize, pub c: usize }
impl Model for Swp {
    fn init(&self) -> u64 { 0 }
    #[inline(always)]
    fn succ(&self, s: u64, f: &mut impl FnMut(u64)) {
        let (w, d, c, m) = (self.w as u64, self.d as u64, self.c as u64, self.w as u64 + 1);
        let base = s & 3; let cnt = s >> 2 & 3; let exp = s >> 4 & 3; let buf = s >> 6 & 63;
        let dl = s >> 12 & 7; let al = s >> 15 & 7;
        let dc = s >> 18 & 0xFFFFF; let ac = s >> 38 & 0x3FF;
        let pk = |base: u64, cnt: u64, exp: u64, buf: u64, dl: u64, al: u64, dc: u64, ac: u64|
            base | cnt << 2 | exp << 4 | buf << 6 | dl << 12 | al << 15 | dc << 18 | ac << 38;
        // accept new data from the user
        if cnt < w { for v in 0..d { f(pk(base, cnt + 1, exp, buf | v << (2 * cnt), dl, al, dc, ac)) } }
        // (re)send any outstanding frame
        if dl < c { for i in 0..cnt {
            let fr = (base + i) % m | (buf >> (2 * i) & 3) << 2;
            f(pk(base, cnt, exp, buf, dl + 1, al, dc | fr << (4 * dl), ac));
        } }
        // lose head of data / ack channel
        if dl > 0 { f(pk(base, cnt, exp, buf, dl - 1, al, dc >> 4, ac)) }
        if al > 0 { f(pk(base, cnt, exp, buf, dl, al - 1, dc, ac >> 2)) }
        // receiver takes a frame and acknowledges (needs room in ack channel)
        if dl > 0 && al < c {
            let e = if dc & 3 == exp { (exp + 1) % m } else { exp };
            f(pk(base, cnt, e, buf, dl - 1, al + 1, dc >> 4, ac | e << (2 * al)));
        }
        // sender takes an ack
        if al > 0 {
            let k = ((ac & 3) + m - base) % m;
            if k <= cnt { f(pk((base + k) % m, cnt - k, exp, buf >> (2 * k), dl, al - 1, dc, ac >> 2)) }
            else { f(pk(base, cnt, exp, buf, dl, al - 1, dc, ac >> 2)) }
        }
    }
    #[inline(always)]
    fn inv(&self, s: u64) -> bool {
        let m = self.w as u64 + 1;
        let base = s & 3; let exp = s >> 4 & 3; let buf = s >> 6 & 63;
        let dl = s >> 12 & 7; let dc = s >> 18 & 0xFFFFF; let cnt = s >> 2 & 3;
        if dl > 0 && dc & 3 == exp {
            let k = (exp + m - base) % m;
            return k < cnt && buf >> (2 * k) & 3 == dc >> 2 & 3;
        }
        true
    }
}
/// ---------- (e) single-decree Paxos (Lamport's message-set form), 3 acceptors, 2 values, b ballots (<=4) ----------
/// 1a: 4 bits @0 | 2a: 2 bits per ballot @4 (0 none, 1+v) | 2b: bit per (acc,bal) @12 (value = that of 2a)
/// | 1b: 4 bits per (acc,bal)... packed 1,2,3,3 bits for bal 0..3, 9 bits per acc @24 (0 none, 1 = no vote, 2+2*mbal+mval)
/// | maxBal+1: 3 bits per acc @51
pub struct Paxos { pub b: usize }
const O1B: [u32; 4] = [0, 1, 3, 6];
const M1B: [u64; 4] = [1, 3, 7, 15];
impl Paxos {
    // bal 3 needs values 0..=7+1 -> 2+2*2+1 = 7 max, so 3 bits suffice
    pub fn new(b: usize) -> Self { assert!(b <= 4); Paxos { b } }
    #[inline(always)] fn p1b(s: u64, a: usize, bal: usize) -> u64 {
        s >> (24 + 9 * a as u32 + O1B[bal]) & if bal == 3 { 7 } else { M1B[bal] }
    }
    #[inline(always)] fn p2a(s: u64, bal: usize) -> u64 { s >> (4 + 2 * bal) & 3 }
    #[inline(always)] fn p2b(s: u64, a: usize, bal: usize) -> bool { s >> (12 + 4 * a + bal) & 1 == 1 }
}
impl Model for Paxos {
    fn init(&self) -> u64 { 0 }
    #[inline(always)]
    fn succ(&self, s: u64, f: &mut impl FnMut(u64)) {
        let nb = self.b;
        for b in 0..nb {
            f(s | 1 << b); // Phase1a
            if Self::p2a(s, b) == 0 {
                let (mut ok0, mut ok1) = (false, false);
                for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                    let (x, y) = (Self::p1b(s, p, b), Self::p1b(s, q, b));
                    if x == 0 || y == 0 { continue }
                    let (hi, lo) = (x.max(y), x.min(y));
                    if hi == 1 { ok0 = true; ok1 = true }
                    else {
                        let vs = |z: u64| if (z & 1) == 0 { 1 } else { 2 };
                        let mut set = vs(hi);
                        if lo >= 2 && (lo >> 1) == (hi >> 1) { set |= vs(lo) }
                        ok0 |= set & 1 != 0; ok1 |= set & 2 != 0;
                    }
                }
                if ok0 { f(s | 1 << (4 + 2 * b)) }
                if ok1 { f(s | 2 << (4 + 2 * b)) }
            }
        }
        for a in 0..3 {
            let sh = 51 + 3 * a;
            let mb = (s >> sh & 7) as usize; // maxBal+1
            let votes = s >> (12 + 4 * a) & 15;
            let p = if votes == 0 { 1 } else { let t = 63 - votes.leading_zeros() as usize; 2 + 2 * t as u64 + (Self::p2a(s, t) - 1) };
            let clr = s & !(7 << sh);
            for b in 0..nb {
                if s >> b & 1 == 1 && b + 1 > mb { f(clr | (b as u64 + 1) << sh | p << (24 + 9 * a as u32 + O1B[b])) }
                if Self::p2a(s, b) != 0 && b + 1 >= mb { f(clr | (b as u64 + 1) << sh | 1 << (12 + 4 * a + b)) }
            }
        }
    }
    #[inline(always)]
    fn inv(&self, s: u64) -> bool {
        let mut ch = 0;
        for b in 0..self.b {
            let n = (0..3).filter(|&a| Self::p2b(s, a, b)).count();
            if n >= 2 { ch |= Self::p2a(s, b) }
        }
        ch != 3
    }
}
