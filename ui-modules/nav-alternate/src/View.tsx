import { Account, Channels, CustomButtons, LanguageSwitch, Logo, MobileMenu, ThemeSwitch } from '@masthead/ui-sdk/navigation';

/** A header like a newspaper's: the site's name centred, the channels below it on a bar of the site's colour. */
export function View() {
  return (
    <header className="frame-header" data-module="nav-alternate">
      <Logo />
      <Channels />
      <div className="frame-tools">
        <CustomButtons />
        <LanguageSwitch />
        <ThemeSwitch />
        <Account />
      </div>
      <MobileMenu />
    </header>
  );
}
