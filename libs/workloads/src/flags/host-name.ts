import { isIP } from 'node:net';
import { flagError } from '../errors/workload-error.ts';

const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*$/;

/**
 * Parses a flag with an IP address or a host name.
 * @returns an IPv6 address without brackets, a name in lower case
 * @throws WorkloadError (usage)
 */
export function parseHostName(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIP(bare) !== 0) return bare;
  if (!HOST_NAME.test(text) || /^[0-9.]+$/.test(text))
    throw flagError(`${flag} ${text}`, 'is neither an IP address nor a host name');
  return text.toLowerCase();
}
