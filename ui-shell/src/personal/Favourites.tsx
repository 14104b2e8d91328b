import { useApi, useT } from '@masthead/ui-sdk';
import { collects, forget, forgetAll, uncollect, visited, type Visited as VisitedList } from './calls.ts';
import { Filter } from './Filter.tsx';
import { Answered, pageOf, useAddress, useCalled } from './parts.tsx';
import { Records } from './Records.tsx';

/** What the member has collected. */
export function Favourites() {
  const t = useT();
  const api = useApi();
  const { asked } = useAddress();
  const [type, keyword, page] = [asked('type'), asked('keyword'), pageOf(asked('page'))];
  const called = useCalled((signal) => collects(api, { type, keyword, page }, signal), `collects ${type} ${keyword} ${page}`);
  return (
    <>
      <Filter />
      <Answered called={called}>
        {(found) => (
          <Records
            page={found}
            nothing={type || keyword ? t('nothing_found') : t('favourites_none')}
            remove={{ action: t('uncollect'), ask: t('uncollect_ask'), done: t('uncollect_success'), work: (entries) => uncollect(api, entries) }}
            onChange={called.reload}
          />
        )}
      </Answered>
    </>
  );
}

/** What the member has downloaded or read. */
export function Visited({ list }: { list: VisitedList }) {
  const t = useT();
  const api = useApi();
  const { asked } = useAddress();
  const page = pageOf(asked('page'));
  const called = useCalled((signal) => visited(api, list, { page }, signal), `${list} ${page}`);
  return (
    <Answered called={called}>
      {(found) => (
        <Records
          page={found}
          nothing={list === 'downloads' ? t('downloads_none') : t('history_none')}
          remove={{ action: t('delete'), ask: t('delete_ask'), done: t('delete_success'), work: (entries) => forget(api, list, entries) }}
          empty={() => forgetAll(api, list)}
          onChange={called.reload}
        />
      )}
    </Answered>
  );
}
