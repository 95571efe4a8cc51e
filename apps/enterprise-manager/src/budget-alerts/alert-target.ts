import { type Resolve, systemResolve } from '@gatehouse/egress/dialer';
import { EgressRefusal } from '@gatehouse/egress/egress-refusal';
import {
  authorityOf,
  hostOf,
  isAddress,
  judgeAddress,
  judgeTarget,
  type Permission,
  readTarget,
} from '@gatehouse/egress/target';
import { Resolver } from 'node:dns/promises';
import { refusal } from '../connectors/connector-rules.ts';

/** Where deliveries go, and what the administrator allows for it. */
interface Target {
  url: URL;
  permission: Permission;
}

/** What an administrator typed. */
interface TypedTarget {
  url: string;
  allow_private_ips: boolean;
}

/** Longest time that a name server has to answer, and how often it is asked. */
const DNS = { timeout: 2_000, tries: 2 };

/**
 * The target of an alert by the rules of connectors: https and a public address, unless private ones are allowed for it; loopback only where the deployment allows
 * that too. Every dial judges the addresses again.
 *
 * @throws EgressRefusal `malformed`, `insecure` or `address`
 */
export function targetOf({ url: text, allow_private_ips }: TypedTarget, allowLoopback: boolean): Target {
  const url = readTarget(text);
  const permission = { authority: authorityOf(url), allowPrivateIps: allow_private_ips, allowLoopback };
  judgeTarget(url, permission);
  return { url, permission };
}

/**
 * Checks what somebody wants to save, also the addresses that its name has now. A name that nobody knows yet may be saved.
 * @throws Refusal that names the url: invalid for what is none, unprocessable for one that may not be called
 */
export async function checkTarget(typed: TypedTarget, allowLoopback: boolean, resolve: Resolve): Promise<void> {
  try {
    const { url, permission } = targetOf(typed, allowLoopback);
    if (isAddress(url)) return;
    const addresses = await resolve(hostOf(url)).catch((): string[] => []);
    for (const address of addresses) judgeAddress(address, url, permission);
  } catch (error) {
    if (!(error instanceof EgressRefusal)) throw error;
    throw refusal(error.rule === 'malformed' ? 'invalid' : 'unprocessable', 'url', error.message, error);
  }
}

/**
 * Looks names up without the threads of the system's resolver, of which there are four: names whose servers are silent would otherwise delay everybody. What DNS
 * does not know may stand in the files of this machine.
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
