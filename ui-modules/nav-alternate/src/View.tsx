import type { HeaderProps } from '@masthead/ui-sdk';
import { Account, Channels, CustomButtons, GroupEntrance, LanguageSwitch, Logo, MobileMenu, MobileSearch, ThemeSwitch } from '@masthead/ui-sdk/navigation';

/** A header like a newspaper's: the site's name centred, the channels below it on a bar of the site's colour, and their entries in a panel over its whole width. */
export function View({ header }: HeaderProps) {
  return (
    <header className="frame-header" data-module="nav-alternate" data-ceiling={header.ceiling || undefined}>
      <div className="frame-start">
        <MobileMenu from="top" />
        <GroupEntrance />
        <div className="frame-buttons">
          <CustomButtons />
        </div>
      </div>
      <Logo />
      <div className="frame-tools">
        <MobileSearch />
        <LanguageSwitch />
        <ThemeSwitch />
        <Account />
      </div>
      <Channels />
    </header>
  );
}
