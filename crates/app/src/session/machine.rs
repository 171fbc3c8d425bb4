//! What the machine has: memory in use, and memory that may be used.

/// Three quarters of what is free: enough stays for the others, and the search ends before the machine does.
pub(crate) fn memory_to_use() -> Option<u64> {
    let free = bytes("/proc/meminfo", "MemAvailable:")?;
    Some(free.min(addresses().unwrap_or(u64::MAX)) / 4 * 3)
}

/// Of this program, where the operating system tells it.
pub(crate) fn resident() -> Option<u64> {
    bytes("/proc/self/status", "VmRSS:")
}

/// What `ulimit -v` leaves, if it is set.
fn addresses() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(most.saturating_sub(bytes("/proc/self/status", "VmSize:")?))
}

/// The number of a line that begins so.
fn bytes(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}
