//! One instance of QuickJS, for one call. It can do nothing but compute: every import answers that there is nothing.

use wasmtime::{
    Engine, InstancePre, Linker, Memory, Module, ResourceLimiter, Store, StoreContextMut, Trap, TypedFunc,
    UpdateDeadline,
};

use super::{image::Image, renderer::RenderFailure};
use crate::{
    contract::{errors::one_line, limits::TABLE_ELEMENTS},
    plugin::clock::Running,
};

/// Flag of QuickJS: the source is a module.
const MODULE: i32 = 1;
/// What WASI answers for a file that is not open.
const BAD_FILE: i32 = 8;
/// Characters of an error that are kept.
const MESSAGE: usize = 500;

/// Limits of one instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstanceLimits {
    /// Bytes of its memory.
    pub memory: usize,
    /// Computing time in ticks.
    pub ticks: u32,
}

/// The data of an instance's store.
pub(super) struct State {
    limits: InstanceLimits,
    /// Whether a growth was refused.
    refused: bool,
}

impl ResourceLimiter for State {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        self.refused |= desired > self.limits.memory;
        Ok(desired <= self.limits.memory)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE_ELEMENTS)
    }
}

/// Links QuickJS with imports that give it nothing: no clock, no chance, no files, no functions of the host.
pub(super) fn link(engine: &Engine, module: &Module) -> wasmtime::Result<InstancePre<State>> {
    let mut linker = Linker::new(engine);
    linker
        .func_wrap("env", "host_call", |_: i32, _: i32, _: i32, _: i32, _: i32| -> i32 { 0 })?
        .func_wrap("env", "host_interrupt", || -> i32 { 0 })?
        .func_wrap("env", "host_promise_rejection", |_: i32, _: i32, _: i32| {})?
        .func_wrap("env", "host_module_normalize", |_: i32, _: i32| -> i32 { 0 })?
        .func_wrap("env", "host_module_load", |_: i32, _: i32| -> i32 { 0 })?
        .func_wrap("env", "host_get_timezone_offset", |_: i32, _: i32| -> i32 { 0 })?;
    let wasi = "wasi_snapshot_preview1";
    linker
        .func_wrap(wasi, "clock_time_get", |_: i32, _: i64, _: i32| -> i32 { 0 })?
        .func_wrap(wasi, "random_get", |_: i32, _: i32| -> i32 { 0 })?
        .func_wrap(wasi, "fd_close", |_: i32| -> i32 { BAD_FILE })?
        .func_wrap(wasi, "fd_fdstat_get", |_: i32, _: i32| -> i32 { BAD_FILE })?
        .func_wrap(wasi, "fd_seek", |_: i32, _: i64, _: i32, _: i32| -> i32 { BAD_FILE })?
        .func_wrap(wasi, "fd_write", |_: i32, _: i32, _: i32, _: i32| -> i32 { BAD_FILE })?;
    linker.instantiate_pre(module)
}

/// The functions of QuickJS that are called.
struct Functions {
    allocate: TypedFunc<i32, i32>,
    release: TypedFunc<i32, ()>,
    evaluate: TypedFunc<(i32, i32, i32, i32), i32>,
    is_exception: TypedFunc<i32, i32>,
    exception: TypedFunc<(), i32>,
    text: TypedFunc<(i32, i32), i32>,
    global: TypedFunc<(), i32>,
    set_property: TypedFunc<(i32, i32, i32), i32>,
    has_job: TypedFunc<(), i32>,
    run_job: TypedFunc<(), i32>,
}

/// An instance.
pub(super) struct Sandbox {
    store: Store<State>,
    memory: Memory,
    functions: Functions,
    /// Size of the memory at the start.
    initial: usize,
    _running: Running,
}

/// Why a call failed: the engine's error, or what the script threw.
enum Fault {
    Engine(wasmtime::Error),
    Thrown(String),
}

impl From<wasmtime::Error> for Fault {
    fn from(error: wasmtime::Error) -> Self {
        Self::Engine(error)
    }
}

