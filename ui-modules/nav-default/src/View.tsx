import { Account, Channels, CustomButtons, LanguageSwitch, Logo, MobileMenu, ThemeSwitch } from '@masthead/ui-sdk/navigation';

/** Logo, channels and tools in one line. */
export function View() {
  return (
    <header className="frame-header" data-module="nav-default">
      <Logo />
      <Channels />
      <div className="frame-tools">
        <CustomButtons />
        <LanguageSwitch />
        <ThemeSwitch />
        <Account />
        <MobileMenu />
      </div>
    </header>
  );
}
