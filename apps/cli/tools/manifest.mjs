// Usage: node apps/cli/tools/manifest.mjs
// Writes oclif.manifest.json with the commands and flags of the built command line, so that a start
// loads only one command.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config, settings } from '@oclif/core';

settings.enableAutoTranspile = false;
const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'oclif.manifest.json');
const config = await Config.load({ root, ignoreManifest: true });
const plugin = config.plugins.get(config.name);
// The rename is atomic: a command that starts at this moment reads the old or the new file.
await writeFile(`${file}.${process.pid}`, JSON.stringify(plugin.manifest));
await rename(`${file}.${process.pid}`, file);
