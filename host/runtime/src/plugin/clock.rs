//! The thread that measures computing time: it counts ticks of the engines of the process while WebAssembly runs, and sleeps otherwise. It is
//! not a task, because a busy async runtime would tick late when it matters most.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

use wasmtime::{Engine, EngineWeak};

use crate::contract::errors::RuntimeError;

/// Time without WebAssembly after which the thread sleeps until there is some. Waking it takes longer than a short call.
const LINGER: Duration = Duration::from_millis(50);

static CLOCK: Clock = Clock {
    running: AtomicUsize::new(0),
    asleep: AtomicBool::new(false),
    engines: Mutex::new(Engines { thread: None, ticked: Vec::new() }),
};

/// One clock for all engines: a thread of its own for each would wake the processor a thousand times a second.
struct Clock {
    /// Number of [`Running`].
    running: AtomicUsize,
    asleep: AtomicBool,
    engines: Mutex<Engines>,
}

struct Engines {
    thread: Option<Thread>,
    ticked: Vec<Ticked>,
}

/// An engine, until it is dropped.
struct Ticked {
    engine: EngineWeak,
    tick: Duration,
    due: Instant,
}

/// Counts the ticks of an engine from now on.
pub(crate) fn add(engine: &Engine, tick: Duration) -> Result<(), RuntimeError> {
    let mut engines = CLOCK.engines();
    if engines.thread.is_none() {
        let started = thread::Builder::new().name("plugin-clock".to_owned()).spawn(|| CLOCK.run());
        engines.thread = Some(started.map_err(RuntimeError::Clock)?.thread().clone());
    }
    // Ticks of the same length are counted together, so that several engines wake the processor as often as one.
    let due =
        engines.ticked.iter().find(|other| other.tick == tick).map_or_else(|| Instant::now() + tick, |other| other.due);
    engines.ticked.push(Ticked { engine: engine.weak(), tick, due });
    Ok(())
}

/// WebAssembly that runs: as long as one of these exists, ticks are counted.
pub(crate) struct Running(());

impl Running {
    pub(crate) fn begin() -> Self {
        // In this order, and the thread the other way round: either it sees the number, or it is seen asleep.
        CLOCK.running.fetch_add(1, Ordering::SeqCst);
        if CLOCK.asleep.load(Ordering::SeqCst)
            && let Some(thread) = &CLOCK.engines().thread
        {
            thread.unpark();
        }
        Self(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CLOCK.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Clock {
    fn engines(&self) -> MutexGuard<'_, Engines> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut used = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if self.running.load(Ordering::SeqCst) > 0 {
                used = Instant::now();
            } else if used.elapsed() >= LINGER {
                self.sleep();
                used = Instant::now();
            }
            thread::sleep(pause);
            pause = self.tick();
        }
    }

    /// Sleeps until WebAssembly runs.
    fn sleep(&self) {
        self.asleep.store(true, Ordering::SeqCst);
        while self.running.load(Ordering::SeqCst) == 0 {
            thread::park();
        }
        self.asleep.store(false, Ordering::SeqCst);
        let now = Instant::now();
        // A call that begins has a whole tick before the next one.
        self.engines().ticked.iter_mut().for_each(|one| one.due = now + one.tick);
    }

    /// Counts the ticks that are due, and returns the time until the next one.
    fn tick(&self) -> Duration {
        let now = Instant::now();
        let mut next = LINGER;
        self.engines().ticked.retain_mut(|one| {
            let Some(engine) = one.engine.upgrade() else { return false };
            if one.due <= now {
                engine.increment_epoch();
                one.due = now + one.tick;
            }
            next = next.min(one.due - now);
            true
        });
        next
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use wasmtime::{Config, Module, Store};

    use super::*;

    /// A loop that never ends is interrupted at its deadline, also after the clock has slept, on an engine with a tick of its own.
    #[test]
    fn what_runs_is_interrupted_at_its_deadline_whether_the_clock_slept_or_not() {
        let engine = Engine::new(Config::new().epoch_interruption(true)).unwrap();
        add(&engine, Duration::from_millis(3)).unwrap();
        let module = Module::new(&engine, "(module (func (export \"run\") (loop (br 0))))").unwrap();
        for pause in [0, 0, 200] {
            thread::sleep(Duration::from_millis(pause));
            let mut store = Store::new(&engine, ());
            let started = Instant::now();
            store.set_epoch_deadline(4);
            let instance = wasmtime::Instance::new(&mut store, &module, &[]).unwrap();
            let run = instance.get_typed_func::<(), ()>(&mut store, "run").unwrap();
            let running = Running::begin();
            let error = run.call(&mut store, ()).unwrap_err();
            drop(running);
            assert_eq!(error.downcast_ref::<wasmtime::Trap>(), Some(&wasmtime::Trap::Interrupt));
            assert!(started.elapsed() >= Duration::from_millis(9), "three whole ticks at least");
        }
    }

    #[test]
    fn an_engine_that_is_dropped_is_forgotten() {
        let engine = Engine::default();
        let ticked = Ticked { engine: engine.weak(), tick: Duration::from_millis(1), due: Instant::now() };
        let engines = Mutex::new(Engines { thread: None, ticked: vec![ticked] });
        let clock = Clock { running: AtomicUsize::new(0), asleep: AtomicBool::new(false), engines };
        clock.tick();
        assert_eq!(clock.engines().ticked.len(), 1);
        drop(engine);
        clock.tick();
        assert!(clock.engines().ticked.is_empty());
    }
}
