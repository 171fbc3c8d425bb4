//! All tests of this crate in one program: it is linked once.

mod lock;

mod adapters;
mod again;
mod aimed;
mod bad_input;
mod broken_adapters;
mod ci;
mod cli;
mod clock;
mod defects;
mod explore_files;
mod goes_wrong;
mod lsp;
mod mcp;
mod mishaps;
mod monitor;
mod outputs;
mod run;
mod schemas;
mod semantics;
mod serve;
mod setups;
mod solvers;
mod suites;
mod watch;
