import { get } from 'masthead:plugin/settings@0.1.0';

/**
 * The settings of this plugin on this site, with defaults, checked against the schema in `plugin.toml`. `T` must match that schema.
 * Needs the capability `settings`.
 */
export function settings<T = Record<string, unknown>>(): T {
  return JSON.parse(get()) as T;
}
