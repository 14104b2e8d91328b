import { Account, Channels, CustomButtons, LanguageSwitch, Logo, MobileMenu } from '../../shared/navigation.tsx';

/** A newspaper's masthead: the name centred, the channels on a bar of the site's colour below it. */
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
