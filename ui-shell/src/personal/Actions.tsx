import { useShell, useT, type PagePayload } from '@masthead/ui-sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { documents } from '../browser/documents.ts';
import { signInAddress } from '../browser/signInAddress.ts';
import { Messages } from '../members/Messages.tsx';
import { AddDialog } from './AddDialog.tsx';
import { ALERTS, collect, isCollected, uncollect, type AlertType, type Item } from './calls.ts';
import { useConfirm } from './Confirm.tsx';
import { useChange } from './parts.tsx';
import { SearchDialog, type EditedSearch } from './Searches.tsx';
import { Selecting } from './Selecting.tsx';
import { SubscribeDialog, type Suggestion } from './SubscribeDialog.tsx';
import './personal.css';

interface Props {
  main: HTMLElement;
  payload: PagePayload;
  /** The button that was used last, which may be what has loaded this. */
  used: HTMLElement | undefined;
}

/** What the host's buttons for members do (`data-member`), on articles, resources, lists and results. */
export default function Actions(props: Props) {
  return (
    <Messages>
      <Buttons {...props} />
    </Messages>
  );
}

/** The item that a button is about: `data-item` names it by kind and number or key. */
export function itemOf(button: HTMLElement): Item | undefined {
  const [type, id] = (button.closest<HTMLElement>('[data-item]')?.dataset['item'] ?? '').split(' ');
  return type && id ? { type, id } : undefined;
}

const isAlert = (type: string | undefined): type is AlertType => ALERTS.includes(type as AlertType);
const pressed = (button: HTMLElement) => button.getAttribute('aria-pressed') === 'true';
const press = (button: HTMLElement, on: boolean) => button.setAttribute('aria-pressed', String(on));

/** Shows on the buttons of the page whether the member has collected their items. */
function useCollected(main: HTMLElement, payload: PagePayload): void {
  const { api, bootstrap } = useShell();
  const { signedIn } = bootstrap.session;
  useEffect(() => {
    if (!signedIn) return;
    const control = new AbortController();
    for (const button of main.querySelectorAll<HTMLElement>('[data-member="collect"]')) {
      const item = itemOf(button);
      // Without the answer, the button still collects.
      if (item)
        isCollected(api, item, control.signal).then(
          (is) => control.signal.aborted || press(button, is),
          () => undefined,
        );
    }
    return () => control.abort();
  }, [api, main, payload, signedIn]);
}

function Buttons({ main, payload, used }: Props) {
  const t = useT();
  const { api, bootstrap } = useShell();
  const { change } = useChange();
  const [dialog, ask] = useConfirm();
  const [adding, setAdding] = useState<Item[]>();
  const [suggestion, setSuggestion] = useState<Suggestion>();
  const [search, setSearch] = useState<EditedSearch>();
  const [selecting, setSelecting] = useState<HTMLElement>();
  useCollected(main, payload);

  const toggle = (button: HTMLElement, item: Item) => {
    const was = pressed(button);
    ask({
      title: was ? t('uncollect') : t('collect'),
      text: was ? t('uncollect_ask') : t('collect_ask'),
      action: t('confirm'),
      onConfirm: async () => {
        const done = await change(() => (was ? uncollect(api, [item]) : collect(api, [item])), was ? t('uncollect_success') : t('collect_success'));
        if (done) press(button, !was);
        return false;
      },
    });
  };
  const use = (button: HTMLElement) => {
    const item = itemOf(button);
    const { member, type, keywords, column, name } = button.dataset;
    if (member === 'collect' && item) toggle(button, item);
    if (member === 'add' && item) setAdding([item]);
    if (member === 'subscribe') setSuggestion({ type: isAlert(type) ? type : 'current', keywords: keywords ?? '', column: column ?? '' });
    if (member === 'search') setSearch({ name: name ?? '', address: location.pathname + location.search, alert: true });
    if (member === 'select') setSelecting(selecting ? undefined : button);
  };
  // Another page has another list.
  useEffect(() => setSelecting(undefined), [payload]);
  const latest = useRef(use);
  latest.current = use;
  // What was used before this was there; every later use is a click that this sees itself.
  const early = useRef(used);
  useEffect(() => {
    const click = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('button[data-member]') : null;
      if (button) latest.current(button);
    };
    main.addEventListener('click', click);
    const button = early.current;
    early.current = undefined;
    if (button && main.contains(button)) latest.current(button);
    return () => main.removeEventListener('click', click);
  }, [main]);
  const end = useCallback(() => setSelecting(undefined), []);
  const add = (items: Item[]) => (bootstrap.session.signedIn ? setAdding(items) : documents.assign(signInAddress(bootstrap)));
  return (
    <>
      {dialog}
      <AddDialog items={adding} onClose={() => setAdding(undefined)} onAdded={end} />
      <SubscribeDialog suggestion={suggestion} onClose={() => setSuggestion(undefined)} />
      <SearchDialog search={search} onClose={() => setSearch(undefined)} />
      {selecting && main.contains(selecting) && <Selecting main={main} button={selecting} onAdd={add} onEnd={end} />}
    </>
  );
}
