import { useShell } from '@masthead/ui-sdk';
import { useCallback, useEffect, useState } from 'react';
import { isSignedOut, textOf } from '../calls/api.ts';

export interface Loaded<T> {
  data: T | undefined;
  /** Why there is none, in the words of the host, or "" where it has said nothing; undefined unless it failed. */
  failure: string | undefined;
  /** Whether it has failed because the session is over. */
  ended: boolean;
  again(): void;
}

/** What a call returns, read again when `version` changes or `again` is called. What was shown before stays until then. */
export function useLoaded<T>(path: string, version: number): Loaded<T> {
  const { api } = useShell();
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<Omit<Loaded<T>, 'again'>>({ data: undefined, failure: undefined, ended: false });
  useEffect(() => {
    const control = new AbortController();
    api
      .get<T>(path, {}, control.signal)
      .then((data) => setLoaded({ data, failure: undefined, ended: false }))
      .catch((error: unknown) => {
        if (!control.signal.aborted) setLoaded(({ data }) => ({ data, failure: textOf(error, ''), ended: isSignedOut(error) }));
      });
    return () => control.abort();
  }, [api, path, version, round]);
  return { ...loaded, again: useCallback(() => setRound((before) => before + 1), []) };
}
