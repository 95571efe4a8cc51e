import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { badFlag, WorkloadFailure } from './failure.ts';

/** The error code of listening on an address, or undefined when that works. */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Whether an IP address is one of this machine (also of an interface that is down). */
export async function isOwnAddress(address: string): Promise<boolean> {
  return (await tryListening(address, 0)) === undefined;
}

/**
 * The IP address that `--host` stands for, an address of this machine.
 * @throws WorkloadFailure (usage) when it is unknown or not of this machine.
 */
export async function resolveHost(host: string): Promise<string> {
  let address: string;
  try {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    const first = found.find(({ family }) => family === 4) ?? found[0];
    if (!first) throw new Error('no address');
    address = first.address;
  } catch {
    throw badFlag(`--host ${host}`, 'is not known on this machine');
  }
  const problem = await tryListening(address, 0);
  if (problem !== undefined)
    throw badFlag(`--host ${host}`, `is not an address that can be listened on here (${problem})`);
  return address;
}

/**
 * Makes sure that a port can be listened on now.
 * @param flag what asked for it, for the sentence
 * @throws WorkloadFailure (conflict) that names the port.
 */
export async function requireFreePort(flag: string, host: string, port: number): Promise<void> {
  const problem = await tryListening(host, port);
  if (problem === undefined) return;
  if (problem === 'EACCES')
    throw badFlag(`${flag} ${port}`, 'may not be listened on by this user', 'give a port from 1024 up');
  throw new WorkloadFailure('conflict', `Port ${port} (${flag}) is already taken on ${host}`, [
    `ss -ltnp 'sport = :${port}'   shows by whom`,
    'give another port, or none to get a free one',
  ]);
}
