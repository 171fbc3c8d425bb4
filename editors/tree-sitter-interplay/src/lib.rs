//! The grammar of Interplay for tree-sitter, and its queries.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_interplay() -> *const ();
}

/// The generated parser.
// SAFETY: the function is the one that the generator writes for this grammar.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_interplay) };

/// Which nodes have which colour.
pub const HIGHLIGHTS: &str = include_str!("../queries/highlights.scm");
