// The rules of specification section 5 for what members own. Each returns the key of what is wrong, or undefined; the host applies the same ones.

/** Greatest length of a person's name, in characters. */
export const MAX_NAME = 60;
/** Greatest length of another text of a profile, and of the names of an album, in characters. */
export const MAX_TEXT = 200;
/** Greatest length of the name of a search, in characters. */
export const MAX_LINE = 100;
/** Greatest length of the keywords of a subscription, in characters. */
export const MAX_KEYWORDS = 500;

/** Of ASCII, letters and what joins them; of everything else, whatever is visible. */
const OF_NAMES = /^(?:[A-Za-z .,'-]|[^\p{ASCII}\p{Cc}\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb])+$/u;

export function nameFault(name: string): string | undefined {
  const value = name.trim();
  if (!value) return 'person_name_needed';
  return OF_NAMES.test(value) && /\p{Alphabetic}/u.test(value) && [...value].length <= MAX_NAME ? undefined : 'person_name_format';
}

/** Keywords are separated by semicolons: those of the keyboard in use, too. */
export const keywordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[;；؛]/)
      .map((word) => word.trim().replace(/\s+/g, ' '))
      .filter(Boolean),
  ),
];

const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/bmp', 'image/x-ms-bmp'];
const COVER_TYPES = ['image/jpeg', 'image/png'];
const MEGABYTE = 1 << 20;

/** A photo is a JPG, PNG or BMP under 5 MB. */
export function photoFault({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!size) return 'picture_needed';
  if (!PHOTO_TYPES.includes(type)) return 'photo_format';
  return size < 5 * MEGABYTE ? undefined : 'photo_format';
}

/** The cover of an album is a JPG or PNG of at most 3 MB. */
export function coverFault({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!size) return 'picture_needed';
  if (!COVER_TYPES.includes(type)) return 'cover_format';
  return size <= 3 * MEGABYTE ? undefined : 'cover_format';
}
