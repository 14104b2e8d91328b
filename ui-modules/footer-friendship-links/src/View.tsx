import { linkDestination, useT, type ModuleProps } from '@masthead/ui-sdk';
import { useId } from 'react';

export type Names = Record<string, string | undefined>;
export interface Props {
  title: Names;
  links: { name: Names; address: string }[];
}

export function View({ title = {}, links = [], lang }: ModuleProps<'footer.rows', Props>) {
  const t = useT();
  const id = useId();
  // Languages without a name of their own show the English one.
  const nameOf = (link: Props['links'][number]) => link.name[lang] || link.name['en'] || '';
  const shown = links.filter((link) => linkDestination(link.address) === 'web' && nameOf(link));
  if (!shown.length) return null;
  return (
    <nav className="friendship" aria-labelledby={id}>
      {/* The module has a title in every language: a heading is never in another language than the page. */}
      <h2 id={id}>{title[lang] || t('title')}</h2>
      <ul>
        {shown.map((link) => (
          <li key={link.address}>
            <a href={link.address} target="_blank" rel="noopener">
              <bdi>{nameOf(link)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
