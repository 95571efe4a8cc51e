import { isIPv4 } from 'node:net';
import { flagError } from '../errors/workload-error.ts';
import { parsePort } from './ports.ts';

/**
 * Parses `GATEHOUSE_EGRESS_NAMESERVER`, the nameserver of isolated workloads: `address` or
 * `address:port`. Undefined and empty select that of the container engine.
 * @throws WorkloadError (usage) that names the variable
 */
export function parseNameserver(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const [address = '', port = '53', ...others] = text.trim().split(':');
  if (isIPv4(address) && parsePort(port) !== undefined && others.length === 0) return text.trim();
  throw flagError(`GATEHOUSE_EGRESS_NAMESERVER ${text}`, 'is not an IPv4 address with an optional port', '10.0.0.53');
}
