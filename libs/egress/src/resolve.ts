import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { getHost, isAddress, checkAddress, type Permission } from './target.ts';

/** Resolves a name to all of its addresses. */
export type HostnameResolver = (hostname: string) => Promise<readonly string[]>;

/**
 * The resolver of the operating system (files, DNS). A process has four threads for it, so a silent
 * name server delays the lookups of all names.
 */
const resolveWithSystem: HostnameResolver = async (hostname) =>
  (await systemLookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** Timeout of a name server in milliseconds, and the number of attempts. */
const DNS = { timeout: 2_000, tries: 2 };

/**
 * Resolves names without the threads of the operating system, so that a silent name server delays
 * only lookups of its own names. Names that DNS does not know, and names without a dot
 * (`localhost`, host names of containers), go to the resolver of the operating system.
 */
export const resolveHostname: HostnameResolver = async (hostname) => {
  if (!hostname.includes('.')) return resolveWithSystem(hostname);
  const resolver = new Resolver(DNS);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.map((answer) =>
    answer.status === 'rejected' ? (answer.reason as { code?: unknown }).code : 'ENODATA',
  );
  if (failures.every((code) => code === 'ENOTFOUND' || code === 'ENODATA')) return resolveWithSystem(hostname);
  throw Object.assign(new Error(`the name servers have no address of ${hostname}`), { code: 'EAI_AGAIN' });
};

/**
 * Checks the current addresses of a URL's name before the URL is saved. A name that does not
 * resolve yet passes: every dial checks again.
 *
 * @throws EgressRefusalError `address`
 */
export async function checkName(
  url: URL,
  permission: Permission,
  resolve: HostnameResolver = resolveHostname,
): Promise<void> {
  if (isAddress(url)) return;
  const addresses = await resolve(getHost(url)).catch((): string[] => []);
  for (const address of addresses) checkAddress(address, url, permission);
}
