import { Dialog, useBusy, useNotify, useT } from '@masthead/ui-sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { focusOn, targetOf } from '../browser/scroll.ts';
import { PARTS, all, around, first, selectorOf } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { makeSortable } from './sorting.ts';
import { ADDED, addEntry, cloneContent, leaveEntry, type Place, saveFile, textOf, useCopy, useInserted } from './tools.ts';
import { Xrefs } from './Xrefs.tsx';

const BEFORE: Place = (box, host) => box.before(host);
const loadFiles = () => import('./tableFiles.ts');

const tableOf = (box: HTMLElement) => box.querySelector('table') as HTMLTableElement;
const figureOf = (box: HTMLElement) => around(box, 'table');
/** The unit of all cells: the paragraph between the caption and the first box. Without a caption, the button of the way back may stand before it. */
const UNIT = ':scope > p:is(figcaption + p, :first-child, .return-place + p)';

/** The label of a table, its caption's title, and its number if several tables have one caption. */
function namesOf(box: HTMLElement, otherwise: string) {
  const figure = figureOf(box);
  const title = (figure && first(figure, 'captionTitle')) ?? box.querySelector('caption');
  const boxes = figure ? all(figure, 'tableBox') : [];
  const part = boxes.length > 1 ? ` (${boxes.indexOf(box) + 1})` : '';
  const label = textOf((title && first(title, 'label')) ?? title).slice(0, 80) || otherwise;
  return { label: label + part, title: (textOf(title).slice(0, 200) || otherwise) + part };
}

function Tools({ box, article, names, onFull }: { box: HTMLElement; article: string; names: { label: string; title: string }; onFull(): void }) {
  const t = useT();
  const busy = useBusy();
  const notify = useNotify();
  const { said, copy } = useCopy();
  const failed = () => notify(t('error_text'), 'failed');
  const marks = t('table_marks');
  const save = async (ending: 'csv' | 'xlsx') => {
    const { fileName, toCsv, toWorkbook, TYPE } = await loadFiles();
    const name = fileName(
      [
        [article, 60],
        [names.label, 40],
      ],
      ending,
    );
    if (ending === 'csv') return saveFile(name, 'text/csv;charset=utf-8', `\uFEFF${toCsv(tableOf(box), marks)}`);
    const about = [names.title, textOf(figureOf(box)?.querySelector(UNIT))].filter(Boolean);
    saveFile(name, TYPE, toWorkbook(tableOf(box), names.label, { marksTitle: marks, about, source: [article, location.origin + location.pathname] }));
  };
  // The code is there when the button is pressed: browsers allow copying only soon after that.
  const warm = () => void loadFiles().catch(() => undefined);
  return (
    <div role="group" aria-label={names.label} onPointerEnter={warm} onFocus={warm}>
      <button type="button" aria-haspopup="dialog" onClick={onFull}>
        {t('full_screen')}
      </button>
      <button type="button" onClick={() => void loadFiles().then(({ toCsv }) => copy(toCsv(tableOf(box), marks)), failed)}>
        {said || t('copy_csv')}
      </button>
      <button type="button" onClick={() => void busy(save('csv')).catch(failed)}>
        {t('download_csv')}
        <span className="mh-hidden">: {t('download')}</span>
      </button>
      <button type="button" onClick={() => void busy(save('xlsx')).catch(failed)}>
        {t('download_xlsx')}
        <span className="mh-hidden">: {t('download')}</span>
      </button>
    </div>
  );
}

/**
 * The table with its caption, unit and notes. Marks lead to the notes that are shown here, other cross-references have their popovers, and what those
 * lead to is in the article.
 */
