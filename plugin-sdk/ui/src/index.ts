// Everything that a module may import besides React. Values are exported by name, because the build of modules reads this list.
export { defineModule } from './contract/contract.ts';
export { SLOTS } from './contract/slots.ts';
export { CONTRACT } from './contract/version.ts';
export { Slot, useApi, useBootstrap, useBusy, useNavigate, useNotify, useSession, useShell, useSite } from './contract/context.tsx';
export { ApiError } from './contract/errors.ts';
export { dirOf, tagOf, useT, useTranslation } from './i18n/i18n.ts';
export { Link } from './links/Link.tsx';
export { linkDestination } from './links/links.ts';
export { usePopup } from './primitives/popup.ts';
export { Button, Dialog, Menu, MenuSheet, Popover, Tabs } from './primitives/primitives.tsx';
export { loadSearching } from './searching/load.ts';
export { useTheme } from './theme/theme.ts';

export type { components } from './contract/api.ts';
export type {
  LanguageLink,
  MenuLink,
  Messages,
  ModuleProps,
  MovedPage,
  PagePayload,
  Session,
  Site,
  SlotModule,
  UiModule,
  UiModuleSpec,
} from './contract/contract.ts';
export type {
  AccountProps,
  ArticlePage,
  ArticleProps,
  Bootstrap,
  CommonProps,
  FloatingProps,
  FooterProps,
  HeaderProps,
  HitProps,
  HomeProps,
  HomeSection,
  PageView,
  PlaceProps,
  SearchProps,
  SlotName,
  SlotProps,
  SlotRule,
} from './contract/slots.ts';
export type { Api, MessageKind, NavigateOptions, Query, Shell } from './contract/context.tsx';
export type { ApiFault } from './contract/errors.ts';
export type { Translate } from './i18n/i18n.ts';
export type { LinkProps } from './links/Link.tsx';
export type { ButtonProps, Tab } from './primitives/primitives.tsx';
export type { DialogProps, MenuItem, MenuSheetProps, PopoverProps } from './primitives/types.ts';
export type { SearchOption, SearchState } from './searching/types.ts';
export type { Theme, ThemeChoice } from './theme/theme.ts';
