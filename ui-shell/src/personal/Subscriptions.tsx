import { Button, useApi, useT } from '@masthead/ui-sdk';
import { useState } from 'react';
import { subscriptions, unsubscribe, type Subscription } from './calls.ts';
import { useConfirm } from './Confirm.tsx';
import { Answered, Day, useCalled, useChange } from './parts.tsx';
import { SubscribeDialog, useAlertName, type Suggestion } from './SubscribeDialog.tsx';

/** What the member gets by e-mail. */
export function Subscriptions() {
  const t = useT();
  const api = useApi();
  const { change } = useChange();
  const [dialog, ask] = useConfirm();
  const called = useCalled((signal) => subscriptions(api, signal), 'subscriptions');
  const [adding, setAdding] = useState<Suggestion>();
  const alertName = useAlertName();
  const about = ({ type, keywords, column }: Subscription) => [alertName(type), type === 'keywords' ? keywords : column].filter(Boolean).join(': ');
  const end = (one: Subscription) =>
    ask({
      title: t('unsubscribe'),
      text: t('unsubscribe_ask', { about: about(one) }),
      action: t('unsubscribe'),
      onConfirm: async () => {
        const done = await change(() => unsubscribe(api, one.id), t('unsubscribe_success'));
        if (done) called.reload();
        return done;
      },
    });
  return (
    <>
      <p className="form-actions">
        <Button variant="primary" onClick={() => setAdding({ type: 'current' })}>
          {t('subscribe')}
        </Button>
      </p>
      <Answered called={called}>
        {(all) =>
          all.length ? (
            <ul className="entries">
              {all.map((one) => (
                <li key={one.id}>
                  <span className="entry-text">
                    <bdi>{about(one)}</bdi>
                    <small>
                      <bdi dir="ltr">{one.email}</bdi> <Day iso={one.since} />
                    </small>
                  </span>
                  <Button aria-label={t('unsubscribe_named', { about: about(one) })} onClick={() => end(one)}>
                    {t('unsubscribe')}
                  </Button>
                </li>
              ))}
            </ul>
          ) : (
            <p className="empty">{t('subscriptions_none')}</p>
          )
        }
      </Answered>
      {dialog}
      <SubscribeDialog suggestion={adding} onClose={() => setAdding(undefined)} onDone={called.reload} />
    </>
  );
}
