import { useT, type ModuleProps } from '@masthead/ui-sdk';
import { Icon, PERSON, SIGN_OUT } from '@masthead/ui-sdk/icons';

export type Names = Record<string, string | undefined>;
export interface Props {
  label: Names;
}

/** The account icon of a site with an external identity service; the user's name and a sign-out link once signed in. Both links are plain anchors, because they lead to the host and not to a page of the shell. */
export function View({ label = {}, base, lang, path, session: { userName } }: ModuleProps<'header.account', Props>) {
  const t = useT();
  if (userName) {
    return (
      <span className="account-link">
        <span className="account-name">
          <span className="mh-hidden">{t('signed_in', { name: userName })}</span>
          <bdi aria-hidden="true">{userName}</bdi>
        </span>
        <a href={`${base}/${lang}/logout`} aria-label={t('sign_out')} title={t('sign_out')}>
          <Icon path={SIGN_OUT} />
        </a>
      </span>
    );
  }
  const name = label[lang] || label['en'] || t('sign_in');
  return (
    <span className="account-link">
      <a href={`${base}/${lang}/login/external?url=${encodeURIComponent(path)}`} aria-label={name} title={name}>
        <Icon path={PERSON} />
      </a>
    </span>
  );
}
