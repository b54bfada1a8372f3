//! Hands events to the core and runs its effects.
//!
//! Data flows one way: an event goes in, effects come out and are run here; nothing returns to the taps.
use super::callback::{Callback, Listener};
use super::options::{Environment, Options};
use super::page;
use super::paint::{ElementTiming, Frames};
use super::region::Region;
use super::timer::{self, Timer};
use super::transport::Transport;
use crate::core::Core;
use crate::core::config::Consent;
use crate::core::event::{Effects, Event, Ms, PaintMethod};
use crate::core::wire;
use gloo_timers::callback::Timeout;
use js_sys::{Array, Function};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Performance, Window};

/// A turn that ended waits this long for company before it is sent.
const GATHER: u32 = 250;

/// The shell of one page.
pub struct Shell {
    core: RefCell<Core>,
    /// What the application chose.
    pub options: Options,
    /// What the TypeScript layer lends.
    pub environment: Environment,
    /// Wraps what the browser calls.
    pub guard: Function,
    pub window: Window,
    pub document: Document,
    pub performance: Performance,
    pub region: Region,
    pub frames: Frames,
    pub element_timing: ElementTiming,
    pub transport: Transport,
    /// What may be sent.
    pub consent: Cell<Consent>,
    /// Whether this session is in the sample.
    pub sampled: bool,
    /// What the core asked for last.
    pub effects: Cell<Effects>,
    timer: Timer,
    gathering: RefCell<Option<Timeout>>,
    is_down: Cell<bool>,
    tick: Callback,
    send: Callback,
    /// Held for as long as the browser may call them.
    _callbacks: Vec<Callback>,
    listeners: RefCell<Vec<Listener>>,
}

impl Shell {
    /// A shell on this window; nothing where there is no document.
    pub fn start(options: Options, environment: Environment) -> Result<Rc<Self>, JsValue> {
        let window = web_sys::window().ok_or("chat-vitals needs a window")?;
        let document = window.document().ok_or("chat-vitals needs a document")?;
        let performance = window.performance().ok_or("chat-vitals needs performance.now")?;
        let guard = environment.guard();
        let config = options.config(seed(&window), performance.now(), &environment);
        let (consent, sampled) = (config.consent, options.samples(&environment.session()));
        let mut regions = Ok(());
        let shell = Rc::new_cyclic(|weak: &Weak<Self>| {
            let hook = |run: fn(&Rc<Self>, JsValue)| {
                let weak = weak.clone();
                Callback::new(&guard, move |value| {
                    // What was asked for before the shutdown may still come.
                    if let Some(shell) = weak.upgrade().filter(|shell| !shell.is_down.get()) {
                        run(&shell, value);
                    }
                })
            };
            let mutations = hook(|shell, records| shell.mutated(records.unchecked_ref()));
            let intersections =
                hook(|shell, entries| shell.intersected(shell.now(), entries.unchecked_ref()));
            let presented = hook(|shell, list| shell.presented(&list));
            let (first, second) =
                (hook(|shell, _| shell.before_paint()), hook(|shell, _| shell.after_paint()));
            let frames = Frames::default();
            frames.connect(&first, &second);
            let region = Region::new(&mutations, &intersections);
            regions = region.as_ref().map(|_| ()).map_err(Clone::clone);
            Self {
                core: RefCell::new(Core::new(config)),
                region: region
                    .unwrap_or_else(|_| wasm_bindgen::throw_str("chat-vitals: no MutationObserver")),
                element_timing: ElementTiming::new(&presented),
                frames,
                transport: Transport::default(),
                consent: Cell::new(consent),
                sampled,
                effects: Cell::default(),
                timer: Timer::default(),
                gathering: RefCell::default(),
                is_down: Cell::default(),
                tick: hook(|shell, _| shell.ticked()),
                send: hook(|shell, _| shell.flush(false)),
                _callbacks: vec![mutations, intersections, presented, first, second],
                listeners: RefCell::default(),
                options,
                environment,
                guard: guard.clone(),
                window,
                document,
                performance,
            }
        });
        regions?;
        shell.listeners.replace(page::listen(&shell));
        if page::is_hidden(&shell) {
            shell.on(shell.now(), Event::Hidden);
        }
        shell.clock();
        Ok(shell)
    }

    /// The page's clock.
    pub fn now(&self) -> Ms {
        self.performance.now()
    }

    /// Tells the core the wall clock's time.
    pub fn clock(&self) {
        self.on(self.now(), Event::Clock { wall: js_sys::Date::now() });
    }

    /// Hands an event to the core. Effects that need the shell itself are run by [`Shell::run`].
    pub fn on(&self, at: Ms, event: Event<'_>) -> Effects {
        // An event that fires while the core is at work would be a bug; it is dropped rather than made a panic.
        let Ok(mut core) = self.core.try_borrow_mut() else { return Effects::default() };
        let effects = core.on(at, event);
        self.effects.set(effects);
        effects
    }

