import { EgressRefusal } from '@gatehouse/egress/egress-refusal';
import { type Permission, authorityOf, judgeTarget, readTarget } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';

/**
 * An address as it will be called, and what the administrator allows for it.
 *
 * @param field where it stands in the body
 * @throws HttpError invalid for anything but an http(s) URL, unprocessable for one that may not be
 * called
 */
export function acceptedUrl(
  text: string,
  field: string,
  allowPrivateIps: boolean,
  allowLoopback: boolean,
): { url: URL; permission: Permission } {
  return accepted(text, field, (url) => ({ authority: authorityOf(url), allowPrivateIps, allowLoopback }));
}

/**
 * Another address that a connector names, judged with the permission of its endpoint: that covers
 * the endpoint's authority alone.
 * @throws HttpError invalid for anything but an http(s) URL, unprocessable for one that may not be
 * called
 */
export function acceptedUnder(permission: Permission, text: string, field: string): URL {
  return accepted(text, field, () => permission).url;
}

function accepted(
  text: string,
  field: string,
  permissionFor: (url: URL) => Permission,
): { url: URL; permission: Permission } {
  try {
    const url = readTarget(text);
    const permission = permissionFor(url);
    judgeTarget(url, permission);
    return { url, permission };
  } catch (error) {
    if (!(error instanceof EgressRefusal)) throw error;
    throw fieldError(error.rule === 'malformed' ? 'invalid' : 'unprocessable', field, error.message, error);
  }
}
