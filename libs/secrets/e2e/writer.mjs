// Usage: node writer.mjs FOLDER PASSWORD OPERATION NAME VALUE [STEP]
// Performs one write of the encrypted file and kills itself before a step of it: a call of the file
// system or of SQLite. Half of a text is written before. It prints `done` when the write has fewer
// steps.
import { EncryptedSecrets } from '@gatehouse/secrets/encrypted/encrypted-secrets';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

const [folder, password, operation, name, value, step] = process.argv.slice(2);
const state = { isArmed: false, steps: 0 };

/** Kills the process before one of the calls of a function. */
function trap(owner, method) {
  const original = owner[method];
  owner[method] = function trapped(...args) {
    if (state.isArmed && state.steps++ === Number(step)) {
      if (method === 'writeFileSync') original(args[0], args[1].slice(0, args[1].length / 2));
      process.kill(process.pid, 'SIGKILL');
    }
    return Reflect.apply(original, this, args);
  };
}

for (const method of ['openSync', 'writeFileSync', 'fsyncSync', 'closeSync', 'renameSync', 'linkSync', 'rmSync'])
  trap(fs, method);
syncBuiltinESMExports();
trap(DatabaseSync.prototype, 'exec');
trap(DatabaseSync.prototype, 'close');

const sources = {
  password,
  passwordFile: undefined,
  keyring: () => Promise.reject(new Error('no keyring')),
  ask: undefined,
};
const secrets = new EncryptedSecrets(folder, sources);
const operations = {
  create: () => secrets.create({ text: password, storage: 'environment' }),
  set: () => secrets.set(name, value),
  delete: () => secrets.delete(name),
  changePassword: () => secrets.changePassword({ text: value, storage: 'environment' }),
};
state.isArmed = step !== undefined;
await operations[operation]();
state.isArmed = false;
fs.writeSync(1, 'done\n');
