import { Link, Slot, useT, type FooterProps } from '@masthead/ui-sdk';

const record = (text: string, href: string) =>
  href ? (
    <Link href={href} newTab>
      <bdi>{text}</bdi>
    </Link>
  ) : (
    <bdi>{text}</bdi>
  );

export function View({ footer, site, homeHref }: FooterProps) {
  const t = useT();
  return (
    <footer className="frame-footer" data-module="footer-default">
      <Slot name="footer.rows" />
      <div className="footer-head">
        <p className="footer-name">
          <Link href={homeHref}>
            <bdi>{site.name}</bdi>
          </Link>
        </p>
        {footer.links && (
          <ul className="footer-toolbar" data-icons={footer.toolbarStyle > 1 || undefined}>
            {footer.links.map(({ route, label, href }) => (
              <li key={route}>
                <Link href={href} data-route={route}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
      {footer.copyright && (
        <p className="footer-copyright">
          <bdi>{footer.copyright}</bdi>
        </p>
      )}
      {(footer.icp || footer.picp) && (
        <ul className="footer-records" aria-label={t('records')}>
          {footer.icp && <li>{record(footer.icp, footer.icpHref)}</li>}
          {footer.picp && <li className="footer-security">{record(footer.picp, footer.picpHref)}</li>}
        </ul>
      )}
    </footer>
  );
}
