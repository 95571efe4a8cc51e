import { eventually, RawClient, scripted, startProxy } from './harness.ts';

/** A proxy in front of a scripted stdio server. @param flags what the script shall do otherwise */
export async function bridge(options: object = {}, ...flags: string[]) {
  const server = scripted(...flags);
  const running = await startProxy({ upstream: { kind: 'stdio', openProcess: server.openProcess }, ...options });
  return { ...running, ...server };
}

/** What the process of a session says of itself. */
export const identity = async (client: RawClient) =>
  JSON.parse(await client.tool('identity')) as { pid: number; count: number; level?: string };
/** Capabilities that give a session a process of its own. */
export const sampling = { sampling: {} };

/** Waits until the server works on this many calls of `wait`. */
export const begun = (ask: () => Promise<string>, calls: number) => eventually(ask, (count) => Number(count) === calls);
