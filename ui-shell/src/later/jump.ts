import { linkDestination, useShell, useT } from '@masthead/ui-sdk';
import { internalPath, isPlainClick } from '@masthead/ui-sdk/shell';
import { useEffect } from 'react';
import { told } from '../calls/api.ts';
import { documents } from '../browser/documents.ts';

/** The call for the address of an item, by what `data-jump` says it is: `news 12` or `article 64`. */
const CALLS: Record<string, string> = {
  article: '/rc-pub/front/front-article/getJumpUrl',
  news: '/rc-pub/front/front-news/getJumpUrl',
};

/**
 * Links whose address the host decides when they are followed (`data-jump`). Their own address serves where there are no scripts. If the host
 * names none, its message is shown, and the page stays; likewise if it cannot be reached.
 */
export function useJumps(): void {
  const t = useT();
  const { api, bootstrap, busy, navigate, notify } = useShell();
  const { base, lang, site } = bootstrap;
  useEffect(() => {
    const jump = async (path: string, id: string, newTab: boolean) => {
      try {
        const query = { siteId: site.id, id, ...(path === CALLS['news'] ? { language: lang } : {}) };
        const answer = await busy(api.get<string | { status: number; message: string }>(path, query));
        if (typeof answer !== 'string') return notify(answer.message, 'failed');
        if (linkDestination(answer, location.href) !== 'web') return;
        if (newTab) window.open(answer, '_blank', 'noopener');
        else if (internalPath(answer, base) === undefined) documents.assign(answer);
        else navigate(answer);
      } catch (error) {
        const text = told(error, t('error_text'));
        if (text) notify(text, 'failed');
      }
    };
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-jump]') : null;
      const [kind = '', id] = link?.dataset['jump']?.split(' ') ?? [];
      const path = CALLS[kind];
      if (!link || !path || !id || !isPlainClick(event)) return;
      event.preventDefault();
      void jump(path, id, link.target === '_blank');
    };
    // Before the shell opens the link's own address.
    document.addEventListener('click', click, { capture: true });
    return () => document.removeEventListener('click', click, { capture: true });
  }, [api, base, lang, site.id, busy, navigate, notify, t]);
}
