import { parseGoDuration } from '@gatehouse/workloads/flags/go-duration';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { requireUnique } from './named.ts';
import { invalidFlag } from '../../errors/cli-error.ts';

type VirtualKey = Schemas['VirtualKey'];

/** Lists the caller's keys, newest first. */
export async function listKeys(manager: Manager): Promise<VirtualKey[]> {
  const { keys } = await readResponse(manager, manager.api.GET('/v1/keys'), { fields: { keys: 'list' } });
  return keys;
}

/**
 * Finds one of the caller's keys by id or prefix, or by name among the keys that are not revoked.
 * @throws CliError when no key or more than one matches
 */
export async function findKey(manager: Manager, text: string): Promise<VirtualKey> {
  const keys = await listKeys(manager);
  const exact = keys.filter(({ id, prefix }) => id === text || prefix === text);
  const named = keys.filter(({ name, status }) => name === text && status !== 'revoked');
  return requireUnique('key', text, exact.length > 0 ? exact : named, ({ status }) => status, 'gatehouse keys list');
}

/** Creates a key for the caller. */
export const createKey = (manager: Manager, body: Schemas['KeyCreate']): Promise<Schemas['KeyWithSecret']> =>
  readResponse(manager, manager.api.POST('/v1/keys', { body }), { fields: { key: 'object', secret: 'text' } });

/** Gives a key a new secret; the previous one stays valid for 24 hours. */
export const rotateKey = (manager: Manager, id: string): Promise<Schemas['KeyWithSecret']> =>
  readResponse(manager, manager.api.POST('/v1/keys/{id}/rotate', { params: { path: { id } } }), {
    fields: { key: 'object', secret: 'text' },
  });

/** Changes the status of a key. */
export async function changeKeyStatus(
  manager: Manager,
  id: string,
  change: 'disable' | 'enable' | 'revoke',
): Promise<void> {
  const params = { path: { id } };
  const calls = {
    disable: () => manager.api.POST('/v1/keys/{id}/disable', { params }),
    enable: () => manager.api.POST('/v1/keys/{id}/enable', { params }),
    revoke: () => manager.api.DELETE('/v1/keys/{id}', { params }),
  };
  await readResponse(manager, calls[change]());
}

/** Parses `key=value` labels. @throws UsageError */
export function parseLabels(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw invalidFlag('--label', `must be key=value, not ${JSON.stringify(pair)}`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** Parses a Go duration into whole seconds. @throws UsageError */
export function parseSeconds(flag: string, text: string): number {
  const seconds = (parseGoDuration(text) ?? Number.NaN) / 1000;
  if (Number.isInteger(seconds) && seconds >= 0) return seconds;
  throw invalidFlag(flag, `must be a duration in whole seconds, not ${JSON.stringify(text)}`, `${flag} 24h`);
}
