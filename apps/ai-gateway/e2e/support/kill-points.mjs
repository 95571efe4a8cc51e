// Loaded before a program with `--import`, in each of its threads. Kills the process before a step
// of one thread: a call of the file system, of SQLite, of another thread or of the enterprise
// manager. KILL_AT has the thread and the number of the step, such as `worker 7`; without it
// the program runs to its end.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread, MessagePort, Worker } from 'node:worker_threads';

const [thread, step] = (process.env.KILL_AT ?? '').split(' ');

if (thread === (isMainThread ? 'main' : 'worker')) {
  let steps = 0;
  /** Kills the process before one of the calls of a function. */
  const trap = (owner, name) => {
    const original = owner[name];
    owner[name] = function trapped(...args) {
      if (steps++ === Number(step)) process.kill(process.pid, 'SIGKILL');
      return Reflect.apply(original, this, args);
    };
  };
  for (const name of ['writeSync', 'ftruncateSync', 'fdatasyncSync']) trap(fs, name);
  syncBuiltinESMExports();
  trap(DatabaseSync.prototype, 'exec');
  for (const name of ['run', 'get', 'all']) trap(StatementSync.prototype, name);
  trap(isMainThread ? Worker.prototype : MessagePort.prototype, 'postMessage');
  if (isMainThread) trap(globalThis, 'fetch');
}
