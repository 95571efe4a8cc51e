import { decodeProtectedHeader, EncryptJWT, jwtDecrypt } from 'jose';
import { validate as isUuid } from 'uuid';
import { getUserKey } from '../access/directory-view.ts';
import type { AuthenticatedUser } from '../access/access.ts';
import { createInvalidParamsError } from './client-call.ts';

/** Time for which a client may send a state back. */
const LIFETIME = '10 minutes';

/**
 * Seals the `requestState` of an upstream between two rounds (MCP 2026-07-28, multi round-trip
 * requests). Only the same user can send it back, and only with the same request.
 */
export class RequestStates {
  /** @param key 32 bytes that all replicas share */
  constructor(private readonly key: Uint8Array) {}

  /**
   * @param target the request: its method, connector and name or URI
   * @param replica the replica that alone can continue the request
   */
  seal(user: AuthenticatedUser, target: string, state: string, replica?: string): Promise<string> {
    return new EncryptJWT({ state })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...(replica !== undefined && { kid: replica }) })
      .setSubject(getUserKey(user))
      .setAudience(target)
      .setExpirationTime(LIFETIME)
      .encrypt(this.key);
  }

  /** Opens a sealed state. @throws RpcError for one of another user or request, or an old one */
  async open(user: AuthenticatedUser, target: string, sealed: unknown): Promise<string> {
    if (typeof sealed !== 'string') throw createInvalidParamsError('params.requestState must be a string');
    try {
      const { payload } = await jwtDecrypt<{ state: string }>(sealed, this.key, {
        subject: getUserKey(user),
        audience: target,
        requiredClaims: ['exp'],
      });
      return payload.state;
    } catch {
      throw createInvalidParamsError('params.requestState is not a state of this request, or has expired');
    }
  }
}

/**
 * The replica that a state names; undefined for a state without one. The name is only a hint: the
 * replica opens the state, which authenticates it.
 */
export function readReplica(requestState: unknown): string | undefined {
  if (typeof requestState !== 'string') return undefined;
  try {
    const { kid } = decodeProtectedHeader(requestState);
    return isUuid(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}
