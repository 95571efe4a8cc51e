// Usage: node apps/cli/tools/manifest.mjs
// Writes oclif.manifest.json with the commands and flags of the built command line, so that a start
// loads only one command.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Plugin, settings } from '@oclif/core';

settings.enableAutoTranspile = false;
const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'oclif.manifest.json');
// A command that cannot be loaded fails the build. By default, oclif leaves it out of the list.
const plugin = new Plugin({ root, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true });
await plugin.load();
// The rename is atomic: a command that starts at this moment reads the old or the new file.
await writeFile(`${file}.${process.pid}`, JSON.stringify(plugin.manifest));
await rename(`${file}.${process.pid}`, file);
