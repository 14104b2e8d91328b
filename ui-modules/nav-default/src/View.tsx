import type { HeaderProps } from '@masthead/ui-sdk';
import { Account, Channels, CustomButtons, GroupEntrance, LanguageSwitch, Logo, MobileMenu, ThemeSwitch } from '@masthead/ui-sdk/navigation';

/** Logo, channels and tools in one line. */
export function View({ header }: HeaderProps) {
  return (
    <header className="frame-header" data-module="nav-default" data-ceiling={header.ceiling || undefined}>
      <Logo />
      <Channels />
      <div className="frame-tools">
        <GroupEntrance />
        <CustomButtons />
        <LanguageSwitch />
        <ThemeSwitch />
        <Account />
        <MobileMenu />
      </div>
    </header>
  );
}
