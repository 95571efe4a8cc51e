import { waitUntil, RawClient, createScriptedSpawner, startProxy } from './harness.ts';

/** Starts a proxy in front of a scripted stdio server. @param flags flags of the script */
export async function startBridge(options: object = {}, ...flags: string[]) {
  const server = createScriptedSpawner(...flags);
  const running = await startProxy({ upstream: { kind: 'stdio', openProcess: server.openProcess }, ...options });
  return { ...running, ...server };
}

/** Asks the process of a session for its state. */
export const getIdentity = async (client: RawClient) =>
  JSON.parse(await client.callTool('identity')) as { pid: number; count: number; level?: string };
/** Capabilities that give a session an exclusive process. */
export const sampling = { sampling: {} };

/** Waits until the server handles this many calls of `wait`. */
export const waitForCalls = (ask: () => Promise<string>, calls: number) =>
  waitUntil(ask, (count) => Number(count) === calls);
