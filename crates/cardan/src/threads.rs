//! Worker threads for independent items; results do not depend on which thread does which.
//!
//! Every thread has a share of the items, the same as in the last call, and works from its front:
//! what it wrote then is in its own cache. A thread that has finished takes items from the back of
//! the other shares (work stealing).

#[cfg(feature = "parallel")]
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// The calling thread, alone or with worker threads.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    #[cfg(feature = "parallel")]
    workers: Option<WorkerPool>,
}

/// Stack of a worker thread \[bytes\], the usual size of a main thread: without optimisation the
/// inlined sweeps in lanes need megabytes.
#[cfg(feature = "parallel")]
const STACK: usize = 8 << 20;

/// Why there are no worker threads: the crate was built without them, or the system's refusal.
#[derive(Debug)]
pub(crate) enum ThreadError {
    #[cfg_attr(feature = "parallel", expect(dead_code))]
    NotBuilt,
    #[cfg_attr(not(feature = "parallel"), expect(dead_code))]
    System(String),
}

impl Threads {
    /// Sets the number of threads; one is the calling thread alone.
    pub(crate) fn set(&mut self, count: usize) -> Result<(), ThreadError> {
        #[cfg(feature = "parallel")]
        {
            self.workers = None;
            if count > 1 {
                self.workers = Some(WorkerPool::new(count - 1)?);
            }
            Ok(())
        }
        #[cfg(not(feature = "parallel"))]
        match count {
            0 | 1 => Ok(()),
            _ => Err(ThreadError::NotBuilt),
        }
    }

    /// Calls `work` for each item; items take about equal time.
    pub(crate) fn for_each<I: Send>(&self, items: &mut [I], work: impl Fn(&mut I) + Sync + Send) {
        self.for_each_weighted(items, |_| 1, work);
    }

    /// Calls `work` for each item, with an estimate of the work per item.
    #[cfg_attr(not(feature = "parallel"), expect(unused_variables))]
    pub(crate) fn for_each_weighted<I: Send>(
        &self,
        items: &mut [I],
        size: impl Fn(&I) -> usize,
        work: impl Fn(&mut I) + Sync + Send,
    ) {
        #[cfg(feature = "parallel")]
        if let Some(workers) = &self.workers {
            workers.for_each_weighted(items, size, work);
            return;
        }
        items.iter_mut().for_each(work);
    }
}

/// The worker threads.
#[cfg(feature = "parallel")]
#[derive(Debug)]
struct WorkerPool {
    pool: rayon::ThreadPool,
    /// Whether there is a core for every thread, so that waiting threads do not slow down the
    /// others.
    has_spare_core: bool,
    /// Number of the call; it increases when there is work.
    call: Arc<AtomicUsize>,
}

/// Number of loop iterations before a waiting thread sleeps: a few hundred microseconds. Waking up
/// takes tens of microseconds, and a step of a small world not much more.
#[cfg(feature = "parallel")]
const SPIN_LIMIT: u32 = 1 << 14;

/// Waits for a condition for a limited time; yields to other threads meanwhile.
#[cfg(feature = "parallel")]
fn spin_until(until: impl Fn() -> bool) {
    for turn in 1..=SPIN_LIMIT {
        if until() {
            return;
        }
        core::hint::spin_loop();
        if turn % 256 == 0 {
            std::thread::yield_now();
        }
    }
}

/// The rest of a share.
#[cfg(feature = "parallel")]
type Share<'a, I> = Mutex<&'a mut [I]>;

/// The next items of a thread's own share, else of another's. Near the end items are taken singly,
/// since all threads wait for the last.
#[cfg(feature = "parallel")]
fn take_work<'a, I>(shares: &[Share<'a, I>], own: usize) -> Option<&'a mut [I]> {
    const TURNS: usize = 16;
    let count = shares.len();
    for k in 0..count {
        let mut share = shares[(own + k) % count].lock().unwrap_or_else(PoisonError::into_inner);
        let all = std::mem::take(&mut *share);
        if all.is_empty() {
            continue;
        }
        let few = all.len().div_ceil(TURNS);
        let (taken, left) = match k {
            0 => all.split_at_mut(few),
            _ => {
                let (left, taken) = all.split_at_mut(all.len() - few);
                (taken, left)
            }
        };
        *share = left;
        return Some(taken);
    }
    None
}

