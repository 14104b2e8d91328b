import * as RadixDialog from '@radix-ui/react-dialog';
import * as RadixMenu from '@radix-ui/react-menu';
import * as RadixPopover from '@radix-ui/react-popover';
import { setNonce } from 'get-nonce';
import { useContext, useEffect, useRef, type RefObject } from 'react';
import { ShellContext } from '../contract/context.tsx';
import { linkDestination } from '../links/links.ts';
import type { DialogProps, MenuItem, PopoverProps } from './types.ts';

// The scroll lock of dialogs and menus inserts a <style>, which a strict CSP allows only with the page's nonce.
const nonce = typeof document === 'undefined' ? undefined : document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
if (nonce) setNonce(nonce);

/**
 * Closes an overlay when another page is shown, of which it is not a part. Returns whether that has closed it: the focus is then on the heading of
 * the page, and does not return to what had opened the overlay.
 */
function useClosedByNavigation(open: boolean, close: () => void): () => boolean {
  const page = useContext(ShellContext)?.bootstrap.page;
  const shown = useRef(page);
  shown.current = page;
  const openedOn = useRef(page);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) openedOn.current = page;
  wasOpen.current = open;
  useEffect(() => {
    if (open && page !== openedOn.current) close();
  });
  // A link of the overlay may have closed it and shown a page that was fetched ahead, before the overlay is gone.
  return () => shown.current !== openedOn.current && (focusHeading(), true);
}

/** The heading takes the focus again, which an open dialog has kept. */
function focusHeading(): void {
  const first = (selector: string) => document.querySelector<HTMLElement>(selector);
  (first('main h1[tabindex]') ?? first('main[tabindex]'))?.focus({ preventScroll: true });
}

const join = (...names: (string | undefined)[]) => names.filter(Boolean).join(' ');

export function DialogOverlay({
  open,
  onOpenChange,
  title,
  hideTitle,
  description,
  variant = 'box',
  className,
  closeLabel,
  returnFocus,
  children,
}: DialogProps) {
  const opener = useRef<Element | null>(null);
  const isLeft = useClosedByNavigation(open, () => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={`mh-overlay mh-overlay-${variant}`} />
        <RadixDialog.Content
          className={join('mh-dialog', `mh-dialog-${variant}`, className)}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (isLeft()) return;
            const target = returnFocus?.() ?? opener.current;
            if (target instanceof HTMLElement || target instanceof SVGElement) target.focus({ preventScroll: true });
          }}
          // The shell's messages are above the dialog: closing one of them does not discard the dialog's content.
          onInteractOutside={(event) => {
            if (event.target instanceof Element && event.target.closest('.notices')) event.preventDefault();
          }}
        >
          <RadixDialog.Title className={hideTitle ? 'mh-hidden' : 'mh-dialog-title'}>{title}</RadixDialog.Title>
          {description && <RadixDialog.Description className="mh-dialog-text">{description}</RadixDialog.Description>}
          {children}
          {closeLabel && (
            <RadixDialog.Close className="mh-close" aria-label={closeLabel}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M6 6l12 12M18 6L6 18" />
              </svg>
            </RadixDialog.Close>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export function PopoverOverlay({
  open,
  onOpenChange,
  anchor,
  label,
  moveFocus = true,
  side = 'bottom',
  align = 'center',
  className,
  onPointerEnter,
  onPointerLeave,
  lang,
  children,
}: PopoverProps) {
  const virtual = useRef(anchor);
  virtual.current = anchor;
  // The `anchor` property is already null when the focus returns.
  const last = useRef(anchor);
  if (anchor) last.current = anchor;
  const opener = useRef<Element | null>(null);
  const focused = useRef(moveFocus);
  if (open) focused.current = moveFocus;
  const isLeft = useClosedByNavigation(open, () => onOpenChange(false));
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange}>
      <RadixPopover.Anchor virtualRef={virtual as RefObject<HTMLElement>} />
      <RadixPopover.Portal>
        <RadixPopover.Content
          className={join('mh-popover', className)}
          aria-label={label}
          lang={lang}
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={12}
          onPointerEnter={onPointerEnter}
          onPointerLeave={onPointerLeave}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            if (!focused.current) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (isLeft()) return;
            const active = document.activeElement;
            // A popover that did not take the focus does not return it.
            if (!focused.current) return;
            if (active && active !== document.body && active !== last.current) return;
            (last.current ?? (opener.current as HTMLElement | null))?.focus({ preventScroll: true });
          }}
          onInteractOutside={(event) => {
            if (anchor && event.target instanceof Node && anchor.contains(event.target)) event.preventDefault();
          }}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}

export function MenuOverlay({
  open,
  onOpenChange,
  anchor,
  items,
  label,
  align = 'end',
  dir,
  onPick,
}: {
  open: boolean;
  onOpenChange(open: boolean): void;
  anchor: HTMLElement | null;
  items: MenuItem[];
  label: string;
  align?: 'start' | 'end';
  dir: 'ltr' | 'rtl';
  onPick(item: MenuItem, event: Event): void;
}) {
  const virtual = useRef(anchor);
  virtual.current = anchor;
  const pick = (item: MenuItem, event: Event) => {
    const isElsewhere = item.newTab && item.href && linkDestination(item.href, location.href);
    if (isElsewhere) window.open(item.href, '_blank', 'noopener');
    else onPick(item, event);
  };
  const isLeft = useClosedByNavigation(open, () => onOpenChange(false));
  return (
    <RadixMenu.Root open={open} onOpenChange={onOpenChange} modal={false} dir={dir}>
      <RadixMenu.Anchor virtualRef={virtual as RefObject<HTMLElement>} />
      <RadixMenu.Portal>
        <RadixMenu.Content
          className="mh-menu"
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          loop
          // The shell navigates, not the browser.
          onClick={(event) => event.preventDefault()}
          onCloseAutoFocus={(event: Event) => {
            event.preventDefault();
            if (!isLeft()) anchor?.focus({ preventScroll: true });
          }}
          onInteractOutside={(event) => {
            if (anchor && event.target instanceof Node && anchor.contains(event.target)) event.preventDefault();
          }}
        >
          {items.map((item) => (
            <RadixMenu.Item key={item.key} asChild disabled={item.disabled} onSelect={(event: Event) => pick(item, event)}>
              {item.href ? (
                <a
                  href={linkDestination(item.href, location.href) && item.href}
                  lang={item.lang}
                  hrefLang={item.hrefLang}
                  aria-current={item.current || undefined}
                  className="mh-menu-item"
                >
                  <span dir={item.dir}>{item.label}</span>
                </a>
              ) : (
                <button type="button" lang={item.lang} aria-current={item.current || undefined} className="mh-menu-item">
                  {item.label}
                </button>
              )}
            </RadixMenu.Item>
          ))}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}
