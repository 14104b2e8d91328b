import { Button, Dialog, useApi, useT } from '@masthead/ui-sdk';
import { useRef, useState, type FormEvent } from 'react';
import { Field } from '../members/Field.tsx';
import { changeSearch, deleteSearch, saveSearch, searches, type SavedSearch } from './calls.ts';
import { useConfirm } from './Confirm.tsx';
import { Answered, useCalled, useChange, useFaults } from './parts.tsx';
import { MAX_LINE } from './validation.ts';

/** The searches that the member has saved. */
export function Searches() {
  const t = useT();
  const api = useApi();
  const { change } = useChange();
  const [dialog, ask] = useConfirm();
  const called = useCalled((signal) => searches(api, signal), 'searches');
  const [edited, setEdited] = useState<SavedSearch>();
  const setAlert = async (one: SavedSearch, alert: boolean) => {
    if (await change(() => changeSearch(api, { ...one, alert }), alert ? t('alert_on') : t('alert_off'))) called.reload();
  };
  const remove = (one: SavedSearch) =>
    ask({
      title: t('delete'),
      text: t('search_delete_ask', { name: one.name }),
      action: t('delete'),
      danger: true,
      onConfirm: async () => {
        const done = await change(() => deleteSearch(api, one.id), t('delete_success'), t('delete_failed'));
        if (done) called.reload();
        return done;
      },
    });
  return (
    <>
      <Answered called={called}>
        {(all) =>
          all.length ? (
            <ul className="entries">
              {all.map((one) => (
                <li key={one.id}>
                  <span className="entry-text">
                    <a href={one.address} dir="auto">
                      {one.name}
                    </a>
                    <label className="check">
                      <input type="checkbox" checked={one.alert} onChange={(event) => void setAlert(one, event.target.checked)} />
                      <span>{t('search_alert')}</span>
                    </label>
                  </span>
                  <span className="form-actions">
                    <Button aria-label={t('edit_named', { title: one.name })} onClick={() => setEdited(one)}>
                      {t('edit')}
                    </Button>
                    <Button aria-label={t('delete_named', { title: one.name })} onClick={() => remove(one)}>
                      {t('delete')}
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="empty">{t('searches_none')}</p>
          )
        }
      </Answered>
      {dialog}
      <SearchDialog search={edited} onClose={() => setEdited(undefined)} onSaved={called.reload} />
    </>
  );
}

/** A search to save, or one that is saved and changed. */
export type EditedSearch = Omit<SavedSearch, 'id'> & { id?: number };

/** Names a search. Open while there is one. */
export function SearchDialog({ search, onClose, onSaved }: { search: EditedSearch | undefined; onClose(): void; onSaved?(): void }) {
  const t = useT();
  return (
    <Dialog open={search !== undefined} onOpenChange={(open) => open || onClose()} title={t('search_save')} closeLabel={t('close')}>
      {search && <Form search={search} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

function Form({ search, onClose, onSaved }: { search: EditedSearch; onClose(): void; onSaved: (() => void) | undefined }) {
  const t = useT();
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const { pending, change } = useChange();
  const { text, check } = useFaults();
  const [name, setName] = useState(search.name);
  const [alert, setAlert] = useState(search.alert);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending || !check(form.current, { name: name.trim() ? undefined : 'search_name_needed' })) return;
    const { id, address } = search;
    const value = { name: name.trim(), address, alert };
    if (!(await change(() => (id === undefined ? saveSearch(api, value) : changeSearch(api, { id, ...value })), t('search_saved')))) return;
    onSaved?.();
    onClose();
  };
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={t('search_name')} value={name} maxLength={MAX_LINE} error={text('name')} onChange={(event) => setName(event.target.value)} required />
      <label className="check">
        <input type="checkbox" checked={alert} onChange={(event) => setAlert(event.target.checked)} />
        <span>{t('search_alert')}</span>
      </label>
      <div className="form-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="primary" type="submit" aria-disabled={pending || undefined}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
