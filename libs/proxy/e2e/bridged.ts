import { eventually, RawClient, scripted, startProxy } from './harness.ts';

/** Starts a proxy in front of a scripted stdio server. @param flags flags of the script */
export async function bridge(options: object = {}, ...flags: string[]) {
  const server = scripted(...flags);
  const running = await startProxy({ upstream: { kind: 'stdio', openProcess: server.openProcess }, ...options });
  return { ...running, ...server };
}

/** Asks the process of a session for its state. */
export const identity = async (client: RawClient) =>
  JSON.parse(await client.tool('identity')) as { pid: number; count: number; level?: string };
/** Capabilities that give a session an exclusive process. */
export const sampling = { sampling: {} };

/** Waits until the server handles this many calls of `wait`. */
export const begun = (ask: () => Promise<string>, calls: number) => eventually(ask, (count) => Number(count) === calls);
