// Writes lines to the host's log: `log.info('...')`. Needs the capability `log` in `plugin.toml`.
import { write } from 'masthead:plugin/log@0.1.0';

export { write };
export type { Level } from 'masthead:plugin/log@0.1.0';

/** Writes a line for debugging. */
export const debug = (message: string): void => write('debug', message);
/** Writes a line for the operator. */
export const info = (message: string): void => write('info', message);
/** Writes a warning. */
export const warn = (message: string): void => write('warn', message);
/** Writes an error. */
export const error = (message: string): void => write('error', message);
