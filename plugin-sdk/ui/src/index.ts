// Everything that a module may import besides React. Values are exported by name, because the build of modules reads this list.
export { CONTRACT, SLOTS, defineModule } from './contract/contract.ts';
export { ApiError, Slot, useApi, useBootstrap, useNavigate, useSession, useShell, useSite, useT } from './contract/context.tsx';
export { Link } from './links/Link.tsx';
export { linkDestination } from './links/links.ts';
export { Button, Dialog, Menu, Popover, Tabs } from './primitives/primitives.tsx';

export type { components } from './contract/api.ts';
export type {
  Bootstrap,
  LanguageLink,
  MenuLink,
  Messages,
  MovedPage,
  PagePayload,
  PageView,
  Session,
  Site,
  SlotModule,
  SlotName,
  SlotProps,
  SlotRule,
  UiModule,
  UiModuleSpec,
} from './contract/contract.ts';
export type { Api, NavigateOptions, Shell, Translate, Values } from './contract/context.tsx';
export type { LinkProps } from './links/Link.tsx';
export type { ButtonProps, Tab } from './primitives/primitives.tsx';
export type { DialogProps, MenuItem, PopoverProps } from './primitives/types.ts';
