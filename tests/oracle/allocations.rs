//! What is asked of the allocator: by thread, as tests run side by side.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static TOTAL: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn taken(size: usize) {
    // Nothing is counted while a thread comes to its end.
    _ = HELD.try_with(|held| {
        held.set(held.get().wrapping_add(size));
        PEAK.with(|peak| peak.set(peak.get().max(held.get())));
        TOTAL.with(|total| total.set(total.get() + size));
    });
}

fn given_back(size: usize) {
    _ = HELD.try_with(|held| held.set(held.get().saturating_sub(size)));
}

// SAFETY: all is done by the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        given_back(layout.size());
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        given_back(layout.size());
        taken(size);
        unsafe { System.realloc(place, layout, size) }
    }
}

/// What a piece of work took.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// Most bytes that were held at once.
    pub peak: usize,
    /// All bytes that were asked for, one after the other.
    pub total: usize,
}

impl Use {
    pub fn of(work: impl FnOnce()) -> Self {
        let before = HELD.get();
        PEAK.set(before);
        TOTAL.set(0);
        work();
        Self { peak: PEAK.get() - before, total: TOTAL.get() }
    }

    pub fn is_within(self, peak: usize, total: usize) {
        assert!(self.peak <= peak, "{} bytes are held, more than {peak}", self.peak);
        assert!(self.total <= total, "{} bytes are allocated, more than {total}", self.total);
    }
}
