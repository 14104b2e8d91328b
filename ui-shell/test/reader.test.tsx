import { loadOverlays } from '@masthead/ui-sdk/shell';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boot } from '../src/boot.tsx';
import { targetOf } from '../src/browser/scroll.ts';
import { kept, zoomed } from '../src/reader/view.ts';
import { violations } from './axe.ts';
import { showDocument } from './fixture.ts';

let root: Root | undefined;
/** Starts the shell on the document, and gives the first sign of a reader, with which the tools come that nobody needs before. */
const read = async () => {
  await act(async () => {
    root = await boot();
  });
  // A viewer that opens with the page hides the rest from assistive technology.
  await screen.findByRole('toolbar', { hidden: true });
  await act(async () => void window.dispatchEvent(new Event('pointermove')));
  if (document.querySelector('[data-table-box] table')) await waitFor(() => expect(document.querySelector('.table-tools button')).toBeTruthy());
};
const start = async (name: string, hash = '') => {
  showDocument(name);
  if (hash) history.replaceState(null, '', hash);
  await read();
};
beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  await loadOverlays();
  await import('../src/reader/Reader.tsx');
  await start('article');
});
afterEach(async () => {
  await act(async () => root?.unmount());
  vi.unstubAllGlobals();
});

const xref = (kind: string) => document.querySelector<HTMLAnchorElement>(`a.xref[data-ref-type="${kind}"]`) as HTMLAnchorElement;

/** Opens the popover of a cross-reference, to whose place a click of the mouse may lead. */
const openByKey = async (kind: string) => {
  xref(kind).focus();
  await userEvent.keyboard('{Enter}');
};

describe('cross-references', () => {
  it('open by key with the content of the page, take the focus, close by Escape, give it back', async () => {
    const link = xref('bibr');
    link.focus();
    await userEvent.keyboard('{Enter}');
    const popover = await screen.findByRole('dialog', { name: 'Reference 1–3' });
    expect(popover.textContent).toContain('Petrosyan V, Ruiz-Calder M.');
    await waitFor(() => expect(popover.contains(document.activeElement)).toBe(true));
    expect(
      within(popover)
        .getAllByRole('link', { name: /Scholar/ })
        .map((found) => /Placing|Sensors|Economical/.exec(decodeURIComponent(found.getAttribute('href') ?? ''))?.[0]),
    ).toEqual(['Placing', 'Sensors', 'Economical']);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(link);
  });

  it('show all references of a range, each with its number and the way to it', async () => {
    await userEvent.click(xref('bibr'));
    const popover = await screen.findByRole('dialog', { name: 'Reference 1–3' });
    const items = within(popover).getAllByRole('listitem');
    expect(items.map((item) => item.querySelector('.ref-label')?.textContent)).toEqual(['1', '2', '3']);
    await userEvent.click(within(popover).getAllByRole('button', { name: 'Show in the text' })[1] as HTMLElement);
    await waitFor(() => expect(document.activeElement?.id).toBe('a-r2'));
  });

  it('name both ends of a range, and the parts of a list with one', async () => {
    const link = xref('bibr');
    link.dataset['rids'] = 'a-r1 a-r3 a-r4 a-r5';
    link.textContent = '5';
    await userEvent.click(link);
    expect((await screen.findByRole('dialog', { name: 'Reference 1, 3–5' })).querySelectorAll('.citation')).toHaveLength(4);
  });

  it.each(['bibr', 'fn', 'fig', 'table', 'disp-formula'])('show a %s without faults that axe finds', async (kind) => {
    await openByKey(kind);
    expect(await violations(await screen.findByRole('dialog'))).toEqual([]);
  });

  it('show a reference in both of its languages', async () => {
    await act(async () => root?.unmount());
    await start('plugins-article.zh');
    await userEvent.click(xref('bibr'));
    const popover = await screen.findByRole('dialog');
    expect(popover.textContent).toContain('蟹洞渗流与红树林孔隙水更新');
    expect(popover.textContent).toContain('Crab-burrow seepage');
  });

  it('open by hovering without taking the focus, and close when the pointer leaves', async () => {
    fireEvent.pointerOver(xref('fig'), { pointerType: 'mouse' });
    const popover = await screen.findByRole('dialog', { name: 'Figure' });
    expect(popover.querySelector('img')?.getAttribute('alt')).toContain('Line chart with three series');
    expect(popover.querySelector('[id="a-f1"]')).toBeNull();
    expect(popover.contains(document.activeElement)).toBe(false);
    fireEvent.pointerOut(xref('fig'), { pointerType: 'mouse' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    ['table', 'Greedy design'],
    ['fn', 'Nineteen pilots replied'],
    ['disp-formula', '(3)'],
  ])('show a %s', async (kind, text) => {
    await openByKey(kind);
    expect((await screen.findByRole('dialog')).textContent).toContain(text);
  });

  it.each(['bibr', 'fn'])('show a %s without an item outside of a list', async (kind) => {
    await userEvent.click(xref(kind));
    const popover = await screen.findByRole('dialog');
    expect(popover.querySelector('.xref-body > li')).toBeNull();
    expect(await violations(popover)).toEqual([]);
  });

  /** Asserts that one press of Tab leads to the button of the way back, and the button to what is left then. */
  const tabBack = async (name: string, to: Element) => {
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name }));
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(to);
    expect(screen.queryByRole('button', { name })).toBeNull();
    await waitFor(() => expect(document.querySelector('.return-place')).toBeNull());
  };

  it('go to the place and back to the text', async () => {
    await openByKey('table');
    await userEvent.click(await screen.findByRole('button', { name: 'Show in the text' }));
    await waitFor(() => expect(document.activeElement?.id).toBe('a-t1'));
    await tabBack('Back to the text', xref('table'));
  });

  it.each(['fig', 'table', 'disp-formula'])('lead to a %s by a click of the mouse, and back to the text', async (kind) => {
    const link = xref(kind);
    await userEvent.click(link);
    await waitFor(() => expect(document.activeElement?.id).toBe(decodeURIComponent(link.hash.slice(1))));
    expect(screen.queryByRole('dialog')).toBeNull();
    await tabBack('Back to the text', link);
  });

  it('open by touch', async () => {
    await userEvent.pointer({ keys: '[TouchA]', target: xref('fig') });
    const popover = await screen.findByRole('dialog', { name: 'Figure' });
    await waitFor(() => expect(popover.contains(document.activeElement)).toBe(true));
    expect(screen.queryByRole('button', { name: 'Back to the text' })).toBeNull();
  });
});

