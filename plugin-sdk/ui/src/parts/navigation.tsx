import { Button, Link, Menu, MenuSheet, Slot, useBootstrap, usePopup, useSession, useShell, useT, useTheme, type MenuLink, type Theme } from '@masthead/ui-sdk';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject, type SyntheticEvent } from 'react';
import { CHEVRON, DOTS, Icon, LINES, MOON, PERSON, SCREEN, SIGN_OUT, SUN } from '../icons/icons.tsx';

const icon = (path: string) => <Icon path={path} className="frame-icon" />;

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

const Entry = ({ item, onClick }: { item: MenuLink; onClick?(): void }) => (
  <Link href={item.href} newTab={item.newTab} aria-current={item.current ? 'page' : undefined} onClick={onClick}>
    {item.label}
  </Link>
);

/** An entry with others below it: they unfold under the pointer, and by a button. Escape and whatever is done elsewhere fold them again. */
function Item({ item }: { item: MenuLink }) {
  const t = useT();
  const id = useId();
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!open) return;
    const leave = (event: Event) => {
      const isInside = event.target instanceof Node && place.current?.contains(event.target);
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (isEscape && isInside) place.current?.querySelector('button')?.focus();
      if (isEscape || (!isInside && event.type !== 'keydown')) setOpen(false);
    };
    const events = ['keydown', 'pointerdown', 'focusin'];
    for (const event of events) document.addEventListener(event, leave);
    return () => {
      for (const event of events) document.removeEventListener(event, leave);
    };
  }, [open]);
  if (!item.children.length) {
    return (
      <li>
        <Entry item={item} />
      </li>
    );
  }
  return (
    <li
      ref={place}
      className="has-children"
      data-open={open || undefined}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
    >
      <Entry item={item} onClick={() => setOpen(false)} />
      <button
        type="button"
        className="frame-sub"
        aria-expanded={open}
        aria-controls={id}
        aria-label={t('submenu', { name: item.label })}
        onClick={() => setOpen(!open)}
      >
        {icon(CHEVRON)}
      </button>
      <ul id={id}>
        {item.children.map((child) => (
          <li key={child.id}>
            <Entry item={child} onClick={() => setOpen(false)} />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The channels in one line; those that do not fit are in the menu "More". */
export function Channels() {
  const t = useT();
  const { menu, header } = useBootstrap();
  const list = useRef<HTMLUListElement>(null);
  const fits = useFirstLine(list, menu.length);
  const rest = menu.slice(fits).flatMap((item) => [item, ...item.children]);
  // Pages such as the sign-in have no navigation.
  if (!menu.length) return null;
  return (
    <nav aria-label={t('menu')} className="frame-nav" data-distribution={header.navDistribution}>
      <ul className="frame-menu" ref={list}>
        {menu.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      {rest.length > 0 && (
        <Menu
          label={t('more')}
          className="frame-more"
          items={rest.map(({ id, label, href, current, newTab }) => ({ key: String(id), label, href, current, newTab }))}
        >
          {icon(DOTS)}
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
      // The visible name of the language is part of the accessible name, so that speech input finds the button by it.
      label={[here?.name, t('language')].filter(Boolean).join(', ')}
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
      {icon(CHEVRON)}
    </Menu>
  );
}

const THEMES: Record<Theme, ReactNode> = { light: icon(SUN), dark: icon(MOON), system: icon(SCREEN) };

/** The choice of light and dark paper, as a menu. */
export function ThemeSwitch() {
  const t = useT();
  const { theme, choose } = useTheme();
  const all = Object.keys(THEMES) as Theme[];
  return (
    <Menu
      label={`${t('theme')}: ${t(`theme_${theme}`)}`}
      className="frame-theme"
      items={all.map((one) => ({ key: one, label: t(`theme_${one}`), current: one === theme, onSelect: () => choose(one) }))}
    >
      {THEMES[theme]}
    </Menu>
  );
}

/** The way to the sign-in or, with the reader's masked name, to their pages and to the sign-out. */
export function Account() {
  const t = useT();
  const { header, base, lang } = useBootstrap();
  const { signedIn, userName } = useSession();
  const own = signedIn ? (
    <>
      <a className="frame-account" href={`${base}/personal`} aria-label={t('account', { name: userName })}>
        {icon(PERSON)}
        <bdi className="frame-name">{userName}</bdi>
      </a>
      {/* The host's address; with scripts, the shell signs out in place. */}
      <a className="frame-account frame-out" href={`${base}/${lang}/logout`} rel="nofollow" aria-label={t('sign_out')} title={t('sign_out')}>
        {icon(SIGN_OUT)}
      </a>
    </>
  ) : (
    header.loginHref && (
      <a className="frame-account" href={header.loginHref} aria-label={t('sign_in')}>
        {icon(PERSON)}
      </a>
    )
  );
  // The link stands until a module of its own comes, and without scripts; without one, its place is kept.
  return (
    <Slot name="header.account" waiting={own || <span className="frame-account" aria-hidden="true" />}>
      {own || null}
    </Slot>
  );
}

export function CustomButtons() {
  const { header } = useBootstrap();
  return header.buttons.slice(0, 3).map(({ label, href, pcPicture, mobilePicture }) => (
    <Link key={href + label} className="frame-button" href={href}>
      {(pcPicture || mobilePicture) && (
        <picture>
          {mobilePicture && <source media="(max-width: 767.98px)" srcSet={mobilePicture} />}
          <img src={pcPicture || (mobilePicture as string)} alt="" />
        </picture>
      )}
      {label}
    </Link>
  ));
}

/** The way to the group: its site, and on a group site the other sites of the group. */
export function GroupEntrance() {
  const { header } = useBootstrap();
  const { group, groupEntrance } = header;
  if (!group) return null;
  return (
    <>
      {groupEntrance && (
        <Link className="frame-group" href={groupEntrance}>
          {group.entrance}
        </Link>
      )}
      {group.sites.length > 0 && (
        <Menu label={group.title} className="frame-group" align="start" items={group.sites.map(({ name, href }) => ({ key: href, label: name, href }))}>
          {group.title}
          {icon(CHEVRON)}
        </Menu>
      )}
    </>
  );
}

export { Logo } from './Logo.tsx';

/**
 * The button of the search below 768 px: except on the home page and on results, the search widget is a popup there. The button is a link to the
 * search, so that it leads there too where this module does not run.
 */
export function MobileSearch() {
  const t = useT();
  const shell = useShell();
  const { header, search } = shell.bootstrap;
  const [open, setOpen] = usePopup();
  const button = useRef<HTMLAnchorElement>(null);
  // Read while it is open only: markup that depends on the path is rendered for each page.
  const path = open ? shell.path : '';
  useEffect(() => {
    if (open) return () => setOpen(false);
  }, [open, path, setOpen]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-search', open);
    if (!open) return;
    document.querySelector<HTMLElement>('.frame-search [type=search]')?.focus();
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [open, setOpen]);
  if (!header.searchBox) return null;
  const toggle = (event: SyntheticEvent) => {
    event.preventDefault();
    setOpen(!open);
  };
  return (
    <a
      ref={button}
      className="frame-search-button"
      href={search.action}
      role="button"
      aria-expanded={open}
      aria-label={t('search')}
      onClick={toggle}
      onKeyDown={(event) => event.key === ' ' && toggle(event)}
    />
  );
}

/** The button of the menu below 768 px; the menu comes from the side, or from the top. */
export function MobileMenu({ from }: { from?: 'side' | 'top' }) {
  const t = useT();
  const { menu } = useBootstrap();
  const [open, setOpen] = usePopup();
  const button = useRef<HTMLButtonElement>(null);
  if (!menu.length) return null;
  return (
    <div className="frame-mobile">
      <Button ref={button} variant="icon" aria-label={t('menu')} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {icon(LINES)}
      </Button>
      <MenuSheet open={open} onOpenChange={setOpen} variant={from} returnFocus={() => button.current}>
        <CustomButtons />
      </MenuSheet>
    </div>
  );
}
