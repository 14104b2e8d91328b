import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  Button,
  CONTRACT,
  defineModule,
  Dialog,
  Link,
  linkDestination,
  Menu,
  Popover,
  SLOTS,
  Tabs,
  useSite,
  useT,
  useTranslation,
  type ModuleProps,
  type SlotName,
} from '../src/index.ts';
import { internalPath, moduleElement, refusal, SDK_VERSION } from '../src/shell.ts';
import { choiceOf, pageOf } from '../src/gallery/gallery.tsx';
import presets from '../src/gallery/presets.json' with { type: 'json' };
import { bootstrapWith, fakeShell, ModuleFrame, renderModule, SAMPLE_PLACES, sampleProps } from '../src/testing.tsx';
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
    [{ ...good, contract: CONTRACT + 1 }, `was built for contract ${CONTRACT + 1}, this shell has ${CONTRACT}: the host has to be updated`],
    [{ ...good, contract: 0 }, 'does not support'],
    [{ ...good, contract: 1.5 }, 'does not support'],
    [{ ...good, contract: '1' }, 'does not support'],
    [{ ...good, contract: undefined }, 'does not support'],
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

describe('properties of a slot', () => {
  it.each<[SlotName, object]>([
    ['header', { lang: 'en', header: expect.objectContaining({ switchLanguage: true }), menu: expect.any(Array), languages: expect.any(Array) }],
    ['header.account', { session: { signedIn: false, userName: '' }, loginHref: '/login?lang=en&url=%2F' }],
    ['search', { search: expect.objectContaining({ action: '/en/search' }), words: '', home: true }],
    ['footer', { footer: expect.objectContaining({ icp: '京ICP备00000000号-1' }), homeHref: '/en/home/' }],
    ['page.floating', { page: { kind: 'home' } }],
    ['article.toolbar', { article: expect.objectContaining({ kind: 'article', doi: '10.5555/coast.2026.3.1' }), permissions: expect.any(Object) }],
    [
      'home.sections',
      {
        layout: 'journal',
        channel: 0,
        sections: [
          { kind: 'hero', id: '', place: 'full', title: '', size: 0 },
          { kind: 'latest', id: 'home-2', place: 'main', title: '', size: 8 },
          { kind: 'news', id: 'home-3', place: 'side', title: 'From the sea', size: 5 },
          { kind: 'plugins', id: '', place: 'side', title: '', size: 0 },
        ],
      },
    ],
    ['result.badges', { id: 64, doi: '10.5555/coast.2026.3.1', articleType: 'research-article' }],
  ])('%s', (slot, props) => expect(sampleProps(slot)).toMatchObject({ site: { sld: 'coast' }, base: '', path: '/en/home/', ...props }));

  it('are there for every slot, and nobody else can set them', () => {
    for (const slot of Object.keys(SLOTS) as SlotName[]) {
      const module = { ...moduleOf(() => null), slot };
      const page = slot in SAMPLE_PLACES ? sampleProps('footer.rows') : sampleProps(slot);
      const { props } = moduleElement(module, bootstrapWith(slot), '/en/a', { site: 'forged', own: 1 }, { path: 'forged', place: 2 });
      expect(props).toMatchObject({ ...page, path: '/en/a', own: 1, place: 2 });
    }
  });

  it('of the home page say where the module stands', async () => {
    const Beside = ({ sections, layout }: ModuleProps<'home.sections'>) => {
      const own = sections.find(({ kind }) => kind === 'plugins');
      const neighbours = sections.filter(({ kind, place }) => kind !== 'plugins' && place === own?.place);
      return (
        <nav aria-label={layout}>
          {neighbours.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
      );
    };
    await renderModule(defineModule({ id: 'try-out', slot: 'home.sections', contract: 1, Component: Beside }));
    expect(screen.getByRole('navigation', { name: 'journal' })).toBeTruthy();
    expect(screen.getAllByRole('link').map((link) => `${link.getAttribute('href')} ${link.textContent}`)).toEqual(['#home-3 From the sea']);
  });

  it('are checked by their types', () => {
    // @ts-expect-error Modules of other slots are not told the sections.
    defineModule({ id: 'a', slot: 'footer.rows', contract: 1, Component: ({ sections }: ModuleProps<'home.sections'>) => sections.length });
    const wide = ({ label, session }: ModuleProps<'header.account', { label: string }>) => label ?? session.userName;
    defineModule({ id: 'a', slot: 'header.account', contract: 1, Component: wide });
    // @ts-expect-error A footer gets no session.
    defineModule({ id: 'a', slot: 'footer', contract: 1, Component: wide });
    // @ts-expect-error A site may leave out a property of the module's own.
    defineModule({ id: 'a', slot: 'header', contract: 1, Component: ({ label }: { label: string }) => label });
    // @ts-expect-error A later contract.
    defineModule({ id: 'a', slot: 'header', contract: 2, Component: () => null });
    // @ts-expect-error No such slot.
    expect(defineModule({ id: 'a', slot: 'sidebar', contract: 1, Component: () => null }).id).toBe('a');
  });
});

describe('versions and presets', () => {
  const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, file), 'utf8');
  it('states the version of its package', () => expect((JSON.parse(read('../package.json')) as { version: string }).version).toBe(SDK_VERSION));

  it('has the presets of the platform', () => {
    const themes = read('../../../sites/platform.toml').split('[[themes]]').slice(1);
    const colours = (text: string | undefined) => [...(text ?? '').matchAll(/"(#\w{6})"/g)].map(([, colour]) => colour);
    const found = themes.map((theme) => {
      const [light, dark] = theme.split('[themes.dark]');
      return {
        colorId: Number(/colorId = (\d+)/.exec(theme)?.[1]),
        name: /name = "(.*)"/.exec(theme)?.[1],
        light: colours(light),
        dark: colours(dark?.split('\n\n')[0]),
      };
    });
    expect(presets).toEqual(found);
  });
});

