// ESLint reads its configuration from the root; the configuration and its packages are in ui-modules/build.
export { default } from './ui-modules/build/eslint.config.mjs';
