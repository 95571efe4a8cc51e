import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns name, folder and package.json of each library with `exports`. */
export function libraries() {
  return readdirSync('libs')
    .map((name) => `libs/${name}`)
    .filter((folder) => existsSync(`${folder}/package.json`))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) }))
    .filter(({ manifest }) => manifest.exports !== undefined)
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}
