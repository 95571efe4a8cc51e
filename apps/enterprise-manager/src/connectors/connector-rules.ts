import { EgressRefusal } from '@gatehouse/egress/egress-refusal';
import { type Permission, authorityOf, judgeTarget, readTarget } from '@gatehouse/egress/target';
import { Refusal } from '@gatehouse/service-kit/refusal';
import type { ConnectorAuthWrite } from './connector-auth.dto.ts';

/** Types of authentication that this deployment can hold; the others rest on managed secrets or identity providers. */
const HELD_AUTH_TYPES: readonly ConnectorAuthWrite['type'][] = ['none'];

/**
 * The authentication to be stored.
 *
 * @throws Refusal invalid for a block that does not belong to the type, unprocessable for a type that this deployment cannot hold
 */
export function acceptedAuth(auth: ConnectorAuthWrite | undefined): { type: 'none' } {
  const { type, ...blocks } = auth ?? { type: 'none' as const };
  const own = type.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const foreign = Object.keys(blocks).find((block) => block !== own);
  if (foreign !== undefined) throw refusal('invalid', `auth.${foreign}`, `does not belong to the type ${type}`);
  if (type !== 'none')
    throw refusal(
      'unprocessable',
      'auth.type',
      `${type} needs managed secrets or identity providers, which this deployment does not have; it can hold: ${HELD_AUTH_TYPES.join(', ')}`,
    );
  return { type };
}

/**
 * The endpoint as it will be called, and what the administrator allows for it.
 *
 * @throws Refusal invalid for anything but an http(s) URL, unprocessable for one that may not be called
 */
export function acceptedEndpoint(
  endpoint: string,
  allowPrivateIps: boolean,
  allowLoopback: boolean,
): { url: URL; permission: Permission } {
  try {
    const url = readTarget(endpoint);
    const permission = { authority: authorityOf(url), allowPrivateIps, allowLoopback };
    judgeTarget(url, permission);
    return { url, permission };
  } catch (error) {
    if (!(error instanceof EgressRefusal)) throw error;
    throw refusal(error.rule === 'malformed' ? 'invalid' : 'unprocessable', 'endpoint', error.message, error);
  }
}

function refusal(kind: 'invalid' | 'unprocessable', field: string, message: string, cause?: unknown): Refusal {
  return new Refusal(kind, `${field}: ${message}`, {
    violations: [{ field: `/${field.replaceAll('.', '/')}`, message }],
    ...(cause !== undefined && { cause }),
  });
}
