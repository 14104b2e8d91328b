import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useDelayed } from '../src/page/States.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says late after the time and not before, and stops at once', () => {
  const { result, rerender } = renderHook(({ on }) => useDelayed(on, 150), { initialProps: { on: true } });
  act(() => void vi.advanceTimersByTime(149));
  expect(result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(1));
  expect(result.current).toBe(true);
  rerender({ on: false });
  expect(result.current).toBe(false);
  rerender({ on: true });
  expect(result.current).toBe(false);
});
