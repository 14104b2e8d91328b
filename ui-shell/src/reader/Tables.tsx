import { Dialog, useT } from '@masthead/ui-sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ReaderProps } from './props.ts';
import { cloneContent, type Place, saveFile, toCsv, useCopy, useInserted } from './tools.ts';

const BEFORE: Place = (box, host) => box.before(host);

function Tools({ box, name, onFull }: { box: HTMLElement; name: string; onFull(): void }) {
  const t = useT();
  const { said, copy } = useCopy();
  const csv = () => toCsv(box.querySelector('table') as HTMLTableElement);
  return (
    <div role="group" aria-label={name}>
      <button type="button" aria-haspopup="dialog" onClick={onFull}>
        {t('full_screen')}
      </button>
      <button type="button" onClick={() => copy(csv())}>
        {said || t('copy_csv')}
      </button>
      <button
        type="button"
        onClick={() => saveFile(`${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/-$/, '') || 'table'}.csv`, 'text/csv;charset=utf-8', `\uFEFF${csv()}`)}
      >
        {t('download_csv')}
        <span className="mh-hidden">: {t('download')}</span>
      </button>
    </div>
  );
}

function Full({ box }: { box: HTMLElement }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const copy = cloneContent(box);
    copy.tabIndex = 0;
    copy.querySelector('caption')?.remove();
    host.current?.replaceChildren(copy);
  }, [box]);
  return <div ref={host} className="table-full-body reader-body" lang={box.closest<HTMLElement>('[lang]')?.lang} />;
}

/** Adds full screen and CSV export to every table. */
export function Tables({ article }: ReaderProps) {
  const t = useT();
  const boxes = useMemo(() => [...article.querySelectorAll<HTMLElement>('.reader-body .table-wrap')].filter((box) => box.querySelector('table')), [article]);
  const hosts = useInserted(boxes, 'table-tools', BEFORE);
  const [full, setFull] = useState<HTMLElement | null>(null);
  const captionOf = (box: HTMLElement) => box.closest('figure.table')?.querySelector('.caption-title');
  const textOf = (part: Element | null | undefined, limit: number) => (part?.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, limit) || t('table');
  const nameOf = (box: HTMLElement) => textOf(captionOf(box)?.querySelector('.caption-label') ?? captionOf(box), 80);
  const titleOf = (box: HTMLElement) => textOf(captionOf(box), 200);
  return (
    <>
      {boxes.map((box, index) => {
        const host = hosts.get(box);
        return host && createPortal(<Tools box={box} name={nameOf(box)} onFull={() => setFull(box)} />, host, String(index));
      })}
      <Dialog
        open={full !== null}
        onOpenChange={(open) => !open && setFull(null)}
        title={full ? titleOf(full) : t('table')}
        variant="full"
        className="table-full"
        closeLabel={t('close')}
        returnFocus={() => (full ? (hosts.get(full)?.querySelector('button') ?? null) : null)}
      >
        {full && <Full box={full} />}
      </Dialog>
    </>
  );
}
