import { collect, type Collected, type ListOptions } from './pages.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';

type ManagedSecret = Schemas['ManagedSecret'];

const LIST = 'gatehouse admin secrets list';

/** Lists managed secrets, without their values, in the order of their creation. */
export const listSecrets = (
  manager: Manager,
  filter: { name?: string },
  wanted: ListOptions,
): Promise<Collected<ManagedSecret>> =>
  collect(wanted, (page) =>
    readResponse(manager, manager.api.GET('/v1/managed-secrets', { params: { query: { ...filter, ...page } } }), {
      fields: { items: 'list' },
    }),
  );

/** Finds a managed secret by id or name. @throws CliError when it does not exist */
export async function findSecret(manager: Manager, text: string): Promise<ManagedSecret> {
  if (isId(text)) {
    return readResponse(manager, manager.api.GET('/v1/managed-secrets/{id}', { params: { path: { id: text } } }), {
      fields: { id: 'text' },
      list: LIST,
    });
  }
  const { items } = await listSecrets(manager, { name: text }, { limit: 5, all: false });
  return requireUnique('secret', text, items, ({ name }) => name, LIST);
}

/** Creates a secret. */
export const createSecret = (manager: Manager, name: string, value: string): Promise<ManagedSecret> =>
  readResponse(manager, manager.api.POST('/v1/managed-secrets', { body: { name, value } }));

/** Replaces the value of a secret. */
export async function rotateSecret(manager: Manager, text: string, value: string): Promise<ManagedSecret> {
  const { id } = await findSecret(manager, text);
  return readResponse(
    manager,
    manager.api.PUT('/v1/managed-secrets/{id}', { params: { path: { id } }, body: { value } }),
  );
}

/** Deletes a secret that no connector uses. */
export async function deleteSecret(manager: Manager, { id }: ManagedSecret): Promise<void> {
  await readResponse(manager, manager.api.DELETE('/v1/managed-secrets/{id}', { params: { path: { id } } }));
}

/** A reference to a secret by id or name. The manager rejects an unknown one. */
export const secretReference = (text: string): Schemas['SecretRef'] =>
  isId(text) ? { managed_secret_id: text } : { managed_secret_name: text };
