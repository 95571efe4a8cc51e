import { fileURLToPath } from 'node:url';
import { swcOptions } from '../build/swc.mjs';

/** @public jest reads it by path */
export default {
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swcOptions({ rewriteImports: false }), sourceMaps: 'inline' }] },
  testEnvironmentOptions: { customExportConditions: ['gatehouse-source', 'node'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testSequencer: fileURLToPath(new URL('sequencer.mjs', import.meta.url)),
  testTimeout: 60_000,
};
