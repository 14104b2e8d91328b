import { Button, useApi, useT } from '@masthead/ui-sdk';
import { useState, type ChangeEvent } from 'react';
import { told } from '../calls/api.ts';
import { upload, type Uploaded } from './calls.ts';
import { Labelled, useFaults } from './parts.tsx';

interface Props {
  label: string;
  hint: string;
  purpose: 'portrait' | 'albumCover';
  /** Types for the dialog of files. */
  accept: string;
  /** What is wrong with a file. */
  fault(file: File): string | undefined;
  /** The picture; its parts are "" where there is none. */
  value: Uploaded;
  onChange(picture: Uploaded): void;
  /** Whether a picture is on its way. */
  onSending(sending: boolean): void;
}

/** A picture: it is sent as soon as it has been chosen, and shown as the host has written it. */
export function PictureField({ label, hint, purpose, accept, fault, value, onChange, onSending }: Props) {
  const t = useT();
  const api = useApi();
  const { text, check } = useFaults();
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState(false);
  const busy = (on: boolean) => {
    setSending(on);
    onSending(on);
  };
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The same file can be chosen again after a failure.
    target.value = '';
    setFailure(undefined);
    if (!file || !check(null, { file: fault(file) })) return;
    busy(true);
    try {
      onChange(await upload(api, file, purpose));
    } catch (error) {
      setFailure(told(error, t('upload_failed')));
    } finally {
      busy(false);
    }
  };
  return (
    <div className="picture-field" data-purpose={purpose}>
      {value.url ? <img src={value.url} alt={t('picture_current')} /> : <span className="picture-none">{t('picture_none')}</span>}
      <Labelled label={label} hint={hint} error={text('file') ?? failure}>
        {(control) => <input {...control} type="file" accept={accept} disabled={sending} onChange={(event) => void choose(event)} />}
      </Labelled>
      <div className="form-actions">
        {value.id && (
          <Button onClick={() => onChange({ id: '', url: '' })} disabled={sending}>
            {t('picture_remove')}
          </Button>
        )}
        <span className="field-hint" role="status">
          {sending ? t('sending') : ''}
        </span>
      </div>
    </div>
  );
}
