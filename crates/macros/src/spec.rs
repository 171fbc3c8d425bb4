//! `spec!`: finds the file, and writes an expression that holds its text.

use proc_macro2::TokenStream;
use quote::quote;
use std::path::{Path, PathBuf};
use syn::{Error, LitStr};

pub(crate) fn written(path: &LitStr) -> Result<TokenStream, Error> {
    let name = path.value();
    let beside = path.span().unwrap().local_file();
    let tried: Vec<PathBuf> = folders(beside.as_deref()).into_iter().map(|folder| folder.join(&name)).collect();
    let found = tried.iter().find_map(|file| file.is_file().then(|| file.canonicalize().ok()).flatten());
    let Some(file) = found.as_ref().and_then(|file| file.to_str()) else {
        let tried: Vec<String> = tried.iter().map(|file| file.display().to_string()).collect();
        let message = format!("there is no specification `{name}`; looked for {}", tried.join(" and "));
        return Err(Error::new(path.span(), message));
    };
    Ok(quote! { ::interplay::Spec::embedded(#name, #file, ::core::include_str!(#file)) })
}

/// Where the source file lies, and where its package lies.
fn folders(source: Option<&Path>) -> Vec<PathBuf> {
    let beside = source.and_then(Path::parent).map(Path::to_path_buf);
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    beside.into_iter().chain(package).collect()
}
