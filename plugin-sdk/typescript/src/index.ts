// All that a Masthead plugin in TypeScript imports. What comes from the contract is generated; the rest is comfort.
export * from './generated/index.ts';
export * as log from './log.ts';
export { refuse, Refusal } from './refuse.ts';
export { settings } from './settings.ts';
export { base64Url, decode, encode } from './text.ts';
