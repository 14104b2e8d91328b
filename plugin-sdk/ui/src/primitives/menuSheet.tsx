import { useEffect, useState } from 'react';
import type { MenuLink } from '../contract/contract.ts';
import { useShell } from '../contract/context.tsx';
import type { Bootstrap } from '../contract/slots.ts';
import { useT, type Translate } from '../i18n/i18n.ts';
import { Link } from '../links/Link.tsx';
import { CHEVRON, Icon, MOON, SCREEN, SUN } from '../icons/icons.tsx';
import { useTheme, type Theme } from '../theme/theme.ts';
import { DialogOverlay } from './overlays.tsx';
import type { MenuSheetProps } from './types.ts';

const icon = (path: string) => <Icon path={path} className="frame-icon" />;

const THEMES: { theme: Theme; path: string; name(t: Translate): string }[] = [
  { theme: 'light', path: SUN, name: (t) => t('theme_light') },
  { theme: 'dark', path: MOON, name: (t) => t('theme_dark') },
  { theme: 'system', path: SCREEN, name: (t) => t('theme_system') },
];

function ThemeButtons() {
  const t = useT();
  const { theme, choose } = useTheme();
  return (
    <div className="frame-sheet-themes" role="group" aria-label={t('theme')}>
      {THEMES.map((one) => (
        <button key={one.theme} type="button" aria-pressed={one.theme === theme} onClick={() => choose(one.theme)}>
          {icon(one.path)}
          {one.name(t)}
        </button>
      ))}
    </div>
  );
}

function Entry({ item, onPick }: { item: MenuLink; onPick(): void }) {
  return (
    <Link href={item.href} newTab={item.newTab} aria-current={item.current ? 'page' : undefined} onClick={onPick}>
      {item.label}
    </Link>
  );
}

/** An entry with others below it is a button that unfolds them; the first of them is its own page. The home page is always a link. */
function Unfolding({ item, open, onToggle, onPick }: { item: MenuLink; open: boolean; onToggle(): void; onPick(): void }) {
  const t = useT();
  if (!item.children.length || item.code === 'home') {
    return (
      <li>
        <Entry item={item} onPick={onPick} />
      </li>
    );
  }
  const below = item.href ? [{ ...item, children: [] }, ...item.children] : item.children;
  return (
    <li>
      <button type="button" className="frame-sheet-row" aria-expanded={open} aria-label={t('submenu', { name: item.label })} onClick={onToggle}>
        <span>{item.label}</span>
        {icon(CHEVRON)}
      </button>
      {/* Its entries are drawn when it is unfolded: the menu opens with what one sees of it. */}
      <ul hidden={!open}>
        {open &&
          below.map((child) => (
            <li key={`${child.id} ${child.href}`}>
              <Entry item={child} onPick={onPick} />
            </li>
          ))}
      </ul>
    </li>
  );
}

const entry = (label: string, href: string, children: MenuLink[] = []): MenuLink => ({
  id: 0,
  code: '',
  label,
  href,
  newTab: false,
  current: false,
  children,
});

/** The channels, and the group with its sites. */
function entries({ menu, header }: Bootstrap): MenuLink[] {
  const { group, groupEntrance } = header;
  const items = [...menu];
  if (group && groupEntrance) items.push(entry(group.entrance, groupEntrance));
  const sites = group?.sites.map(({ name, href }) => entry(name, href)) ?? [];
  if (group && sites.length) items.push(entry(group.title, '', sites));
  return items;
}

/** The menu below 768 px: entries of two levels, what `children` adds, and the choice of light and dark. */
export function MenuSheetOverlay({ open, onOpenChange, variant = 'side', returnFocus, children }: MenuSheetProps) {
  const t = useT();
  const { path, bootstrap } = useShell();
  const [unfolded, setUnfolded] = useState<number>();
  const close = () => onOpenChange(false);
  // Another page, by Back too, is not under its menu; neither is a wider window, which has a menu of its own.
  useEffect(() => {
    const wide = typeof matchMedia === 'function' ? matchMedia('(min-width: 768px)') : undefined;
    const change = () => wide?.matches && onOpenChange(false);
    wide?.addEventListener('change', change);
    return () => {
      wide?.removeEventListener('change', change);
      onOpenChange(false);
    };
  }, [path, onOpenChange]);
  return (
    <DialogOverlay
      open={open}
      onOpenChange={onOpenChange}
      title={t('menu')}
      variant="sheet"
      closeLabel={t('close')}
      returnFocus={returnFocus}
      className={`frame-sheet frame-sheet-${variant}`}
    >
      <div className="frame-sheet-body">
        <ul>
          {entries(bootstrap).map((item, index) => (
            <Unfolding
              key={`${item.id} ${item.href}`}
              item={item}
              open={unfolded === index}
              onToggle={() => setUnfolded(unfolded === index ? undefined : index)}
              onPick={close}
            />
          ))}
        </ul>
        <div className="frame-sheet-buttons">{children}</div>
      </div>
      <ThemeButtons />
    </DialogOverlay>
  );
}
