//! The macros of the crate `interplay`: [`macro@system`] makes the methods of a type its inputs, [`spec!`] names a specification
//! beside the source. They only write code; what it means is decided in `interplay`.

mod inputs;
mod spec;

use proc_macro::TokenStream;

/// Put on an `impl` block: its methods are the inputs of the system, under their own names.
///
/// Parameters are read and results written by `serde`. `Option` is the `Option` of the specification; `Err` of a `Result` means that the
/// input is refused, with the text of the error as the reason. Functions without `self` are left alone. An `async fn` is driven to its end.
///
/// ```ignore
/// #[interplay::system]
/// impl Cache {
///     fn put(&mut self, key: i64, value: i64) { self.0.put(key, value) }
///     fn get(&mut self, key: i64) -> Option<i64> { self.0.get(key) }
/// }
/// ```
#[proc_macro_attribute]
pub fn system(_: TokenStream, block: TokenStream) -> TokenStream {
    let block = syn::parse_macro_input!(block as syn::ItemImpl);
    inputs::written(block).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The specification in a file beside this source file, or seen from the folder of the package: `spec!("lru.play")`.
///
/// The text becomes part of the test program, and a change of the file compiles it again. A file that is not there is an error of
/// the compiler; what is wrong in the text is told by the test, with the place.
#[proc_macro]
pub fn spec(path: TokenStream) -> TokenStream {
    let path = syn::parse_macro_input!(path as syn::LitStr);
    spec::written(&path).unwrap_or_else(|error| error.to_compile_error()).into()
}
