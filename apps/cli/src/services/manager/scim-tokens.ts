import { collect, type Collected, type ListOptions } from './pages.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';

type ScimToken = Schemas['ScimToken'];

const LIST = 'gatehouse admin scim-tokens list';

/**
 * Lists the tokens of provisioning directories in the order of their creation, revoked ones
 * included.
 */
export const listScimTokens = (
  manager: Manager,
  filter: { issuer_id?: string },
  wanted: ListOptions,
): Promise<Collected<ScimToken>> =>
  collect(wanted, (page) =>
    readResponse(manager, manager.api.GET('/v1/scim-tokens', { params: { query: { ...filter, ...page } } }), {
      fields: { items: 'list' },
    }),
  );

/**
 * Finds a token by id, or by the name of a token that is not revoked.
 * @throws CliError when no token or several match
 */
export async function findScimToken(manager: Manager, text: string): Promise<ScimToken> {
  if (isId(text))
    return readResponse(manager, manager.api.GET('/v1/scim-tokens/{id}', { params: { path: { id: text } } }), {
      fields: { id: 'text' },
      list: LIST,
    });
  const { items } = await listScimTokens(manager, {}, { limit: 0, all: true });
  const named = items.filter(({ name, state }) => name === text && state !== 'revoked');
  const label = ({ issuer_id: issuer, state }: ScimToken) => `${issuer} ${state}`;
  return requireUnique('token', text, named, label, LIST);
}

/** Creates a token for a directory of an issuer. */
export const createScimToken = (
  manager: Manager,
  body: Schemas['ScimTokenCreate'],
): Promise<Schemas['ScimTokenWithSecret']> =>
  readResponse(manager, manager.api.POST('/v1/scim-tokens', { body }), { fields: { secret: 'text' } });

/**
 * Replaces the secret of a token.
 * @param graceSeconds how long the previous secret stays valid; undefined for a day
 */
export const rotateScimToken = (
  manager: Manager,
  { id }: ScimToken,
  graceSeconds: number | undefined,
): Promise<Schemas['ScimTokenWithSecret']> => {
  const query = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds };
  return readResponse(manager, manager.api.POST('/v1/scim-tokens/{id}/rotate', { params: { path: { id }, query } }), {
    fields: { secret: 'text' },
  });
};

/** Revokes a token permanently. */
export async function revokeScimToken(manager: Manager, { id }: ScimToken): Promise<void> {
  await readResponse(manager, manager.api.DELETE('/v1/scim-tokens/{id}', { params: { path: { id } } }));
}
