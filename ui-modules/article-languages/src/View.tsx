import { Menu, useBootstrap, useT } from '@masthead/ui-sdk';

export interface Props {
  languages?: string[];
}

/** A menu of the languages in which the article can be read, each by its own name. */
export function View({ languages: wanted = [] }: Props) {
  const t = useT();
  const { lang, languages } = useBootstrap();
  const shown = wanted.flatMap((code) => languages.find((language) => language.code === code) ?? []);
  if (!shown.some((language) => language.code !== lang)) return null;
  return (
    <Menu
      label={t('title')}
      className="mh-button mh-button-quiet article-languages"
      items={shown.map((language) => ({
        key: language.code,
        label: language.name,
        href: language.href,
        lang: language.tag,
        hrefLang: language.tag,
        dir: language.dir,
        current: language.code === lang,
      }))}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 12h17M12 3c2.4 2.5 3.6 5.5 3.6 9s-1.2 6.5-3.6 9c-2.4-2.5-3.6-5.5-3.6-9S9.6 5.5 12 3z" />
      </svg>
      <span>{t('title')}</span>
    </Menu>
  );
}