describe('figures', () => {
  it('open on the whole screen, turn by key, carry an address, return the focus', async () => {
    const button = screen.getByRole('button', { name: 'Enlarge Figure 1' });
    await userEvent.click(button);
    const viewer = await screen.findByRole('dialog', { name: 'Figures' });
    expect(location.hash).toBe('#view-a-f1');
    await waitFor(() => expect(viewer.textContent).toContain('2 of 4'));
    await userEvent.click(within(viewer).getByRole('button', { name: 'Next figure' }));
    await userEvent.keyboard('{ArrowRight}');
    expect(viewer.textContent).toContain('4 of 4');
    await userEvent.keyboard('{ArrowRight}');
    expect(viewer.textContent).toContain('1 of 4');
    expect(viewer.textContent).toContain('From budget to network');
    await userEvent.keyboard('{ArrowLeft}');
    expect(viewer.textContent).toContain('Coverage of the nominal 90% interval');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(location.hash).toBe(''));
    expect(document.activeElement).toBe(button);
  });

  const openFirst = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge Figure 1' }));
    const viewer = await screen.findByRole('dialog', { name: 'Figures' });
    await waitFor(() => expect(viewer.querySelector('.viewer-stage')).toBeTruthy());
    return viewer;
  };

  it('keep their keys after a click on the picture, and when nothing has the focus', async () => {
    const viewer = await openFirst();
    await userEvent.click(viewer.querySelector('.viewer-stage img') as Element);
    await userEvent.keyboard('{ArrowRight}');
    expect(viewer.textContent).toContain('3 of 4');
    expect(viewer.contains(document.activeElement)).toBe(true);
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    expect(viewer.textContent).toContain('2 of 4');
    await userEvent.keyboard('{End}');
    expect(viewer.textContent).toContain('4 of 4');
  });

  it('are left by Back, which stays in the article, and opened again by Forward', async () => {
    const page = location.pathname;
    const entries = history.length;
    await openFirst();
    expect(history.length).toBe(entries + 1);
    await userEvent.keyboard('{ArrowRight}');
    expect(history.length).toBe(entries + 1);
    await act(async () => history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(location.pathname + location.hash).toBe(page);
    await act(async () => history.forward());
    const again = await screen.findByRole('dialog', { name: 'Figures' });
    await waitFor(() => expect(again.textContent).toContain('3 of 4'));
  });

  it('show references of a caption over the viewer, and lead to them in the article', async () => {
    const citation = document.querySelector('.reader-body a[href="#a-r1"]') as Element;
    for (const caption of document.querySelectorAll('figure figcaption')) caption.append(citation.cloneNode(true));
    const viewer = await openFirst();
    await userEvent.click(viewer.querySelector('.viewer-caption a[href="#a-r1"]') as Element);
    const popover = await screen.findByRole('dialog', { name: /^Reference/ });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(popover.isConnected).toBe(false));
    expect(viewer.isConnected).toBe(true);
    await userEvent.click(viewer.querySelector('.viewer-caption a[href="#a-r1"]') as Element);
    await userEvent.click(within(await screen.findByRole('dialog', { name: /^Reference/ })).getAllByRole('button', { name: 'Show in the text' })[0] as Element);
    await waitFor(() => expect(viewer.isConnected).toBe(false));
    await waitFor(() => expect(document.activeElement?.closest('[id="a-r1"]')).toBeTruthy());
  });

  it('turn by a swipe of one finger, not by a short one, a tall one or a pinch', async () => {
    const viewer = await openFirst();
    const stage = () => viewer.querySelector('.viewer-stage') as HTMLElement;
    const touch = (type: 'pointerDown' | 'pointerMove' | 'pointerUp', pointerId: number, clientX: number, clientY = 100) =>
      fireEvent[type](stage(), { pointerId, pointerType: 'touch', clientX, clientY });
    const swipe = (x: number, y = 100) => {
      touch('pointerDown', 1, 200);
      touch('pointerMove', 1, x, y);
      touch('pointerUp', 1, x, y);
    };
    swipe(100);
    expect(viewer.textContent).toContain('3 of 4');
    swipe(300);
    expect(viewer.textContent).toContain('2 of 4');
    swipe(180);
    swipe(120, 300);
    touch('pointerDown', 1, 200);
    touch('pointerDown', 2, 220);
    touch('pointerMove', 2, 320);
    touch('pointerUp', 2, 320);
    touch('pointerMove', 1, 20);
    touch('pointerUp', 1, 20);
    expect(viewer.textContent).toContain('2 of 4');
  });

  it('show all figures as small pictures, one of them current', async () => {
    const viewer = await openFirst();
    const strip = within(within(viewer).getByRole('group', { name: 'All figures' }));
    expect(strip.getAllByRole('button').map((button) => button.tabIndex)).toEqual([-1, 0, -1, -1]);
    await userEvent.click(strip.getByRole('button', { name: 'Figure 3' }));
    expect(viewer.textContent).toContain('Coverage of the nominal 90% interval');
    await userEvent.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(strip.getByRole('button', { name: 'Figure 2' }));
    expect(document.activeElement?.getAttribute('aria-current')).toBe('true');
    expect(await violations(viewer)).toEqual([]);
  });

  it('keep the picture on the stage', () => {
    const stage = { width: 400, height: 300, picture: { left: 0, top: 50, width: 400, height: 200 } };
    expect(kept({ scale: 1, x: 90, y: -70 }, stage)).toEqual({ scale: 1, x: 0, y: 0 });
    // Twice as large: 800 by 400 on a stage of 400 by 300.
    expect(kept({ scale: 2, x: 500, y: 900 }, stage)).toEqual({ scale: 2, x: 0, y: -100 });
    expect(kept({ scale: 2, x: -5000, y: -5000 }, stage)).toEqual({ scale: 2, x: -400, y: -200 });
    expect(kept({ scale: 2, x: -100, y: -150 }, stage)).toEqual({ scale: 2, x: -100, y: -150 });
  });

  it.each(['#view-a-f1', '#view-f1'])('open at the address %s: with the id of the page, and with that of the source', async (hash) => {
    await act(async () => root?.unmount());
    await start('article', hash);
    const viewer = await screen.findByRole('dialog', { name: 'Figures' });
    await waitFor(() => expect(viewer.textContent).toContain('2 of 4'));
  });

  it('zoom around the pointer and never below the whole', () => {
    const near = zoomed({ scale: 1, x: 0, y: 0 }, 2, 100, 50);
    expect(near).toEqual({ scale: 2, x: -100, y: -50 });
    expect(zoomed(near, 0.1, 0, 0)).toEqual({ scale: 1, x: 0, y: 0 });
    expect(zoomed(near, 100, 0, 0).scale).toBe(8);
  });
});

