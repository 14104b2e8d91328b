import { ApiError, useShell } from '@masthead/ui-sdk';
import { useCallback, useEffect, useState } from 'react';

export interface Loaded<T> {
  data: T | undefined;
  /** Why there is none; "" while it is on its way. */
  failure: string;
  again(): void;
}

/** What a call returns, read again when `version` changes or `again` is called. What was shown before stays until then. */
export function useLoaded<T>(path: string, version: number): Loaded<T> {
  const { api } = useShell();
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<{ data: T | undefined; failure: string }>({ data: undefined, failure: '' });
  useEffect(() => {
    const control = new AbortController();
    api
      .get<T>(path, {}, control.signal)
      .then((data) => setLoaded({ data, failure: '' }))
      .catch((error: unknown) => {
        if (control.signal.aborted) return;
        setLoaded(({ data }) => ({ data, failure: error instanceof ApiError ? error.message : String(error) }));
      });
    return () => control.abort();
  }, [api, path, version, round]);
  return { ...loaded, again: useCallback(() => setRound((before) => before + 1), []) };
}
