import { Link, useBootstrap } from '@masthead/ui-sdk';

/** The site's logo in the page's language: of its own below 768 px and on dark paper, where the site has one; without a logo, the name. */
export function Logo() {
  const { site, header } = useBootstrap();
  const { darkLogo, mobileLogo } = header;
  return (
    <Link className="frame-logo" href={header.homeHref} data-dark={darkLogo ? '' : undefined}>
      {site.logo ? (
        <picture>
          {mobileLogo && <source media="(max-width: 767.98px)" srcSet={mobileLogo} />}
          <img src={site.logo} alt={site.name} />
        </picture>
      ) : (
        site.name
      )}
      {/* One of the two is displayed, and has a name; the other is not fetched before the reader chooses dark paper. */}
      {site.logo && darkLogo && <img className="frame-logo-dark" src={darkLogo} alt={site.name} loading="lazy" />}
    </Link>
  );
}
