import { useBootstrap, useTranslation } from '@masthead/ui-sdk';
import { signInAddress } from '../browser/signInAddress.ts';
import { NAMESPACE } from '../i18n/i18n.ts';

/**
 * What is said in place of what an ended session has refused: another try would be refused, too, and the sign-in leads back here. The shell, which has
 * told of the answer, opens the sign-in by itself; this is for who stays, or comes back to the page as it was left. The link is `external`, for a new
 * document: what was fetched ahead was for a reader who was signed in.
 */
export function SessionEnded() {
  const bootstrap = useBootstrap();
  // The words are the shell's: the lists of every page say the same.
  const { t: ofShell } = useTranslation(NAMESPACE);
  return (
    <>
      {ofShell('session_ended')}{' '}
      <a href={signInAddress(bootstrap)} rel="external nofollow">
        {ofShell('sign_in_again')}
      </a>
    </>
  );
}
