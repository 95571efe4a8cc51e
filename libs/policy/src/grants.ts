import { ask } from './engine.ts';
import { ACTIONS } from './schema.ts';

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PLAIN = new RegExp(`^${ID}$`);
const ON_ACTIONS = `action in [${ACTIONS.map((action) => `Action::"${action}"`).join(', ')}]`;
const GRANT = `@id\\("grant-(${ID})"\\)\\npermit\\(principal in Group::"\\1", ${ON_ACTIONS.replace(/[[\]]/g, '\\$&')}, resource in Connector::"(${ID})"\\);`;
const ALL_GRANTS = new RegExp(GRANT, 'g');
const ONE_GRANT = new RegExp(`^${GRANT}$`);

/**
 * Groups that a policy may grant, and grants as `compileGrants` writes them that a document may
 * hold.
 */
export const MAX_GRANTS = 1_000;

/**
 * The Cedar document of a connector in structured mode: one policy per granted group, named
 * `grant-<group id>`, which permits every action on the connector and on all that it holds. No
 * group means an empty document, which denies everyone.
 *
 * An id that is no UUID is written by Cedar from its JSON form, never by joining strings: an id
 * with quotes or newlines stays an id. The same groups give the same bytes, whatever order they
 * come in.
 */
export function compileGrants(connectorId: string, groupIds: Iterable<string>): string {
  return [...new Set(groupIds)]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((groupId) =>
      PLAIN.test(connectorId) && PLAIN.test(groupId)
        ? `@id("grant-${groupId}")\npermit(principal in Group::"${groupId}", ${ON_ACTIONS}, resource in Connector::"${connectorId}");`
        : grantText(connectorId, groupId),
    )
    .join('\n\n');
}

/** One grant as Cedar itself writes it. */
export function grantText(connectorId: string, groupId: string): string {
  const answer = ask((cedar) =>
    cedar.policyToText({
      effect: 'permit',
      principal: { op: 'in', entity: { type: 'Group', id: groupId } },
      action: { op: 'in', entities: ACTIONS.map((id) => ({ type: 'Action', id })) },
      resource: { op: 'in', entity: { type: 'Connector', id: connectorId } },
      conditions: [],
      annotations: { id: `grant-${groupId}` },
    }),
  );
  if (answer.type === 'failure')
    throw new Error(
      `cannot write the grant of group ${groupId}: ${answer.errors.map((error) => error.message).join('; ')}`,
    );
  return answer.text;
}

/** What a compiled grant says: members of the group may do everything with the connector. */
export interface Grant {
  readonly groupId: string;
  readonly connectorId: string;
}

/**
 * The group and connector of a policy that is a compiled grant to the byte; undefined for any other
 * one. Cedar would take longer to tell.
 */
export function readGrant(policy: string): Grant | undefined {
  const [, groupId, connectorId] = ONE_GRANT.exec(policy) ?? [];
  return groupId === undefined || connectorId === undefined ? undefined : { groupId, connectorId };
}

/**
 * A document with its compiled grants blanked out, how many they were, and the bytes (UTF-8) of the
 * rest. What else stands in it stands where it stood, also where a line ends.
 */
export function withoutGrants(text: string): { rest: string; grants: number; bytes: number } {
  let grants = 0;
  let bytes = Buffer.byteLength(text);
  const rest = text.replace(ALL_GRANTS, (grant) => {
    grants += 1;
    bytes -= grant.length;
    return grant.replace(/[^\n]/g, ' ');
  });
  return { rest, grants, bytes };
}
