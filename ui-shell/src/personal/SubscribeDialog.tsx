import { Button, Dialog, useApi, useT } from '@masthead/ui-sdk';
import { useRef, useState, type FormEvent } from 'react';
import { Field } from '../members/Field.tsx';
import { useCode } from '../members/useCode.tsx';
import { codeFault, emailFault } from '../members/validation.ts';
import { ALERTS, subscribe, type AlertType } from './calls.ts';
import { columnsOf } from './columns.ts';
import { Answered, Labelled, useCalled, useChange, useFaults } from './parts.tsx';
import { keywordsOf, MAX_KEYWORDS } from './validation.ts';

/** What a subscription begins with. */
export interface Suggestion {
  type: AlertType;
  keywords?: string;
  /** Name of a column. */
  column?: string;
}

/** Subscribes to alerts by e-mail, for readers with or without an account. Open while there is a suggestion. */
export function SubscribeDialog({ suggestion, onClose, onDone }: { suggestion: Suggestion | undefined; onClose(): void; onDone?(): void }) {
  const t = useT();
  return (
    <Dialog
      open={suggestion !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={t('subscribe_title')}
      description={t('subscribe_text')}
      closeLabel={t('close')}
    >
      {suggestion && <Form suggestion={suggestion} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

/** The names of the kinds of alerts. */
export function useAlertName(): (type: AlertType) => string {
  const t = useT();
  return (type) => ({ current: t('alert_current'), onlineFirst: t('alert_online_first'), keywords: t('alert_keywords'), column: t('alert_column') })[type];
}

function Form({ suggestion, onClose, onDone }: { suggestion: Suggestion; onClose(): void; onDone: (() => void) | undefined }) {
  const t = useT();
  const api = useApi();
  const alertName = useAlertName();
  const form = useRef<HTMLFormElement>(null);
  const { pending, change } = useChange();
  const { text, check } = useFaults();
  const [type, setType] = useState(suggestion.type);
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [keywords, setKeywords] = useState(suggestion.keywords ?? '');
  const [columnId, setColumnId] = useState<string>();
  const columns = useCalled((signal) => (type === 'column' ? columnsOf(api, signal) : Promise.resolve([])), `columns ${type === 'column'}`);
  const column = columnId ?? columns.data?.find(({ name }) => name === suggestion.column)?.id;
  const sent = useCode('subscribe', () => (check(form.current, { email: emailFault(email) }) ? email.trim() : undefined));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const words = keywordsOf(keywords);
    const faults = {
      email: emailFault(email),
      code: codeFault(code),
      keywords: type === 'keywords' && !words.length ? 'keywords_needed' : undefined,
      column: type === 'column' && column === undefined ? 'column_required' : undefined,
    };
    if (pending || !check(form.current, faults)) return;
    const own = type === 'keywords' ? { keywords: words.join(';') } : type === 'column' ? { columnId: column } : {};
    if (!(await change(() => subscribe(api, { email: email.trim(), code: code.trim(), type, ...own }), t('subscribe_success')))) return;
    onDone?.();
    onClose();
  };
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className="field">
        <legend>{t('alert_type')}</legend>
        {ALERTS.map((one) => (
          <label key={one} className="check">
            <input type="radio" name="alert" checked={type === one} onChange={() => setType(one)} />
            <span>{alertName(one)}</span>
          </label>
        ))}
      </fieldset>
      {type === 'keywords' && (
        <Labelled label={t('alert_keywords')} hint={t('keywords_hint')} error={text('keywords')}>
          {(control) => <textarea {...control} rows={2} maxLength={MAX_KEYWORDS} value={keywords} onChange={(event) => setKeywords(event.target.value)} />}
        </Labelled>
      )}
      {type === 'column' && (
        <Answered called={columns}>
          {(all) => (
            <Labelled label={t('alert_column')} error={text('column')}>
              {(control) => (
                <select {...control} value={column ?? ''} onChange={(event) => setColumnId(event.target.value || undefined)}>
                  <option value="">{t('choose')}</option>
                  {all.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Labelled>
          )}
        </Answered>
      )}
      <Field
        label={t('email')}
        type="email"
        autoComplete="email"
        dir="ltr"
        value={email}
        maxLength={254}
        error={text('email')}
        onChange={(event) => setEmail(event.target.value)}
        required
      />
      <Field
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        maxLength={6}
        value={code}
        error={text('code')}
        beside={sent.button}
        onChange={(event) => setCode(event.target.value)}
        required
      />
      {sent.below}
      <div className="form-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="primary" type="submit" aria-disabled={pending || undefined}>
          {t('subscribe')}
        </Button>
      </div>
    </form>
  );
}
