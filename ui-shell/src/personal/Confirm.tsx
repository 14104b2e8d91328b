import { Button, Dialog, useT } from '@masthead/ui-sdk';
import { useRef, useState, type ReactNode } from 'react';
import { heading } from '../browser/scroll.ts';

/** A question before something is done. */
export interface Question {
  title: string;
  text?: string;
  /** Label of the button that does it. */
  action: string;
  /** Whether it cannot be undone. */
  danger?: boolean;
  /**
   * Does it. The dialog closes whatever comes of it: that is told in a message. Resolves to whether the button that has asked goes, as that of an
   * entry which is deleted does: the focus is then on the heading of the page, and else on that button.
   */
  onConfirm(): Promise<boolean>;
}

/** Asks questions in a dialog, one at a time. Returns the dialog, and what asks. */
export function useConfirm(): [dialog: ReactNode, ask: (question: Question) => void] {
  const t = useT();
  const [question, setQuestion] = useState<Question>();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const goes = useRef(false);
  const ask = (next: Question) => {
    goes.current = false;
    setQuestion(next);
    setOpen(true);
  };
  const confirm = async () => {
    setPending(true);
    try {
      goes.current = (await question?.onConfirm()) ?? false;
    } finally {
      setPending(false);
      setOpen(false);
    }
  };
  const dialog = question && (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={question.title}
      {...(question.text ? { description: question.text } : {})}
      closeLabel={t('close')}
      returnFocus={() => (goes.current ? heading() : null)}
    >
      <div className="mh-dialog-actions">
        <Button onClick={() => setOpen(false)}>{t('cancel')}</Button>
        <Button
          variant="primary"
          className={question.danger ? 'button-danger' : undefined}
          aria-disabled={pending || undefined}
          onClick={() => pending || void confirm()}
        >
          {question.action}
        </Button>
      </div>
    </Dialog>
  );
  return [dialog, ask];
}
