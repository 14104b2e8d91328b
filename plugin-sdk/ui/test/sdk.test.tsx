import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Button, CONTRACT, defineModule, Dialog, Link, linkDestination, Menu, Popover, SLOTS, Tabs, useT } from '../src/index.ts';
import { internalPath, refusal } from '../src/shell.ts';
import { fakeShell, ModuleFrame, renderModule } from '../src/testing.tsx';
import { violations } from '../../../ui-shell/test/axe.ts';

const moduleOf = (Component: () => React.ReactNode) =>
  defineModule({
    id: 'try-out',
    slot: 'header',
    contract: CONTRACT,
    Component,
    messages: { en: { hello: 'Hello {{name}}' }, zh: { hello: '你好，{{name}}' } },
  });

describe('contract', () => {
  const good = moduleOf(() => null);
  it('accepts a module of its slot', () => expect(refusal(good, 'try-out', 'header')).toBeUndefined());
  it.each([
    [{ ...good, contract: 2 }, 'contract 2'],
    [{ ...good, slot: 'footer' }, 'slot footer'],
    [{ ...good, id: 'other' }, 'calls itself other'],
    [{ id: 'try-out' }, 'defineModule'],
    [undefined, 'defineModule'],
  ])('refuses another one with a reason', (value, reason) => expect(refusal(value, 'try-out', 'header')).toContain(reason));
  it('says of every slot how many modules it takes, whether it needs one and whether it is late', () => {
    for (const rule of Object.values(SLOTS)) {
      expect(['one', 'many']).toContain(rule.cardinality);
      expect(Object.entries(rule).map(([key, value]) => `${key} ${typeof value}`)).toEqual(['cardinality string', 'optional boolean', 'late boolean']);
    }
  });
  it('fills its late slots after the first view', () => {
    expect(Object.entries(SLOTS).flatMap(([slot, rule]) => (rule.late ? [slot] : []))).toEqual(['header.account', 'page.floating', 'article.toolbar']);
  });
});

describe('internalPath', () => {
  const here = 'http://x.test/coast/en/home/';
  it.each([
    ['/coast/en/issues/?a=1#top', '/en/issues/?a=1#top'],
    ['/coast', '/'],
    ['../article/3/', '/en/article/3/'],
    ['/other/en/', undefined],
    ['/coastal/en/', undefined],
    ['https://y.test/coast/en/', undefined],
    ['/coast/rc-pub/front/page', undefined],
    ['/coast/files/a.pdf', undefined],
    ['/coast/en/plugins/citation-export/ris?id=17', undefined],
    ['/coast/plugins/ai-assistant/frame', undefined],
    ['/coast/en/login/external?url=%2F', undefined],
    ['/coast/en/logout', undefined],
    ['/coast/en/about/plugins/', '/en/about/plugins/'],
    ['/coast/en/article/doi/10.1/a.pdf.html/', '/en/article/doi/10.1/a.pdf.html/'],
    ['mailto:a@b.c', undefined],
  ])('%s', (href, path) => expect(internalPath(href, '/coast', here)).toBe(path));
});

describe('linkDestination', () => {
  it.each(['https://y.test/', 'HTTP://y.test', ' https://y.test/'])('takes %s for a page', (href) => expect(linkDestination(href)).toBe('web'));
  it('reads relative addresses against the base only', () => {
    expect(linkDestination('/en/a/', 'https://x.test/')).toBe('web');
    expect(linkDestination('/en/a/')).toBeUndefined();
    expect(linkDestination('mailto:a@b.test')).toBe('mail');
  });
  it.each([
    'javascript:alert(1)',
    ' JaVa\nScript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://x.test/1',
    'file:///etc/passwd',
    'ftp://x.test/',
    'mailto:',
  ])('refuses %j', (href) => expect(linkDestination(href, 'https://x.test/')).toBeUndefined());
});

