import { Button, useApi, useBootstrap, useSite, useT, type ModuleProps } from '@masthead/ui-sdk';
import { CLOSE, Icon, SPEECH } from '@masthead/ui-sdk/icons';
import { useCallback, useEffect, useId, useRef, useState, type CSSProperties } from 'react';
import { frameOf, type Frame } from './frame.ts';

export type Names = Record<string, string | undefined>;
export interface Props {
  title: Names;
  frame: string;
  width: number;
  height: number;
}

/** Time limit in ms for the parameters, and again for the frame. */
export const LIMIT_MS = 20_000;

type State = { status: 'connecting' } | { status: 'opening' | 'open'; frame: Frame } | { status: 'failed' };

/** Asks for the assistant's code and for the token, and shows the frame; closing the panel ends all of it. */
function Conversation({ title, frame, onRetry }: { title: string; frame: string; onRetry(): void }) {
  const t = useT();
  const api = useApi();
  const { id: siteId } = useSite();
  const { base, lang } = useBootstrap();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>({ status: 'connecting' });
  useEffect(() => {
    let gone = false;
    setState({ status: 'connecting' });
    const fail = () => !gone && setState({ status: 'failed' });
    const timer = setTimeout(fail, LIMIT_MS);
    api
      .get<{ code: string }>('/rc-pub/front/aiqa/getAiqaConfig', { siteId })
      .then(({ code }) => api.post<string>('/rc-pub/front/front-article/aiqa/verify/generateSecureParams', { code, s: 2, host: location.host, siteId, lang }))
      .then((token) => {
        clearTimeout(timer);
        const found = frameOf(frame, token, `${base}/${lang}`);
        if (!gone) setState(found ? { status: 'opening', frame: found } : { status: 'failed' });
      })
      .catch(fail);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [api, base, lang, siteId, frame, attempt]);
  const opening = state.status === 'opening';
  useEffect(() => {
    if (!opening) return;
    const timer = setTimeout(() => setState({ status: 'failed' }), LIMIT_MS);
    return () => clearTimeout(timer);
  }, [opening]);
  const failed = state.status === 'failed';
  return (
    <div className="assistant-body">
      <div className="assistant-state" data-status={state.status}>
        <p role="status">{failed ? t('failed') : state.status === 'connecting' ? t('connecting') : opening ? t('opening') : ''}</p>
        {failed && (
          <Button
            variant="primary"
            onClick={() => {
              setAttempt(attempt + 1);
              onRetry();
            }}
          >
            {t('retry')}
          </Button>
        )}
      </div>
      {'frame' in state && (
        <iframe
          title={title}
          src={state.frame.href}
          sandbox={state.frame.sandbox}
          data-status={state.status}
          onLoad={() => setState({ status: 'open', frame: state.frame })}
        />
      )}
    </div>
  );
}

/** A button in the corner and the non-modal panel that it opens; on the home page only, whatever a site configures. */
export function View(props: ModuleProps<'page.floating', Props>) {
  return props.page.kind === 'home' && <Assistant {...props} />;
}

function Assistant({ title = {}, frame = '', width = 400, height = 600, lang }: ModuleProps<'page.floating', Props>) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const back = useRef(false);
  const name = title[lang] || title['en'] || t('title');
  useEffect(() => setOpen(false), [lang]);
  // After the commit: at 390 px the button is hidden while the panel is open.
  useEffect(() => {
    if (open) panel.current?.focus({ preventScroll: true });
    else if (back.current) button.current?.focus({ preventScroll: true });
    back.current = false;
  }, [open]);
  const close = useCallback(() => {
    back.current = true;
    setOpen(false);
  }, []);
  return (
    <div
      className="assistant"
      data-open={open || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        ref={button}
        type="button"
        className="assistant-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={name}
        onClick={() => (open ? close() : setOpen(true))}
      >
        <Icon path={SPEECH} />
        <span aria-hidden="true">{name}</span>
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          className="assistant-panel"
          role="dialog"
          aria-labelledby={`${id}-title`}
          tabIndex={-1}
          style={{ '--assistant-width': `${width}px`, '--assistant-height': `${height}px` } as CSSProperties}
        >
          <div className="assistant-head">
            <h2 id={`${id}-title`}>{name}</h2>
            <Button variant="icon" aria-label={t('close')} onClick={close}>
              <Icon path={CLOSE} />
            </Button>
          </div>
          <Conversation title={name} frame={frame} onRetry={() => panel.current?.focus({ preventScroll: true })} />
        </div>
      )}
    </div>
  );
}
