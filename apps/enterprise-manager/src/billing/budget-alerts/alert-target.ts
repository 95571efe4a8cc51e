import { EgressRefusal } from '@gatehouse/egress/egress-refusal';
import { judgeName, type Resolve } from '@gatehouse/egress/resolve';
import { authorityOf, judgeTarget, type Permission, readTarget } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';

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

/**
 * The target of an alert by the rules of connectors: https and a public address, unless private
 * ones are allowed for it; loopback only where the deployment allows that too. Every dial judges
 * the addresses again.
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
 * Checks what somebody wants to save, also the addresses that its name has now. A name that nobody
 * knows yet may be saved.
 * @throws HttpError that names the url: invalid for what is none, unprocessable for one that may
 * not be called
 */
export async function checkTarget(typed: TypedTarget, allowLoopback: boolean, resolve?: Resolve): Promise<void> {
  try {
    const { url, permission } = targetOf(typed, allowLoopback);
    await judgeName(url, permission, resolve);
  } catch (error) {
    if (!(error instanceof EgressRefusal)) throw error;
    throw fieldError(error.rule === 'malformed' ? 'invalid' : 'unprocessable', 'url', error.message, error);
  }
}
