import { ApiError } from '@masthead/ui-sdk';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { coverFault, keywordsOf, nameFault, photoFault } from '../src/personal/validation.ts';
import { violations } from './axe.ts';
import { changes, click, confirm, entry, field, page, showTab, submit, type Answers, type Made } from './personalCentre.tsx';

const clipboard = (writeText: (text: string) => Promise<void>) => Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
const MEMBERS = 'front/frontMembers';
const ALBUMS = 'front/personalAlbum';
const SIX = [1, 2, 3, 4, 5, 6].map((id) => entry(id));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('favourites', () => {
  const answers: Answers = { [`GET ${MEMBERS}/collects`]: page(SIX), [`DELETE ${MEMBERS}/unCollectByIdAndType`]: true };

  it('are listed with links, kinds and dates, and axe finds nothing', async () => {
    const { main, made } = await showTab('collect', answers);
    expect((await screen.findByRole('link', { name: 'Tides 1' })).getAttribute('href')).toBe('/en/article/1');
    expect(made[0]).toEqual({ call: `GET ${MEMBERS}/collects`, query: { page: 0, size: 20 }, body: undefined });
    expect(screen.queryByText('scripts')).toBeNull();
    expect(await violations(main)).toEqual([]);
  });

  it('have the day that the site states, in whichever time zone the browser is', async () => {
    // No time zone of a browser has both of these days.
    const dated = page([entry(1, { date: '2026-03-05T01:00:00+08:00' }), entry(2, { date: '2026-03-04T23:30:00-08:00' })]);
    const { main } = await showTab('collect', { ...answers, [`GET ${MEMBERS}/collects`]: dated });
    await screen.findByText('Tides 1');
    expect([...main.querySelectorAll('time')].map(({ textContent }) => textContent)).toEqual(['Mar 5, 2026', 'Mar 4, 2026']);
  });

  it('are selected at most five at a time, and an action without a selection says so', async () => {
    const { messages } = await showTab('collect', answers);
    await screen.findByText('Tides 1');
    for (const name of ['Copy', 'Add to…', 'Cancel the collection']) await click(name);
    expect(messages).toEqual(['No data selected', 'No data selected', 'No data selected']);
    for (const box of screen.getAllByRole('checkbox')) await userEvent.click(box);
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').map((box) => box.checked)).toEqual([true, true, true, true, true, false]);
    expect(messages.at(-1)).toBe('At most 5 selections');
    expect(screen.getByText('Selected: 5 of at most 5')).toBeTruthy();
  });

  it('are cancelled after a confirmation, several at once, and the list is asked for again', async () => {
    const mixed = { ...answers, [`GET ${MEMBERS}/collects`]: page([entry(1), entry(2, { type: 'video' })]) };
    const { made, messages } = await showTab('collect', mixed);
    await screen.findByText('Tides 1');
    for (const box of screen.getAllByRole('checkbox')) await userEvent.click(box);
    await click('Cancel the collection');
    expect(changes(made)).toEqual([]);
    await confirm('Cancel the collection');
    await waitFor(() => expect(messages).toEqual(['cancellation successful']));
    expect(changes(made)).toEqual([{ call: `DELETE ${MEMBERS}/unCollectByIdAndType`, query: { type: ['article', 'video'], id: ['1', '2'] }, body: undefined }]);
    await waitFor(() => expect(made.filter(({ call }) => call.startsWith('GET'))).toHaveLength(2));
  });

  it('stay when the confirmation is cancelled or the host refuses', async () => {
    const refused = { ...answers, [`DELETE ${MEMBERS}/unCollectByIdAndType`]: new ApiError(500, 'The disk is full') };
    const { made, messages } = await showTab('collect', refused);
    await userEvent.click((await screen.findAllByRole('checkbox'))[0] as HTMLElement);
    await click('Cancel the collection');
    await confirm('Cancel');
    expect(changes(made)).toEqual([]);
    await click('Cancel the collection');
    await confirm('Cancel the collection');
    await waitFor(() => expect(messages).toEqual(['The disk is full']));
    expect(screen.getByText('Tides 1')).toBeTruthy();
  });

  it('that were retracted since are marked', async () => {
    const marked = [entry(1, { notice: 'retracted', noticeText: 'Retracted' }), entry(2)];
    await showTab('collect', { ...answers, [`GET ${MEMBERS}/collects`]: page(marked) });
    await screen.findByText('Tides 1');
    const [first, second] = screen.getAllByRole('listitem').filter((item) => item.matches('.record'));
    expect(first?.querySelector('[data-notice=retracted]')?.textContent).toBe('Retracted');
    expect(second?.querySelector('[data-notice]')).toBeNull();
  });

  it('that are gone offer to delete the record', async () => {
    const gone = { ...answers, [`GET ${MEMBERS}/collects`]: page([entry(1, { available: false })]) };
    const { made } = await showTab('collect', gone);
    expect(screen.queryByRole('link', { name: 'Tides 1' })).toBeNull();
    await userEvent.click(await screen.findByRole('button', { name: 'Tides 1' }));
    expect(within(await screen.findByRole('dialog')).getByText('The paper (or journal) no longer exists, delete the record?')).toBeTruthy();
    await confirm('Cancel the collection');
    await waitFor(() => expect(changes(made)).toHaveLength(1));
  });

  it('are copied with their addresses, and a browser that refuses is reported', async () => {
    const { messages } = await showTab('collect', answers);
    for (const box of (await screen.findAllByRole('checkbox')).slice(0, 2)) await userEvent.click(box);
    const written = vi.fn(async (_text: string) => undefined);
    clipboard(written);
    await click('Copy');
    await waitFor(() => expect(messages).toEqual(['The selected entries were copied']));
    expect(written).toHaveBeenCalledWith(`Tides 1\n${location.origin}/en/article/1\n\nTides 2\n${location.origin}/en/article/2`);
    clipboard(() => Promise.reject(new Error('denied')));
    await click('Copy');
    await waitFor(() => expect(messages.at(-1)).toBe('Information copy failed'));
  });

  it('have filters and pages as addresses', async () => {
    const many = { ...answers, [`GET ${MEMBERS}/collects`]: page(SIX, { totalElements: 45, page: 1 }) };
    const { made } = await showTab('collect', many, { path: '/en/personal?tab=collect&type=article&keyword=sea&page=2' });
    await screen.findByText('Tides 1');
    expect(made[0]?.query).toEqual({ type: 'article', keyword: 'sea', page: 1, size: 20 });
    const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect([href('Previous'), href('Next'), href('Video')]).toEqual([
      '/en/personal?tab=collect&type=article&keyword=sea',
      '/en/personal?tab=collect&type=article&keyword=sea&page=3',
      '/en/personal?tab=collect&type=video&keyword=sea',
    ]);
    expect(screen.getByRole('link', { name: 'Articles' }).getAttribute('aria-current')).toBe('true');
    expect(screen.getByText('40 of 45')).toBeTruthy();
  });

  it('say that there are none, and offer another try after a failure', async () => {
    let answer: unknown = new ApiError(503, 'Please try again shortly');
    const { made } = await showTab('collect', { [`GET ${MEMBERS}/collects`]: () => answer });
    expect((await screen.findByRole('alert')).textContent).toContain('Please try again shortly');
    answer = page([]);
    await click('Try again');
    expect(await screen.findByText('You have not collected anything yet.')).toBeTruthy();
    expect(made).toHaveLength(2);
  });
});

