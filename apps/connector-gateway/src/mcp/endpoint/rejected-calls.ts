import type { AuthenticatedUser } from '../access/access.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { Plane } from '../calls/plane.ts';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import { createCallFacts } from '../calls/tools.ts';

/**
 * Records a malformed tool call. The protocol layer refuses such a request before a handler runs.
 * @returns whether it was such a call
 */
export async function recordMalformedCall(
  plane: Plane,
  scope: EndpointScope,
  user: AuthenticatedUser,
  body: unknown,
): Promise<boolean> {
  const call = findCall(body);
  if (call === undefined || (typeof call.name === 'string' && (call.args === undefined || isObject(call.args))))
    return false;
  await recordRejection(plane, scope, user, call.name);
  return true;
}

/**
 * Records a tool call that was refused before a handler ran: no session, headers that contradict
 * the body, or an unknown revision.
 */
export async function recordRejectedCall(
  plane: Plane,
  scope: EndpointScope,
  user: AuthenticatedUser,
  body: unknown,
): Promise<void> {
  const call = findCall(body);
  if (call !== undefined) await recordRejection(plane, scope, user, call.name);
}

function findCall(body: unknown): { name: unknown; args: unknown } | undefined {
  if (!isObject(body) || body['method'] !== 'tools/call' || !('id' in body)) return undefined;
  const params = isObject(body['params']) ? body['params'] : {};
  return { name: params['name'], args: params['arguments'] };
}

async function recordRejection(
  plane: Plane,
  scope: EndpointScope,
  user: AuthenticatedUser,
  name: unknown,
): Promise<void> {
  const entitlements = await plane.directory.getEntitlements(user).catch((error: unknown) => {
    if (error instanceof DirectoryUnavailableError) return undefined;
    throw error;
  });
  const request = { name: typeof name === 'string' ? name : '' };
  const facts = createCallFacts(plane, scope, request, plane.now(), { user, entitlements }, undefined);
  await plane.recorder.recordRefusal(facts, 'not_evaluated');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
