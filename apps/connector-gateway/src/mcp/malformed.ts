import type { Person } from './access.ts';
import type { Scope } from './offers.ts';
import type { Plane } from './plane.ts';
import { DirectoryUnavailableError } from './plane.ts';
import { factsOf } from './tools.ts';

/**
 * Writes down a tool call that is too malformed to be decided about. The protocol layer refuses such a request before any handler sees it, and a
 * call that is refused is on record like every other.
 */
export async function recordMalformed(plane: Plane, scope: Scope, person: Person, body: unknown): Promise<void> {
  if (!isObject(body) || body['method'] !== 'tools/call' || !('id' in body)) return;
  const params = isObject(body['params']) ? body['params'] : {};
  const name = params['name'];
  const args = params['arguments'];
  if (typeof name === 'string' && (args === undefined || isObject(args))) return;
  const entitlements = await plane.directory.entitlements(person).catch((error: unknown) => {
    if (error instanceof DirectoryUnavailableError) return undefined;
    throw error;
  });
  const request = { name: typeof name === 'string' ? name : '' };
  await plane.recorder.refused(
    factsOf(plane, scope, request, plane.now(), { person, entitlements }, undefined),
    'not_evaluated',
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
