import { Account, Channels, CustomButtons, LanguageSwitch, Logo, MobileMenu } from '../../shared/navigation.tsx';

/** A header like a newspaper's: the site's name centred, the channels below it on a bar of the site's colour. */
export function View() {
  return (
    <header className="frame-header" data-module="nav-alternate">
      <Logo />
      <Channels />
      <div className="frame-tools">
        <CustomButtons />
        <LanguageSwitch />
        <Account />
      </div>
      <MobileMenu />
    </header>
  );
}
