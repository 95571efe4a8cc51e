import { fileURLToPath } from 'node:url';
import { swcOptions } from '../build/swc.mjs';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

/** @public jest reads it by path */
export default {
  testEnvironment: here('environment.mjs'),
  testMatch: ['**/*.test.ts'],
  runtime: here('runtime.mjs'),
  setupFiles: [here('setup.mjs')],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swcOptions({ rewriteImports: false }), sourceMaps: true }] },
  testEnvironmentOptions: { customExportConditions: ['gatehouse-source', 'node'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testSequencer: here('sequencer.mjs'),
  testTimeout: 60_000,
  // A worker beyond it is replaced after its suite.
  workerIdleMemoryLimit: '1.5GB',
};
