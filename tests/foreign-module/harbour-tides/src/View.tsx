import { useT, type ModuleProps } from '@masthead/ui-sdk';

export interface Props {
  /** The name of the station, by language. */
  station: Record<string, string>;
  tides: { time: string; metres: number }[];
}

/** A row of the footer with the high waters of a station, both of which the site configures. */
export function View({ station = {}, tides = [], lang }: ModuleProps<'footer.rows', Props>) {
  const t = useT();
  const name = station[lang] ?? station['en'];
  if (!name || !tides.length) return null;
  return (
    <div className="harbour-tides">
      <h2>{t('title', { name })}</h2>
      <ul>
        {tides.map(({ time, metres }) => (
          <li key={time}>{t('tide', { time, metres: metres.toFixed(2) })}</li>
        ))}
      </ul>
    </div>
  );
}
