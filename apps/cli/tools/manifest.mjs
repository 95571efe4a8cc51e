// node apps/cli/tools/manifest.mjs Writes oclif.manifest.json: commands and flags of the built
// command line, so that a start loads the one command that it runs.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config, settings } from '@oclif/core';

settings.enableAutoTranspile = false;
const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'oclif.manifest.json');
const config = await Config.load({ root, ignoreManifest: true });
const plugin = config.plugins.get(config.name);
// A rename: a command that starts at this moment reads the old file or the new one.
await writeFile(`${file}.${process.pid}`, JSON.stringify(plugin.manifest));
await rename(`${file}.${process.pid}`, file);
