import { linkDestination, type ModuleProps } from '@masthead/ui-sdk';

export interface Props {
  links: { name: Record<string, string>; address: string }[];
}

/** A row of links, which the plugin gives beside which the module lies. */
export function View({ links = [], lang }: ModuleProps<'footer.rows', Props>) {
  const shown = links.filter(({ address }) => linkDestination(address) === 'web');
  if (!shown.length) return null;
  return (
    <ul className="harbour-partner-beacons">
      {shown.map(({ name, address }) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noopener">
            <bdi>{name[lang] ?? name['en']}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
