import { collect, type Collected, type ListOptions } from './pages.ts';
import { answerOf, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';

type ManagedSecret = Schemas['ManagedSecret'];

const LIST = 'gatehouse admin secrets list';

/** Managed secrets, in the order in which they were made; never a value. */
export const listSecrets = (
  manager: Manager,
  filter: { name?: string },
  wanted: ListOptions,
): Promise<Collected<ManagedSecret>> =>
  collect(wanted, (page) =>
    answerOf(manager, manager.api.GET('/v1/managed-secrets', { params: { query: { ...filter, ...page } } }), {
      fields: { items: 'list' },
    }),
  );

/** A managed secret by id or name. @throws CliError when there is none */
export async function secretOf(manager: Manager, text: string): Promise<ManagedSecret> {
  if (isId(text)) {
    return answerOf(manager, manager.api.GET('/v1/managed-secrets/{id}', { params: { path: { id: text } } }), {
      fields: { id: 'text' },
      list: LIST,
    });
  }
  const { items } = await listSecrets(manager, { name: text }, { limit: 5, all: false });
  return requireUnique('secret', text, items, ({ name }) => name, LIST);
}

/** Makes a secret. */
export const createSecret = (manager: Manager, name: string, value: string): Promise<ManagedSecret> =>
  answerOf(manager, manager.api.POST('/v1/managed-secrets', { body: { name, value } }));

/** Gives a secret its next value. */
export async function rotateSecret(manager: Manager, text: string, value: string): Promise<ManagedSecret> {
  const { id } = await secretOf(manager, text);
  return answerOf(manager, manager.api.PUT('/v1/managed-secrets/{id}', { params: { path: { id } }, body: { value } }));
}

/** Deletes a secret that no connector uses. */
export async function deleteSecret(manager: Manager, { id }: ManagedSecret): Promise<void> {
  await answerOf(manager, manager.api.DELETE('/v1/managed-secrets/{id}', { params: { path: { id } } }));
}

/** A reference to a secret by id or name; the manager says when there is none. */
export const secretReference = (text: string): Schemas['SecretRef'] =>
  isId(text) ? { managed_secret_id: text } : { managed_secret_name: text };
