//! For plugins that are built for `wasm32-wasip2`: a WASI without environment, arguments, files and sockets. What they print goes
//! into the log.

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi::{
    WasiCtx, WasiCtxView, WasiView, async_trait,
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamResult},
};

use crate::{
    invocation::{hooks::Hook, store_state::State},
    site::member::Member,
};

/// Packages of WASI that a component may import; `sockets` and `http` are not among them, `http` of the contract is.
pub(crate) const PACKAGES: [&str; 5] = ["wasi:cli/", "wasi:io/", "wasi:clocks/", "wasi:random/", "wasi:filesystem/"];
/// Bytes that one instance may print.
const PRINTED: usize = 8 << 10;
/// Resources (streams, pollables) that one instance may hold.
const RESOURCES: usize = 64;

/// Only ever reached through `&mut`, so that it does not matter whether several threads might share it.
pub(crate) struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    fn get(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exclusive<Wasi> {
    /// Writes into the log what was printed since the last time.
    pub(crate) fn log(&mut self, member: &Member, hook: Hook) {
        self.get().log(member, hook);
    }
}

pub(crate) struct Wasi {
    ctx: WasiCtx,
    table: ResourceTable,
    printed: Printed,
}

impl Wasi {
    fn new() -> Box<Exclusive<Self>> {
        let printed = Printed::default();
        let mut builder = WasiCtx::builder();
        // The defaults give nothing; sockets are said to be off all the same, since a component may not even import them.
        builder.allow_tcp(false).allow_udp(false).allow_ip_name_lookup(false);
        builder.stdout(printed.clone()).stderr(printed.clone());
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES);
        Box::new(Exclusive(Mutex::new(Self { ctx: builder.build(), table, printed })))
    }

    fn log(&self, member: &Member, hook: Hook) {
        let mut buffer = self.printed.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = std::mem::take(&mut buffer.bytes);
        drop(buffer);
        let (site, plugin, hook) = (&*member.site, member.plugin.id(), hook.name());
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.trim().is_empty()) {
            let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(1000).collect();
            tracing::info!(target: "plugin", site, plugin, hook, "{line}");
        }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        // Made on demand: plugins that do not speak WASI never come here.
        let wasi = self.wasi.get_or_insert_with(Wasi::new).get();
        WasiCtxView { ctx: &mut wasi.ctx, table: &mut wasi.table }
    }
}

pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)
}

#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    total: usize,
}

/// Standard output and standard error; what is over the cap is dropped, as lines of the log are.
#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Buffer>>);

impl Printed {
    fn take(&self, bytes: &[u8]) {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = PRINTED.saturating_sub(buffer.total).min(bytes.len());
        buffer.bytes.extend_from_slice(&bytes[..room]);
        buffer.total += room;
    }
}

impl IsTerminal for Printed {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Printed {
    fn async_stream(&self) -> Box<dyn tokio::io::AsyncWrite + Send + Sync> {
        // Only WASI of the third generation asks for this, which the engine does not have.
        Box::new(tokio::io::sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

#[async_trait]
impl Pollable for Printed {
    async fn ready(&mut self) {}
}

#[async_trait]
impl OutputStream for Printed {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        self.take(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PRINTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_has_a_cap() {
        let printed = Printed::default();
        (0..100).for_each(|_| printed.take(&[b'x'; 1000]));
        let buffer = printed.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((buffer.bytes.len(), buffer.total), (PRINTED, PRINTED));
    }
}
