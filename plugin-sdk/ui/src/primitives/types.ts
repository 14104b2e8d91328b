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
  /** Name of the close button; none without it. */
  closeLabel?: string;
  /** Where the focus goes at the end; by default to where it was. */
  returnFocus?(): Element | null;
  children?: ReactNode;
}

export interface PopoverProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  anchor: HTMLElement | null;
  label: string;
  /** Whether the focus goes into the popover when it opens. */
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
  /** Direction of the label, where it may differ from the page's. */
  dir?: string;
  /** Language of the page that a link leads to. */
  hrefLang?: string;
  current?: boolean;
  disabled?: boolean;
  onSelect?(): void;
}
