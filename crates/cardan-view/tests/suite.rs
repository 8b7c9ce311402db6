//! Tests of the window without a window.

use cardan_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

mod hand;
mod hashes;
mod info;
mod memory;
mod past;
