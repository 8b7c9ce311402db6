//! Threads that things with nothing in common are done on; which takes which changes nothing.

#[cfg(feature = "parallel")]
use std::sync::{Mutex, PoisonError};

/// Who does the work: the calling thread, alone or with others.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// The others.
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
}

/// Bytes of stack for each of the others, as the first thread of a program mostly has: without optimisation what is inlined into a sweep in lanes takes megabytes.
#[cfg(feature = "parallel")]
const STACK: usize = 8 << 20;

/// Why there are none: the crate was built without them, or the system refuses, and why.
#[derive(Debug)]
pub(crate) enum Refused {
    #[cfg_attr(feature = "parallel", expect(dead_code))]
    NotBuilt,
    #[cfg_attr(not(feature = "parallel"), expect(dead_code))]
    System(String),
}

impl Threads {
    /// So many from now on; one is the calling thread alone.
    pub(crate) fn set(&mut self, count: usize) -> Result<(), Refused> {
        #[cfg(feature = "parallel")]
        {
            self.pool = None;
            if count > 1 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(count - 1).stack_size(STACK).build();
                self.pool = Some(pool.map_err(|why| Refused::System(why.to_string()))?);
            }
            Ok(())
        }
        #[cfg(not(feature = "parallel"))]
        match count {
            0 | 1 => Ok(()),
            _ => Err(Refused::NotBuilt),
        }
    }

    /// Does something to each.
    pub(crate) fn each<I: Send>(&self, items: &mut [I], work: impl Fn(&mut I) + Sync + Send) {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            // Whoever is ready takes the next few; the calling thread begins while the others wake up. At the end all wait for the last few, so these are a small part of
            // what each does; taking them costs a hundred nanoseconds.
            const TURNS: usize = 32;
            let few = items.len().div_ceil(TURNS * (pool.current_num_threads() + 1)).max(1);
            let rest = Mutex::new(items.chunks_mut(few));
            let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
            let turns = || {
                while let Some(items) = take() {
                    items.iter_mut().for_each(&work);
                }
            };
            pool.in_place_scope(|scope| {
                for _ in 0..pool.current_num_threads() {
                    scope.spawn(|_| turns());
                }
                turns();
            });
            return;
        }
        items.iter_mut().for_each(work);
    }
}
