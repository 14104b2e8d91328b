import { Button, useApi, useBootstrap, useNotify, useT } from '@masthead/ui-sdk';
import { useState } from 'react';
import { AlbumEditor } from './AlbumEditor.tsx';
import { album, albumItems, albums, deleteAlbums, MOST_SELECTED, removeFromAlbum, type Album, type ListedAlbum } from './calls.ts';
import { useConfirm } from './Confirm.tsx';
import { Filter, Words } from './Filter.tsx';
import { Answered, Day, pageOf, Pages, useAddress, useCalled, useChange } from './parts.tsx';
import { Records } from './Records.tsx';

/** The kinds that albums are arranged by (specification section 3). */
const IN_ALBUMS = ['article', 'publication', 'audio', 'video'];

/** The albums of the member, or the one that the address names. */
export function Albums() {
  const { asked } = useAddress();
  const id = Number(asked('album'));
  return Number.isSafeInteger(id) && id > 0 ? <OneAlbum id={id} /> : <AllAlbums />;
}

/** The name in the language of the page: albums have one in Chinese, or any language, and one in English. */
export function useAlbumName(): (album: Pick<Album, 'name' | 'enName'>) => string {
  const { lang } = useBootstrap();
  return ({ name, enName }) => (lang !== 'zh' && enName) || name;
}

function AllAlbums() {
  const t = useT();
  const api = useApi();
  const notify = useNotify();
  const { asked } = useAddress();
  const { change } = useChange();
  const [dialog, ask] = useConfirm();
  const [keyword, page] = [asked('keyword'), pageOf(asked('page'))];
  const called = useCalled((signal) => albums(api, { keyword, page }, signal), `albums ${keyword} ${page}`);
  /** The album that is edited, or a new one. */
  const [edited, setEdited] = useState<Album | 'new'>();
  const [selected, setSelected] = useState<readonly number[]>([]);
  const toggle = (id: number, on: boolean) => {
    if (on && selected.length >= MOST_SELECTED) return notify(t('too_many_selected'), 'failed');
    setSelected(on ? [...selected, id] : selected.filter((other) => other !== id));
  };
  const remove = (ids: readonly number[]) => {
    if (!ids.length) return notify(t('nothing_selected'), 'failed');
    ask({
      title: t('delete'),
      text: t('albums_delete_ask'),
      action: t('delete'),
      danger: true,
      onConfirm: async () => {
        const done = await change(() => deleteAlbums(api, [...ids]), t('delete_success'), t('delete_failed'));
        if (!done) return false;
        setSelected((before) => before.filter((id) => !ids.includes(id)));
        called.reload();
        return true;
      },
    });
  };
  return (
    <>
      <div className="personal-filter">
        <Words key={keyword} keyword={keyword} kept={{ tab: 'album' }} />
        <Button variant="primary" onClick={() => setEdited('new')}>
          {t('album_new')}
        </Button>
      </div>
      <Answered called={called}>
        {(found) =>
          found.totalElements ? (
            <>
              <div className="batch" role="group" aria-label={t('batch')}>
                <p className="batch-count" role="status">
                  {t('selected', { n: selected.length, most: MOST_SELECTED })}
                </p>
                <Button className="button-danger" onClick={() => remove(selected)}>
                  {t('delete')}
                </Button>
              </div>
              <ul className="albums">
                {found.content.map((one) => (
                  <AlbumCard
                    key={one.id}
                    album={one}
                    checked={selected.includes(one.id)}
                    onCheck={(on) => toggle(one.id, on)}
                    onEdit={() => setEdited(one)}
                    onDelete={() => remove([one.id])}
                  />
                ))}
              </ul>
              <Pages page={found} />
            </>
          ) : (
            <p className="empty">{keyword ? t('nothing_found') : t('albums_none')}</p>
          )
        }
      </Answered>
      {dialog}
      <AlbumEditor album={edited} onClose={() => setEdited(undefined)} onSaved={called.reload} />
    </>
  );
}

/** The picture of an album, or a drawn one; the name beside it says what it is. */
export function Cover({ address }: { address: string }) {
  return (
    <span className="album-cover">
      {address ? (
        <img src={address} alt="" loading="lazy" decoding="async" />
      ) : (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 7h11a2 2 0 0 1 2 2v10H7a2 2 0 0 1-2-2zM8 4h11a2 2 0 0 1 2 2v10" />
        </svg>
      )}
    </span>
  );
}

interface CardProps {
  album: ListedAlbum;
  checked: boolean;
  onCheck(on: boolean): void;
  onEdit(): void;
  onDelete(): void;
}

function AlbumCard({ album: one, checked, onCheck, onEdit, onDelete }: CardProps) {
  const t = useT();
  const { at } = useAddress();
  const name = useAlbumName()(one);
  return (
    <li className="album">
      <Cover address={one.coverUrl} />
      <input type="checkbox" aria-label={t('select', { title: name })} checked={checked} onChange={(event) => onCheck(event.target.checked)} />
      <p className="record-title" dir="auto">
        <a href={at({ album: one.id, keyword: '' })}>{name}</a>
      </p>
      <p className="record-facts">
        <span>{t('album_count', { n: one.items })}</span>
        <Day iso={one.changed} />
      </p>
      <p className="form-actions">
        <Button variant="quiet" aria-label={t('edit_named', { title: name })} onClick={onEdit}>
          {t('edit')}
        </Button>
        <Button variant="quiet" aria-label={t('delete_named', { title: name })} onClick={onDelete}>
          {t('delete')}
        </Button>
      </p>
    </li>
  );
}

function OneAlbum({ id }: { id: number }) {
  const t = useT();
  const api = useApi();
  const { asked, at } = useAddress();
  const [type, keyword, page] = [asked('type'), asked('keyword'), pageOf(asked('page'))];
  const info = useCalled((signal) => album(api, id, signal), `album ${id}`);
  const items = useCalled((signal) => albumItems(api, id, { type, keyword, page }, signal), `items ${id} ${type} ${keyword} ${page}`);
  const [edited, setEdited] = useState<Album>();
  const name = useAlbumName();
  return (
    <>
      <p>
        <a href={at({ album: '', type: '', keyword: '' })}>{t('albums_all')}</a>
      </p>
      <Answered called={info}>
        {(one) => (
          <>
            <div className="album-head">
              <Cover address={one.coverUrl} />
              <div>
                <h3 dir="auto">{name(one)}</h3>
                <p className="record-facts">
                  <Day iso={one.changed} />
                </p>
                <Button onClick={() => setEdited(one)}>{t('edit')}</Button>
              </div>
            </div>
            <Filter types={IN_ALBUMS} />
            <Answered called={items}>
              {(found) => (
                <Records
                  page={found}
                  nothing={type || keyword ? t('nothing_found') : t('album_empty')}
                  remove={{
                    action: t('album_remove'),
                    ask: t('album_remove_ask'),
                    done: t('delete_success'),
                    work: (entries) => removeFromAlbum(api, id, entries),
                  }}
                  onChange={items.reload}
                />
              )}
            </Answered>
          </>
        )}
      </Answered>
      <AlbumEditor album={edited} onClose={() => setEdited(undefined)} onSaved={info.reload} />
    </>
  );
}