describe('the gallery', () => {
  it('keeps its choice in the address and falls back to defaults', () => {
    expect(choiceOf('?language=ara&preset=7&theme=dark&width=390&direction=rtl&page=search&reader=in')).toEqual({
      language: 'ara',
      preset: '7',
      theme: 'dark',
      width: '390',
      direction: 'rtl',
      page: 'search',
      reader: 'in',
    });
    expect(choiceOf('?language=xx&width=1&theme=')).toMatchObject({ language: 'zh', width: '1280', theme: 'light', page: 'home' });
  });

  it('shows a module in all languages of the host, signed in, and on a page with its slot', () => {
    const page = pageOf(choiceOf('?language=kor&reader=in&page=search'), 'header');
    expect([page.lang, page.session?.signedIn, page.page?.kind]).toEqual(['kor', true, 'search']);
    expect(page.languages?.map(({ code }) => code)).toEqual(['zh', 'en', 'ru', 'ara', 'spa', 'fra', 'de', 'jp', 'kor']);
    expect(pageOf(choiceOf(''), 'article.aside').page?.kind).toBe('article');
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
  it('gives the tag of the language for Intl', async () => {
    const module = moduleOf(() => {
      const { t, i18n } = useTranslation();
      return <p>{`${t('hello', { name: 'Lin' })} ${i18n.language}`}</p>;
    });
    await renderModule(module, { bootstrap: { lang: 'jp' } });
    expect(screen.getByText('Hello Lin ja')).toBeTruthy();
  });
  it('refuses a key that the catalogue lacks, even if English has it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const of = (key: string) => ({ ...moduleOf(() => <p>{useT()(key)}</p>), messages: { en: { hello: 'Hello', only: 'Only' }, zh: { hello: '你好' } } });
    await expect(renderModule(of('lost'))).rejects.toThrow('try-out has no message lost in en');
    await expect(renderModule(of('only'), { bootstrap: { lang: 'zh' } })).rejects.toThrow('try-out has no message only in zh');
    await renderModule(of('only'), { bootstrap: { lang: 'kor' } });
    expect(screen.getByText('Only')).toBeTruthy();
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
    const Lost = () => <p>{useSite().name}</p>;
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
    await waitFor(() => expect(document.activeElement).toBe(button));
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
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByText('open'));
  });

  it('keeps the messages of the shell, which are above it, for screen readers, and stays open when one is closed', async () => {
    const close = vi.fn();
    const change = vi.fn();
    const notices = document.createElement('div');
    notices.innerHTML = '<div class="notices" role="status" aria-live="polite" style="pointer-events: auto"><button>Close</button></div>';
    notices.querySelector('button')?.addEventListener('click', close);
    document.body.append(notices);
    await renderModule(
      moduleOf(() => (
        <Dialog open onOpenChange={change} title="Tips">
          <Button>one</Button>
        </Dialog>
      )),
    );
    await screen.findByRole('dialog', { name: 'Tips' });
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect([close.mock.calls.length, change.mock.calls]).toEqual([1, []]);
    notices.remove();
  });

  it('closes a dialog when another page is shown, and leaves the focus on its heading', async () => {
    const heading = document.createElement('main');
    heading.innerHTML = '<h1 tabindex="-1">Another page</h1>';
    document.body.append(heading);
    const Asking = () => {
      const [open, set] = useState(false);
      return (
        <>
          <Button onClick={() => set(true)}>open</Button>
          <Dialog open={open} onOpenChange={set} title="Tips" />
        </>
      );
    };
    const module = moduleOf(Asking);
    const { shell } = fakeShell(undefined);
    const { rerender } = render(<ModuleFrame module={module} shell={shell} />);
    await userEvent.click(screen.getByText('open'));
    await screen.findByRole('dialog', { name: 'Tips' });
    // The same page again, such as after a change of the text size.
    rerender(<ModuleFrame module={module} shell={{ ...shell }} />);
    expect(screen.getByRole('dialog', { name: 'Tips' })).toBeTruthy();
    rerender(<ModuleFrame module={module} shell={{ ...shell, bootstrap: { ...shell.bootstrap, page: { kind: 'home' } } }} />);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Another page'));
    // Closed by hand on the new page, it gives the focus back as always.
    await userEvent.click(screen.getByText('open'));
    await screen.findByRole('dialog', { name: 'Tips' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText('open')));
    heading.remove();
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
