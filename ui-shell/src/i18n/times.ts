// Days and times as the host states them: its texts are in the time zone of the site, which that of the browser must not change.

/** The day that an instant or a day in ISO 8601 states: `2026-03-01` of `2026-03-01T01:00:00+08:00`. */
export const dayOf = (iso: string): string => iso.slice(0, 10);

/**
 * The values of a message that has `when` as date and time. They are those of the text without its offset, read and written as UTC, so that
 * nothing is converted.
 */
export const statedTime = (iso: string) => ({ when: new Date(`${iso.slice(0, 19)}Z`), timeZone: 'UTC' });
