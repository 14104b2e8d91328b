// The module that a Masthead plugin in TypeScript imports: generated types and capabilities of the contract, and helpers.
export * from './generated/index.ts';
export * as log from './log.ts';
export { refuse, Refusal } from './refuse.ts';
export { settings } from './settings.ts';
export { base64Url, decode, encode } from './text.ts';
