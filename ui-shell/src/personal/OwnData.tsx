import { Button, Dialog, useApi, useBootstrap, useNotify, useT } from '@masthead/ui-sdk';
import { useRef, useState, type FormEvent } from 'react';
import { documents } from '../browser/documents.ts';
import { isSignedOut, textOf } from '../calls/api.ts';
import { forgetDrafts, forgetReader, signIn } from '../members/signIn.ts';
import { Field } from '../members/Field.tsx';
import { sealed } from '../members/secret.ts';
import { useCode } from '../members/useCode.tsx';
import { codeFault, targetFault } from '../members/validation.ts';
import { erase, exportAddress, profile, type Profile } from './calls.ts';
import { Answered, useCalled, useFaults } from './parts.tsx';

/** Time in ms for reading that the account is erased. */
const FAREWELL_MS = 1100;

/** What the member owns, to take along and to erase. */
export function OwnData() {
  const t = useT();
  const api = useApi();
  const { base } = useBootstrap();
  const called = useCalled((signal) => profile(api, signal), 'profile');
  const [open, setOpen] = useState(false);
  return (
    <section className="panel">
      <h2>{t('own_data')}</h2>
      <p>{t('export_text')}</p>
      <p className="form-actions">
        {/* `external` keeps the shell from showing the address as a page. */}
        <a className="button" href={exportAddress(base)} rel="external nofollow" download>
          {t('export')}
        </a>
      </p>
      <p>{t('erase_text')}</p>
      <p className="form-actions">
        <Button className="button-danger" onClick={() => setOpen(true)}>
          {t('erase')}
        </Button>
      </p>
      <Dialog open={open} onOpenChange={setOpen} title={t('erase')} description={t('erase_warning')} closeLabel={t('close')}>
        <Answered called={called}>{(own) => <EraseForm own={own} onClose={() => setOpen(false)} />}</Answered>
      </Dialog>
    </section>
  );
}

/** Proves that it is the member who erases the account: by the password or, without one, by a code. */
function EraseForm({ own, onClose }: { own: Profile; onClose(): void }) {
  const t = useT();
  const api = useApi();
  const bootstrap = useBootstrap();
  const notify = useNotify();
  const form = useRef<HTMLFormElement>(null);
  const { text, check } = useFaults();
  const [proof, setProof] = useState('');
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState(false);
  const [target, setTarget] = useState(own.email);
  const sent = useCode('erase', () => (check(form.current, { target: targetFault(target) }) ? target.trim() : undefined));
  const secretOf = async (password: string) => (await sealed(api, [password], true))[0] ?? password;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const fault = own.hasPassword ? (proof ? undefined : 'password_required') : codeFault(proof);
    if (pending || !check(form.current, { proof: fault })) return;
    setPending(true);
    try {
      await erase(bootstrap, own.hasPassword ? { password: await secretOf(proof) } : { code: proof.trim() });
    } catch (error) {
      // The shell does not learn of this answer, because its calls that remove have no body.
      const text = textOf(error, t('call_failed'));
      if (isSignedOut(error)) return void (signIn(bootstrap) && notify(text, 'failed'));
      setFailure(text);
      return setPending(false);
    }
    forgetReader(bootstrap.base);
    forgetDrafts();
    notify(t('account_erased'), 'done');
    setTimeout(() => documents.assign(bootstrap.header.homeHref), FAREWELL_MS);
  };
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submit(event)}>
      {!own.hasPassword && (
        <Field
          label={t('erase_target')}
          autoComplete="username"
          dir="ltr"
          value={target}
          error={text('target')}
          onChange={(event) => setTarget(event.target.value)}
          required
        />
      )}
      <Field
        label={own.hasPassword ? t('password') : t('code')}
        type={own.hasPassword ? 'password' : 'text'}
        autoComplete={own.hasPassword ? 'current-password' : 'one-time-code'}
        dir="ltr"
        value={proof}
        error={text('proof') ?? failure}
        beside={own.hasPassword ? undefined : sent.button}
        onChange={(event) => setProof(event.target.value)}
        required
      />
      {!own.hasPassword && sent.below}
      <div className="form-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="primary" className="button-danger" type="submit" aria-disabled={pending || undefined}>
          {t('erase')}
        </Button>
      </div>
    </form>
  );
}
