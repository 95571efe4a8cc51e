import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest Node on which the packages run. */
const ENGINES = { node: '>=22.19.0' };

/**
 * Writes package.json, README.md and LICENSE of a package.
 * @param {string} folder folder of the package
 * @param {object} manifest its further fields, with name and description
 */
export function writeManifest(folder, manifest) {
  mkdirSync(folder, { recursive: true });
  const { version, license } = readJson('package.json');
  const { name, description, ...others } = manifest;
  const content = { name, version, description, license, type: 'module', engines: ENGINES, ...others };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
  copyFileSync(`tools/package/${name}/README.md`, join(folder, 'README.md'));
  copyFileSync('LICENSE', join(folder, 'LICENSE'));
}

/**
 * Returns the exact versions of installed packages, as dependencies of a package.
 * @param {readonly string[]} names
 * @returns {Record<string, string>}
 */
export const pinDependencies = (names) =>
  Object.fromEntries([...names].sort().map((name) => [name, readJson(`node_modules/${name}/package.json`).version]));

/** Returns the JSON object of a file. */
export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
