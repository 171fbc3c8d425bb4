//! Connections of the web page, each served by itself: whoever is slow keeps nobody else waiting, and is not waited for longer than
//! [`HEAD`]. What axum offers for this has no such limit.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::time::Duration;
use tokio::net::TcpListener;

/// The first lines of a request come within this time; a connection on which none comes for so long is closed, too.
const HEAD: Duration = Duration::from_secs(5);
/// When no connection can be taken, because too many are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Never ends.
pub async fn serve(listener: TcpListener, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        // A connection that breaks is the other side's affair.
        tokio::spawn(http.serve_connection(TokioIo::new(stream), service));
    }
}
