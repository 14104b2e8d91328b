import { Button, useNotify, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';
import { MOST_SELECTED, type Item } from './calls.ts';
import { copyEntries } from './copy.ts';

/** Cards of items that can be selected: articles, and resources and journals with their kind. */
const CARDS = 'li[data-article], li[data-kind][data-id]';

/** An item of a list, as its card shows it. */
interface Card extends Item {
  title: string;
  address: string;
}

function cardOf(element: HTMLElement): Card {
  const { article, kind, id } = element.dataset;
  const link = element.querySelector<HTMLAnchorElement>(':is(.card-title, .media-title) a');
  const title = (link ?? element.querySelector(':is(.card-title, .media-title)'))?.textContent?.trim() ?? '';
  const address = link?.getAttribute('href') ?? '';
  return article ? { type: 'article', id: article, title, address } : { type: kind ?? '', id: id ?? '', title, address };
}

const keyOf = ({ type, id }: Item) => `${type} ${id}`;

interface Props {
  main: HTMLElement;
  /** The button that begins and ends it. */
  button: HTMLElement;
  onAdd(items: Item[]): void;
  onEnd(): void;
}

/** Selects entries of the host's list, also those that are appended: each card gets a checkbox, and a bar says what can be done. */
export function Selecting({ main, button, onAdd, onEnd }: Props) {
  const t = useT();
  const notify = useNotify();
  const [chosen, setChosen] = useState<readonly Card[]>([]);
  const end = () => {
    onEnd();
    button.focus();
  };
  const latest = useRef({ chosen, t, notify, end });
  latest.current = { chosen, t, notify, end };

  useEffect(() => {
    const boxes = new Map<HTMLElement, HTMLInputElement>();
    const toggle = (box: HTMLInputElement, card: Card) => {
      const before = latest.current.chosen;
      if (box.checked && before.length >= MOST_SELECTED) {
        box.checked = false;
        return latest.current.notify(latest.current.t('too_many_selected'), 'failed');
      }
      const others = before.filter((other) => keyOf(other) !== keyOf(card));
      setChosen(box.checked ? [...others, card] : others);
    };
    const insert = () => {
      for (const element of main.querySelectorAll<HTMLElement>(CARDS)) {
        if (boxes.has(element)) continue;
        const card = cardOf(element);
        const box = Object.assign(document.createElement('input'), { type: 'checkbox', className: 'card-select' });
        box.checked = latest.current.chosen.some((other) => keyOf(other) === keyOf(card));
        box.setAttribute('aria-label', latest.current.t('select', { title: card.title }));
        box.addEventListener('change', () => toggle(box, card));
        boxes.set(element, box);
        element.prepend(box);
      }
    };
    insert();
    main.dataset['selecting'] = '';
    button.setAttribute('aria-pressed', 'true');
    const observer = new MutationObserver(insert);
    observer.observe(main, { childList: true, subtree: true });
    const key = (event: KeyboardEvent) => {
      // An open dialog closes first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role="dialog"]')) latest.current.end();
    };
    document.addEventListener('keydown', key);
    return () => {
      observer.disconnect();
      document.removeEventListener('keydown', key);
      for (const box of boxes.values()) box.remove();
      delete main.dataset['selecting'];
      button.setAttribute('aria-pressed', 'false');
    };
  }, [main, button]);

  const withChosen = (action: (cards: readonly Card[]) => void) => () => (chosen.length ? action(chosen) : notify(t('nothing_selected'), 'failed'));
  const copy = async (cards: readonly Card[]) => ((await copyEntries([...cards])) ? notify(t('copied'), 'done') : notify(t('copy_failed'), 'failed'));
  const empty = () => {
    for (const box of main.querySelectorAll<HTMLInputElement>('.card-select')) box.checked = false;
    setChosen([]);
    notify(t('selection_emptied'), 'done');
  };
  return (
    <div className="select-bar" role="region" aria-label={t('batch')}>
      <p className="batch-count" role="status">
        {t('selected', { n: chosen.length, most: MOST_SELECTED })}
      </p>
      <Button variant="primary" onClick={withChosen((cards) => onAdd([...cards]))}>
        {t('add_to')}
      </Button>
      <Button onClick={withChosen((cards) => void copy(cards))}>{t('copy')}</Button>
      <Button onClick={withChosen(empty)}>{t('empty')}</Button>
      <Button onClick={end}>{t('close')}</Button>
    </div>
  );
}
