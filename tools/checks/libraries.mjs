import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The libraries with `exports`: name, folder and package.json of each. */
export function libraries() {
  return readdirSync('libs')
    .map((name) => `libs/${name}`)
    .filter((folder) => existsSync(`${folder}/package.json`))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) }))
    .filter(({ manifest }) => manifest.exports !== undefined)
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}
