import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import type { AuthenticatedUser } from '../access/access.ts';
import { findEntitlements } from '../access/directory-view.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { createCallFacts } from './call-facts.ts';
import type { Plane } from './plane.ts';

/**
 * Records a tool call that was refused before its method ran: malformed, no session, headers that
 * contradict the body, or an unknown revision.
 * @param message the posted message; a message that is no tool call is not recorded
 */
export async function recordRejectedCall(
  plane: Plane,
  scope: EndpointScope,
  user: AuthenticatedUser,
  message: unknown,
): Promise<void> {
  if (!isJsonObject(message) || message['method'] !== 'tools/call') return;
  const entitlements = await findEntitlements(plane.directory, user);
  const name = isJsonObject(message['params']) ? message['params']['name'] : undefined;
  const request = { name: typeof name === 'string' ? name : '' };
  const facts = createCallFacts(plane, scope, request, plane.now(), { user, entitlements }, undefined);
  await plane.recorder.recordRefusal(facts, 'not_evaluated');
}
