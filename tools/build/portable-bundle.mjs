import { isBuiltin } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { avoidFacades } from './start-up.mjs';

/**
 * Bundles built modules into a folder.
 * @param {object} options
 * @param {Record<string, string>} options.input the built modules by the path of their bundle,
 * without extension
 * @param {string} options.folder folder of the bundles
 * @param {string} [options.chunks] names of the bundles of modules that several entries need
 * @param {readonly string[]} options.dependencies packages that npm installs
 * @param {readonly string[]} options.optional packages that are imported when they are installed
 * @param {readonly object[]} [options.plugins] further plugins of rolldown
 * @param {object} [options.codeSplitting] chunks, see rolldown
 * @throws {Error} for an import of another package, because npm does not install it
 */
export async function writeBundle({
  input,
  folder,
  dependencies,
  optional,
  chunks = 'chunks/[name]-[hash].js',
  plugins = [],
  codeSplitting,
}) {
  const outside = [...dependencies, ...optional];
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input,
    platform: 'node',
    resolve: { alias: MODULES },
    external: outside.map((name) => new RegExp(`^${RegExp.escape(name)}(?:/|$)`)),
    plugins: [bundlePrograms, avoidFacades, ...plugins],
    // The log has only `eval` of packages; a missing package fails below.
    onLog: (level, log) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    // Errors show the names of their classes.
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: chunks,
    assetFileNames: chunks.replace('.js', '[extname]'),
    ...(codeSplitting && { codeSplitting }),
  });
  await bundle.close();
  for (const { fileName, imports = [], dynamicImports = [] } of output) {
    const known = (name) => isBuiltin(name) || outside.some((one) => name === one || name.startsWith(`${one}/`));
    const missing = [...imports, ...dynamicImports].find((name) => !/\.js$/.test(name) && !known(name));
    if (missing !== undefined) throw new Error(`${fileName} imports ${missing}, which is not a dependency`);
  }
  requirePortable(output);
}

/** Packages whose main module requires others in a form that a bundler does not find. */
const MODULES = { 'jsonc-parser': resolve('node_modules/jsonc-parser/lib/esm/main.js') };

/** The forms in which a module names another program: a process, or a thread. */
const PROGRAMS = [
  /import\.meta\.resolve\('(?<specifier>[^']+)'\)/g,
  /new URL\(\s*(?:import\.meta\.url\.endsWith\('\.ts'\)\s*\?\s*'[^']+'\s*:\s*)?'(?<specifier>\.[^']+\.js)',\s*import\.meta\.url\s*\)/g,
];

/** Whether a file is a program of containers, which is one file without imports of others. */
const isWhole = (file) => /\/dist\/bundle\/[^/]+\.js$/.test(file);

/**
 * Bundles the programs that a module starts as processes or threads, and replaces their paths. The
 * bundle of a program has a name of its own, because other modules can share it. A program of
 * containers is copied: as a part of the bundle it would import modules that others share.
 */
const bundlePrograms = {
  name: 'bundle-programs',
  async transform(code, id) {
    const found = PROGRAMS.flatMap((form) => [...code.matchAll(form)]);
    let result = code;
    for (const { 0: text, groups } of found) {
      const target = await this.resolve(groups.specifier, id);
      if (!target || target.external || !existsSync(target.id)) {
        throw new Error(`${id} names a program that does not exist: ${groups.specifier}`);
      }
      const reference = this.emitFile(
        isWhole(target.id)
          ? { type: 'asset', name: basename(target.id), source: readFileSync(target.id, 'utf8') }
          : { type: 'chunk', id: target.id },
      );
      const url = `import.meta.ROLLUP_FILE_URL_${reference}`;
      result = result.replace(text, () => (text.startsWith('new URL') ? `new URL(${url})` : url));
    }
    return result === code ? null : { code: result };
  },
};

/** @throws {Error} when a bundle contains a path of this machine */
function requirePortable(output) {
  const root = resolve('.');
  const found = output.find(({ code, source }) => String(code ?? source).includes(root));
  if (found) throw new Error(`${found.fileName} contains the path ${root}`);
}
