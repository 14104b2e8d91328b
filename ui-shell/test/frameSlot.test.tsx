import { defineModule, useShell, type Bootstrap, type SlotModule } from '@masthead/ui-sdk';
import { ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { waitFor } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FrameSlot } from '../src/slots/FrameSlot.tsx';
import { muteConsole, pageOf } from './fixture.ts';

const store = vi.hoisted(() => ({ state: { status: 'ready', module: undefined as unknown }, reported: vi.fn() }));
vi.mock('../src/slots/ModuleStore.ts', async (load) => ({
  ...(await load<typeof import('../src/slots/ModuleStore.ts')>()),
  stateOf: () => store.state,
  load: async () => undefined,
  reportFailure: store.reported,
}));

const ref: SlotModule = { module: 'probe', entry: '/probe.js', integrity: 'sha384-probe', css: [], props: {} };
const bootstrap: Bootstrap = { ...pageOf('article').bootstrap, slots: { footer: [ref] } };

beforeEach(() => {
  muteConsole();
  // As in a browser: what React is asked to render later is rendered in a later task, not at the end of the test's block.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  store.state.module = defineModule({ id: 'probe', slot: 'footer', contract: 1, Component: () => <p>at {useShell().path}</p> });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** The frame around one slot, with the markup that the host sent for it. */
function frameOf(html: string) {
  const container = document.createElement('div');
  container.innerHTML = html;
  const host = document.createElement('div');
  document.body.append(container, host);
  const { shell } = fakeShell(undefined);
  const root = createRoot(host);
  const place = { container, sent: container, html };
  const show = (path: string) =>
    flushSync(() =>
      root.render(
        <ShellProvider value={{ ...shell, bootstrap, path }}>
          <FrameSlot name="footer" place={place} bootstrap={bootstrap} first />
        </ShellProvider>,
      ),
    );
  return { container, show, end: () => flushSync(() => root.unmount()) };
}

it('takes the markup over in a later task, and renders a change that came before it then', async () => {
  const html = '<p>at <!-- -->/first</p>';
  const { container, show, end } = frameOf(html);
  const sent = container.firstElementChild;
  show('/first');
  show('/second');
  expect(container.innerHTML).toBe(html);
  await waitFor(() => expect(container.textContent).toBe('at /second'));
  expect(container.firstElementChild).toBe(sent);
  expect(store.reported).not.toHaveBeenCalled();
  show('/third');
  await waitFor(() => expect(container.textContent).toBe('at /third'));
  end();
  await waitFor(() => expect(container.textContent).toBe(''));
});

it('gives to the module what a reader types before and while the markup is taken over, and the same field', async () => {
  const typed = vi.fn();
  function Search() {
    const [text, setText] = useState('');
    typed(text);
    return <input aria-label="Search" value={text} onChange={(event) => setText(event.target.value)} />;
  }
  store.state.module = defineModule({ id: 'probe', slot: 'footer', contract: 1, Component: Search });
  const { container, show, end } = frameOf('<input aria-label="Search" value=""/>');
  const field = container.querySelector('input') as HTMLInputElement;
  field.value = 'oc';
  field.focus();
  show('/first');
  expect(typed).not.toHaveBeenCalled();
  field.value = 'ocean';
  await waitFor(() => expect(typed).toHaveBeenLastCalledWith('ocean'));
  expect(container.querySelector('input')).toBe(field);
  expect([field.value, document.activeElement]).toEqual(['ocean', field]);
  expect(store.reported).not.toHaveBeenCalled();
  end();
});
