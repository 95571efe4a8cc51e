import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { hostOf, isAddress, judgeAddress, type Permission } from './target.ts';

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * The resolver of the operating system (files, DNS). A process has four threads for it, so a silent
 * name server delays the lookups of all names.
 */
const systemResolve: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** Timeout of a name server in milliseconds, and the number of attempts. */
const DNS = { timeout: 2_000, tries: 2 };

/**
 * Resolves names without the threads of the operating system, so that a silent name server delays
 * only lookups of its own names. Names that DNS does not know, and names without a dot
 * (`localhost`, host names of containers), go to the resolver of the operating system.
 */
export const resolveHostname: Resolve = async (hostname) => {
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
 * Judges the current addresses of a URL's name before the URL is saved. A name that does not
 * resolve yet passes: every dial judges again.
 *
 * @throws EgressRefusal `address`
 */
export async function judgeName(url: URL, permission: Permission, resolve: Resolve = resolveHostname): Promise<void> {
  if (isAddress(url)) return;
  const addresses = await resolve(hostOf(url)).catch((): string[] => []);
  for (const address of addresses) judgeAddress(address, url, permission);
}
