import { Button, Dialog, Link, Menu, Slot, useBootstrap, useSession, useT, type MenuLink } from '@masthead/ui-sdk';
import { useEffect, useId, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

const icon = (path: string) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="frame-icon">
    <path d={path} />
  </svg>
);
export const CHEVRON = icon('M7 10l5 5 5-5');

/** Number of items that fit into the first line of a wrapping list; hides the others. */
export function useFirstLine(list: RefObject<HTMLElement | null>, count: number): number {
  const [fits, setFits] = useState(count);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const measure = () => {
      const items = [...element.children].filter((child) => !child.hasAttribute('data-more')) as HTMLElement[];
      const first = items[0];
      if (!first) return;
      for (const item of items) item.hidden = false;
      // Without a layout (below 768 px the list is hidden) all items count.
      const inLine = !first.offsetHeight ? items.length : items.filter((item) => item.offsetTop < first.offsetTop + first.offsetHeight / 2).length;
      items.forEach((item, index) => {
        item.hidden = index >= inLine;
      });
      setFits(inLine);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, count]);
  return fits;
}

function Item({ item }: { item: MenuLink }) {
  const t = useT();
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!item.children.length) {
    return (
      <li>
        <Link href={item.href} newTab={item.newTab} aria-current={item.current ? 'page' : undefined}>
          {item.label}
        </Link>
      </li>
    );
  }
  return (
    <li
      className="has-children"
      data-open={open || undefined}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
      onBlur={(event: FocusEvent<HTMLLIElement>) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <Link href={item.href} newTab={item.newTab} aria-current={item.current ? 'page' : undefined}>
        {item.label}
      </Link>
      <button
        ref={button}
        type="button"
        className="frame-sub"
        aria-expanded={open}
        aria-controls={id}
        aria-label={t('submenu', { name: item.label })}
        onClick={() => setOpen(!open)}
      >
        {CHEVRON}
      </button>
      <ul id={id}>
        {item.children.map((child) => (
          <li key={child.id}>
            <Link href={child.href} newTab={child.newTab} aria-current={child.current ? 'page' : undefined} onClick={() => setOpen(false)}>
              {child.label}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The channels in one line; those that do not fit are in the menu "More". */
export function Channels() {
  const t = useT();
  const { menu } = useBootstrap();
  const list = useRef<HTMLUListElement>(null);
  const fits = useFirstLine(list, menu.length);
  const rest = menu.slice(fits).flatMap((item) => [item, ...item.children]);
  return (
    <nav aria-label={t('menu')} className="frame-nav">
      <ul className="frame-menu" ref={list}>
        {menu.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      {rest.length > 0 && (
        <Menu
          label={t('more')}
          className="frame-more"
          items={rest.map((item) => ({ key: String(item.id), label: item.label, href: item.href, current: item.current }))}
        >
          {icon('M5 12h.01M12 12h.01M19 12h.01')}
        </Menu>
      )}
    </nav>
  );
}

/** The other language as a link, or a menu when there are several. */
export function LanguageSwitch() {
  const t = useT();
  const { lang, languages, header } = useBootstrap();
  const others = languages.filter((language) => language.code !== lang);
  const [other] = others;
  if (!header.switchLanguage || !other) return null;
  if (others.length === 1) {
    return (
      <Link className="frame-lang" href={other.href} lang={other.tag} hrefLang={other.tag} rel="alternate">
        {other.name}
      </Link>
    );
  }
  const here = languages.find((language) => language.code === lang);
  return (
    <Menu
      label={t('language')}
      className="frame-lang"
      items={languages.map((language) => ({
        key: language.code,
        label: language.name,
        href: language.href,
        lang: language.tag,
        current: language.code === lang,
      }))}
    >
      <span lang={here?.tag}>{here?.name}</span>
      {CHEVRON}
    </Menu>
  );
}

export function Account() {
  const t = useT();
  const { header, base } = useBootstrap();
  const session = useSession();
  return (
    <Slot name="header.account" waiting={<span className="frame-account" aria-hidden="true" />}>
      {session.signedIn || header.loginHref ? (
        <a
          className="frame-account"
          href={session.signedIn ? `${base}/personal` : header.loginHref}
          aria-label={session.signedIn ? t('account', { name: session.userName }) : t('sign_in')}
        >
          {icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5')}
        </a>
      ) : null}
    </Slot>
  );
}

export function CustomButtons() {
  const { header } = useBootstrap();
  return header.buttons.slice(0, 3).map((button) => (
    <Link key={button.href + button.label} className="frame-button" href={button.href}>
      {button.label}
    </Link>
  ));
}

export function Logo() {
  const { site, header } = useBootstrap();
  return (
    <Link className="frame-logo" href={header.homeHref}>
      {site.logo ? <img src={site.logo} alt={site.name} /> : site.name}
    </Link>
  );
}

/** The menu below 768 px: the channels in a panel, second level collapsed. */
export function MobileMenu() {
  const t = useT();
  const { menu, lang } = useBootstrap();
  const [open, setOpen] = useState(false);
  const [unfolded, setUnfolded] = useState<number | undefined>();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  useEffect(close, [lang]);
  return (
    <div className="frame-mobile">
      <Button ref={button} variant="icon" aria-label={t('menu')} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {icon('M4 7h16M4 12h16M4 17h16')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('menu')}
        variant="sheet"
        closeLabel={t('close')}
        returnFocus={() => button.current}
        className="frame-sheet"
      >
        <ul>
          {menu.map((item) => (
            <li key={item.id}>
              <div className="frame-sheet-row">
                <Link href={item.href} newTab={item.newTab} aria-current={item.current ? 'page' : undefined} onClick={close}>
                  {item.label}
                </Link>
                {item.children.length > 0 && (
                  <button
                    type="button"
                    aria-expanded={unfolded === item.id}
                    aria-label={t('submenu', { name: item.label })}
                    onClick={() => setUnfolded(unfolded === item.id ? undefined : item.id)}
                  >
                    {CHEVRON}
                  </button>
                )}
              </div>
              {item.children.length > 0 && (
                <ul hidden={unfolded !== item.id}>
                  {item.children.map((child) => (
                    <li key={child.id}>
                      <Link href={child.href} newTab={child.newTab} aria-current={child.current ? 'page' : undefined} onClick={close}>
                        {child.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
        <div className="frame-sheet-buttons">
          <CustomButtons />
        </div>
      </Dialog>
    </div>
  );
}