describe('tables and formulas', () => {
  it('show a table on the whole screen', async () => {
    const button = screen.getByRole('button', { name: 'Full screen' });
    await userEvent.click(button);
    const dialog = await screen.findByRole('dialog', { name: /Table 1 Composition and cost/ });
    expect(within(dialog).getByRole('table')).toBeTruthy();
    expect(dialog.textContent).toContain('Loss is the mean posterior standard deviation');
    expect(dialog.textContent).toContain('Costs beyond 6.0 units exceed the budget');
    expect(await violations(dialog)).toEqual([]);
    // A mark leads to its note in the dialog.
    await userEvent.click(dialog.querySelector('a[href="#a-t1-fnb"]') as Element);
    expect(document.activeElement?.textContent).toContain('Costs beyond 6.0 units');
    expect(dialog.contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('show references from a table on the whole screen, and lead to them in the article', async () => {
    const citation = document.querySelector('.reader-body a[href="#a-r1"]') as Element;
    document.querySelector('#a-t1 tbody td')?.append(citation.cloneNode(true));
    await userEvent.click(screen.getByRole('button', { name: 'Full screen' }));
    const dialog = await screen.findByRole('dialog', { name: /Table 1 Composition and cost/ });
    await userEvent.click(dialog.querySelector('a[href="#a-r1"]') as Element);
    const popover = await screen.findByRole('dialog', { name: /^Reference/ });
    expect(popover.textContent).toContain(document.getElementById('a-r1')?.querySelector('.citation')?.textContent);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(popover.isConnected).toBe(false));
    expect(dialog.isConnected).toBe(true);
    await userEvent.click(dialog.querySelector('a[href="#a-r1"]') as Element);
    await userEvent.click(within(await screen.findByRole('dialog', { name: /^Reference/ })).getAllByRole('button', { name: 'Show in the text' })[0] as Element);
    await waitFor(() => expect(dialog.isConnected).toBe(false));
    await waitFor(() => expect(document.activeElement?.closest('[id="a-r1"]')).toBeTruthy());
  });

  const column = (at: number) =>
    [...(document.querySelector<HTMLTableElement>('#a-t1 table')?.tBodies[0]?.rows ?? [])].map((row) => row.cells[at]?.textContent);

  it('sort a table by a column: up, down, as it was', async () => {
    const table = within(document.getElementById('a-t1') as HTMLElement);
    const buttons = table.getAllByRole('button', { name: /^Sort by/ });
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Sort by Buoys',
      'Sort by Site added',
      'Sort by Cost',
      'Sort by Loss',
      'Sort by Site added',
      'Sort by Cost',
      'Sort by Loss',
    ]);
    const loss = buttons[3] as HTMLElement;
    const header = loss.closest('th') as HTMLElement;
    loss.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(header.getAttribute('aria-sort')).toBe('ascending'));
    expect(column(3)).toEqual(['0.231', '0.243', '0.262', '0.290', '0.350', '0.440']);
    expect(screen.getAllByRole('status').some((region) => region.textContent === 'Sorted by Loss, ascending')).toBe(true);
    expect(document.activeElement).toBe(loss);
    await userEvent.click(buttons[4] as HTMLElement);
    await waitFor(() => expect(header.hasAttribute('aria-sort')).toBe(false));
    // The mark at T03 is not part of the value.
    expect(column(4)).toEqual(['T02', 'T03a', 'T09', 'T12', 'T15', 'T21']);
    await userEvent.click(buttons[4] as HTMLElement);
    await waitFor(() => expect(column(4)[0]).toBe('T21'));
    await userEvent.click(buttons[4] as HTMLElement);
    await waitFor(() => expect(column(0)).toEqual(['1', '2', '3', '4', '5', '6']));
    expect(document.querySelector('[aria-sort]')).toBeNull();
  });

  it('save a table under the name of the article and of the table', async () => {
    const files: { name: string; content: Blob }[] = [];
    let content = new Blob();
    vi.stubGlobal(
      'URL',
      class extends URL {
        static override createObjectURL = (made: Blob) => {
          content = made;
          return 'blob:x';
        };
        static override revokeObjectURL = () => undefined;
      },
    );
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      files.push({ name: this.download, content });
    });
    const tools = within(screen.getByRole('group', { name: 'Table 1' }));
    await userEvent.click(tools.getByRole('button', { name: 'CSV: Download' }));
    await userEvent.click(tools.getByRole('button', { name: 'Excel: Download' }));
    await waitFor(() => expect(files).toHaveLength(2));
    click.mockRestore();
    vi.unstubAllGlobals();
    expect(files.map((file) => file.name)).toEqual([
      'How-few-buoys-are-enough-Designing-a-sparse-wave-network-und_Table-1.csv',
      'How-few-buoys-are-enough-Designing-a-sparse-wave-network-und_Table-1.xlsx',
    ]);
    const bytes = new Uint8Array(await (files[0]?.content as Blob).arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).split('\r\n');
    expect(lines[1]).toBe('Buoys,Site added,Cost [b],Loss,Site added,Cost [b],Loss,Footnote marks');
    expect(lines[3]).toBe('2,T15,3.0,0.350,T03,4.3,0.431,Site added: a');
  });

  it('say in a message that what they hold could not be copied', async () => {
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('refused', 'NotAllowedError'));
    await user.click(screen.getAllByRole('button', { name: 'Copy LaTeX' })[0] as HTMLElement);
    await waitFor(() => expect(document.querySelector('.notices[role=status] .toast[data-kind=failed]')?.textContent).toBe('Information copy failed'));
    expect(screen.getAllByRole('button', { name: 'Copy LaTeX' }).length).toBeGreaterThan(0);
    write.mockRestore();
  });

  it('copy LaTeX and say so', async () => {
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getAllByRole('button', { name: 'Copy LaTeX' })[0] as HTMLElement);
    expect(write.mock.calls[0]?.[0]).toContain('\\sigma_q^{2}');
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(screen.getAllByRole('status').some((region) => region.textContent === 'Copied')).toBe(true);
    const tools = within(screen.getByRole('group', { name: 'Formula (3)' }));
    await user.click(tools.getByRole('button', { name: 'Copy MathML' }));
    expect(write.mock.calls[1]?.[0]).toMatch(/^<math xmlns="http:\/\/www\.w3\.org\/1998\/Math\/MathML"/);
  });

  it('within a line are copied as LaTeX with the text around them', async () => {
    const paragraph = document.querySelector('.inline-formula')?.closest('p') as HTMLElement;
    document.getSelection()?.selectAllChildren(paragraph);
    const setData = vi.fn();
    // Until the code is there that does it.
    await waitFor(() => {
      const event = new Event('copy', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'clipboardData', { value: { setData } });
      paragraph.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(true);
    });
    expect(setData.mock.calls[0]).toEqual(['text/plain', expect.stringContaining('Let $H(s)$ be the logarithm')]);
    document.getSelection()?.removeAllRanges();
  });
});

