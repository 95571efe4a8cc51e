import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const PACKAGE = 'node_modules/@cedar-policy/cedar-wasm/nodejs';
const MODULE = resolve('libs/policy/dist/engine-files.js');

/**
 * Puts Cedar and its WebAssembly into a bundle that has no packages beside it. They are a chunk
 * that is loaded with the first policy.
 */
export const embedCedar = {
  name: 'embed-cedar',
  load(id) {
    if (id !== MODULE) return null;
    const pack = (file) =>
      JSON.stringify(gzipSync(readFileSync(`${PACKAGE}/${file}`), { level: 9 }).toString('base64'));
    return [
      "import { gunzipSync } from 'node:zlib';",
      "const unpack = (text) => gunzipSync(Buffer.from(text, 'base64'));",
      'export const readEngineFiles = () => ({',
      `  code: unpack(${pack('cedar_wasm.js')}).toString('utf8'),`,
      `  wasm: unpack(${pack('cedar_wasm_bg.wasm')}),`,
      '});',
    ].join('\n');
  },
};
