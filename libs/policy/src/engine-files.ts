import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PATH = createRequire(import.meta.url).resolve('@cedar-policy/cedar-wasm/nodejs');

/**
 * Reads the code of Cedar's package and its WebAssembly. Bundles without packages replace this
 * module by one that contains both (`tools/build/embed-cedar.mjs`).
 */
export const readEngineFiles = (): { readonly code: string; readonly wasm: Buffer } => ({
  code: readFileSync(PATH, 'utf8'),
  wasm: readFileSync(join(dirname(PATH), 'cedar_wasm_bg.wasm')),
});
