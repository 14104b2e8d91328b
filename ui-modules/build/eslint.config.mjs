// ESLint for everything in TypeScript and JavaScript.
// typescript-eslint needs the JavaScript interface of the compiler, which TypeScript 7 does not have: this folder's package.json
// installs TypeScript 6 beside it, for the linter only. `tsc`, which checks the types, is version 7.
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/', '**/target/', '**/node_modules/', '**/generated/', 'plugin-sdk/ui/src/contract/api.ts', 'host/', 'data/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  // `{ [key]: _, ...others }` drops a property; `_name` is a parameter that a signature requires.
  { rules: { '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }] } },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    // The plugin's other rules (refs, immutability, set-state-in-effect) prepare code for React Compiler, which is not used here:
    // the shell moves and edits the server's DOM nodes, which those rules take for React state.
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
);
