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
/// A value that took less than this to read is not remembered.
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
pub struct ByReadingTime<K, V>(Cache<K, Read<V>>);

impl<K, V> ByReadingTime<K, V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
{
    /// Remembers values of this size together, in the unit of [`ByReadingTime::get`].
    #[must_use]
    pub fn new(size: u64) -> Self {
        let cache = Cache::builder().max_capacity(size).weigher(|_, read: &Read<V>| read.size);
        Self(cache.expire_after(AsItLasts).build())
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
            Ok(Read {
                value: Arc::new(value),
                size: u32::try_from(size + 1).unwrap_or(u32::MAX),
                lasts: lasts(began.elapsed()),
            })
        };
        Ok(self.0.try_get_with(key, timed).await?.value)
    }
}

/// How long a value is remembered that took so long to read.
fn lasts(read_in: Duration) -> Duration {
    if read_in < SLOW { Duration::ZERO } else { read_in * TIMES_AS_LONG }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn only_what_is_read_slowly_is_remembered() {
        let cache: ByReadingTime<&str, u32> = ByReadingTime::new(10);
        let fast = async |value| cache.get("fast", async move { Ok::<_, ()>((value, 1)) }).await.unwrap();
        assert_eq!((*fast(1).await, *fast(2).await), (1, 2));
        let slow = async |value| {
            let read = async move {
                tokio::time::sleep(SLOW).await;
                Ok::<_, ()>((value, 1))
            };
            cache.get("slow", read).await.unwrap()
        };
        assert_eq!((*slow(1).await, *slow(2).await), (1, 1));
        assert!(cache.get("failed", async { Err::<(u32, usize), _>("away") }).await.is_err());
        assert_eq!(
            *cache.get("failed", async { Ok::<_, &str>((3, 1)) }).await.unwrap(),
            3,
            "an error is not remembered"
        );
        assert_eq!((lasts(SLOW / 2), lasts(SLOW)), (Duration::ZERO, SLOW * TIMES_AS_LONG));
    }
}
