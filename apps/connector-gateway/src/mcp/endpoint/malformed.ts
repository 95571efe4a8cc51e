import type { Person } from '../access/access.ts';
import type { Scope } from '../catalogue/offers.ts';
import type { Plane } from '../calls/plane.ts';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import { factsOf } from '../calls/tools.ts';

/**
 * Writes down a tool call that is too malformed to be decided about. The protocol layer refuses
 * such a request before any handler sees it, and a call that is refused is on record like every
 * other.
 * @returns whether it was such a call
 */
export async function recordMalformed(plane: Plane, scope: Scope, person: Person, body: unknown): Promise<boolean> {
  const call = callIn(body);
  if (call === undefined || (typeof call.name === 'string' && (call.args === undefined || isObject(call.args))))
    return false;
  await record(plane, scope, person, call.name);
  return true;
}

/**
 * Writes down a tool call that was refused before any handler saw it: no session, headers that say
 * something else, an unknown revision.
 */
export async function recordUnheard(plane: Plane, scope: Scope, person: Person, body: unknown): Promise<void> {
  const call = callIn(body);
  if (call !== undefined) await record(plane, scope, person, call.name);
}

function callIn(body: unknown): { name: unknown; args: unknown } | undefined {
  if (!isObject(body) || body['method'] !== 'tools/call' || !('id' in body)) return undefined;
  const params = isObject(body['params']) ? body['params'] : {};
  return { name: params['name'], args: params['arguments'] };
}

async function record(plane: Plane, scope: Scope, person: Person, name: unknown): Promise<void> {
  const entitlements = await plane.directory.entitlements(person).catch((error: unknown) => {
    if (error instanceof DirectoryUnavailableError) return undefined;
    throw error;
  });
  const request = { name: typeof name === 'string' ? name : '' };
  const facts = factsOf(plane, scope, request, plane.now(), { person, entitlements }, undefined);
  await plane.recorder.refused(facts, 'not_evaluated');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
