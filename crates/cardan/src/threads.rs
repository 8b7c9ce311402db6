//! Threads that things with nothing in common are done on; which takes which changes nothing.

/// Who does the work: the calling thread, or a pool.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
}

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
                let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
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
            use rayon::prelude::*;
            pool.install(|| items.par_iter_mut().for_each(work));
            return;
        }
        items.iter_mut().for_each(work);
    }
}
