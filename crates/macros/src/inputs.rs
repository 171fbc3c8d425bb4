//! `#[system]`: from an `impl` block to an implementation of `interplay::System`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, ImplItem, ImplItemFn, ItemImpl, Pat, ReturnType, Type};

pub(crate) fn written(block: ItemImpl) -> Result<TokenStream, Error> {
    if let Some((_, of, _)) = &block.trait_ {
        return Err(Error::new(of.span(), "#[system] belongs on the type's own `impl` block, not on that of a trait"));
    }
    let methods: Vec<&ImplItemFn> = block
        .items
        .iter()
        .filter_map(|item| match item {
            ImplItem::Fn(method) if method.sig.receiver().is_some() => Some(method),
            _ => None,
        })
        .collect();
    if methods.is_empty() {
        return Err(Error::new(block.self_ty.span(), "#[system] finds no method with `self`, so there is no input"));
    }
    let inputs = methods.iter().map(|method| declared(method)).collect::<Result<Vec<_>, _>>()?;
    let arms = methods.iter().enumerate().map(|(number, method)| arm(number, method)).collect::<Result<Vec<_>, _>>()?;
    let (generics, this) = (&block.generics, &block.self_ty);
    let (own, _, conditions) = generics.split_for_impl();
    let conditions = match conditions {
        Some(conditions) => quote! { #conditions Self: 'static, },
        None => quote! { where Self: 'static },
    };
    Ok(quote! {
        #block

        impl #own ::interplay::System for #this #conditions {
            const INPUTS: &'static [::interplay::Input] = &[#(#inputs),*];

            fn give(
                &mut self,
                input: usize,
                arguments: &mut ::interplay::Arguments,
            ) -> ::core::result::Result<::interplay::Given, ::interplay::Fault> {
                match input {
                    #(#arms)*
                    _ => ::core::result::Result::Err(::interplay::refused("there is no such input")),
                }
            }
        }
    })
}

/// The name of an input and those of its parameters.
fn declared(method: &ImplItemFn) -> Result<TokenStream, Error> {
    let sig = &method.sig;
    if !sig.generics.params.is_empty() {
        return Err(Error::new(sig.generics.span(), "an input has no type parameters: its values come as data"));
    }
    if let Some(receiver) = sig.receiver()
        && receiver.reference.is_none()
    {
        return Err(Error::new(receiver.span(), "an input borrows the system: write `&self` or `&mut self`"));
    }
    let name = sig.ident.unraw().to_string();
    let names = typed(method).map(|argument| match &*argument.pat {
        Pat::Ident(pattern) => Ok(pattern.ident.unraw().to_string()),
        other => Err(Error::new(other.span(), "a parameter of an input has a plain name")),
    });
    let names = names.collect::<Result<Vec<_>, _>>()?;
    Ok(quote! { ::interplay::Input { name: #name, parameters: &[#(#names),*] } })
}

fn typed(method: &ImplItemFn) -> impl Iterator<Item = &syn::PatType> {
    method.sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(argument) => Some(argument),
        FnArg::Receiver(_) => None,
    })
}

/// Reads the arguments, calls the method, writes its result.
fn arm(number: usize, method: &ImplItemFn) -> Result<TokenStream, Error> {
    let name = &method.sig.ident;
    let places: Vec<_> = (0..typed(method).count()).map(|at| format_ident!("argument{at}")).collect();
    let mut reads = Vec::new();
    let mut passed = Vec::new();
    for (place, argument) in places.iter().zip(typed(method)) {
        let (owned, reference) = owned(&argument.ty);
        reads.push(quote_spanned! { argument.ty.span() => let #place: #owned = arguments.next()?; });
        passed.push(match reference {
            None => quote! { #place },
            Some(true) => quote! { &mut { #place } },
            Some(false) => quote! { &#place },
        });
    }
    let call = quote! { self.#name(#(#passed),*) };
    let call = match method.sig.asyncness {
        Some(_) => quote! { ::interplay::finished(#call) },
        None => call,
    };
    let given = match &method.sig.output {
        ReturnType::Type(_, ty) if is_result(ty) => {
            quote_spanned! { ty.span() => ::interplay::Given::unless_refused(#call) }
        }
        ReturnType::Type(_, ty) => quote_spanned! { ty.span() => ::interplay::Given::returned(&#call) },
        ReturnType::Default => quote! { { #call; ::interplay::Given::returned(&()) } },
    };
    Ok(quote! { #number => { #(#reads)* #given } })
}

/// The type that is read for a parameter, and whether it is passed by a (mutable) reference.
fn owned(ty: &Type) -> (TokenStream, Option<bool>) {
    let Type::Reference(reference) = ty else { return (quote! { #ty }, None) };
    let mutable = reference.mutability.is_some();
    let owned = match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") => quote! { ::std::string::String },
        Type::Slice(slice) => {
            let part = &slice.elem;
            quote! { ::std::vec::Vec<#part> }
        }
        other => quote! { #other },
    };
    (owned, Some(mutable))
}

/// `Result<..>`, `io::Result<..>`: by the name, because a macro sees no more.
fn is_result(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Result"))
}
