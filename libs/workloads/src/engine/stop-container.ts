import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectContainer, killContainer, stopWithGrace, type ContainerInfo } from './containers.ts';
import type { Engine } from './engine.ts';

/** SIGTERM is signal 15: bit 14 of the masks in /proc. */
const SIGTERM_BIT = 1n << 14n;
const POLL_MS = 50;

/**
 * Whether the first process of a container ignores SIGTERM. The kernel drops a signal to such a
 * process unless it has a handler. Call it after SIGTERM: Node has a handler until the first one.
 * @returns false when it cannot be determined (engines on other machines or in a VM)
 */
function ignoresSigterm({ id, pid }: ContainerInfo): boolean {
  try {
    // The pid of an engine on another machine can be that of another process here.
    if (!readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(id)) return false;
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return caught !== undefined && (BigInt(`0x${caught}`) & SIGTERM_BIT) === 0n;
  } catch {
    return false;
  }
}

/**
 * Stops a container with its stop signal. Sends SIGKILL after the grace time, or at once when the
 * process ignores SIGTERM, as many servers do.
 */
export async function stopContainer(engine: Engine, id: string, graceSeconds: number): Promise<void> {
  const facts = await inspectContainer(engine, id);
  if (facts?.running !== true) return;
  if (facts.stopSignal !== 'SIGTERM') {
    await stopWithGrace(engine, facts.id, graceSeconds);
    return;
  }
  await killContainer(engine, facts.id, 'SIGTERM');
  const deadline = performance.now() + graceSeconds * 1000;
  for (;;) {
    await sleep(POLL_MS);
    if ((await inspectContainer(engine, facts.id))?.running !== true) return;
    if (performance.now() > deadline || ignoresSigterm(facts)) break;
  }
  await killContainer(engine, facts.id, 'SIGKILL');
}
