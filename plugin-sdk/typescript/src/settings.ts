import { get } from 'masthead:plugin/settings@0.1.0';

/**
 * This plugin's settings on this site, defaults filled in and checked against the schema in `plugin.toml`, which `T`
 * has to agree with. Needs the capability `settings`.
 */
export function settings<T = Record<string, unknown>>(): T {
  return JSON.parse(get()) as T;
}
