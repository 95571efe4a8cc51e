/** The notifications that the lists of a server may have changed. */
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';

/**
 * Lists the methods of the notifications that a server may send, by its result of `initialize` or
 * `server/discover`.
 */
export function listAnnouncements({ capabilities }: JsonObject): string[] {
  if (!isJsonObject(capabilities)) return [];
  const lists = ['tools', 'prompts', 'resources'].filter((list) => {
    const capability = capabilities[list];
    return isJsonObject(capability) && capability['listChanged'] === true;
  });
  return lists.map((list) => `notifications/${list}/list_changed`);
}
