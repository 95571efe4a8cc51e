import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** @public Vite reads it by path */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The server puts a fresh nonce in its place in every response.
  html: { cspNonce: 'GATEHOUSE_NONCE' },
  build: { outDir: '../dist/web', emptyOutDir: true, assetsInlineLimit: 0, reportCompressedSize: false },
  logLevel: 'warn',
});
