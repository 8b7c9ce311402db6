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
}

impl CountingAllocator {
    /// Allocations of this thread while `work` ran.
    pub fn count(work: impl FnOnce()) -> u64 {
        let before = COUNT.get();
        work();
        COUNT.get() - before
    }
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
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