    /// Runs what the core asked for. Called once at the end of every entry from outside.
    pub fn run(self: &Rc<Self>) {
        let effects = self.effects.get();
        let gone = self.region.sync(effects.watch, effects.turn, &self.document);
        let effects = if gone { self.on(self.now(), Event::Gone) } else { effects };
        if !effects.watch {
            self.element_timing.release();
        }
        self.timer.set(self.now(), effects.wake, self.tick.function());
        if effects.report {
            self.report();
        }
        if effects.urgent {
            self.flush(true);
        }
    }

    fn report(self: &Rc<Self>) {
        let Ok(reports) = self.core.try_borrow_mut().map(|mut core| core.take_reports()) else { return };
        for turn in reports {
            let value = self.to_js(&turn);
            if turn.is_final {
                self.environment.on_turn(&value, true);
            }
            self.queue(turn.id.0, turn.revision, value);
        }
        self.flush_soon(GATHER);
    }

    /// Sends in a while; a time that is set already stays.
    pub fn flush_soon(&self, wait: u32) {
        // A collector that asked for a pause gets it, whatever turns end meanwhile.
        let wait = wait.max((self.transport.not_before.get() - self.now()).max(0.0) as u32);
        self.gathering.replace(Some(timer::after(wait, self.send.function())));
    }

    /// The turn that runs, as it stands, for the application's eyes; `null` if none does.
    pub fn snapshot(&self) -> JsValue {
        let turn = self.core.try_borrow().ok().and_then(|core| core.snapshot(self.now()));
        turn.map_or(JsValue::NULL, |turn: wire::Turn| self.to_js(&turn))
    }

    /// Percentiles of the turns of this page.
    pub fn summary(&self) -> JsValue {
        let Ok(core) = self.core.try_borrow() else { return JsValue::NULL };
        self.to_js(&wire::Map(core.summary().percentiles()))
    }

    /// What may be sent from now on; what waited for a decision goes or is forgotten.
    pub fn decide(self: &Rc<Self>, consent: Consent) {
        self.consent.set(consent);
        if let Ok(mut core) = self.core.try_borrow_mut() {
            core.set_consent(consent);
        }
        if consent == Consent::Denied {
            self.transport.clear();
        } else {
            self.flush(false);
        }
    }

    /// A wire type as a plain object.
    pub fn to_js(&self, value: &impl Serialize) -> JsValue {
        value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
    }

    fn mutated(self: &Rc<Self>, records: &Array) {
        if !self.region.collect(records) {
            return;
        }
        // The first change of a frame is looked at now: if the page draws in its own animation frame, the next one is
        // too late to arm what the engine times. What follows in the same frame is looked at once, before the paint.
        let is_first = self.frames.is_idle();
        let frame = self.frames.collect(&self.window);
        if is_first {
            self.look_at_changes(self.now(), frame);
            self.run();
        }
    }

    fn before_paint(self: &Rc<Self>) {
        let frame = self.frames.close(&self.window);
        self.look_at_changes(self.now(), frame);
        self.run();
    }

    fn after_paint(self: &Rc<Self>) {
        let at = self.now();
        let Some(frame) = self.frames.shown() else { return };
        // Firefox runs animation frames in hidden tabs, and nobody sees them.
        if page::is_hidden(self) {
            self.frames.again(&self.window, frame);
            return;
        }
        self.look_at_painted(at, frame);
        self.tell_update();
        self.run();
    }

    fn presented(self: &Rc<Self>, list: &JsValue) {
        for (frame, at) in self.element_timing.presented(list) {
            self.on(at, Event::Painted { frame, method: PaintMethod::ElementTiming });
        }
        self.tell_update();
        self.run();
    }

    fn tell_update(&self) {
        if self.effects.get().watch && self.environment.wants_updates() {
            let turn = self.snapshot();
            if turn.is_object() {
                self.environment.on_turn(&turn, false);
            }
        }
    }

    fn ticked(self: &Rc<Self>) {
        self.timer.fired();
        self.clock();
        self.on(self.now(), Event::Tick);
        self.run();
    }

    /// Ends every observation; the page goes on as if this had never been.
    pub fn shut_down(self: &Rc<Self>) {
        self.flush(true);
        self.is_down.set(true);
        self.listeners.borrow_mut().clear();
        self.region.sync(false, 0, &self.document);
        self.element_timing.release();
        self.timer.set(0.0, None, self.tick.function());
        self.gathering.replace(None);
    }
}

/// Randomness for turn ids: from the system where it can be had.
fn seed(window: &Window) -> u64 {
    let mut bytes = [0u8; 8];
    let filled =
        window.crypto().is_ok_and(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).is_ok());
    if filled { u64::from_le_bytes(bytes) } else { js_sys::Math::random().to_bits() }
}