describe('references', () => {
  const placesOf = (id: string) => [...document.querySelectorAll<HTMLAnchorElement>(`#${id} .ref-cited a`)];

  it('say how often and where they are cited, and lead there and back', async () => {
    await waitFor(() => expect(placesOf('a-r1')).toHaveLength(1));
    expect(document.querySelector('#a-r2 .ref-cited')?.textContent).toBe('Cited in the text (1):1 Introduction');
    expect(placesOf('a-r13').map((place) => place.textContent)).toEqual(['Data availability']);
    const [place] = placesOf('a-r2');
    place?.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(xref('bibr')));
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe('Back to the reference');
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement?.id).toBe('a-r2');
    // The button beside the link was not the link.
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('count the two links of a range once, and number the places of one section', async () => {
    await act(async () => root?.unmount());
    showDocument('article');
    const link = xref('bibr');
    link.textContent = '1';
    const last = link.cloneNode(true) as HTMLAnchorElement;
    last.textContent = '3';
    link.after('–', last, ' and ', Object.assign(last.cloneNode(true) as HTMLAnchorElement, { textContent: '2' }));
    await read();
    await waitFor(() => expect(placesOf('a-r2').map((place) => place.textContent)).toEqual(['1 Introduction', '2']));
    expect(placesOf('a-r2')[1]?.getAttribute('aria-label')).toBe('1 Introduction 2');
  });

  it('number the places of a text without headings, and lead to the nearest part with an address', async () => {
    await act(async () => root?.unmount());
    showDocument('article');
    xref('bibr').closest('section')?.querySelector(':scope > h2, :scope > h3')?.remove();
    await read();
    await waitFor(() => expect(placesOf('a-r2').map((place) => place.textContent)).toEqual(['1']));
    const [place] = placesOf('a-r2');
    expect(place?.hasAttribute('aria-label')).toBe(false);
    expect(document.getElementById(place?.hash.slice(1) ?? '')?.contains(xref('bibr'))).toBe(true);
  });

  it('do not repeat their places in popovers', async () => {
    await waitFor(() => expect(placesOf('a-r1')).toHaveLength(1));
    await userEvent.click(xref('bibr'));
    expect((await screen.findByRole('dialog')).textContent).not.toContain('Cited in the text');
  });
});

