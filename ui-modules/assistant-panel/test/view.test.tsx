import { renderModule } from '@masthead/ui-sdk/testing';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { violations } from '../../../ui-shell/test/axe.ts';
import manifest from '../module.json' with { type: 'json' };
import { frameOf } from '../src/frame.ts';
import module from '../src/module.ts';
import { LIMIT_MS } from '../src/View.tsx';

const here = 'https://journal.test/coast/zh/home/';
const OWN = 'allow-forms allow-popups allow-top-navigation-by-user-activation';

describe('frameOf', () => {
  it.each([
    ['plugins/ai-assistant/frame', 'https://journal.test/coast/zh/plugins/ai-assistant/frame', OWN],
    ['/plugins/ai-assistant/frame?t={token}', 'https://journal.test/coast/zh/plugins/ai-assistant/frame?t=a%26b', OWN],
    ['https://ask.test/{token}/chat', 'https://ask.test/a%26b/chat', `${OWN} allow-scripts allow-same-origin`],
    // Never scripts with this origin, however the address is written.
    ['https://journal.test/x', 'https://journal.test/x', OWN],
  ])('%s', (frame, href, sandbox) => expect(frameOf(frame, 'a&b', '/coast/zh', here)).toEqual({ href, sandbox }));
  it.each(['', 'javascript:alert(1)', 'data:text/html,x', 'http://ask.test/', 'blob:https://journal.test/1'])('refuses %s', (frame) =>
    expect(frameOf(frame, '', '/coast/zh', here)).toBeUndefined(),
  );
  it('keeps an address that begins like another host inside the site', () =>
    expect(frameOf('//evil.test/x', '', '/coast/zh', here)?.href).toBe('https://journal.test/coast/zh/evil.test/x'));
});

describe('assistant-panel', () => {
  afterEach(() => void vi.useRealTimers());
  const post = vi.fn(async (_path: string, _body?: unknown): Promise<unknown> => 'a&b');
  const get = vi.fn(async (_path: string, _query?: object): Promise<unknown> => ({ code: 'sea', name: 'Ask' }));
  const show = (more: object = {}) => {
    post.mockClear();
    get.mockClear();
    return renderModule(module, { props: manifest.samples, api: { post: post as never, get: get as never }, bootstrap: { base: '/coast' }, ...more });
  };

  it('is what its manifest says', () => expect([module.id, module.slot, module.contract]).toEqual([manifest.id, manifest.slot, manifest.contract]));

  it('opens with the focus in it, asks for the parameters, shows the frame, and axe finds nothing', async () => {
    const { container } = await show();
    const button = screen.getByRole('button', { name: 'Ask the assistant' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(post).not.toHaveBeenCalled();
    await userEvent.click(button);
    const dialog = screen.getByRole('dialog', { name: 'Ask the assistant' });
    expect([button.getAttribute('aria-expanded'), button.getAttribute('aria-controls'), dialog.getAttribute('aria-modal')]).toEqual(['true', dialog.id, null]);
    expect(document.activeElement).toBe(dialog);
    const frame = await screen.findByTitle('Ask the assistant');
    expect(get.mock.calls).toEqual([['/rc-pub/front/aiqa/getAiqaConfig', { siteId: 448 }]]);
    expect(post.mock.calls).toEqual([
      ['/rc-pub/front/front-article/aiqa/verify/generateSecureParams', { code: 'sea', s: 2, host: location.host, siteId: 448, lang: 'en' }],
    ]);
    expect(new URL(frame.getAttribute('src') ?? '').pathname + new URL(frame.getAttribute('src') ?? '').search).toBe(
      '/coast/en/plugins/ai-assistant/frame?token=a%26b',
    );
    expect(frame.getAttribute('sandbox')).toBe(OWN);
    expect(screen.getByRole('status').textContent).toBe('Opening the conversation…');
    fireEvent.load(frame);
    expect(screen.getByRole('status').textContent).toBe('');
    // What jsdom would have to load inside the frame is not ours.
    frame.remove();
    expect(await violations(container)).toEqual([]);
  });

  it('closes by Escape and by its button, gives the focus back, and begins anew', async () => {
    await show();
    const button = screen.getByRole('button', { name: 'Ask the assistant' });
    await userEvent.click(button);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button);
    await userEvent.click(button);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button);
    await waitFor(() => expect(post).toHaveBeenCalledTimes(2));
  });

  it('is on the home page only', async () => {
    const { container } = await show({ bootstrap: { page: { kind: 'list', route: 'issues' } } });
    expect(container.textContent).toBe('');
  });

  it('asks for nothing more where the site has no assistant any more', async () => {
    await show();
    get.mockRejectedValueOnce(new Error('data is null'));
    await userEvent.click(screen.getByRole('button', { name: 'Ask the assistant' }));
    expect(await screen.findByText('The assistant could not be opened.')).toBeTruthy();
    expect(post).not.toHaveBeenCalled();
  });

  it('says that it failed, and tries again', async () => {
    await show({ bootstrap: { lang: 'zh' } });
    post.mockRejectedValueOnce(new Error('502'));
    await userEvent.click(screen.getByRole('button', { name: '智能问答' }));
    expect(await screen.findByText('暂时无法打开问答助手。')).toBeTruthy();
    post.mockResolvedValue('fresh');
    await userEvent.click(screen.getByRole('button', { name: '重试' }));
    expect(document.activeElement).toBe(screen.getByRole('dialog'));
    expect((await screen.findByTitle('智能问答')).getAttribute('src')).toContain('token=fresh');
  });

  it('does not wait for ever', async () => {
    vi.useFakeTimers();
    await show();
    post.mockReturnValueOnce(new Promise(() => undefined));
    fireEvent.click(screen.getByRole('button', { name: 'Ask the assistant' }));
    await act(() => vi.advanceTimersByTimeAsync(LIMIT_MS - 1));
    expect(screen.getByRole('status').textContent).toBe('Connecting…');
    await act(() => vi.advanceTimersByTimeAsync(2));
    expect(screen.getByRole('status').textContent).toBe('The assistant could not be opened.');
  });

  it('says so too when it is told an address that no frame may have', async () => {
    await show({ props: { ...manifest.samples, frame: 'javascript:alert(1)' } });
    await userEvent.click(screen.getByRole('button', { name: 'Ask the assistant' }));
    expect(await screen.findByText('The assistant could not be opened.')).toBeTruthy();
    expect(document.querySelector('iframe')).toBeNull();
  });
});
