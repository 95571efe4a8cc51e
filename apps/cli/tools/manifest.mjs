// node apps/cli/tools/manifest.mjs
// Writes oclif.manifest.json: commands and flags of the built command line, so that a start loads the one command that it runs.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config, settings } from '@oclif/core';

settings.enableAutoTranspile = false;
const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'oclif.manifest.json');
await rm(file, { force: true });
const config = await Config.load({ root });
const plugin = config.plugins.get(config.name);
await writeFile(file, JSON.stringify(plugin.manifest));
