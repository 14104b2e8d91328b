import { ApiError } from '@masthead/ui-sdk';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documents } from '../src/browser/documents.ts';
import { coverFault, keywordsOf, nameFault, photoFault } from '../src/personal/validation.ts';
import { violations } from './axe.ts';
import { changes, entry, page, showTab, type Answers, type Made } from './personalCentre.tsx';

const click = (name: string | RegExp, role = 'button') => userEvent.click(screen.getByRole(role, { name }));
/** Answers the question in the dialog. */
const confirm = async (name: string) => userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
const clipboard = (writeText: (text: string) => Promise<void>) => Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const submit = (name: string) => userEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement);

afterEach(() => {
  vi.restoreAllMocks();
});

const MEMBERS = 'front/frontMembers';
const ALBUMS = 'front/personalAlbum';
const SIX = [1, 2, 3, 4, 5, 6].map((id) => entry(id));

describe('favourites', () => {
  const answers: Answers = { [`GET ${MEMBERS}/collects`]: page(SIX), [`DELETE ${MEMBERS}/unCollectByIdAndType`]: true };

  it('are listed with links, kinds and dates, and axe finds nothing', async () => {
    const { main, made } = await showTab('collect', answers);
    expect((await screen.findByRole('link', { name: 'Tides 1' })).getAttribute('href')).toBe('/en/article/1');
    expect(made[0]).toEqual({ call: `GET ${MEMBERS}/collects`, query: { page: 0, size: 20 }, body: undefined });
    expect(screen.queryByText('scripts')).toBeNull();
    expect(await violations(main)).toEqual([]);
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

// What is encrypted differs from run to run; a host of another algorithm gets the password as it is.
const NO_KEY = { 'GET front/files/getAesKey': { id: 'k', algorithm: 'other', key: '' } };
const PROFILE = {
  userName: 'lin.wei',
  name: 'Lin Wei',
  mobile: '138****1234',
  email: 'lin@tides.test',
  region: '',
  major: '',
  institution: '',
  researchField: 'Coasts',
  gender: '',
  photo: '',
  photoUrl: '',
  hasPassword: true,
};

describe('the profile', () => {
  const answers: Answers = {
    [`GET ${MEMBERS}/info`]: PROFILE,
    [`PUT ${MEMBERS}/saveInfo`]: true,
    'POST front/files/fileUpload': { id: 'p1', url: '/rc-pub/front/files/picture?id=p1' },
  };

  it('needs name, e-mail and research field in the right form, and says so with the words of the specification', async () => {
    const { main, made } = await showTab('infomation', answers);
    for (const label of ['Name', 'E-mail', 'Research field']) await userEvent.clear(await screen.findByLabelText(label));
    await submit('Save');
    for (const text of ['Please enter your name', 'Please enter the e-mail address', 'Please enter your research field'])
      expect(await screen.findByText(text)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('Name')));
    await userEvent.type(field('Name'), '<b>');
    await userEvent.type(field('E-mail'), 'lin@tides');
    await submit('Save');
    expect(await screen.findByText('The format of the name is incorrect')).toBeTruthy();
    expect(await screen.findByText('E-mail format is incorrect')).toBeTruthy();
    expect(changes(made)).toEqual([]);
    expect(await violations(main)).toEqual([]);
  });

  it('is saved with the photo, whose kind and size are checked before it is sent', async () => {
    const { made, messages } = await showTab('infomation', answers);
    await screen.findByLabelText('Photo');
    const choose = (picture: File) => userEvent.upload(field('Photo'), picture, { applyAccept: false });
    await choose(new File(['x'], 'a.webp', { type: 'image/webp' }));
    expect(await screen.findByText('The photo must be a JPG, PNG or BMP file under 5M')).toBeTruthy();
    await choose(new File([new Uint8Array(5 << 20)], 'a.jpg', { type: 'image/jpeg' }));
    expect(await screen.findByText('The photo must be a JPG, PNG or BMP file under 5M')).toBeTruthy();
    await choose(new File([], 'a.jpg', { type: 'image/jpeg' }));
    expect(await screen.findByText('Please upload information pictures')).toBeTruthy();
    await choose(new File(['x'], 'a.bmp', { type: 'image/bmp' }));
    await screen.findByAltText('Current picture');
    await click('Female', 'radio');
    await submit('Save');
    await waitFor(() => expect(messages).toEqual(['Submitted successfully']));
    expect(changes(made).at(-1)?.body).toEqual({
      name: 'Lin Wei',
      email: 'lin@tides.test',
      region: '',
      major: '',
      institution: '',
      researchField: 'Coasts',
      gender: 'female',
      code: '',
      photo: 'p1',
    });
  });

  it('takes another e-mail address only with the code that was sent to it', async () => {
    const { made } = await showTab('infomation', { ...answers, ...NO_KEY });
    expect(screen.queryByLabelText('Verification code')).toBeNull();
    await userEvent.type(await screen.findByLabelText('E-mail'), '.cn');
    await submit('Save');
    for (const text of ['Please enter the verification code.', 'Please enter the password']) expect(await screen.findByText(text)).toBeTruthy();
    expect(changes(made)).toEqual([]);
    await userEvent.type(field('Verification code'), '123456');
    await userEvent.type(field('Password'), 'Tidal7Basin');
    await submit('Save');
    await waitFor(() => expect(changes(made)[0]?.body).toMatchObject({ email: 'lin@tides.test.cn', code: '123456', password: 'Tidal7Basin' }));
  });

  it('says whether a mobile number is linked, and leads to where that is changed', async () => {
    await showTab('infomation', { ...answers, [`GET ${MEMBERS}/info`]: { ...PROFILE, mobile: '' } });
    expect(await screen.findByText('Not linked')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Link' }).getAttribute('href')).toBe('/en/personal?tab=account');
  });
});

describe('subscriptions', () => {
  const COLUMNS = [
    {
      key: 'notes',
      name: 'Notes',
      column: 'Notes',
      articleCount: 2,
      children: [{ key: 'k2', name: 'Short notes', column: 'Short notes', articleCount: 1, children: [] }],
    },
  ];
  const answers: Answers = {
    [`GET ${MEMBERS}/subscribeList`]: [
      { id: 3, email: 'a@b.test', type: 'keywords', keywords: 'tide;eel', columnId: '', column: '', since: '2026-03-01T08:00:00+08:00' },
    ],
    [`POST ${MEMBERS}/subscribe`]: { id: 4 },
    [`DELETE ${MEMBERS}/unSubscribe`]: true,
    'GET front/front-article/getColumnTree': COLUMNS,
  };
  const open = async () => {
    const shown = await showTab('subscribe', answers);
    await userEvent.click(screen.getAllByRole('button', { name: 'Subscribe' })[0] as HTMLElement);
    return { ...shown, dialog: await screen.findByRole('dialog') };
  };

  it('are listed, and end after a confirmation', async () => {
    const { main, made, messages } = await showTab('subscribe', answers);
    expect(await screen.findByText('Keywords: tide;eel')).toBeTruthy();
    expect(await violations(main)).toEqual([]);
    await click('Unsubscribe: Keywords: tide;eel');
    await confirm('Unsubscribe');
    await waitFor(() => expect(messages).toEqual(['Unsubscription successfully']));
    expect(changes(made)[0]?.query).toEqual({ id: 3 });
  });

  it('need an e-mail address, a code, and keywords where they are by keyword', async () => {
    const { dialog, made, messages } = await open();
    await click('Keywords', 'radio');
    await submit('Subscribe');
    for (const text of ['Please enter the e-mail address', 'Please enter the verification code.', /^Please enter at least one keyword/])
      expect(await within(dialog).findByText(text)).toBeTruthy();
    await userEvent.type(field('E-mail'), 'lin');
    await submit('Subscribe');
    expect(await within(dialog).findByText('E-mail format is incorrect')).toBeTruthy();
    expect(await violations(dialog)).toEqual([]);
    await userEvent.type(field('E-mail'), '@tides.test');
    await userEvent.type(field('Verification code'), '123456');
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Keywords' }), ' sea  level；eel;; eel ');
    await submit('Subscribe');
    await waitFor(() => expect(messages).toEqual(['Subscription successfully']));
    expect(changes(made)[0]?.body).toEqual({ email: 'lin@tides.test', code: '123456', type: 'keywords', keywords: 'sea level;eel' });
  });

  it('to a column name it', async () => {
    const { dialog, made } = await open();
    await click('Column', 'radio');
    const select = await within(dialog).findByRole('combobox', { name: 'Column' });
    await userEvent.type(field('E-mail'), 'lin@tides.test');
    await userEvent.type(field('Verification code'), '123456');
    await submit('Subscribe');
    expect(await within(dialog).findByText('Please choose a column')).toBeTruthy();
    await userEvent.selectOptions(select, 'Short notes');
    await submit('Subscribe');
    await waitFor(() => expect(changes(made)[0]?.body).toMatchObject({ type: 'column', columnId: 'k2' }));
  });
});

describe('saved searches', () => {
  const tides = { id: 5, name: 'Tides', address: '/en/search?q=tide', alert: false };
  const answers: Answers = {
    [`GET ${MEMBERS}/searches`]: [tides],
    [`PUT ${MEMBERS}/searches`]: true,
    [`DELETE ${MEMBERS}/searches`]: true,
  };

  it('lead to their results, are renamed, deleted, and get alerts', async () => {
    const { main, made, messages } = await showTab('search', answers);
    expect((await screen.findByRole('link', { name: 'Tides' })).getAttribute('href')).toBe('/en/search?q=tide');
    expect(await violations(main)).toEqual([]);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Send new results by e-mail' }));
    await waitFor(() => expect(messages).toEqual(['New results will be sent by e-mail']));
    await click('Edit: Tides');
    await screen.findByRole('dialog');
    await userEvent.clear(field('Name of the search'));
    await submit('Save');
    expect(await screen.findByText('Please enter a name for the search')).toBeTruthy();
    await userEvent.type(field('Name of the search'), 'Ebb');
    await submit('Save');
    await waitFor(() => expect(messages.at(-1)).toBe('The search was saved'));
    await click('Delete: Tides');
    await confirm('Delete');
    await waitFor(() => expect(messages.at(-1)).toBe('Deleted successfully!'));
    // The button has gone with the search.
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
    expect(changes(made)).toEqual([
      { call: `PUT ${MEMBERS}/searches`, query: {}, body: { ...tides, alert: true } },
      { call: `PUT ${MEMBERS}/searches`, query: {}, body: { ...tides, name: 'Ebb' } },
      { call: `DELETE ${MEMBERS}/searches`, query: { id: 5 }, body: undefined },
    ]);
  });
});

describe('the data of a member', () => {
  const envelope = (status: number, message: string) =>
    new Response(JSON.stringify({ status, data: status ? null : true, message }), { status: status || 200 });

  it('are exported as a file, and erased with the password only, which is in no address', async () => {
    const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(envelope(400, 'The password is wrong')).mockResolvedValueOnce(envelope(0, ''));
    const { main, messages } = await showTab('data', { [`GET ${MEMBERS}/info`]: PROFILE, ...NO_KEY });
    const link = await screen.findByRole('link', { name: 'Export my data' });
    expect([link.getAttribute('href'), link.hasAttribute('download')]).toEqual([`/rc-pub/${MEMBERS}/export`, true]);
    expect(await violations(main)).toEqual([]);
    await click('Erase the account');
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByLabelText('Password');
    await submit('Erase the account');
    expect(await within(dialog).findByText('Please enter the password')).toBeTruthy();
    expect(fetched).not.toHaveBeenCalled();
    await userEvent.type(field('Password'), 'Wrong1234');
    await submit('Erase the account');
    expect(await within(dialog).findByText('The password is wrong')).toBeTruthy();
    expect([assign.mock.calls, messages]).toEqual([[], []]);
    for (const name of ['userName', 'commonToken']) document.cookie = `${name}=l****n; path=/`;
    await submit('Erase the account');
    await waitFor(() => expect(messages).toEqual(['Your account and everything in it have been deleted']));
    expect(document.cookie).not.toMatch(/userName|commonToken/);
    const [address, options] = fetched.mock.calls[1] ?? [];
    expect([address, options?.method, options?.body]).toEqual([`/rc-pub/${MEMBERS}/account`, 'DELETE', '{"password":"Wrong1234"}']);
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/en/home/'));
  });

  it('lead to the sign-in when the session is over, after its message, and back', async () => {
    const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(envelope(401, 'Please sign in again'));
    const { messages } = await showTab('data', { [`GET ${MEMBERS}/info`]: PROFILE, ...NO_KEY });
    document.cookie = 'userName=l****n; path=/';
    await click('Erase the account');
    await userEvent.type(await screen.findByLabelText('Password'), 'Tidal7Basin');
    await submit('Erase the account');
    await waitFor(() => expect(messages).toEqual(['Please sign in again']));
    expect([assign.mock.calls, /userName/.test(document.cookie)]).toEqual([[], false]);
    await waitFor(() => expect(assign.mock.calls[0]?.[0]).toContain(encodeURIComponent('/en/personal?tab=data')));
  });

  it('without a password are erased with a code', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(envelope(0, ''));
    vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    await showTab('data', { [`GET ${MEMBERS}/info`]: { ...PROFILE, hasPassword: false } });
    await userEvent.click(await screen.findByRole('button', { name: 'Erase the account' }));
    await userEvent.type(await screen.findByLabelText('Verification code'), '12345');
    await submit('Erase the account');
    expect(await screen.findByText('Please enter the verification code.')).toBeTruthy();
    await userEvent.type(field('Verification code'), '6');
    await submit('Erase the account');
    await waitFor(() => expect(fetched.mock.calls[0]?.[1]?.body).toBe('{"code":"123456"}'));
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
