import { Button, useBootstrap, useT } from '@masthead/ui-sdk';
import { isPlainClick } from '@masthead/ui-sdk/shell';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { putBeside, sameLanguage, translatedSections } from './align.ts';
import { all, around, first, selectorOf, valueOf } from './parts.ts';
import type { ReaderProps } from './props.ts';

type View = 'original' | 'translation' | 'both';

const dirOf = (tag: string) => (/^(ar|fa|he|ur|yi|ps|ug)\b/.test(tag) ? 'rtl' : 'ltr');

const BLOCKS = `${selectorOf('body')} section > :is(p, h2, h3, h4, h5, h6, ul, ol, dl, blockquote, figure, div)`;

/** Remembers what is read now; the returned function scrolls so that it stands where it stood, in whatever language it is shown. */
function holdPlace(article: HTMLElement): () => void {
  const shown = (element: Element | null | undefined) => Boolean(element?.getClientRects().length);
  const read = [...article.querySelectorAll(BLOCKS)].find((block) => shown(block) && block.getBoundingClientRect().bottom > 120);
  if (!read) return () => undefined;
  const top = read.getBoundingClientRect().top;
  // A copy is replaced by another one; the original before it stays.
  let original: Element | null = read;
  while (original?.matches('.aligned')) original = original.previousElementSibling;
  return () => {
    const now = shown(original) ? original : original?.nextElementSibling;
    if (now && shown(now)) window.scrollBy({ top: now.getBoundingClientRect().top - top, behavior: 'instant' });
  };
}

/**
 * Reads an article in its own language, in another one, or in both side by side: each paragraph beside its translation, so that both scroll
 * together. The links of the host choose the language; without this script they lead to the texts, one behind the other.
 */
export default function Bilingual({ article }: ReaderProps) {
  const t = useT();
  const { lang: code, languages } = useBootstrap();
  const nav = first(article, 'textLanguages');
  const links = useMemo(() => (nav ? all(nav, 'textLanguage') : []), [nav]);
  const translations = useMemo(
    () => links.map((link) => valueOf(link, 'textLanguage')).filter((lang) => !sameLanguage(lang, article.lang) && translatedSections(article, lang).length),
    [links, article],
  );
  const own = languages.find((language) => language.code === code)?.tag ?? code;
  const [lang, setLang] = useState(() => translations.find((each) => sameLanguage(each, own)) ?? translations[0]);
  const [view, setView] = useState<View>('original');
  const restore = useRef<() => void>(undefined);
  const [host, setHost] = useState<HTMLElement | null>(null);

  const show = useCallback(
    (next: View, language?: string) => {
      restore.current = holdPlace(article);
      setView(next);
      if (language) setLang(language);
    },
    [article],
  );
  useLayoutEffect(() => {
    if (view === 'original' || !lang) return;
    const undo = putBeside(article, lang, dirOf(lang), view === 'translation');
    article.dataset['view'] = view;
    return () => {
      undo();
      delete article.dataset['view'];
    };
  }, [article, view, lang]);
  useLayoutEffect(() => {
    restore.current?.();
    restore.current = undefined;
    const current = view === 'original' ? article.lang : view === 'translation' ? lang : undefined;
    for (const link of links) {
      const chosen = current !== undefined && sameLanguage(valueOf(link, 'textLanguage'), current);
      if (chosen) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }, [article, links, view, lang]);
  useEffect(() => {
    if (!nav) return;
    const element = document.createElement('span');
    nav.append(element);
    setHost(element);
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? around(event.target, 'textLanguage') : null;
      const chosen = link && valueOf(link, 'textLanguage');
      if (!chosen || !isPlainClick(event)) return;
      const original = sameLanguage(chosen, article.lang);
      if (!original && !translations.includes(chosen)) return;
      event.preventDefault();
      show(original ? 'original' : 'translation', original ? undefined : chosen);
    };
    nav.addEventListener('click', click);
    return () => {
      nav.removeEventListener('click', click);
      element.remove();
    };
  }, [nav, article, translations, show]);
  if (!host || !lang) return null;
  return createPortal(
    <Button variant="quiet" className="side-by-side" aria-pressed={view === 'both'} onClick={() => show(view === 'both' ? 'original' : 'both')}>
      {t('side_by_side')}
    </Button>,
    host,
  );
}
