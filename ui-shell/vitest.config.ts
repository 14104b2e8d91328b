import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// `make` names a folder for the results, which the summary of `tests/conformance` reads.
const results = process.env['TEST_RESULTS'];

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  plugins: [react()],
  resolve: { dedupe: ['react', 'react-dom'], alias: { '#loader': path.resolve(import.meta.dirname, 'src/loader/source.ts') } },
  test: {
    environment: 'jsdom',
    include: [
      'plugin-sdk/ui/test/**/*.test.{ts,tsx}',
      'ui-shell/test/**/*.test.{ts,tsx}',
      'ui-renderer/test/**/*.test.{ts,tsx}',
      'ui-modules/*/test/**/*.test.{ts,tsx}',
    ],
    setupFiles: [path.resolve(import.meta.dirname, 'test/setup.ts')],
    css: false,
    reporters: results ? ['default', ['json', { outputFile: path.join(results, 'ui.json') }]] : ['default'],
    // They only end a test that hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
