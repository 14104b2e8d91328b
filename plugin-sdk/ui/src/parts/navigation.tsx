import { Button, Dialog, Link, Menu, Slot, useBootstrap, useSession, useT, useTheme, type MenuLink, type Theme, type Translate } from '@masthead/ui-sdk';
import { useEffect, useId, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { CHEVRON, DOTS, Icon, LINES, MOON, PERSON, SCREEN, SUN } from './icons.tsx';

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
        {icon(CHEVRON)}
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

const THEMES: { theme: Theme; name(t: Translate): string; icon: ReactNode }[] = [
  { theme: 'light', name: (t) => t('theme_light'), icon: icon(SUN) },
  { theme: 'dark', name: (t) => t('theme_dark'), icon: icon(MOON) },
  { theme: 'system', name: (t) => t('theme_system'), icon: icon(SCREEN) },
];

/** The choice of light and dark paper, as a menu. */
export function ThemeSwitch() {
  const t = useT();
  const { theme, choose } = useTheme();
  const now = THEMES.find((one) => one.theme === theme);
  return (
    <Menu
      label={`${t('theme')}: ${now?.name(t) ?? ''}`}
      className="frame-theme"
      items={THEMES.map((one) => ({ key: one.theme, label: one.name(t), current: one === now, onSelect: () => choose(one.theme) }))}
    >
      {now?.icon}
    </Menu>
  );
}

/** The same below 768 px, in the panel of the channels. */
function ThemeButtons() {
  const t = useT();
  const { theme, choose } = useTheme();
  return (
    <div className="frame-sheet-themes" role="group" aria-label={t('theme')}>
      {THEMES.map((one) => (
        <button key={one.theme} type="button" aria-pressed={one.theme === theme} onClick={() => choose(one.theme)}>
          {one.icon}
          {one.name(t)}
        </button>
      ))}
    </div>
  );
}

export function Account() {
  const t = useT();
  const { header, base } = useBootstrap();
  const session = useSession();
  const own = (session.signedIn || header.loginHref) && (
    <a
      className="frame-account"
      href={session.signedIn ? `${base}/personal` : header.loginHref}
      aria-label={session.signedIn ? t('account', { name: session.userName }) : t('sign_in')}
    >
      {icon(PERSON)}
    </a>
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
  return header.buttons.slice(0, 3).map((button) => (
    <Link key={button.href + button.label} className="frame-button" href={button.href}>
      {button.label}
    </Link>
  ));
}

export { Logo } from './Logo.tsx';

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
        {icon(LINES)}
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
                    {icon(CHEVRON)}
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
        <ThemeButtons />
        <div className="frame-sheet-buttons">
          <CustomButtons />
        </div>
      </Dialog>
    </div>
  );
}
