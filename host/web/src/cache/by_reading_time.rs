//! Values of the database that are remembered for a multiple of the time that it took to read them. What is read fast is always read anew, and
//! of a large site no more than a small part of the time is spent on reading the same again.

use std::{
    hash::Hash,
    sync::Arc,
    time::{Duration, Instant},
};

use moka::{Expiry, future::Cache};

/// How many times as long as it took to read it a value is remembered: reading takes at most a twentieth of the time.
const TIMES_AS_LONG: u32 = 20;
/// What is read in less time is read anew each time.
const SLOW: Duration = Duration::from_millis(50);

struct Read<V> {
    value: Arc<V>,
    size: u32,
    lasts: Duration,
}

impl<V> Clone for Read<V> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), ..*self }
    }
}

struct AsItLasts;

impl<K, V> Expiry<K, Read<V>> for AsItLasts {
    fn expire_after_create(&self, _: &K, read: &Read<V>, _: Instant) -> Option<Duration> {
        Some(read.lasts)
    }

    fn expire_after_update(&self, _: &K, read: &Read<V>, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(read.lasts)
    }
}

/// Remembered values.
pub struct ByReadingTime<K, V> {
    values: Cache<K, Read<V>>,
    /// A value that took less than this to read is not remembered.
    slow: Duration,
}

impl<K, V> ByReadingTime<K, V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
{
    /// Remembers values of this size together, in the unit of [`ByReadingTime::get`].
    #[must_use]
    pub fn new(size: u64) -> Self {
        Self::with_bound(size, SLOW)
    }

    fn with_bound(size: u64, slow: Duration) -> Self {
        let values = Cache::builder().max_capacity(size).weigher(|_, read: &Read<V>| read.size);
        Self { values: values.expire_after(AsItLasts).build(), slow }
    }

    /// The value of a key, which is read if it is not remembered, with its size. Callers that need the same value at once wait for one reader.
    ///
    /// # Errors
    /// The error of the reader, for all who wait for it.
    pub async fn get<E: Send + Sync + 'static>(
        &self,
        key: K,
        read: impl Future<Output = Result<(V, usize), E>>,
    ) -> Result<Arc<V>, Arc<E>> {
        let timed = async {
            let began = Instant::now();
            let (value, size) = read.await?;
            let (read_in, size) = (began.elapsed(), u32::try_from(size + 1).unwrap_or(u32::MAX));
            let lasts = if read_in < self.slow { Duration::ZERO } else { read_in * TIMES_AS_LONG };
            Ok(Read { value: Arc::new(value), size, lasts })
        };
        Ok(self.values.try_get_with(key, timed).await?.value)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    async fn get(cache: &ByReadingTime<&'static str, u32>, value: u32) -> u32 {
        let read = async move {
            tokio::time::sleep(Duration::from_millis(200)).await;
            Ok::<_, ()>((value, 1))
        };
        *cache.get("key", read).await.unwrap()
    }

    #[tokio::test]
    async fn only_what_is_read_slowly_is_remembered() {
        let fast = ByReadingTime::with_bound(10, Duration::MAX);
        assert_eq!((get(&fast, 1).await, get(&fast, 2).await), (1, 2));
        let slow = ByReadingTime::new(10);
        let (mut last, mut is_remembered) = (get(&slow, 0).await, false);
        // It is remembered for four seconds, which is enough for the next call unless the machine stood still meanwhile.
        for value in 1..10 {
            let next = get(&slow, value).await;
            is_remembered |= next == last;
            last = next;
        }
        assert!(is_remembered);
    }

    #[tokio::test]
    async fn an_error_is_not_remembered() {
        let cache: ByReadingTime<&str, u32> = ByReadingTime::with_bound(10, Duration::ZERO);
        assert!(cache.get("key", async { Err::<(u32, usize), _>("away") }).await.is_err());
        assert_eq!(get(&cache, 3).await, 3);
    }
}
