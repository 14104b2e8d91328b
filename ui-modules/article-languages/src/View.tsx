import { Menu, useBootstrap, useT, type ModuleProps } from '@masthead/ui-sdk';
import { GLOBE, Icon } from '@masthead/ui-sdk/icons';

export interface Props {
  languages: string[];
}

/** A menu of the languages in which the article can be read, each by its own name. */
export function View({ languages: wanted = [], lang }: ModuleProps<'article.toolbar', Props>) {
  const t = useT();
  const { languages } = useBootstrap();
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
      <Icon path={GLOBE} />
      <span>{t('title')}</span>
    </Menu>
  );
}
