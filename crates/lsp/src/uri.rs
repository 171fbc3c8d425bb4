//! Names of documents: `file:///a%20b.play` is the path `/a b.play`. A document without a file keeps its name as its path.

use gen_lsp_types::Uri;
use std::path::{Path, PathBuf};

const FILE: &str = "file://";

pub(crate) fn to_path(uri: &Uri) -> PathBuf {
    match uri.0.strip_prefix(FILE) {
        Some(encoded) => PathBuf::from(decoded(encoded)),
        None => PathBuf::from(&uri.0),
    }
}

pub(crate) fn from_path(path: &Path) -> Uri {
    let text = path.display().to_string();
    if text.starts_with('/') { Uri(format!("{FILE}{}", encoded(&text))) } else { Uri(text) }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_protocol() {
        for path in ["/a/b.play", "/a b/ü.play", "/100%/x.play"] {
            assert_eq!(to_path(&from_path(Path::new(path))), Path::new(path));
        }
        assert_eq!(to_path(&Uri("file:///a%20b%zz%".into())), Path::new("/a b%zz%"));
        assert_eq!(from_path(&to_path(&Uri("untitled:1".into()))), Uri("untitled:1".into()));
    }
}
