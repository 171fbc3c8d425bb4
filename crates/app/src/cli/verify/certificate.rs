//! The questions of every proof, as files that anybody can give to any solver.

use crate::files;
use anyhow::Context as _;
use interplay_answers::{Proved, Verified};
use std::path::Path;

pub(super) fn write(folder: &Path, verified: &Verified) -> anyhow::Result<()> {
    let cannot = || format!("cannot write the certificate to {}", folder.display());
    for proved in &verified.properties {
        for file in &proved.files {
            let path = folder.join(name(proved)).join(format!("{}.smt2", file.name));
            let text = format!("; {}: {}\n; The answer is unsat.\n{}", proved.name, file.about, file.text);
            files::keep(&path, &text).with_context(cannot)?;
        }
    }
    files::keep(&folder.join("README.md"), &readme(verified)).with_context(cannot)
}

/// Of its folder.
fn name(proved: &Proved) -> String {
    proved.name.chars().map(|each| if each.is_alphanumeric() || each == '_' { each } else { '-' }).collect()
}

fn readme(verified: &Verified) -> String {
    let setup = verified.setup.as_deref().map_or(String::new(), |setup| format!(" under its setup `{setup}`"));
    let mut text = format!(
        "# What was proved about the system {}{setup}\n\n\
         Each folder is a proof: questions in the language SMT-LIB, to which the answer is `unsat`. Anybody can ask them again:\n\n    \
         for file in */*.smt2; do echo \"$file: $(z3 \"$file\")\"; done\n    \
         for file in */*.smt2; do echo \"$file: $(cvc5 --arrays-exp \"$file\")\"; done\n\n\
         The proof is an invariant. *Initiation* says that it holds at the start, *consecution* that every step keeps it, and *safety* that it \
         excludes what must not happen (over several steps together with *base*, if there is such a file). Files that begin with \
         *defined* say the same of the question whether the property can be judged in every state. The folder *never-goes-wrong* says \
         that no step goes wrong: a proof of a property counts only together with it.\n",
        verified.system
    );
    for proved in verified.properties.iter().filter(|proved| !proved.files.is_empty()) {
        let assured = proved.evidence.assured().unwrap_or_default();
        let condition = proved.condition.map_or(String::new(), |condition| format!(", {condition}"));
        text += &format!("\n## `{}` {}: {assured}{condition}\n\n", proved.name, proved.answer.word());
        for file in &proved.files {
            text += &format!("- `{}/{}.smt2`: {}\n", name(proved), file.name, file.about);
        }
    }
    let open = verified.properties.iter().filter(|proved| proved.files.is_empty());
    for proved in open {
        text += &format!("\n`{}` {}: no certificate.\n", proved.name, proved.answer.word());
    }
    text
}