/// Splits a list into shares of about equal size.
#[cfg(feature = "parallel")]
fn split_shares<I>(mut items: &mut [I], count: usize, size: impl Fn(&I) -> usize) -> Vec<Share<'_, I>> {
    let whole: usize = items.iter().map(&size).sum();
    let mut shares = Vec::with_capacity(count);
    let mut before = 0;
    for k in 1..count {
        // The cut nearest to its target.
        let (mut len, place) = (0, whole * k);
        while let Some(next) =
            items.get(len).map(&size).filter(|next| (2 * before + next) * count < 2 * place)
        {
            before += next;
            len += 1;
        }
        let (share, left) = items.split_at_mut(len);
        shares.push(Mutex::new(share));
        items = left;
    }
    shares.push(Mutex::new(items));
    shares
}

#[cfg(feature = "parallel")]
impl WorkerPool {
    fn new(count: usize) -> Result<Self, ThreadError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).stack_size(STACK).build();
        let pool = pool.map_err(|why| ThreadError::System(why.to_string()))?;
        let has_spare_core = std::thread::available_parallelism().is_ok_and(|cores| count < cores.get());
        Ok(WorkerPool { pool, has_spare_core, call: Arc::default() })
    }

    fn for_each_weighted<I: Send>(
        &self,
        items: &mut [I],
        size: impl Fn(&I) -> usize,
        work: impl Fn(&mut I) + Sync + Send,
    ) {
        self.call.fetch_add(1, Ordering::Release);
        let (workers, left) = (self.pool.current_num_threads(), AtomicUsize::new(items.len()));
        let shares = split_shares(items, 1 + workers, size);
        let turns = |own: usize| {
            while let Some(few) = take_work(&shares, own) {
                let done = few.len();
                few.iter_mut().for_each(&work);
                left.fetch_sub(done, Ordering::Release);
            }
        };
        // The calling thread starts while the others wake up.
        self.pool.in_place_scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|_| turns(1 + rayon::current_thread_index().unwrap_or(0)));
            }
            turns(0);
            if self.has_spare_core {
                spin_until(|| left.load(Ordering::Acquire) == 0);
            }
        });
        if self.has_spare_core {
            self.stay_awake();
        }
    }

    /// Worker threads wait actively for the next call.
    fn stay_awake(&self) {
        let now = self.call.load(Ordering::Relaxed);
        for _ in 0..self.pool.current_num_threads() {
            let call = self.call.clone();
            self.pool.spawn(move || spin_until(|| call.load(Ordering::Acquire) != now));
        }
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    /// Every item is processed once, for any number and sizes of items and any number of threads.
    #[test]
    fn each_is_done_once() {
        for count in [1, 2, 3, 8, 16] {
            let mut threads = Threads::default();
            threads.set(count).expect("threads");
            for len in [0, 1, 2, 3, 17, 200] {
                for size in [|_: &usize| 0, |x: &usize| *x % 7, |x: &usize| 1000 * usize::from(*x == 16)] {
                    let mut items: Vec<usize> = (0..len).collect();
                    threads.for_each_weighted(&mut items, size, |x| *x += 1000);
                    assert_eq!(items, (1000..1000 + len).collect::<Vec<_>>(), "{count} threads, {len}");
                }
            }
        }
    }

    /// Shares had equal numbers of items, whatever their sizes: one thread had all large ones.
    #[test]
    fn shares_are_cut_by_size() {
        let mut items = [1; 50].to_vec();
        items.push(50);
        let lens = |shares: Vec<Share<'_, usize>>| -> Vec<usize> {
            shares.into_iter().map(|share| share.into_inner().expect("no panic").len()).collect()
        };
        assert_eq!(lens(split_shares(&mut items, 2, |x| *x)), [50, 1]);
        items.insert(0, 50);
        assert_eq!(lens(split_shares(&mut items, 3, |x| *x)), [1, 50, 1]);
        assert_eq!(lens(split_shares(&mut items, 2, |_| 1)), [26, 26]);
        assert_eq!(lens(split_shares(&mut items[..1], 4, |_| 1)).iter().sum::<usize>(), 1);
    }
}
