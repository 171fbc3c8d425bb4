//! The adapter behind a connection of its own: every one that comes is served by a new adapter on a new thread, until the test is over.

use interplay_sdk::Adapter;
use std::io::{self, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

pub(crate) struct Served {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    listens: Option<JoinHandle<()>>,
}

impl Served {
    /// An adapter is made on the thread that serves it, so that it may hold what must not change threads.
    pub(crate) fn start<S: 'static>(adapter: impl Fn() -> Adapter<S> + Send + Sync + 'static) -> io::Result<Served> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let (over, adapter) = (Arc::new(AtomicBool::new(false)), Arc::new(adapter));
        let flag = over.clone();
        let listens = std::thread::Builder::new().name("interplay listens".into()).spawn(move || {
            for stream in listener.incoming().flatten() {
                if flag.load(Ordering::Acquire) {
                    return;
                }
                let adapter = adapter.clone();
                let serve = move || {
                    // Lines are short and each waits for an answer.
                    let _ = stream.set_nodelay(true);
                    if let Ok(read) = stream.try_clone() {
                        // What went wrong was told over the connection already.
                        let _ = adapter().serve_on(BufReader::new(read), stream);
                    }
                };
                let _ = std::thread::Builder::new().name("implementation".into()).spawn(serve);
            }
        })?;
        Ok(Served { address, over, listens: Some(listens) })
    }

    pub(crate) fn address(&self) -> String {
        format!("tcp://{}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        // It waits for a connection: this is the last one.
        if TcpStream::connect(self.address).is_ok()
            && let Some(listens) = self.listens.take()
        {
            let _ = listens.join();
        }
    }
}
