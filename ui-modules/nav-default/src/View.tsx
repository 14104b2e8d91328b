import type { HeaderProps } from '@masthead/ui-sdk';
import { Account, Channels, CustomButtons, GroupEntrance, LanguageSwitch, Logo, MobileMenu, MobileSearch, ThemeSwitch } from '@masthead/ui-sdk/navigation';

/** Logo, channels and tools in one line. */
export function View({ header }: HeaderProps) {
  return (
    <header className="frame-header" data-module="nav-default" data-ceiling={header.ceiling || undefined}>
      <Logo />
      <Channels />
      <div className="frame-tools">
        <GroupEntrance />
        <CustomButtons />
        <MobileSearch />
        <LanguageSwitch />
        <ThemeSwitch />
        <Account />
        <MobileMenu />
      </div>
    </header>
  );
}
