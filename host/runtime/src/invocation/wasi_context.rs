//! WASI for components that are built for `wasm32-wasip2`: no environment, arguments, files or sockets. Their output goes to the
//! log.

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::component::ResourceTable;
use wasmtime_wasi::{
    WasiCtx, WasiCtxView, async_trait,
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamResult},
};

/// Limit on the output of one instance in bytes.
const OUTPUT_BYTES: usize = 8 << 10;
/// Limit on the resources (streams, pollables) of one instance.
const RESOURCES: usize = 64;

/// Accessed through `&mut` only. The mutex, which is never locked, makes `T: Sync`, as the data of a store must be.
pub(crate) struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    pub(crate) fn get(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct WasiContext {
    ctx: WasiCtx,
    table: ResourceTable,
    output: CapturedOutput,
}

impl WasiContext {
    pub(crate) fn new() -> Box<Exclusive<Self>> {
        let output = CapturedOutput::default();
        let mut builder = WasiCtx::builder();
        // The defaults give no access. Sockets are disabled explicitly too, although a component may not import them.
        builder.allow_tcp(false).allow_udp(false).allow_ip_name_lookup(false);
        builder.stdout(output.clone()).stderr(output.clone());
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES);
        Box::new(Exclusive(Mutex::new(Self { ctx: builder.build(), table, output })))
    }

    pub(crate) fn view(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.ctx, table: &mut self.table }
    }

    /// Writes the output since the last call to the log.
    pub(crate) fn log_output(&self, site: &str, plugin: &str, hook: &str) {
        let mut buffer = self.output.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = std::mem::take(&mut buffer.bytes);
        drop(buffer);
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.trim().is_empty()) {
            let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(1000).collect();
            tracing::info!(target: "plugin", site, plugin, hook, "{line}");
        }
    }
}

#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    total: usize,
}

/// Standard output and standard error. Bytes over the limit are dropped, like log lines over theirs.
#[derive(Clone, Default)]
struct CapturedOutput(Arc<Mutex<Buffer>>);

impl CapturedOutput {
    fn take(&self, bytes: &[u8]) {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = OUTPUT_BYTES.saturating_sub(buffer.total).min(bytes.len());
        buffer.bytes.extend_from_slice(&bytes[..free]);
        buffer.total += free;
    }
}

impl IsTerminal for CapturedOutput {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for CapturedOutput {
    fn async_stream(&self) -> Box<dyn tokio::io::AsyncWrite + Send + Sync> {
        // Only WASI 0.3 calls this, which the engine does not enable.
        Box::new(tokio::io::sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

#[async_trait]
impl Pollable for CapturedOutput {
    async fn ready(&mut self) {}
}

#[async_trait]
impl OutputStream for CapturedOutput {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        self.take(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(OUTPUT_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_limited() {
        let output = CapturedOutput::default();
        (0..100).for_each(|_| output.take(&[b'x'; 1000]));
        let buffer = output.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((buffer.bytes.len(), buffer.total), (OUTPUT_BYTES, OUTPUT_BYTES));
    }
}