describe('adding', () => {
  const answers: Answers = {
    [`GET ${MEMBERS}/collects`]: page([entry(1), entry(2)]),
    [`GET ${ALBUMS}/search`]: page([
      { id: 7, name: 'Storms', enName: '', cover: '', coverUrl: '', changed: '', items: 3 },
      { id: 8, name: 'Eels', enName: '', cover: '', coverUrl: '', changed: '', items: 0 },
    ]),
    [`POST ${MEMBERS}/collect`]: true,
    [`POST ${ALBUMS}/res/addList`]: true,
    [`POST ${ALBUMS}/saveAlbum`]: { id: 9 },
  };
  const open = async (change: Answers = {}) => {
    const shown = await showTab('collect', { ...answers, ...change });
    for (const box of await screen.findAllByRole('checkbox')) await userEvent.click(box);
    await click('Add to…');
    await screen.findByRole('dialog');
    return shown;
  };

  it('needs favourites or albums, and one of the albums', async () => {
    const { made, messages } = await open();
    await submit('Confirm');
    expect((await screen.findByRole('alert')).textContent).toBe('Please choose favorites or my albums');
    await click('My albums', 'radio');
    await screen.findByRole('radio', { name: 'Storms' });
    await submit('Confirm');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Please select one of the albums'));
    expect(await violations(screen.getByRole('dialog'))).toEqual([]);
    await click('Eels', 'radio');
    await submit('Confirm');
    await waitFor(() => expect(messages).toEqual(['Added to the album']));
    const items = [
      { type: 'article', id: '1' },
      { type: 'article', id: '2' },
    ];
    expect(changes(made)).toEqual([{ call: `POST ${ALBUMS}/res/addList`, query: {}, body: { albumId: 8, items } }]);
  });

  it('to the favourites sends what is selected', async () => {
    const { made, messages } = await open();
    await click('Favorites', 'radio');
    await submit('Confirm');
    await waitFor(() => expect(messages).toEqual(['collection successful']));
    expect(changes(made).map(({ call }) => call)).toEqual([`POST ${MEMBERS}/collect`]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('to a new album that the host refuses keeps its name', async () => {
    const { messages } = await open({ [`POST ${ALBUMS}/saveAlbum`]: new ApiError(400, 'There are too many albums') });
    await click('My albums', 'radio');
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name of a new album' });
    await userEvent.type(name, 'Rivers{Enter}');
    await waitFor(() => expect(messages).toEqual(['There are too many albums']));
    expect(name.value).toBe('Rivers');
  });

  it('to a new album makes it first', async () => {
    const { made } = await open();
    await click('My albums', 'radio');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name of a new album' }), 'Rivers{Enter}');
    await waitFor(() => expect(changes(made)).toHaveLength(1));
    await submit('Confirm');
    await waitFor(() => expect(changes(made)).toHaveLength(2));
    expect(changes(made)[0]?.body).toEqual({ name: 'Rivers', enName: '', cover: '' });
    expect(changes(made)[1]?.body).toMatchObject({ albumId: 9 });
  });
});

describe('downloads and history', () => {
  it('are read again also when only some of the entries could be deleted', async () => {
    let left = [entry(1, { record: 70 }), entry(2, { record: 71 })];
    const { messages } = await showTab('history', {
      [`GET ${MEMBERS}/historys`]: () => page(left),
      [`DELETE ${MEMBERS}/historys`]: ({ query }: Made) => {
        if (query['id'] === 70) return new ApiError(500, 'The disk is full');
        left = left.filter(({ id }) => id === '1');
        return true;
      },
    });
    for (const box of await screen.findAllByRole('checkbox')) await userEvent.click(box);
    await click('Delete');
    await confirm('Delete');
    await waitFor(() => expect(screen.queryByText('Tides 2')).toBeNull());
    expect([messages, screen.queryByText('Tides 1') !== null]).toEqual([['The disk is full'], true]);
  });

  it.each([
    ['download', 'downloads'],
    ['history', 'historys'],
  ])('%s: an entry is deleted by its own number, and all at once after a confirmation', async (tab, call) => {
    const answers = { [`GET ${MEMBERS}/${call}`]: page([entry(1, { record: 70 }), entry(1, { record: 71 })]), [`DELETE ${MEMBERS}/${call}`]: true };
    const { made, messages } = await showTab(tab, answers);
    await userEvent.click((await screen.findAllByRole('checkbox'))[1] as HTMLElement);
    await click('Delete');
    await confirm('Delete');
    await waitFor(() => expect(messages).toEqual(['Deleted successfully!']));
    await click('Empty');
    await confirm('Empty');
    await waitFor(() => expect(messages.at(-1)).toBe('The list was emptied'));
    expect(changes(made).map(({ query }) => query)).toEqual([{ id: 71 }, {}]);
  });

  it('say when they could not be emptied', async () => {
    const late = new ApiError(500, 'x', undefined, 'unreachable');
    const answers = { [`GET ${MEMBERS}/downloads`]: page([entry(1, { record: 70 })]), [`DELETE ${MEMBERS}/downloads`]: late };
    const { messages } = await showTab('download', answers);
    await userEvent.click(await screen.findByRole('button', { name: 'Empty' }));
    await confirm('Empty');
    await waitFor(() => expect(messages).toEqual(['The list could not be emptied']));
  });
});

describe('albums', () => {
  const storms = { id: 7, name: '风暴', enName: 'Storms', cover: 'c7', coverUrl: '/rc-pub/front/files/picture?id=c7', changed: '2026-03-01T08:00:00+08:00' };
  const answers: Answers = {
    [`GET ${ALBUMS}/search`]: page([{ ...storms, items: 2 }]),
    [`GET ${ALBUMS}/info`]: storms,
    [`GET ${ALBUMS}/res/search`]: page([entry(1)]),
    [`POST ${ALBUMS}/saveAlbum`]: { id: 9 },
    [`PUT ${ALBUMS}/editAlbum`]: true,
    [`DELETE ${ALBUMS}/delete`]: true,
    [`DELETE ${ALBUMS}/res/delete`]: true,
    'POST front/files/fileUpload': { id: 'c9', url: '/rc-pub/front/files/picture?id=c9' },
  };

  it('are shown by their name in the language of the page, and lead to what they hold', async () => {
    const { main } = await showTab('album', answers);
    expect((await screen.findByRole('link', { name: 'Storms' })).getAttribute('href')).toBe('/en/personal?tab=album&album=7');
    expect(main.querySelector('.album img')?.getAttribute('src')).toBe(storms.coverUrl);
    expect(await violations(main)).toEqual([]);
    document.body.innerHTML = '';
    await showTab('album', answers, { lang: 'zh', path: '/zh/personal?tab=album' });
    expect(await screen.findByRole('link', { name: '风暴' })).toBeTruthy();
  });

  it('need a name, and a cover of the right kind and size, which is sent at once', async () => {
    const { made, messages } = await showTab('album', answers);
    await userEvent.click(await screen.findByRole('button', { name: 'New album' }));
    const dialog = await screen.findByRole('dialog');
    await submit('Save');
    expect(await within(dialog).findByText('Please enter the name of the album')).toBeTruthy();
    const file = field('Cover picture');
    const choose = (picture: File) => userEvent.upload(file, picture, { applyAccept: false });
    await choose(new File(['x'], 'a.gif', { type: 'image/gif' }));
    expect(await within(dialog).findByText('The cover must be a JPG or PNG file of at most 3M')).toBeTruthy();
    await choose(new File([new Uint8Array((3 << 20) + 1)], 'a.png', { type: 'image/png' }));
    expect(await within(dialog).findByText('The cover must be a JPG or PNG file of at most 3M')).toBeTruthy();
    expect(changes(made)).toEqual([]);
    await choose(new File(['x'], 'a.png', { type: 'image/png' }));
    await waitFor(() => expect(dialog.querySelector('img')?.getAttribute('src')).toContain('c9'));
    const form = changes(made)[0]?.body as FormData;
    expect([form.get('purpose'), (form.get('file') as File).name]).toEqual(['albumCover', 'a.png']);
    await userEvent.type(field('Album name'), ' Eels ');
    expect(await violations(dialog)).toEqual([]);
    await submit('Save');
    await waitFor(() => expect(messages).toEqual(['The album was saved']));
    expect(changes(made)[1]).toEqual({ call: `POST ${ALBUMS}/saveAlbum`, query: {}, body: { name: 'Eels', enName: '', cover: 'c9' } });
  });

  it('say why the host refused a picture', async () => {
    const refused = { ...answers, 'POST front/files/fileUpload': new ApiError(400, 'This is no picture') };
    await showTab('album', refused);
    await userEvent.click(await screen.findByRole('button', { name: 'New album' }));
    await screen.findByRole('dialog');
    await userEvent.upload(field('Cover picture'), new File(['<html>'], 'a.png', { type: 'image/png' }));
    expect(await screen.findByText('This is no picture')).toBeTruthy();
  });

  it('are changed and deleted', async () => {
    const { made, messages } = await showTab('album', answers);
    await userEvent.click(await screen.findByRole('button', { name: 'Edit: Storms' }));
    await screen.findByRole('dialog');
    await userEvent.clear(field('English name'));
    await submit('Save');
    await waitFor(() => expect(messages).toHaveLength(1));
    expect(changes(made)[0]).toEqual({ call: `PUT ${ALBUMS}/editAlbum`, query: {}, body: { id: 7, name: '风暴', enName: '', cover: 'c7' } });
    await click('Delete');
    expect(messages.at(-1)).toBe('No data selected');
    await click('Delete: Storms');
    await confirm('Delete');
    await waitFor(() => expect(messages.at(-1)).toBe('Deleted successfully!'));
    expect(changes(made)[1]?.query).toEqual({ id: [7] });
  });

  it('stay selected when another one is deleted from its card', async () => {
    await showTab('album', {
      ...answers,
      [`GET ${ALBUMS}/search`]: page([
        { ...storms, items: 2 },
        { ...storms, id: 8, enName: 'Eels', items: 0 },
      ]),
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select: Eels' }));
    await click('Delete: Storms');
    await confirm('Delete');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select: Eels' }).checked).toBe(true);
  });

  it('hold items by kind, which are taken out of one album only', async () => {
    const { made, messages } = await showTab('album', answers, { path: '/en/personal?tab=album&album=7&type=audio' });
    await userEvent.click(await screen.findByRole('checkbox'));
    expect(made.find(({ call }) => call.endsWith('res/search'))?.query).toEqual({ albumId: 7, type: 'audio', page: 0, size: 20 });
    expect(
      within(screen.getByRole('navigation', { name: 'Kinds' }))
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['All', 'Articles', 'Journals', 'Audio', 'Video']);
    await click('Remove');
    await confirm('Remove');
    await waitFor(() => expect(messages).toEqual(['Deleted successfully!']));
    expect(changes(made)[0]?.query).toEqual({ albumId: 7, type: ['article'], id: ['1'] });
  });
});
describe('rules', () => {
  it.each([
    ['王小明', undefined],
    ["Anna-Lena O'Neill", undefined],
    ['محمد علي', undefined],
    ['O’Brien', undefined],
    ['', 'person_name_needed'],
    ['  ', 'person_name_needed'],
    ['x1', 'person_name_format'],
    ['<script>', 'person_name_format'],
    ['...', 'person_name_format'],
    ['a\u202eb', 'person_name_format'],
    ['x'.repeat(61), 'person_name_format'],
  ])('a name is checked as the host does: %j', (name, fault) => {
    expect(nameFault(name)).toBe(fault);
  });

  it('keywords are separated by semicolons of any script', () => {
    expect(keywordsOf('a; b；a ;؛ c  d')).toEqual(['a', 'b', 'c d']);
  });

  it('pictures are limited by kind and size', () => {
    const jpg = (size: number) => ({ type: 'image/jpeg', size });
    expect([photoFault(jpg((5 << 20) - 1)), photoFault(jpg(5 << 20)), coverFault(jpg(3 << 20)), coverFault(jpg((3 << 20) + 1))]).toEqual([
      undefined,
      'photo_format',
      undefined,
      'cover_format',
    ]);
    expect(coverFault({ type: 'image/bmp', size: 9 })).toBe('cover_format');
  });
});
