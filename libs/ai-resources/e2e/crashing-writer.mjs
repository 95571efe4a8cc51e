// Usage: node crashing-writer.mjs FOLDER OPERATION STEP
// Performs one write on the resource `a` and kills itself before a step of it: a call of the file
// system or of SQLite. It prints `done` when the write has fewer steps.
import { FileResourceStore } from '@gatehouse/ai-resources/file-resource-store';
import { ResourceFolder } from '@gatehouse/ai-resources/resource-folder';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [path, operation, step] = process.argv.slice(2);
const state = { isArmed: false, steps: 0 };

/** Kills the process before one of the calls of a function. */
function trap(owner, name) {
  const original = owner[name];
  owner[name] = function trapped(...args) {
    if (state.isArmed && state.steps++ === Number(step)) process.kill(process.pid, 'SIGKILL');
    return Reflect.apply(original, this, args);
  };
}

for (const name of [
  'openSync',
  'writeSync',
  'fsyncSync',
  'fchmodSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'rmSync',
])
  trap(fs, name);
syncBuiltinESMExports();
trap(DatabaseSync.prototype, 'exec');
trap(StatementSync.prototype, 'run');

const folder = new ResourceFolder({ path, namespace: 'gatehouse' });
const store = new FileResourceStore(folder, 'AIPolicy');
const current = await store.get('a');
const spec = {
  gatewayRef: { name: 'local' },
  description: 'new',
  principalMatchers: [{ claims: { groups: 'developers' } }],
};
const operations = {
  create: () => store.create({ metadata: { name: 'a' }, spec }),
  patch: () => store.patch('a', { spec: { description: 'new' } }, current.metadata),
  status: () => store.patch('a', { status: { observedGeneration: 7 } }, { ...current.metadata, subresource: 'status' }),
  delete: () => store.delete('a', current.metadata),
};
state.isArmed = true;
await operations[operation]();
state.isArmed = false;
fs.writeSync(1, 'done\n');
await folder.close();
