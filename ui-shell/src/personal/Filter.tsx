import { useT } from '@masthead/ui-sdk';
import { typeName, useAddress } from './parts.tsx';

/** The kinds that lists of members are filtered by. */
const TYPES = ['article', 'publication', 'picture', 'table', 'audio', 'video', 'book', 'news'];

/** Links to the kinds, and a field for words. Both are addresses, so that Back leads to what was shown before. */
export function Filter({ types = TYPES }: { types?: string[] }) {
  const t = useT();
  const { asked, at } = useAddress();
  const [type, keyword, tab, album] = ['type', 'keyword', 'tab', 'album'].map(asked);
  const kept = { tab, album, type };
  return (
    <div className="personal-filter">
      <nav aria-label={t('kinds')}>
        <ul className="facets">
          {['', ...types].map((one) => (
            <li key={one}>
              <a href={at({ type: one })} aria-current={one === type ? 'true' : undefined} rel="nofollow">
                {one ? typeName(t, one) : t('all')}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Words key={keyword} keyword={keyword ?? ''} kept={kept} />
    </div>
  );
}

/** A field for words of titles. `kept` are the other parameters of the address. */
export function Words({ keyword, kept }: { keyword: string; kept: Record<string, string | undefined> }) {
  const t = useT();
  return (
    <form className="personal-words" role="search" action={location.pathname} method="get">
      {Object.entries(kept).map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />)}
      <input type="search" name="keyword" aria-label={t('search_titles')} placeholder={t('search_titles')} defaultValue={keyword} />
      <button type="submit" className="button">
        {t('search')}
      </button>
    </form>
  );
}
