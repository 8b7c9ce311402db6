//! Threads that things with nothing in common are done on; which takes which changes nothing.
//!
//! Every thread has a share, of the same size and of the same things as the last time, which it
//! goes through from the front: what it wrote then is in its own cache. Who is ready helps the
//! others, from the back of what they have left.

#[cfg(feature = "parallel")]
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// Who does the work: the calling thread, alone or with others.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    #[cfg(feature = "parallel")]
    workers: Option<WorkerPool>,
}

/// Bytes of stack for each of the others, as the first thread of a program mostly has: without
/// optimisation what is inlined into a sweep in lanes takes megabytes.
#[cfg(feature = "parallel")]
const STACK: usize = 8 << 20;

/// Why there are none: the crate was built without them, or the system refuses, and why.
#[derive(Debug)]
pub(crate) enum ThreadError {
    #[cfg_attr(feature = "parallel", expect(dead_code))]
    NotBuilt,
    #[cfg_attr(not(feature = "parallel"), expect(dead_code))]
    System(String),
}

impl Threads {
    /// So many from now on; one is the calling thread alone.
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

    /// Does something to each of several that are much alike.
    pub(crate) fn for_each<I: Send>(&self, items: &mut [I], work: impl Fn(&mut I) + Sync + Send) {
        self.for_each_weighted(items, |_| 1, work);
    }

    /// Does something to each; about so much is to be done for it.
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

/// The other threads.
#[cfg(feature = "parallel")]
#[derive(Debug)]
struct WorkerPool {
    pool: rayon::ThreadPool,
    /// Whether there is a core for everyone, so that who waits takes nothing from those who work.
    has_spare_core: bool,
    /// Number of the call; it goes up when there is something to do.
    call: Arc<AtomicUsize>,
}

/// How long to look out for something before going to sleep, in turns of the loop: a few hundred
/// microseconds. To be woken up takes tens of them, and the step of a small world not many more.
#[cfg(feature = "parallel")]
const SPIN_LIMIT: u32 = 1 << 14;

/// Waits until something is so, not for long; who cannot run meanwhile may.
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

/// What is left of a share.
#[cfg(feature = "parallel")]
type Share<'a, I> = Mutex<&'a mut [I]>;

/// The next few of a thread's own share, else of another's. At the end all wait for the last, so
/// these are taken one by one.
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

/// Cuts a list into shares of about the same size.
#[cfg(feature = "parallel")]
fn split_shares<I>(mut items: &mut [I], count: usize, size: impl Fn(&I) -> usize) -> Vec<Share<'_, I>> {
    let whole: usize = items.iter().map(&size).sum();
    let mut shares = Vec::with_capacity(count);
    let mut before = 0;
    for k in 1..count {
        // The cut is where it is nearest to its place.
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
        // The calling thread begins while the others come.
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

    /// The others look out for the next call.
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

    /// Every thing is done once, whatever their number and sizes and however many threads there
    /// are.
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

    /// A share was as many things as another, however large these are: one thread had them all to
    /// itself.
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
