import { readResponse, type Manager, type Schemas } from './manager.ts';

/** Lists the keys that sign the configuration of clients: next, current, then previous ones. */
export async function signingKeys(manager: Manager): Promise<Schemas['SigningKey'][]> {
  const { keys } = await readResponse(manager, manager.api.GET('/v1/signing-keys'), { fields: { keys: 'list' } });
  return keys;
}

/** Rotates the signing keys: the next key signs from now on. */
export async function rotateSigningKeys(manager: Manager): Promise<Schemas['SigningKey'][]> {
  const { keys } = await readResponse(manager, manager.api.POST('/v1/signing-keys/rotate'), {
    fields: { keys: 'list' },
  });
  return keys;
}

/** Withdraws a key from the key set. Its signatures are no longer valid. */
export async function withdrawSigningKey(manager: Manager, kid: string): Promise<void> {
  await readResponse(manager, manager.api.DELETE('/v1/signing-keys/{kid}', { params: { path: { kid } } }), {
    list: 'gatehouse admin signing-keys list',
  });
}
