import { EgressRefusalError } from '@gatehouse/egress/egress-refusal';
import { checkName, type HostnameResolver } from '@gatehouse/egress/resolve';
import { getAuthority, checkUrl, type Permission, readTarget } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';

/** The target of deliveries, and the addresses that are allowed for it. */
interface Target {
  url: URL;
  permission: Permission;
}

/** The target as administrators give it. */
interface TargetInput {
  url: string;
  allow_private_ips: boolean;
}

/**
 * Parses the target of an alert by the rules of connectors: https and a public address, unless
 * private addresses are allowed; loopback addresses only if the deployment also allows them. Each
 * connection checks the addresses again.
 * @throws EgressRefusal `malformed`, `insecure` or `address`
 */
export function parseTarget({ url: text, allow_private_ips }: TargetInput, allowLoopback: boolean): Target {
  const url = readTarget(text);
  const permission = { authority: getAuthority(url), allowPrivateIps: allow_private_ips, allowLoopback };
  checkUrl(url, permission);
  return { url, permission };
}

/**
 * Checks a target and the current addresses of its host name. An unknown host name is accepted.
 * @throws HttpError that names the url: invalid for a malformed URL, unprocessable for a target
 * that is not allowed
 */
export async function checkTarget(
  input: TargetInput,
  allowLoopback: boolean,
  resolve?: HostnameResolver,
): Promise<void> {
  try {
    const { url, permission } = parseTarget(input, allowLoopback);
    await checkName(url, permission, resolve);
  } catch (error) {
    if (!(error instanceof EgressRefusalError)) throw error;
    throw fieldError(error.rule === 'malformed' ? 'invalid' : 'unprocessable', 'url', error.message, error);
  }
}
