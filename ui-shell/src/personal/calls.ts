import type { Api, Bootstrap, components } from '@masthead/ui-sdk';
import { call } from '@masthead/ui-sdk/shell';
import { callerOf } from '../calls/api.ts';
import type { Secret } from '../members/secret.ts';

const MEMBERS = '/rc-pub/front/frontMembers';
const ALBUMS = '/rc-pub/front/personalAlbum';

type Schemas = components['schemas'];

/** What can be collected: an article, a resource or a journal of the site, by the name that searches have for its kind, and its number or key. */
export type Item = Pick<Schemas['ItemView'], 'type' | 'id'>;
/** An item in a list of a member. */
export type Entry = Schemas['ItemView'];
/** A page of a list; `page` counts from 0. */
export interface Page<T> {
  content: T[];
  totalElements: number;
  page: number;
  size: number;
}

/** What a list is asked for. */
export interface Asked {
  type?: string | undefined;
  keyword?: string | undefined;
  page: number;
}

export type Profile = Schemas['ProfileView'];

/** What a member changes of the profile. */
export type ProfileChange = Pick<Profile, 'name' | 'email' | 'region' | 'major' | 'institution' | 'researchField' | 'gender' | 'photo'> & {
  /** The code that was sent to another e-mail address than before. */
  code: string;
  /** The password, with another e-mail address. */
  password?: Secret;
};

export type Album = Schemas['MemberAlbum'];
/** An album in a list, with the number of its items. */
export type ListedAlbum = Schemas['ListedAlbum'];

/** What a member writes of an album. */
export type AlbumDraft = Pick<Album, 'name' | 'enName' | 'cover'>;

/** Kinds of alerts. */
export const ALERTS = ['current', 'onlineFirst', 'keywords', 'column'] as const;
export type AlertType = (typeof ALERTS)[number];

export type Subscription = Omit<Schemas['SubscriptionView'], 'type'> & { type: AlertType };

export interface NewSubscription {
  email: string;
  code: string;
  type: AlertType;
  keywords?: string | undefined;
  columnId?: string | undefined;
}

export type SavedSearch = Omit<Schemas['SavedSearchView'], 'since'>;

export type Uploaded = Schemas['StoredPicture'];

/** Entries on a page of a list (specification section 9). */
export const PAGE_SIZE = 20;
/** Greatest number of selected entries (specification sections 5 and 9). */
export const MOST_SELECTED = 5;

const part = ({ type, keyword, page }: Asked) => ({ type: type || undefined, keyword: keyword || undefined, page, size: PAGE_SIZE });

export const collect = (api: Api, items: Item[]) => api.post<boolean>(`${MEMBERS}/collect`, { items: items.map(({ type, id }) => ({ type, id })) });
export const collects = (api: Api, asked: Asked, signal?: AbortSignal) => api.get<Page<Entry>>(`${MEMBERS}/collects`, part(asked), signal);
export const isCollected = (api: Api, { type, id }: Item, signal?: AbortSignal) => api.get<boolean>(`${MEMBERS}/isCollect`, { type, id }, signal);

/** Items as the query of a removal names them: a kind for each number. */
const named = (items: Item[]) => ({ type: items.map((item) => item.type), id: items.map((item) => item.id) });

export const uncollect = (api: Api, items: Item[]) => api.delete<boolean>(`${MEMBERS}/unCollectByIdAndType`, named(items));

/** Lists of what a member has done: `downloads` and `historys`. */
export type Visited = 'downloads' | 'historys';
export const visited = (api: Api, list: Visited, asked: Asked, signal?: AbortSignal) => api.get<Page<Entry>>(`${MEMBERS}/${list}`, part(asked), signal);
/** Takes entries out of such a list; a call takes one. Ends when all calls have, and fails if one of them has. */
export async function forget(api: Api, list: Visited, entries: Entry[]): Promise<void> {
  const made = await Promise.allSettled(entries.map(({ record }) => api.delete<boolean>(`${MEMBERS}/${list}`, { id: record ?? 0 })));
  for (const one of made) if (one.status === 'rejected') throw one.reason;
}
export const forgetAll = (api: Api, list: Visited) => api.delete<boolean>(`${MEMBERS}/${list}`);

export const profile = (api: Api, signal?: AbortSignal) => api.get<Profile>(`${MEMBERS}/info`, {}, signal);
export const saveProfile = (api: Api, change: ProfileChange) => api.put<boolean>(`${MEMBERS}/saveInfo`, change);

export const subscriptions = (api: Api, signal?: AbortSignal) => api.get<Subscription[]>(`${MEMBERS}/subscribeList`, {}, signal);
export const subscribe = (api: Api, subscription: NewSubscription) => api.post<{ id: number }>(`${MEMBERS}/subscribe`, subscription);
export const unsubscribe = (api: Api, id: number) => api.delete<boolean>(`${MEMBERS}/unSubscribe`, { id });

export const searches = (api: Api, signal?: AbortSignal) => api.get<SavedSearch[]>(`${MEMBERS}/searches`, {}, signal);
export const saveSearch = (api: Api, search: Omit<SavedSearch, 'id'>) => api.post<{ id: number }>(`${MEMBERS}/searches`, search);
export const changeSearch = (api: Api, search: SavedSearch) => api.put<boolean>(`${MEMBERS}/searches`, search);
export const deleteSearch = (api: Api, id: number) => api.delete<boolean>(`${MEMBERS}/searches`, { id });

export const albums = (api: Api, asked: Asked, signal?: AbortSignal) => api.get<Page<ListedAlbum>>(`${ALBUMS}/search`, part(asked), signal);
export const album = (api: Api, id: number, signal?: AbortSignal) => api.get<Album>(`${ALBUMS}/info`, { id }, signal);
export const saveAlbum = (api: Api, value: AlbumDraft) => api.post<{ id: number }>(`${ALBUMS}/saveAlbum`, value);
export const editAlbum = (api: Api, id: number, value: AlbumDraft) => api.put<boolean>(`${ALBUMS}/editAlbum`, { id, ...value });
export const deleteAlbums = (api: Api, ids: number[]) => api.delete<boolean>(`${ALBUMS}/delete`, { id: ids });
export const albumItems = (api: Api, albumId: number, asked: Asked, signal?: AbortSignal) =>
  api.get<Page<Entry>>(`${ALBUMS}/res/search`, { albumId, ...part(asked) }, signal);
export const addToAlbum = (api: Api, albumId: number, items: Item[]) =>
  api.post<boolean>(`${ALBUMS}/res/addList`, { albumId, items: items.map(({ type, id }) => ({ type, id })) });
export const removeFromAlbum = (api: Api, albumId: number, items: Item[]) => api.delete<boolean>(`${ALBUMS}/res/delete`, { albumId, ...named(items) });

/** Sends a picture, which the host decodes and writes anew. */
export function upload(api: Api, file: Blob, purpose: 'portrait' | 'albumCover'): Promise<Uploaded> {
  const form = new FormData();
  form.set('purpose', purpose);
  form.set('file', file);
  return api.post<Uploaded>('/rc-pub/front/files/fileUpload', form);
}

/** The address of everything that the member owns, as a ZIP archive. */
export const exportAddress = (base: string): string => `${base}${MEMBERS}/export`;

/** Erases the account. What proves that it is the member's wish is in the body: addresses are written to logs. */
export const erase = (bootstrap: Bootstrap, proof: { password: Secret } | { code: string }) =>
  call<boolean>(callerOf(bootstrap), 'DELETE', `${MEMBERS}/account`, { body: proof });
