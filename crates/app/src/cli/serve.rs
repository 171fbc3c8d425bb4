//! `interplay serve`: the workbench in a browser.

use super::simulate::fresh_seed;
use super::test::{store_of, stored};
use crate::exit::Exit;
use crate::session::{Session, Work, memory_to_use, refuse, resident};
use crate::{files, interrupt, print};
use interplay_serve::{Desk, Machine, serve};
use interplay_workbench::Saved;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Open the workbench in a browser: edit, step through, explore, test and prove one specification
///
/// The address is local and has a token that nobody can guess; it is printed and opened in the browser. Runs belong to
/// the page: when it is closed, they are stopped. Ctrl-C ends everything.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  interplay serve chat.play\n  interplay serve chat.play --port 0 --no-open")]
pub(crate) struct Arguments {
    /// A specification
    file: PathBuf,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 7300)]
    port: u16,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
    /// The implementation that the page proposes for tests
    #[arg(long, value_name = "COMMAND")]
    sut: Option<String>,
}

/// How often Ctrl-C is looked for.
const BEAT: Duration = Duration::from_millis(100);

impl Work for Arguments {
    fn run(&self, _: &mut Session) -> anyhow::Result<Exit> {
        if let Err(error) = files::read_text(&self.file) {
            return Err(refuse(format!(
                "{error}\nhelp: name a specification; `interplay new` makes a project with one"
            )));
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => refuse(format!("port {} is in use\nhelp: `--port 0` takes a free one", self.port)),
            _ => refuse(format!("cannot listen on port {}: {error}", self.port)),
        })?;
        let desk = Desk { file: self.file.clone(), sut: self.sut.clone(), machine: Arc::new(Desktop) };
        let served = serve(desk, listener)?;
        let stop = interrupt::watched();
        let name = self.file.display().to_string();
        print::answer(&format!("{}: {}\nCtrl-C ends it\n", interplay_report::escape(&name), served.address))?;
        if !self.no_open {
            open(&served.address);
        }
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(BEAT);
        }
        Ok(Exit::Met)
    }
}

/// In the browser of the user; where there is none, the address was printed.
fn open(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    let _ = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

/// The disk and the memory of this machine.
struct Desktop;

impl Machine for Desktop {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        files::read(path)
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        if path.exists() { files::replace(path, text) } else { files::create(path, text) }
    }

    fn memory(&self) -> Option<u64> {
        memory_to_use()
    }

    fn resident(&self) -> Option<u64> {
        resident()
    }

    fn seed(&self) -> u64 {
        fresh_seed()
    }

    fn kept(&self, file: &Path) -> (Vec<Saved>, Vec<String>) {
        stored(&store_of(file))
    }

    fn save(&self, failure: &Saved) -> Option<String> {
        let path = store_of(Path::new(&failure.file)).join(failure.name());
        files::keep(&path, &failure.text()).ok().map(|()| path.display().to_string())
    }
}
