// Runs in every service before its own code. A service shuts down when its supervisor has ended.
// This guard kills a service that cannot shut down, for example while it loads its modules.
import { readEnvironment } from './config.ts';
import { collectGarbageWhenIdle } from './idle-collection.ts';
import { watchParent } from './parent.ts';

/** Milliseconds for the shutdown of a service after the end of its supervisor. */
const SHUTDOWN_GRACE_MS = 3500;

const supervisor = readEnvironment();
if (process.ppid !== supervisor) process.exit(1);
collectGarbageWhenIdle();
watchParent(supervisor, () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), SHUTDOWN_GRACE_MS).unref());