describe('toolbar', () => {
  it('sets text size within bounds and keeps it', async () => {
    const larger = screen.getByRole('button', { name: 'Larger text' });
    for (let times = 0; times < 6; times += 1) await userEvent.click(larger);
    expect(document.querySelector<HTMLElement>('.reader')?.dataset['size']).toBe('3');
    expect(larger.getAttribute('aria-disabled')).toBe('true');
    expect(localStorage.getItem('masthead.size')).toBe('3');
  });

  it('turns dark', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Dark mode' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(document.cookie).toContain('theme=dark');
  });

  it('shows the citation', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Cite' }));
    expect((await screen.findByRole('dialog', { name: 'Cite this article' })).textContent).toContain('Ocean Ledger, 6(2), 97–117');
  });
});

it('has ids of its own beside those of the article', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Cite' }));
  await screen.findByRole('dialog', { name: 'Cite this article' });
  const ids = [...document.querySelectorAll('[id]')].filter((element) => element.id);
  const mixed = ids.filter((element) => /^[ap]-/.test(element.id) !== Boolean(element.closest('.reader-body')));
  expect(mixed.map((element) => element.id)).toEqual([]);
  expect(ids.some((element) => element.id === 'a-f1')).toBe(true);
});

it('finds the places that links with ids of the source lead to', () => {
  expect(targetOf('#f1')).toBe(document.getElementById('a-f1'));
  expect(targetOf('#a-f1')).toBe(document.getElementById('a-f1'));
  expect(targetOf('#main')).toBe(document.querySelector('main'));
  expect([targetOf('#nowhere'), targetOf('#'), targetOf('#%')]).toEqual([null, null, null]);
});

