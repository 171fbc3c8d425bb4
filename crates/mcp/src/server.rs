//! The protocol: which tools there are, and one call after the other, or several at once.
//!
//! The server itself decides nothing and cannot hang: it hands every call to a worker, and answers when the worker does or when the budget
//! is used up, whichever comes first. Cancelling, or going away, ends the workers.

use crate::{Budget, Reply, TOOLS, Tool};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value as Json};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Who works on calls: each in a process of its own.
pub trait Workers: Send + Sync + 'static {
    /// The answer to one call; none if it was stopped, or broke down. Looks at `stop` several times a second.
    fn work(&self, tool: &str, arguments: &str, stop: &dyn Fn() -> bool) -> Option<String>;
}

/// More calls at once would take each other's time.
const MOST_AT_ONCE: usize = 4;
/// How often a client that wants to hear of progress hears of it.
const BEAT: Duration = Duration::from_secs(1);
/// For workers to end after the client has gone.
const GRACE: Duration = Duration::from_secs(5);

const ABOUT: &str = "Interplay specifies, explores, proves and tests reactive systems. Call `explain` without a code to learn the \
    language; then write a file, `check` it, `explore` it, `test` an implementation against it. Every call needs `seconds` and \
    `max_bytes`. A reached limit is never a pass. Paths are relative to the folder of the server.";

/// Serves the client on standard input and output, until it goes away.
pub fn serve_stdio(workers: Arc<dyn Workers>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let gone = Arc::new(AtomicBool::new(false));
    let server = Server { workers, gone: gone.clone(), running: Arc::default() };
    let running = server.running.clone();
    runtime.block_on(async {
        if let Ok(service) = server.serve(rmcp::transport::stdio()).await {
            // Whatever ended it: the client is gone.
            let _ = service.waiting().await;
        }
        gone.store(true, Ordering::Relaxed);
        let since = Instant::now();
        while running.load(Ordering::Relaxed) > 0 && since.elapsed() < GRACE {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    // Whoever still waits for a line waits in vain.
    runtime.shutdown_background();
    Ok(())
}

struct Server {
    workers: Arc<dyn Workers>,
    gone: Arc<AtomicBool>,
    running: Arc<AtomicUsize>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("interplay", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(ABOUT.into());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: TOOLS.iter().map(described).collect(), ..ListToolsResult::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = self.answer(&request.name, request.arguments.unwrap_or_default(), context).await;
        let is_refusal = serde_json::from_str(&text).map_or(true, |reply: Reply| reply.is_refusal());
        // As text only: with structured content beside it, every answer would cost its bytes twice.
        let content = vec![ContentBlock::text(text)];
        Ok(if is_refusal { CallToolResult::error(content) } else { CallToolResult::success(content) }.into())
    }
}

fn described(tool: &Tool) -> rmcp::model::Tool {
    let hints = ToolAnnotations::new().read_only(tool.reads_only).destructive(false).open_world(!tool.reads_only);
    rmcp::model::Tool::new(tool.name, tool.about, tool.schema()).with_annotations(hints)
}

/// Counts a call while it runs.
struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Server {
    async fn answer(&self, tool: &str, arguments: Map<String, Json>, context: RequestContext<RoleServer>) -> String {
        let budget = match Budget::take(&mut arguments.clone()) {
            Ok(budget) => budget,
            Err((problem, fix)) => return Reply::refused(problem, fix).fitted(usize::MAX),
        };
        let running = Running(self.running.clone());
        if running.0.fetch_add(1, Ordering::Relaxed) >= MOST_AT_ONCE {
            let problem = format!("{MOST_AT_ONCE} calls are running");
            return Reply::refused(problem, "wait for one of them, or cancel it").fitted(budget.bytes);
        }
        let late = Arc::new(AtomicBool::new(false));
        let (workers, gone, over, cancelled) =
            (self.workers.clone(), self.gone.clone(), late.clone(), context.ct.clone());
        let (tool, arguments) = (tool.to_string(), Json::Object(arguments).to_string());
        let mut work = tokio::task::spawn_blocking(move || {
            let _counted = running;
            let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
            workers.work(&tool, &arguments, &|| is(&gone) || is(&over) || cancelled.is_cancelled())
        });
        let started = Instant::now();
        loop {
            let left = budget.time.saturating_sub(started.elapsed());
            match tokio::time::timeout(left.min(BEAT), &mut work).await {
                Ok(Ok(Some(text))) => return text,
                Ok(_) => return broken_down(budget, started.elapsed()),
                Err(_) if left > BEAT => progress(&context, started.elapsed(), budget.time).await,
                Err(_) => {
                    late.store(true, Ordering::Relaxed);
                    return Reply::too_late(budget.time.as_secs_f64()).fitted(budget.bytes);
                }
            }
        }
    }
}

fn broken_down(budget: Budget, after: Duration) -> String {
    let mut reply = Reply::too_late(after.as_secs_f64().round());
    reply.summary = "the process that worked on this call ended without an answer".into();
    reply.next = vec!["ask again with a smaller setup; if that happens again, it is a mistake in Interplay".into()];
    reply.fitted(budget.bytes)
}

/// Only a client that asked for it hears it; one that is gone does not.
async fn progress(context: &RequestContext<RoleServer>, elapsed: Duration, of: Duration) {
    let Some(token) = context.meta.get_progress_token() else { return };
    let told = ProgressNotificationParam::new(token, elapsed.as_secs_f64()).with_total(of.as_secs_f64());
    let _ = context.peer.notify_progress(told).await;
}
