import { readResponse, type Manager, type Schemas } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { listKeysOfUserId, findUser } from './users.ts';

type VirtualKey = Schemas['VirtualKey'];

/** A key with the user name of its owner. */
export type KeyWithUserName = VirtualKey & { readonly user_name: string };

/** Users per page; their keys are requested concurrently. */
const USERS_PER_PAGE = 8;

const listKeysWithUserName = async (
  manager: Manager,
  { id, user_name }: { readonly id: string; readonly user_name: string },
  status: VirtualKey['status'] | undefined,
): Promise<KeyWithUserName[]> =>
  (await listKeysOfUserId(manager, id))
    .filter((key) => status === undefined || key.status === status)
    .map((key) => ({ user_name, ...key }));

/** Lists the keys of one user. @param text id, user name or e-mail */
export async function listKeysOfUser(
  manager: Manager,
  text: string,
  status: VirtualKey['status'] | undefined,
  { limit, all }: ListOptions,
): Promise<Collected<KeyWithUserName>> {
  const keys = await listKeysWithUserName(manager, await findUser(manager, text), status);
  return { items: all ? keys : keys.slice(0, limit), more: !all && keys.length > limit };
}

/** Lists the keys of all users, by user, until the wanted number is reached. */
export async function listAllKeys(
  manager: Manager,
  status: VirtualKey['status'] | undefined,
  wanted: ListOptions,
): Promise<Collected<KeyWithUserName>> {
  return collect(wanted, async ({ cursor }) => {
    const query = { limit: USERS_PER_PAGE, ...(cursor !== undefined && { cursor }) };
    const users = await readResponse(manager, manager.api.GET('/v1/users', { params: { query } }), {
      fields: { items: 'list' },
    });
    const { next_cursor } = users;
    const items = (await Promise.all(users.items.map((user) => listKeysWithUserName(manager, user, status)))).flat();
    return { items, ...(next_cursor !== undefined && { next_cursor }) };
  }).then(({ items, more }) =>
    wanted.all ? { items, more } : { items: items.slice(0, wanted.limit), more: more || items.length > wanted.limit },
  );
}
