import { Button, useApi, useT } from '@masthead/ui-sdk';
import { useRef, useState, type FormEvent } from 'react';
import { Field } from '../members/Field.tsx';
import { emailFault } from '../members/validation.ts';
import { profile, saveProfile, type Profile, type ProfileChange } from './calls.ts';
import { Answered, useAddress, useCalled, useChange, useFaults } from './parts.tsx';
import { PictureField } from './PictureField.tsx';
import { MAX_LINE, nameFault, photoFault } from './validation.ts';

/** The member's profile. */
export function Information() {
  const api = useApi();
  const called = useCalled((signal) => profile(api, signal), 'profile');
  return <Answered called={called}>{(found) => <Form profile={found} onSaved={called.reload} />}</Answered>;
}

const FIELDS = ['name', 'email', 'region', 'major', 'institution', 'researchField', 'gender', 'photo'] as const;
const changeOf = (profile: Profile): ProfileChange => Object.fromEntries(FIELDS.map((field) => [field, profile[field] ?? ''])) as unknown as ProfileChange;

function Form({ profile: own, onSaved }: { profile: Profile; onSaved(): void }) {
  const t = useT();
  const api = useApi();
  const { at } = useAddress();
  const form = useRef<HTMLFormElement>(null);
  const { pending, change } = useChange();
  const { text, check } = useFaults();
  const [value, setValue] = useState(() => changeOf(own));
  const [isSending, setIsSending] = useState(false);
  const set = (field: keyof ProfileChange) => (to: string) => setValue((before) => ({ ...before, [field]: to }));
  const line = (field: keyof ProfileChange) => ({
    value: value[field],
    maxLength: MAX_LINE,
    error: text(field),
    onChange: ({ target }: { target: HTMLInputElement }) => set(field)(target.value),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const faults = {
      name: nameFault(value.name),
      email: emailFault(value.email),
      researchField: value.researchField.trim() ? undefined : 'research_required',
    };
    if (pending || isSending || !check(form.current, faults)) return;
    const trimmed = Object.fromEntries(FIELDS.map((field) => [field, value[field].trim()])) as unknown as ProfileChange;
    if (await change(() => saveProfile(api, trimmed), t('submitted_done'))) onSaved();
  };
  return (
    <form ref={form} className="form form-columns" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={t('user_name')} value={own.userName} readOnly disabled dir="ltr" />
      <div className="field">
        <span className="label">{t('mobile')}</span>
        <p className="profile-mobile">
          <bdi dir="ltr">{own.mobile || t('mobile_unlinked')}</bdi> <a href={at({ tab: 'account' })}>{own.mobile ? t('change') : t('mobile_link')}</a>
        </p>
      </div>
      <Field label={t('name')} autoComplete="name" required {...line('name')} />
      <Field label={t('email')} type="email" autoComplete="email" dir="ltr" required {...line('email')} maxLength={254} />
      <Field label={t('region')} autoComplete="address-level1" {...line('region')} />
      <Field label={t('institution')} autoComplete="organization" {...line('institution')} />
      <Field label={t('major')} {...line('major')} />
      <Field label={t('research')} required {...line('researchField')} />
      <fieldset className="field">
        <legend>{t('gender')}</legend>
        <div className="checks">
          {(['male', 'female'] as const).map((one) => (
            <label key={one} className="check">
              <input type="radio" name="gender" value={one} checked={value.gender === one} onChange={() => set('gender')(one)} />
              <span>{one === 'male' ? t('gender_male') : t('gender_female')}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <PictureField
        label={t('photo')}
        hint={t('photo_hint')}
        purpose="portrait"
        accept="image/jpeg,image/png,image/bmp"
        fault={photoFault}
        value={value.photo}
        onChange={set('photo')}
        onSending={setIsSending}
      />
      <div className="form-actions">
        <Button variant="primary" type="submit" className="form-main" aria-disabled={pending || isSending || undefined}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
