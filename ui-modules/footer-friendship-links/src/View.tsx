import { dirOf, linkDestination, tagOf, useT, type ModuleProps } from '@masthead/ui-sdk';
import { useId } from 'react';

export type Names = Record<string, string | undefined>;
export interface Props {
  title: Names;
  links: { name: Names; address: string }[];
}

/** Languages whose names serve those without a name of their own, in this order; the host's row does the same (host/web/src/page/link_row.rs). */
const OTHERS = ['en', 'zh'];

/** Says in which language a name is, for the voice that reads it and the font, where that is another one than the page's. */
function marks(code: string, lang: string): { lang?: string; dir?: string } {
  if (code === lang) return {};
  return dirOf(code) === dirOf(lang) ? { lang: tagOf(code) } : { lang: tagOf(code), dir: dirOf(code) };
}

export function View({ title = {}, links = [], lang }: ModuleProps<'footer.rows', Props>) {
  const t = useT();
  const id = useId();
  const shown = links.flatMap(({ name, address }) => {
    const code = linkDestination(address) === 'web' ? [lang, ...OTHERS].find((each) => name[each]) : undefined;
    return code === undefined ? [] : [{ address, code, name: name[code] }];
  });
  if (!shown.length) return null;
  return (
    <nav className="friendship" aria-labelledby={id}>
      {/* The module has a title in every language: a heading is never in another language than the page. */}
      <h2 id={id}>{title[lang] || t('title')}</h2>
      <ul>
        {shown.map(({ address, code, name }) => (
          <li key={address}>
            <a href={address} target="_blank" rel="noopener">
              <bdi {...marks(code, lang)}>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
