import { useBootstrap, useSession, useShell, useT } from '@masthead/ui-sdk';

export type Names = Record<string, string | undefined>;
export interface Props {
  label?: Names;
}

const icon = (path: string) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

/** The account icon of a site with an external identity service; the user's name and a sign-out link once signed in. Both links are plain anchors, because they lead to the host and not to a page of the shell. */
export function View({ label = {} }: Props) {
  const t = useT();
  const { base, lang } = useBootstrap();
  const { path } = useShell();
  const { userName } = useSession();
  if (userName) {
    return (
      <span className="account-link">
        <span className="account-name">
          <span className="mh-hidden">{t('signed_in', { name: userName })}</span>
          <bdi aria-hidden="true">{userName}</bdi>
        </span>
        <a href={`${base}/${lang}/logout`} aria-label={t('sign_out')} title={t('sign_out')}>
          {icon('M10 4H5v16h5M15 8l4 4-4 4M19 12H9.5')}
        </a>
      </span>
    );
  }
  const name = label[lang] || label['en'] || t('sign_in');
  return (
    <span className="account-link">
      <a href={`${base}/${lang}/login/external?url=${encodeURIComponent(path)}`} aria-label={name} title={name}>
        {icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5')}
      </a>
    </span>
  );
}
