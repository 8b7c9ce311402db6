//! An allocator that counts, for tests that require no allocation.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator with a count of allocations per thread.
///
/// ```ignore
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator;
/// ```
#[derive(Debug)]
pub struct CountingAllocator;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<i64> = const { Cell::new(0) };
}

impl CountingAllocator {
    /// Allocations of this thread while `work` ran.
    pub fn count(work: impl FnOnce()) -> u64 {
        let before = COUNT.get();
        work();
        COUNT.get() - before
    }

    /// Bytes that `made` keeps of what this thread allocated for it.
    pub fn kept<T>(made: impl FnOnce() -> T) -> (T, i64) {
        let before = BYTES.get();
        let made = made();
        (made, BYTES.get() - before)
    }
}

fn note_bytes(bytes: i64) {
    let _ = BYTES.try_with(|kept| kept.set(kept.get() + bytes));
}

fn note() {
    // A thread that ends has no counter any more; nothing is measured there.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged; counting changes only a thread-local
// number.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        note_bytes(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        note_bytes(-(layout.size() as i64));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        note_bytes(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
