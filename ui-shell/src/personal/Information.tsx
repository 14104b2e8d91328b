import { Button, useApi, useT } from '@masthead/ui-sdk';
import { useRef, useState, type FormEvent } from 'react';
import { Field } from '../members/Field.tsx';
import { sealed } from '../members/secret.ts';
import { useCode } from '../members/useCode.tsx';
import { codeFault, emailFault } from '../members/validation.ts';
import { profile, saveProfile, type Profile, type ProfileChange } from './calls.ts';
import { Answered, useAddress, useCalled, useChange, useFaults } from './parts.tsx';
import { PictureField } from './PictureField.tsx';
import { MAX_NAME, MAX_TEXT, nameFault, photoFault } from './validation.ts';

/** The member's profile. */
export function Information() {
  const api = useApi();
  const called = useCalled((signal) => profile(api, signal), 'profile');
  return <Answered called={called}>{(found) => <Form profile={found} onSaved={called.reload} />}</Answered>;
}

type Texts = Omit<ProfileChange, 'photo' | 'password'>;
const textsOf = ({ name, email, region, major, institution, researchField, gender }: Profile): Texts => ({
  name,
  email,
  region,
  major,
  institution,
  researchField,
  gender,
  code: '',
});

function Form({ profile: own, onSaved }: { profile: Profile; onSaved(): void }) {
  const t = useT();
  const api = useApi();
  const { at } = useAddress();
  const form = useRef<HTMLFormElement>(null);
  const { pending, change } = useChange();
  const { text, check } = useFaults();
  const [value, setValue] = useState(() => textsOf(own));
  const [photo, setPhoto] = useState({ id: own.photo, url: own.photoUrl });
  const [password, setPassword] = useState('');
  const [isSending, setIsSending] = useState(false);
  const set = (field: keyof Texts) => (to: string) => setValue((before) => ({ ...before, [field]: to }));
  const line = (field: keyof Texts) => ({
    value: value[field],
    maxLength: MAX_TEXT,
    error: text(field),
    onChange: ({ target }: { target: HTMLInputElement }) => set(field)(target.value),
  });
  // Another address is the member's only if a code that was sent to it comes back.
  const isMoved = value.email.trim().toLowerCase() !== own.email.toLowerCase() && !emailFault(value.email);
  const sent = useCode('email', () => (emailFault(value.email) ? undefined : value.email.trim()));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const faults = {
      code: isMoved ? codeFault(value.code) : undefined,
      password: isMoved && own.hasPassword && !password ? 'password_required' : undefined,
      name: nameFault(value.name),
      email: emailFault(value.email),
      researchField: value.researchField.trim() ? undefined : 'research_field_needed',
    };
    if (pending || isSending || !check(form.current, faults)) return;
    const trimmed = Object.fromEntries(Object.entries(value).map(([field, text]) => [field, text.trim()])) as unknown as Texts;
    const save = async () => {
      const [proof] = isMoved && password ? await sealed(api, [password], true) : [];
      await saveProfile(api, { ...trimmed, photo: photo.id, ...(proof ? { password: proof } : {}) });
    };
    if (await change(save, t('submit_success'))) onSaved();
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
      <Field label={t('name')} autoComplete="name" required {...line('name')} maxLength={MAX_NAME} />
      <Field label={t('email')} type="email" autoComplete="email" dir="ltr" required {...line('email')} maxLength={254} />
      {isMoved && (
        <div className="field">
          <Field label={t('code')} inputMode="numeric" autoComplete="one-time-code" dir="ltr" required beside={sent.button} {...line('code')} maxLength={6} />
          {sent.below}
        </div>
      )}
      {isMoved && own.hasPassword && (
        <Field
          label={t('password')}
          type="password"
          autoComplete="current-password"
          dir="ltr"
          required
          value={password}
          error={text('password')}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
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
        value={photo}
        onChange={setPhoto}
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
