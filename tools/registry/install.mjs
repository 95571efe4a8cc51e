import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program; its output is shown only when it fails. */
const run = (program, args, folder) =>
  execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', maxBuffer: 1 << 26 });

/**
 * Installs a package in a folder.
 * @param {{ registryType: string, identifier: string }} declared package of an entry
 * @param {string | undefined} version exact version; undefined: the newest
 * @param {string} folder empty folder
 * @returns {{ version: string, files: string[] }} the installed version, and the package's files
 */
export function installPackage(declared, version, folder) {
  return declared.registryType === 'npm'
    ? installNpm(declared.identifier, version, folder)
    : installPypi(declared.identifier, version, folder);
}

function installNpm(name, version, folder) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', `${name}@${version ?? 'latest'}`],
    folder,
  );
  const packageFolder = join(folder, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return { version: manifest.version, files: listFiles(packageFolder) };
}

function installPypi(name, version, folder) {
  const target = ['--python', join(folder, 'environment', 'bin', 'python')];
  run('uv', ['venv', '--quiet', 'environment'], folder);
  run('uv', ['pip', 'install', '--quiet', ...target, version === undefined ? name : `${name}==${version}`], folder);
  const show = run('uv', ['pip', 'show', '--files', ...target, name], folder);
  const read = (field) => new RegExp(`^${field}: (.+)$`, 'm').exec(show)?.[1] ?? '';
  const [, list = ''] = show.split(/^Files:\n/m);
  const files = [...list.matchAll(/^ {2}(.+)$/gm)].map(([, path]) => join(read('Location'), path));
  return { version: read('Version'), files };
}

/** The files below a folder. Packages inside packages do not count. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.slice(folder.length).includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Whether the text of a file has a word. */
export const hasWord = (files, word) => files.some((file) => existsSync(file) && readFileSync(file).includes(word));
