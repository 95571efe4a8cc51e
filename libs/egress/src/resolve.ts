import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { hostOf, isAddress, judgeAddress, type Permission } from './target.ts';

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * The machine's own resolver (files, DNS). It has four threads in a process: names whose servers
 * are silent delay everybody.
 */
const systemResolve: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** Longest time that a name server has to answer in milliseconds, and how often it is asked. */
const DNS = { timeout: 2_000, tries: 2 };

/**
 * Looks names up without the threads of the system's resolver, so that a silent name server delays
 * only those who ask for its names. What DNS does not know, and names without a dot (`localhost`,
 * the host names of containers), may stand in the files of this machine.
 */
export const promptResolve: Resolve = async (hostname) => {
  if (!hostname.includes('.')) return systemResolve(hostname);
  const resolver = new Resolver(DNS);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.map((answer) =>
    answer.status === 'rejected' ? (answer.reason as { code?: unknown }).code : 'ENODATA',
  );
  if (failures.every((code) => code === 'ENOTFOUND' || code === 'ENODATA')) return systemResolve(hostname);
  throw Object.assign(new Error(`the name servers do not say where ${hostname} is`), { code: 'EAI_AGAIN' });
};

/**
 * Judges the addresses that a URL's name has at this moment, for what is about to be saved. A name
 * that nobody knows yet passes: every dial judges again.
 *
 * @throws EgressRefusal `address`
 */
export async function judgeName(url: URL, permission: Permission, resolve: Resolve = promptResolve): Promise<void> {
  if (isAddress(url)) return;
  const addresses = await resolve(hostOf(url)).catch((): string[] => []);
  for (const address of addresses) judgeAddress(address, url, permission);
}