function Full({ box, onLeave }: { box: HTMLElement; onLeave(target: HTMLElement): void }) {
  const t = useT();
  const [host, setHost] = useState<HTMLElement | null>(null);
  // In another language `t` is another function; the table keeps its order.
  const say = useRef(t);
  /** What the dialog shows, by the element of the article that it is a copy of. */
  const shown = useRef(new Map<Element | null, HTMLElement | undefined>());
  useEffect(() => {
    if (!host) return;
    const figure = figureOf(box);
    const copy = (part: Element) => {
      const made = cloneContent(part);
      const copies = made.querySelectorAll<HTMLElement>('*');
      const sources = [...part.querySelectorAll('*')].filter((element) => !element.closest(ADDED));
      sources.forEach((element, at) => shown.current.set(element, copies[at]));
      return made;
    };
    const wrap = copy(box);
    wrap.tabIndex = 0;
    const parts = [...(figure?.querySelectorAll(`:scope > figcaption, ${UNIT}`) ?? [])].map((part) => {
      const made = document.createElement('div');
      made.className = part.matches('figcaption') ? 'table-full-caption' : 'cell-unit';
      made.append(...copy(part).childNodes);
      return made;
    });
    const notes = [...(figure?.querySelectorAll(`:scope > ${selectorOf('tableNotes')}`) ?? [])].map(copy);
    host.replaceChildren(...parts, wrap, ...notes);
    // A mark of a note leads to the note below the table. A popover with the same note would take the focus out of the dialog.
    for (const link of all(host, 'xref')) if (shown.current.has(targetOf(link.hash))) link.removeAttribute(PARTS.xref);
    const table = wrap.querySelector('table');
    if (table) makeSortable(table, say.current);
  }, [box, host]);
  return (
    <>
      <div
        ref={setHost}
        className="table-full-body reader-body"
        lang={box.closest<HTMLElement>('[lang]')?.lang}
        onClick={(event) => {
          const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
          const target = link && targetOf(link.hash);
          // The popover of a cross-reference has prevented what a link does.
          if (!target || event.defaultPrevented) return;
          event.preventDefault();
          const copy = shown.current.get(target);
          if (!copy) return onLeave(target);
          copy.scrollIntoView({ block: 'nearest' });
          focusOn(copy);
        }}
      />
      {host && <Xrefs article={host} begun={false} onGo={onLeave} />}
    </>
  );
}

/** Marks the tables that are larger than their boxes: the style sheet keeps the first column of wide ones and the header of tall ones in view. */
function useSizes(boxes: readonly HTMLElement[]): void {
  useEffect(() => {
    const measure = () => {
      for (const box of boxes) {
        box.classList.toggle('is-wide', box.scrollWidth > box.clientWidth + 1);
        box.classList.toggle('is-scrolling', box.scrollHeight > box.clientHeight + 1);
      }
    };
    measure();
    addEventListener('resize', measure);
    return () => {
      removeEventListener('resize', measure);
      for (const box of boxes) box.classList.remove('is-wide', 'is-scrolling');
    };
  }, [boxes]);
}

/** Adds to every table: full screen, files of its values and, where rows can change their places, sorting. */
export default function Tables({ article }: ReaderProps) {
  const t = useT();
  const boxes = useMemo(() => all(article, 'tableBox').filter((box) => box.querySelector('table')), [article]);
  const hosts = useInserted(boxes, 'table-tools', BEFORE);
  useSizes(boxes);
  const [full, setFull] = useState<HTMLElement | null>(null);
  const left = useRef<HTMLElement | null>(null);
  const say = useRef(t);
  useEffect(() => {
    const undo = boxes.map((box) => makeSortable(tableOf(box), say.current));
    return () => {
      for (const each of undo) each();
    };
  }, [boxes]);
  // Back closes the table, as what covers a window on a phone: it has an entry of the history of its own.
  const leave = (target?: HTMLElement) => {
    left.current = target ?? null;
    setFull(null);
    leaveEntry(target);
  };
  useEffect(() => {
    const close = () => setFull(null);
    addEventListener('popstate', close);
    return () => removeEventListener('popstate', close);
  }, []);
  const open = (box: HTMLElement) => {
    setFull(box);
    addEntry();
  };
  const title = textOf(article.querySelector('h1'));
  return (
    <>
      {boxes.map((box, index) => {
        const host = hosts.get(box);
        const names = host && namesOf(box, `${t('table')} ${index + 1}`);
        return names && createPortal(<Tools box={box} article={title} names={names} onFull={() => open(box)} />, host, String(index));
      })}
      <Dialog
        open={full !== null}
        onOpenChange={(next) => !next && leave()}
        title={full ? namesOf(full, t('table')).title : t('table')}
        hideTitle
        variant="full"
        className="table-full"
        closeLabel={t('close')}
        returnFocus={() => left.current ?? (full ? (hosts.get(full)?.querySelector('button') ?? null) : null)}
      >
        {full && <Full box={full} onLeave={leave} />}
      </Dialog>
    </>
  );
}
