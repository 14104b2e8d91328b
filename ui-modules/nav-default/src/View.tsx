import { Account, Channels, CustomButtons, LanguageSwitch, Logo, MobileMenu } from '../../shared/navigation.tsx';

/** Logo, channels and tools in one line. */
export function View() {
  return (
    <header className="frame-header" data-module="nav-default">
      <Logo />
      <Channels />
      <div className="frame-tools">
        <CustomButtons />
        <LanguageSwitch />
        <Account />
        <MobileMenu />
      </div>
    </header>
  );
}