it('keeps the article free of what axe finds', async () => {
  expect(await violations(document.querySelector('main') as Element)).toEqual([]);
});

describe('the outline', () => {
  const outline = () => document.querySelector('.reader-outline') as HTMLElement;
  const isOpen = () => [screen.getByRole('button', { name: 'Outline' }).getAttribute('aria-expanded'), outline().hasAttribute('data-open')];
  const fold = () => userEvent.click(screen.getByRole('button', { name: 'Outline' }));
  const follow = () => userEvent.click(outline().querySelector('a') as Element);
  const again = async () => {
    await act(async () => root?.unmount());
    await start('article');
  };

  it('above the text is folded at first, and when an entry was followed', async () => {
    expect(isOpen()).toEqual(['false', false]);
    await fold();
    expect(isOpen()).toEqual(['true', true]);
    await follow();
    expect(isOpen()).toEqual(['false', false]);
  });

  it('beside the text is open at first, also when an entry was followed, and stays as the reader has left it', async () => {
    await fold();
    const list = { addEventListener: () => undefined, removeEventListener: () => undefined };
    vi.stubGlobal('matchMedia', (query: string) => ({ ...list, matches: query === '(min-width: 992px)' }));
    await again();
    expect(isOpen()).toEqual(['true', true]);
    await follow();
    expect(isOpen()).toEqual(['true', true]);
    await fold();
    expect(isOpen()).toEqual(['false', false]);
    await again();
    expect(isOpen()).toEqual(['false', false]);
    // The choice above the text is another one.
    vi.unstubAllGlobals();
    await again();
    expect(isOpen()).toEqual(['true', true]);
  });
});
