import { Link, Slot, useBootstrap, useT } from '@masthead/ui-sdk';

const record = (text: string, href: string) =>
  href ? (
    <Link href={href} newTab>
      {text}
    </Link>
  ) : (
    text
  );

export function View() {
  const t = useT();
  const { footer, site, header } = useBootstrap();
  return (
    <footer className="frame-footer" data-module="footer-default">
      <Slot name="footer.rows" />
      <p className="footer-name">
        <Link href={header.homeHref}>{site.name}</Link>
      </p>
      {footer.copyright && <p className="footer-copyright">{footer.copyright}</p>}
      {(footer.icp || footer.picp) && (
        <ul className="footer-records" aria-label={t('records')}>
          {footer.icp && <li>{record(footer.icp, footer.icpHref)}</li>}
          {footer.picp && <li>{record(footer.picp, footer.picpHref)}</li>}
        </ul>
      )}
    </footer>
  );
}
