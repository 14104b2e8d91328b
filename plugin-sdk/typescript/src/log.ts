// Lines in the host's log: `log.info('...')`. Needs the capability `log` in `plugin.toml`.
import { write } from 'masthead:plugin/log@0.1.0';

export { write };
export type { Level } from 'masthead:plugin/log@0.1.0';

/** Writes a line for the plugin's author. */
export const debug = (message: string): void => write('debug', message);
/** Writes a line worth knowing. */
export const info = (message: string): void => write('info', message);
/** Writes a line about something that is not as it should be. */
export const warn = (message: string): void => write('warn', message);
/** Writes a line about a failure. */
export const error = (message: string): void => write('error', message);
