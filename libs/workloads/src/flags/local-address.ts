import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { flagError, WorkloadError } from '../errors/workload-error.ts';

/** Tries to listen on an address. @returns the error code; undefined on success */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Whether an IP address belongs to this machine, also to an interface that is down. */
export async function isOwnAddress(address: string): Promise<boolean> {
  return (await tryListening(address, 0)) === undefined;
}

/**
 * Resolves `--host` to an IP address of this machine.
 * @throws WorkloadError (usage) when it is unknown or not an address of this machine.
 */
export async function resolveHost(host: string): Promise<string> {
  let address: string;
  try {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    const first = found.find(({ family }) => family === 4) ?? found[0];
    if (!first) throw new Error('no address');
    address = first.address;
  } catch {
    throw flagError(`--host ${host}`, 'cannot be resolved on this machine');
  }
  const problem = await tryListening(address, 0);
  if (problem !== undefined)
    throw flagError(`--host ${host}`, `is not an address on which this machine can listen (${problem})`);
  return address;
}

/**
 * Checks that a port is free now.
 * @param flag the flag that names it, for the error message
 * @throws WorkloadError (conflict) that names the port.
 */
export async function requireFreePort(flag: string, host: string, port: number): Promise<void> {
  const problem = await tryListening(host, port);
  if (problem === undefined) return;
  if (problem === 'EACCES')
    throw flagError(`${flag} ${port}`, 'is not permitted for this user', 'give a port from 1024 up');
  throw new WorkloadError('conflict', `Port ${port} (${flag}) is already taken on ${host}`, [
    `ss -ltnp 'sport = :${port}'   shows the program`,
    'give another port, or none to get a free one',
  ]);
}
