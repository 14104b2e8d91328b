import { useT, type ModuleProps } from '@masthead/ui-sdk';
import { Account, Channels, CustomButtons, LanguageSwitch, Logo, MobileMenu, ThemeSwitch } from '@masthead/ui-sdk/navigation';

export interface Props {
  motto: string;
}

/** A header with a motto above the channels. */
export function View({ motto, site }: ModuleProps<'header', Props>) {
  const t = useT();
  return (
    <header className="frame-header" data-module="harbour-nav">
      <p className="harbour-motto">{motto || t('motto', { name: site.name })}</p>
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
