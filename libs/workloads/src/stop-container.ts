import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectContainer, killContainer, stopWithin, type ContainerFacts } from './containers.ts';
import type { Engine } from './engine.ts';

/** SIGTERM is signal 15: bit 14 of the masks in /proc. */
const SIGTERM_BIT = 1n << 14n;
const POLL_MS = 50;

/**
 * Whether SIGTERM certainly has no effect on a container's first process: the kernel drops a signal
 * to such a process unless it has a handler. Node looks as if it had one until the first SIGTERM,
 * so this is asked after the signal was sent.
 * @returns false where it cannot be known (engines on other machines, or in a VM)
 */
function isDeaf({ id, pid }: ContainerFacts): boolean {
  try {
    // A process of that number that does not belong to the container is one of another machine's
    // numbers.
    if (!readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(id)) return false;
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return caught !== undefined && (BigInt(`0x${caught}`) & SIGTERM_BIT) === 0n;
  } catch {
    return false;
  }
}

/**
 * Stops a container: its stop signal, then SIGKILL after the grace time, or as soon as it is clear
 * that SIGTERM is not heard (many servers are started that way, and waiting for them is waiting for
 * nothing). One that is gone is fine.
 */
export async function stopContainer(engine: Engine, id: string, graceSeconds: number): Promise<void> {
  const facts = await inspectContainer(engine, id);
  if (facts?.running !== true) return;
  if (facts.stopSignal !== 'SIGTERM') {
    await stopWithin(engine, facts.id, graceSeconds);
    return;
  }
  await killContainer(engine, facts.id, 'SIGTERM');
  const deadline = performance.now() + graceSeconds * 1000;
  for (;;) {
    await sleep(POLL_MS);
    if ((await inspectContainer(engine, facts.id))?.running !== true) return;
    if (performance.now() > deadline || isDeaf(facts)) break;
  }
  await killContainer(engine, facts.id, 'SIGKILL');
}