describe('hooks and link', () => {
  it('leaves out addresses that nothing may link to', async () => {
    const module = moduleOf(() => (
      <>
        <Link href="javascript:alert(1)">script</Link>
        <Link href="mailto:a@b.test">mail</Link>
        <Menu label="More" items={[{ key: 'a', label: 'bad', href: 'data:text/html,x' }]}>
          more
        </Menu>
      </>
    ));
    await renderModule(module);
    expect(screen.getByText('script').hasAttribute('href')).toBe(false);
    expect(screen.getByText('mail').getAttribute('href')).toBe('mailto:a@b.test');
    await userEvent.click(screen.getByRole('button', { name: 'More' }));
    expect((await screen.findByText('bad')).closest('a')!.hasAttribute('href')).toBe(false);
  });
  it('reads the strings of the page language with values', async () => {
    const module = moduleOf(() => <p>{useT()('hello', { name: 'Lin' })}</p>);
    await renderModule(module, { bootstrap: { lang: 'zh' } });
    expect(screen.getByText('你好，Lin')).toBeTruthy();
  });
  it('navigates inside, leaves new tabs and other hosts to the browser', async () => {
    const module = moduleOf(() => (
      <>
        <Link href="/en/a/">in</Link>
        <Link href="/en/b/" newTab>
          tab
        </Link>
      </>
    ));
    const { navigations } = await renderModule(module);
    await userEvent.click(screen.getByText('in'));
    await userEvent.click(screen.getByText('tab'));
    expect(navigations).toEqual(['/en/a/']);
    expect(screen.getByText('tab').getAttribute('rel')).toBe('noopener');
  });
  it('says what is wrong outside a shell', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const Lost = () => <p>{useT()('hello')}</p>;
    expect(() => render(<Lost />)).toThrow(/renderModule/);
  });
});

describe('primitives', () => {
  it('moves through tabs by arrows, Home and End', async () => {
    const TabsHere = () => {
      const [value, set] = useState('a');
      return (
        <Tabs label="Scope" tabs={['a', 'b', 'c'].map((key) => ({ key, label: key }))} value={value} onChange={set}>
          panel of {value}
        </Tabs>
      );
    };
    const { container } = await renderModule(moduleOf(TabsHere));
    await userEvent.tab();
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'b' }).getAttribute('aria-selected')).toBe('true');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'b' }));
    await userEvent.keyboard('{End}{ArrowRight}');
    expect(screen.getByRole('tabpanel').textContent).toBe('panel of a');
    expect(await violations(container)).toEqual([]);
  });

  it('opens a menu by arrow, picks by Enter, gives the focus back', async () => {
    const { navigations } = await renderModule(
      moduleOf(() => (
        <Menu
          label="Language"
          items={[
            { key: 'zh', label: '中文', href: '/zh/' },
            { key: 'fr', label: 'Français', href: '/fra/' },
          ]}
        >
          EN
        </Menu>
      )),
    );
    const button = screen.getByRole('button', { name: 'Language' });
    button.focus();
    await userEvent.keyboard('{ArrowDown}');
    await screen.findByRole('menu', { name: 'Language' });
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(navigations).toHaveLength(1);
    await vi.waitFor(() => expect(document.activeElement).toBe(button));
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });

  it('traps the focus in a dialog and closes it by Escape', async () => {
    const Asking = () => {
      const [open, set] = useState(false);
      return (
        <>
          <Button onClick={() => set(true)}>open</Button>
          <Dialog open={open} onOpenChange={set} title="Tips" description="Why">
            <Button>one</Button>
          </Dialog>
        </>
      );
    };
    await renderModule(moduleOf(Asking));
    await userEvent.click(screen.getByText('open'));
    const dialog = await screen.findByRole('dialog', { name: 'Tips' });
    await userEvent.tab();
    expect(dialog.contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByText('open'));
  });

  it('shows a popover without taking the focus if moveFocus is false', async () => {
    const Hint = () => {
      const [anchor, set] = useState<HTMLButtonElement | null>(null);
      return (
        <>
          <button ref={set}>mark</button>
          <Popover open={anchor !== null} onOpenChange={() => undefined} anchor={anchor} label="Reference" moveFocus={false}>
            text
          </Popover>
        </>
      );
    };
    const { shell } = fakeShell(undefined);
    render(<ModuleFrame module={moduleOf(Hint)} shell={shell} />);
    expect(await screen.findByRole('dialog', { name: 'Reference' })).toBeTruthy();
    expect(document.activeElement).toBe(document.body);
  });
});
