import { Button, Dialog, useApi, useT } from '@masthead/ui-sdk';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { addToAlbum, albums, collect, saveAlbum, type Item } from './calls.ts';
import { Answered, useCalled, useChange, useFaults } from './parts.tsx';

type Place = 'favourites' | 'albums';

/** Where selected items go: the favourites, or one of the albums, which can be made here. Open while there are items. */
export function AddDialog({ items, onClose, onAdded }: { items: Item[] | undefined; onClose(): void; onAdded?(): void }) {
  const t = useT();
  return (
    <Dialog open={items !== undefined} onOpenChange={(open) => open || onClose()} title={t('add_title')} closeLabel={t('close')}>
      {items && <AddForm items={items} onClose={onClose} onAdded={onAdded} />}
    </Dialog>
  );
}

function AddForm({ items, onClose, onAdded }: { items: Item[]; onClose(): void; onAdded: (() => void) | undefined }) {
  const t = useT();
  const api = useApi();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { pending, change } = useChange();
  const { text, check } = useFaults();
  const [place, setPlace] = useState<Place>();
  const [chosen, setChosen] = useState<number>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    const faults = { place: place ? undefined : 'place_required', album: place === 'albums' && chosen === undefined ? 'album_needed' : undefined };
    if (!check(form.current, faults)) return;
    const work = () => (chosen !== undefined && place === 'albums' ? addToAlbum(api, chosen, items) : collect(api, items));
    if (!(await change(work, place === 'albums' ? t('album_added') : t('collect_success')))) return;
    onAdded?.();
    onClose();
  };
  const error = text('place') ?? text('album');
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className="field" aria-describedby={error ? `${id}-error` : undefined}>
        <legend className="mh-hidden">{t('add_title')}</legend>
        <label className="check">
          <input
            type="radio"
            name="place"
            checked={place === 'favourites'}
            aria-invalid={text('place') ? true : undefined}
            onChange={() => setPlace('favourites')}
          />
          <span>{t('favourites')}</span>
        </label>
        <label className="check">
          <input type="radio" name="place" checked={place === 'albums'} onChange={() => setPlace('albums')} />
          <span>{t('my_albums')}</span>
        </label>
      </fieldset>
      {place === 'albums' && <AlbumChoice chosen={chosen} onChoose={setChosen} invalid={Boolean(text('album'))} />}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      <div className="form-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="primary" type="submit" aria-disabled={pending || undefined}>
          {t('confirm')}
        </Button>
      </div>
    </form>
  );
}

/** The member's albums, as a choice of one, and a field for the name of a new one. */
function AlbumChoice({ chosen, onChoose, invalid }: { chosen: number | undefined; onChoose(id: number): void; invalid: boolean }) {
  const t = useT();
  const api = useApi();
  const { change, pending } = useChange();
  const [page, setPage] = useState(0);
  const [name, setName] = useState('');
  const called = useCalled((signal) => albums(api, { page }, signal), `albums ${page}`);
  const { reload } = called;
  // Where there is one only, it is the one that is meant.
  const only = called.data?.totalElements === 1 ? called.data.content[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined && chosen === undefined) onChoose(only);
  }, [only, chosen, onChoose]);
  const create = async () => {
    const value = name.trim();
    if (!value || pending) return;
    const made = await change(async () => {
      const { id } = await saveAlbum(api, { name: value, enName: '', cover: '' });
      onChoose(id);
    }, t('album_saved'));
    if (!made) return;
    setName('');
    setPage(0);
    reload();
  };
  return (
    <fieldset className="field album-choice">
      <legend>{t('my_albums')}</legend>
      <Answered called={called}>
        {({ content, totalElements, size }) => (
          <>
            {!totalElements && <p className="field-hint">{t('albums_none')}</p>}
            {content.map((album) => (
              <label key={album.id} className="check">
                <input type="radio" name="album" checked={chosen === album.id} aria-invalid={invalid || undefined} onChange={() => onChoose(album.id)} />
                <bdi>{album.name}</bdi>
              </label>
            ))}
            {totalElements > size && (
              <div className="form-actions">
                <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
                  {t('page_previous')}
                </Button>
                <Button disabled={(page + 1) * size >= totalElements} onClick={() => setPage(page + 1)}>
                  {t('page_next')}
                </Button>
              </div>
            )}
          </>
        )}
      </Answered>
      <div className="field-row">
        <input
          aria-label={t('album_new_name')}
          placeholder={t('album_new_name')}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The form around is for what is added.
            event.preventDefault();
            void create();
          }}
        />
        <Button aria-disabled={!name.trim() || pending || undefined} onClick={() => void create()}>
          {t('album_create')}
        </Button>
      </div>
    </fieldset>
  );
}
