//! Where a program says that it crashed: the place in the last words on its standard error. Runtimes name it in different forms; a program
//! that says nothing has no place, which is no mistake.
//!
//! ```text
//! File "jobs.py", line 31, in ack               Python, the innermost frame last
//! thread 'main' panicked at src/main.rs:10:5:   Rust
//! /srv/lock.js:12                               JavaScript and others: FILE:LINE, first
//! ```

/// `jobs.py:31`, if one of the lines says so. Only the name of the file counts, so that it is the same on every machine.
pub(crate) fn place(lines: &[String]) -> Option<String> {
    lines.iter().rev().find_map(|line| python(line)).or_else(|| lines.iter().find_map(|line| others(line)))
}

fn python(line: &str) -> Option<String> {
    let (file, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("{}:{number}", name(file)))
}

fn others(line: &str) -> Option<String> {
    let words = line.split(|letter: char| letter.is_whitespace() || "()[]'\"".contains(letter));
    words.into_iter().find_map(|word| {
        let mut parts = word.split(':');
        let (file, number) = (parts.next()?, parts.next()?);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let ending = name(file).rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_source = !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_alphabetic());
        (is_number && is_source).then(|| format!("{}:{number}", name(file)))
    })
}

fn name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::place;

    fn check(text: &str, expected: Option<&str>) {
        let lines: Vec<String> = text.lines().map(String::from).collect();
        assert_eq!(place(&lines).as_deref(), expected, "{text}");
    }

    #[test]
    fn the_place_is_found_in_the_words_of_each_runtime() {
        check(
            "  File \"a.py\", line 3, in <module>\n  File \"/x/b.py\", line 31, in ack\nKeyError: 1",
            Some("b.py:31"),
        );
        check("thread 'main' panicked at src/main.rs:10:5:\nout of ink", Some("main.rs:10"));
        check("/srv/lock.mjs:12\n    throw new Error()\n    at Lock.enter (/srv/other.mjs:3:4)", Some("lock.mjs:12"));
        check("panic: oops\n\t/srv/main.go:7 +0x1d", Some("main.go:7"));
    }

    #[test]
    fn other_words_are_no_place() {
        check("listening on 127.0.0.1:8080\nat 12:30 it ended\nSegmentation fault", None);
        check("", None);
    }
}
