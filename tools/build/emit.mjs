import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { swcOptions } from './swc.mjs';

/** The file in `dist` with the hash of the compiler and of each source, by its path below `src`. */
export const RECORD = '.build.json';
/** Folders in `dist` that another step fills. */
export const STEP_FOLDERS = ['web', 'bundle'];
/** Milliseconds after which a temporary folder belongs to a killed build. */
const LEFTOVER_AGE = 3_600_000;

/** Returns a hash of texts and contents of files. */
export const computeHash = (...contents) => {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('base64url');
};

const here = (file) => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
const compilerHash = () => {
  const { version } = JSON.parse(here('../../node_modules/@swc/core/package.json'));
  return computeHash(version, here('swc.mjs'), here('emit.mjs'));
};

const readRecord = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Emits each `*.ts` below `<project>/src` as ES modules with source maps into `<project>/dist`.
 * Compiles changed sources only. Files are replaced by a rename after all of them are compiled, new
 * files first, so that a program that starts at this moment finds every imported module.
 * @param {string} project folder of the project
 * @returns {Promise<{ written: number, removed: number }>} the number of written and removed
 * modules
 */
export async function emitProject(project) {
  const source = join(project, 'src');
  const target = join(project, 'dist');
  const recordFile = join(target, RECORD);
  const compiler = compilerHash();
  const before = readRecord(recordFile);
  const known = before?.compiler === compiler ? before.sources : {};
  const sources = {};
  const changed = [];
  for (const file of globSync('**/*.ts', { cwd: source }).sort()) {
    if (/\.(test|fixture|d)\.ts$/.test(file)) continue;
    const hash = computeHash(readFileSync(join(source, file)));
    sources[file] = hash;
    const out = join(target, getModulePath(file));
    if (known[file] !== hash || !existsSync(out) || !existsSync(`${out}.map`)) changed.push(file);
  }
  const expected = new Set(Object.keys(sources).flatMap((file) => [getModulePath(file), `${getModulePath(file)}.map`]));
  const stale = listOutputs(target).filter((file) => !expected.has(file));
  if (changed.length === 0 && stale.length === 0) return { written: 0, removed: 0 };

  const temporary = join(target, `.tmp-${process.pid}`);
  mkdirSync(temporary, { recursive: true });
  try {
    await compile(changed, source, target, temporary);
    for (const file of newFirst(changed, target)) publish(getModulePath(file), temporary, target);
    for (const file of stale) rmSync(join(target, file), { force: true });
    writeFileSync(join(temporary, RECORD), JSON.stringify({ compiler, sources }));
    renameSync(join(temporary, RECORD), recordFile);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return { written: changed.length, removed: stale.filter((file) => file.endsWith('.js')).length };
}

const getModulePath = (file) => file.replace(/\.ts$/, '.js');

const newFirst = (files, target) => {
  const isNew = (file) => !existsSync(join(target, getModulePath(file)));
  return [...files.filter(isNew), ...files.filter((file) => !isNew(file))];
};

/** Lists the outputs of this step below `dist`, and removes folders of killed builds. */
const listOutputs = (target) => {
  if (!existsSync(target)) return [];
  for (const folder of globSync('.tmp-*', { cwd: target })) {
    const path = join(target, folder);
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LEFTOVER_AGE)
      rmSync(path, { recursive: true, force: true });
  }
  const isOther = (file) => STEP_FOLDERS.includes(file.split('/')[0]) || file.startsWith('.');
  return globSync('**/*.{js,map}', { cwd: target }).filter((file) => !isOther(file));
};

async function compile(files, source, target, temporary) {
  if (files.length === 0) return;
  const { transformFile } = await import('@swc/core');
  await Promise.all(
    files.map(async (file) => {
      const path = join(source, file);
      const out = join(temporary, getModulePath(file));
      const { code, map } = await transformFile(path, {
        ...swcOptions({ rewriteImports: true }),
        sourceMaps: true,
        sourceFileName: relative(dirname(join(target, file)), path),
      });
      mkdirSync(dirname(out), { recursive: true });
      writeFileSync(out, `${code}\n//# sourceMappingURL=${out.split('/').at(-1)}.map\n`);
      writeFileSync(`${out}.map`, map);
    }),
  );
}

const publish = (file, temporary, target) => {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  for (const name of [`${file}.map`, file]) renameSync(join(temporary, name), join(target, name));
};
