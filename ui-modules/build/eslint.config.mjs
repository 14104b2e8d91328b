// ESLint for everything in TypeScript and JavaScript.
// typescript-eslint needs the JavaScript interface of the compiler, which TypeScript 7 does not have: this folder's package.json
// installs TypeScript 6 beside it, for the linter only. `tsc`, which checks the types, is version 7.
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const STORAGES = ['localStorage', 'sessionStorage'];
const STORAGE_RULE = 'Use ui-shell/src/browser/storage.ts, which never throws.';

export default tseslint.config(
  { ignores: ['**/dist/', '**/target/', '**/node_modules/', '**/generated/', 'plugin-sdk/ui/src/contract/api.ts', 'host/', 'data/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  // `{ [key]: _, ...others }` drops a property; `_name` is a parameter that a signature requires.
  { rules: { '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }] } },
  {
    // Reading the property alone throws where a browser blocks site data: one file asks for it, and everything else asks that file.
    files: ['ui-shell/src/**', 'ui-renderer/src/**', 'ui-modules/*/src/**', 'plugin-sdk/ui/src/**'],
    ignores: ['ui-shell/src/browser/storage.ts'],
    rules: {
      'no-restricted-globals': ['error', ...STORAGES.map((name) => ({ name, message: STORAGE_RULE }))],
      'no-restricted-properties': [
        'error',
        ...STORAGES.flatMap((property) => ['window', 'globalThis', 'self'].map((object) => ({ object, property, message: STORAGE_RULE }))),
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    // The plugin's other rules (refs, immutability, set-state-in-effect) prepare code for React Compiler, which is not used here:
    // the shell moves and edits the server's DOM nodes, which those rules take for React state.
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
);
