// Loaded into every service before its own code. The service shuts down by itself when the
// supervisor is gone; this is what ends it when it cannot: still loading its modules, or waiting
// for something that no longer answers.
import { readEnvironment } from './config.ts';
import { collectGarbageWhenIdle } from './settle.ts';
import { watchParent } from './parent.ts';

/** Milliseconds that a service has for its own shutdown after its supervisor died. */
const SHUTDOWN_GRACE_MS = 3500;

const supervisor = readEnvironment();
if (process.ppid !== supervisor) process.exit(1);
collectGarbageWhenIdle();
watchParent(supervisor, () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), SHUTDOWN_GRACE_MS).unref());
