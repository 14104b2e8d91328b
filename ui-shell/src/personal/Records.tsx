import { Button, useNotify, useT } from '@masthead/ui-sdk';
import { useEffect, useState, type ReactNode } from 'react';
import { AddDialog } from './AddDialog.tsx';
import { MOST_SELECTED, type Entry, type Page } from './calls.ts';
import { useConfirm } from './Confirm.tsx';
import { copyEntries } from './copy.ts';
import { Day, Pages, typeName, useChange } from './parts.tsx';

/** What can be done to the entries of a list. */
export interface RecordsProps {
  page: Page<Entry>;
  /** Label of the button that takes entries out of the list, and what it says before and afterwards. */
  remove: { action: string; ask: string; done: string; work(entries: Entry[]): Promise<unknown> };
  /** Empties the whole list, where that can be done. */
  empty?: (() => Promise<unknown>) | undefined;
  /** Called after the list has changed. */
  onChange(): void;
  /** What is said where there is nothing. */
  nothing: string;
}

const keyOf = ({ record, type, id }: Entry) => `${record ?? ''} ${type} ${id}`;

/** The entries of a list of a member, with what can be done to some of them at once. */
export function Records({ page, remove, empty, onChange, nothing }: RecordsProps) {
  const t = useT();
  const notify = useNotify();
  const { change } = useChange();
  const [dialog, ask] = useConfirm();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [adding, setAdding] = useState<Entry[]>();
  // Entries that have gone are not selected any more.
  useEffect(() => setSelected((keys) => keys.filter((key) => page.content.some((entry) => keyOf(entry) === key))), [page]);
  const chosen = page.content.filter((entry) => selected.includes(keyOf(entry)));

  const toggle = (entry: Entry, on: boolean) => {
    if (on && selected.length >= MOST_SELECTED) return notify(t('too_many_selected'), 'failed');
    setSelected(on ? [...selected, keyOf(entry)] : selected.filter((key) => key !== keyOf(entry)));
  };
  /** Runs an action on the selected entries, or says that there are none. */
  const withChosen = (action: (entries: Entry[]) => void) => () => (chosen.length ? action(chosen) : notify(t('nothing_selected'), 'failed'));
  const removal = (entries: Entry[], text: string) =>
    ask({
      title: remove.action,
      text,
      action: remove.action,
      danger: true,
      onConfirm: async () => {
        const done = await change(() => remove.work(entries), remove.done, t('delete_failed'));
        // Also after a failure: some of the entries may have gone.
        onChange();
        return done;
      },
    });
  const emptying = () =>
    ask({
      title: t('empty'),
      text: t('empty_ask'),
      action: t('empty'),
      danger: true,
      onConfirm: async () => {
        const done = empty !== undefined && (await change(empty, t('emptied'), t('empty_failed')));
        if (done) onChange();
        return done;
      },
    });
  const copy = async (entries: Entry[]) => ((await copyEntries(entries)) ? notify(t('copied'), 'done') : notify(t('copy_failed'), 'failed'));

  if (!page.totalElements) return <p className="empty">{nothing}</p>;
  return (
    <>
      <div className="batch" role="group" aria-label={t('batch')}>
        <p className="batch-count" role="status">
          {t('selected', { n: chosen.length, most: MOST_SELECTED })}
        </p>
        <Button onClick={withChosen((entries) => void copy(entries))}>{t('copy')}</Button>
        <Button onClick={withChosen(setAdding)}>{t('add_to')}</Button>
        <Button className="button-danger" onClick={withChosen((entries) => removal(entries, remove.ask))}>
          {remove.action}
        </Button>
        {empty && (
          <Button className="button-danger" onClick={emptying}>
            {t('empty')}
          </Button>
        )}
      </div>
      <ul className="records">
        {page.content.map((entry) => (
          <Record
            key={keyOf(entry)}
            entry={entry}
            checked={selected.includes(keyOf(entry))}
            onCheck={(on) => toggle(entry, on)}
            onGone={() => removal([entry], t('gone_ask'))}
          />
        ))}
      </ul>
      <Pages page={page} />
      {dialog}
      <AddDialog items={adding} onClose={() => setAdding(undefined)} onAdded={() => setSelected([])} />
    </>
  );
}

function Record({ entry, checked, onCheck, onGone }: { entry: Entry; checked: boolean; onCheck(on: boolean): void; onGone(): void }) {
  const t = useT();
  const title = entry.title || t('untitled');
  const name: ReactNode =
    entry.available && entry.address ? (
      <a href={entry.address}>{title}</a>
    ) : (
      <button type="button" className="link-button" onClick={onGone} disabled={entry.available}>
        {title}
      </button>
    );
  return (
    <li className="record" data-gone={entry.available ? undefined : ''}>
      <input type="checkbox" aria-label={t('select', { title })} checked={checked} onChange={(event) => onCheck(event.target.checked)} />
      <div className="record-text">
        <p className="record-title" dir="auto">
          {name}
        </p>
        <p className="record-facts">
          <span>{typeName(t, entry.type)}</span>
          <Day iso={entry.date} />
          {entry.noticeText && (
            <span className="badge" data-notice={entry.notice}>
              {entry.noticeText}
            </span>
          )}
          {!entry.available && <span className="badge">{t('gone')}</span>}
        </p>
      </div>
    </li>
  );
}
