import { useDeferredValue, useId, useRef, useState, type ButtonHTMLAttributes, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { useShell } from '../contract/context.tsx';
import { linkDestination } from '../links/links.ts';
import { loadOverlays, useOverlays } from './load.ts';
import type { DialogProps, MenuItem, MenuSheetProps, PopoverProps } from './types.ts';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'plain' | 'quiet' | 'icon';
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant = 'plain', className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={`mh-button mh-button-${variant}${className ? ` ${className}` : ''}`} {...rest} />;
}

/** Whether an overlay is drawn: the control that opens it answers first, and the overlay, which takes longer, follows. It closes at once. */
const useDrawn = (open: boolean): boolean => useDeferredValue(open) && open;

export function Dialog(props: DialogProps) {
  const overlays = useOverlays(props.open);
  const open = useDrawn(props.open);
  return overlays ? <overlays.DialogOverlay {...props} open={open} /> : null;
}

export function Popover(props: PopoverProps) {
  const overlays = useOverlays(props.open);
  const open = useDrawn(props.open);
  return overlays ? <overlays.PopoverOverlay {...props} open={open} /> : null;
}

/** The menu of narrow windows as a dialog; it uses the messages `menu`, `close`, `submenu` and `theme...` of the module. */
export function MenuSheet(props: MenuSheetProps) {
  const overlays = useOverlays(props.open);
  const open = useDrawn(props.open);
  return overlays ? <overlays.MenuSheetOverlay {...props} open={open} /> : null;
}

/** The links of a menu for readers without scripts, to whom its button does nothing. React leaves the content of a noscript to the host's markup. */
function PlainLinks({ label, items }: { label: string; items: MenuItem[] }) {
  const links = items.filter((item) => item.href && linkDestination(item.href, 'https://site.invalid/'));
  if (!links.length) return null;
  return (
    <noscript>
      <ul className="mh-plain-links" aria-label={label}>
        {links.map((item) => (
          <li key={item.key}>
            <a href={item.href} lang={item.lang} hrefLang={item.hrefLang} dir={item.dir} aria-current={item.current || undefined}>
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </noscript>
  );
}

/** A button with a menu of links or commands. */
export function Menu({
  label,
  items,
  className,
  children,
  align,
}: {
  label: string;
  items: MenuItem[];
  className?: string;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const overlays = useOverlays(open);
  const drawn = useDrawn(open);
  const { navigate, bootstrap } = useShell();
  const dir = bootstrap.languages.find((language) => language.code === bootstrap.lang)?.dir === 'rtl' ? 'rtl' : 'ltr';
  const warm = () => void loadOverlays().catch(() => undefined);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onPointerEnter={warm}
        onFocus={warm}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        {children}
      </button>
      <PlainLinks label={label} items={items} />
      {overlays && (
        <overlays.MenuOverlay
          open={drawn}
          onOpenChange={setOpen}
          anchor={trigger.current}
          items={items}
          label={label}
          align={align}
          dir={dir}
          onPick={(item) => (item.onSelect ? item.onSelect() : item.href && navigate(item.href))}
        />
      )}
    </>
  );
}

export interface Tab {
  key: string;
  label: string;
}

/**
 * A tab list; with `children` also its one panel. Written by hand because the shell shares it with modules from the first view on, to which
 * @radix-ui/react-tabs 1.2.1 would add 6,939 bytes (brotli) of script.
 */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
  className,
  children,
}: {
  label: string;
  tabs: Tab[];
  value: string;
  onChange(key: string): void;
  className?: string;
  children?: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.key === value);
    const back = list.current && getComputedStyle(list.current).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? tabs.length - 1
          : event.key === 'ArrowLeft' || event.key === 'ArrowRight'
            ? (at + (event.key === back ? -1 : 1) + tabs.length) % tabs.length
            : -1;
    const tab = tabs[next];
    if (!tab) return;
    event.preventDefault();
    onChange(tab.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={className ?? 'mh-tabs'} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === value ? 0 : -1}
            onClick={() => onChange(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
          {children}
        </div>
      )}
    </>
  );
}