impl Sandbox {
    /// A fresh instance, with the memory of `image` or, without one, without any script.
    pub(super) fn start(
        pre: &InstancePre<State>,
        image: Option<&Image>,
        limits: InstanceLimits,
    ) -> Result<Self, RenderFailure> {
        let running = Running::begin();
        let mut store = Store::new(pre.module().engine(), State { limits, refused: false });
        store.limiter(|state| state);
        store.set_epoch_deadline(1);
        let mut left = limits.ticks;
        store.epoch_deadline_callback(move |_: StoreContextMut<'_, State>| {
            left = left.saturating_sub(1);
            Ok(if left == 0 { UpdateDeadline::Interrupt } else { UpdateDeadline::Continue(1) })
        });
        match Self::instantiate(pre, &mut store, image) {
            Ok((memory, functions, initial)) => Ok(Self { store, memory, functions, initial, _running: running }),
            Err(error) => Err(failure(&store, Fault::Engine(error))),
        }
    }

    fn instantiate(
        pre: &InstancePre<State>,
        store: &mut Store<State>,
        image: Option<&Image>,
    ) -> wasmtime::Result<(Memory, Functions, usize)> {
        let instance = pre.instantiate(&mut *store)?;
        let memory = instance
            .get_memory(&mut *store, "memory")
            .ok_or_else(|| wasmtime::Error::msg("the engine exports no memory"))?;
        let functions = Functions {
            allocate: instance.get_typed_func(&mut *store, "wasm_malloc")?,
            release: instance.get_typed_func(&mut *store, "wasm_free")?,
            evaluate: instance.get_typed_func(&mut *store, "qjs_eval")?,
            is_exception: instance.get_typed_func(&mut *store, "qjs_is_exception")?,
            exception: instance.get_typed_func(&mut *store, "qjs_get_exception")?,
            text: instance.get_typed_func(&mut *store, "qjs_get_string_len")?,
            global: instance.get_typed_func(&mut *store, "qjs_get_global")?,
            set_property: instance.get_typed_func(&mut *store, "qjs_set_prop_string")?,
            has_job: instance.get_typed_func(&mut *store, "qjs_is_job_pending")?,
            run_job: instance.get_typed_func(&mut *store, "qjs_execute_pending_job")?,
        };
        let initial = memory.data_size(&*store);
        match image {
            // Between two calls, all of its state is in the memory; the stack is empty.
            Some(image) => image.restore(memory, &mut *store)?,
            None => {
                let initialize: TypedFunc<(), ()> = instance.get_typed_func(&mut *store, "_initialize")?;
                initialize.call(&mut *store, ())?;
                let create: TypedFunc<(), i32> = instance.get_typed_func(&mut *store, "qjs_init")?;
                if create.call(&mut *store, ())? != 0 {
                    return Err(wasmtime::Error::msg("QuickJS does not start"));
                }
            }
        }
        Ok((memory, functions, initial))
    }

    /// Evaluates a script.
    pub(super) fn run(&mut self, script: &str) -> Result<(), RenderFailure> {
        let done = self.evaluate(script.as_bytes(), 0).map(drop);
        done.map_err(|fault| failure(&self.store, fault))
    }

    /// Evaluates an expression, and returns its value as text.
    pub(super) fn text(&mut self, expression: &str) -> Result<String, RenderFailure> {
        let value = self.evaluate(expression.as_bytes(), 0);
        let text = value.and_then(|value| self.text_of(value));
        text.map_err(|fault| failure(&self.store, fault))
    }

    /// Evaluates a module, and gives the promise of its exports to the global variable `name`.
    pub(super) fn evaluate_module(&mut self, source: &[u8], name: &str) -> Result<(), RenderFailure> {
        let done = self.evaluate(source, MODULE).and_then(|promise| {
            let key = self.put(name.as_bytes())?;
            let global = self.functions.global.call(&mut self.store, ())?;
            self.functions.set_property.call(&mut self.store, (global, key, promise))?;
            Ok(())
        });
        done.map_err(|fault| failure(&self.store, fault))
    }

    /// Runs what promises wait for, until nothing is left.
    pub(super) fn run_jobs(&mut self) -> Result<(), RenderFailure> {
        let done = self.jobs();
        done.map_err(|fault| failure(&self.store, fault))
    }

    fn jobs(&mut self) -> Result<(), Fault> {
        while self.functions.has_job.call(&mut self.store, ())? != 0 {
            if self.functions.run_job.call(&mut self.store, ())? < 0 {
                return Err(Fault::Thrown("a job of the engine failed".to_owned()));
            }
        }
        Ok(())
    }

    /// Its memory, from which other instances begin.
    pub(super) fn image(&self) -> Image {
        Image::of(self.memory.data(&self.store), self.initial)
    }

    fn evaluate(&mut self, source: &[u8], flags: i32) -> Result<i32, Fault> {
        let text = self.put(source)?;
        let name = self.put(b"module")?;
        let length = i32::try_from(source.len()).map_err(|_| Fault::Thrown("the script is too long".to_owned()))?;
        let value = self.functions.evaluate.call(&mut self.store, (text, length, name, flags))?;
        self.functions.release.call(&mut self.store, text)?;
        self.functions.release.call(&mut self.store, name)?;
        if self.functions.is_exception.call(&mut self.store, value)? == 0 {
            return Ok(value);
        }
        let thrown = self.functions.exception.call(&mut self.store, ())?;
        let message = self.text_of(thrown)?;
        Err(Fault::Thrown(message.chars().take(MESSAGE).collect()))
    }

    /// Copies bytes into the memory, with a zero behind them.
    fn put(&mut self, bytes: &[u8]) -> Result<i32, Fault> {
        let size = i32::try_from(bytes.len() + 1).map_err(|_| Fault::Thrown("the text is too long".to_owned()))?;
        let at = self.functions.allocate.call(&mut self.store, size)?;
        if at == 0 {
            return Err(Fault::Thrown("out of memory".to_owned()));
        }
        let offset = at.cast_unsigned() as usize;
        self.memory.write(&mut self.store, offset, bytes).map_err(wasmtime::Error::from)?;
        self.memory.write(&mut self.store, offset + bytes.len(), &[0]).map_err(wasmtime::Error::from)?;
        Ok(at)
    }

    fn text_of(&mut self, value: i32) -> Result<String, Fault> {
        // Four bytes for the length.
        let length_at = self.put(&[0; 3])?;
        let at = self.functions.text.call(&mut self.store, (value, length_at))?;
        if at == 0 {
            return Err(Fault::Thrown("the value has no text".to_owned()));
        }
        let mut length = [0; 4];
        let offset = length_at.cast_unsigned() as usize;
        self.memory.read(&self.store, offset, &mut length).map_err(wasmtime::Error::from)?;
        let from = at.cast_unsigned() as usize;
        let to = from.saturating_add(u32::from_le_bytes(length) as usize);
        let bytes = self.memory.data(&self.store).get(from..to);
        let bytes = bytes.ok_or_else(|| Fault::Thrown("a text is outside of the memory".to_owned()))?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

fn failure(store: &Store<State>, fault: Fault) -> RenderFailure {
    if store.data().refused {
        return RenderFailure::Memory;
    }
    match fault {
        Fault::Thrown(message) => RenderFailure::Threw(message),
        Fault::Engine(error) if error.downcast_ref::<Trap>() == Some(&Trap::Interrupt) => RenderFailure::Time,
        Fault::Engine(error) => RenderFailure::Trap(one_line(&error)),
    }
}
