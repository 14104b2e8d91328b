import { Button, Dialog, useApi, useT } from '@masthead/ui-sdk';
import { useRef, useState, type FormEvent } from 'react';
import { Field } from '../members/Field.tsx';
import { editAlbum, saveAlbum, type Album } from './calls.ts';
import { useChange, useFaults } from './parts.tsx';
import { PictureField } from './PictureField.tsx';
import { coverFault, MAX_TEXT } from './validation.ts';

/** Makes an album, or changes one: names and cover. Open while there is one. */
export function AlbumEditor({ album, onClose, onSaved }: { album: Album | 'new' | undefined; onClose(): void; onSaved(): void }) {
  const t = useT();
  return (
    <Dialog
      open={album !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={album === 'new' ? t('album_new') : t('album_edit')}
      closeLabel={t('close')}
    >
      {album && <Editor album={album === 'new' ? undefined : album} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

function Editor({ album, onClose, onSaved }: { album: Album | undefined; onClose(): void; onSaved(): void }) {
  const t = useT();
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const { pending, change } = useChange();
  const { text, check } = useFaults();
  const [name, setName] = useState(album?.name ?? '');
  const [enName, setEnName] = useState(album?.enName ?? '');
  const [cover, setCover] = useState({ id: album?.cover ?? '', url: album?.coverUrl ?? '' });
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending || isSending || !check(form.current, { name: name.trim() ? undefined : 'album_name_needed' })) return;
    const value = { name: name.trim(), enName: enName.trim(), cover: cover.id };
    if (!(await change(() => (album ? editAlbum(api, album.id, value) : saveAlbum(api, value)), t('album_saved')))) return;
    onSaved();
    onClose();
  };
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={t('album_name')} value={name} maxLength={MAX_TEXT} error={text('name')} onChange={(event) => setName(event.target.value)} required />
      <Field label={t('album_en_name')} value={enName} maxLength={MAX_TEXT} lang="en" onChange={(event) => setEnName(event.target.value)} />
      <PictureField
        label={t('album_cover')}
        hint={t('cover_hint')}
        purpose="albumCover"
        accept="image/jpeg,image/png"
        fault={coverFault}
        value={cover}
        onChange={setCover}
        onSending={setIsSending}
      />
      <div className="form-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="primary" type="submit" aria-disabled={pending || isSending || undefined}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
