import type { PointerEventHandler, ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  hideTitle?: boolean;
  description?: string;
  /** `box`: small and centred; `sheet`: from the side; `full`: the whole screen. */
  variant?: 'box' | 'sheet' | 'full';
  className?: string;
  /** Accessible name of the close button; without it there is no button. */
  closeLabel?: string;
  /** The element that gets the focus on closing; by default the one that had it before. */
  returnFocus?(): Element | null;
  children?: ReactNode;
}

export interface PopoverProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  anchor: HTMLElement | null;
  label: string;
  /** Whether the popover takes the focus when it opens. */
  moveFocus?: boolean;
  side?: 'top' | 'bottom';
  align?: 'start' | 'center' | 'end';
  className?: string;
  lang?: string;
  onPointerEnter?: PointerEventHandler;
  onPointerLeave?: PointerEventHandler;
  children?: ReactNode;
}

export interface MenuItem {
  key: string;
  label: string;
  href?: string;
  lang?: string;
  /** Direction of the label, if it may differ from the page's. */
  dir?: string;
  /** Language of the page that a link leads to. */
  hrefLang?: string;
  current?: boolean;
  disabled?: boolean;
  newTab?: boolean;
  onSelect?(): void;
}

export interface MenuSheetProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** From the side of the window, or from its top. */
  variant?: 'side' | 'top';
  returnFocus?(): Element | null;
  /** The content below the channels. */
  children?: ReactNode;
}
