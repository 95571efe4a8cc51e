import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { callEngine } from './engine.ts';
import { ACTIONS } from './schema.ts';

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${ID}$`);
const ON_ACTIONS = `action in [${ACTIONS.map((action) => `Action::"${action}"`).join(', ')}]`;
const GRANT = `@id\\("grant-(${ID})"\\)\\npermit\\(principal in Group::"\\1", ${ON_ACTIONS.replace(/[[\]]/g, '\\$&')}, resource in Connector::"(${ID})"\\);`;
const ALL_GRANTS = new RegExp(GRANT, 'g');
const ONE_GRANT = new RegExp(`^${GRANT}$`);

/** The maximum number of granted groups of a policy, and of compiled grants in a document. */
export const MAX_GRANTS = 1_000;

/**
 * Compiles granted groups to the Cedar document of a connector. Each group becomes one policy,
 * named `grant-<group id>`, which permits all actions on the connector and on its tools, prompts
 * and resources. Without groups the document is empty, which denies all requests.
 *
 * Cedar writes an id that is not a UUID from its JSON form, so an id with quotes or newlines stays
 * an id. The same groups result in the same bytes in any order.
 */
export function compileGrants(connectorId: string, groupIds: Iterable<string>): string {
  return [...new Set(groupIds)]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((groupId) =>
      UUID.test(connectorId) && UUID.test(groupId)
        ? `@id("grant-${groupId}")\npermit(principal in Group::"${groupId}", ${ON_ACTIONS}, resource in Connector::"${connectorId}");`
        : formatGrant(connectorId, groupId),
    )
    .join('\n\n');
}

/** The text of one grant, written by Cedar. */
export function formatGrant(connectorId: string, groupId: string): string {
  const policy: cedar.PolicyJson = {
    effect: 'permit',
    principal: { op: 'in', entity: { type: 'Group', id: groupId } },
    ...createGrantScope(connectorId),
    conditions: [],
    annotations: { id: `grant-${groupId}` },
  };
  const converted = callEngine((cedar) => cedar.policyToText(policy));
  if (converted.type === 'failure')
    throw new Error(
      `cannot write the grant of group ${groupId}: ${converted.errors.map((error) => error.message).join('; ')}`,
    );
  return converted.text;
}

/** Combines the grants of one connector into one policy, for the evaluation. */
export function combineGrants(connectorId: string, groupIds: readonly string[]): cedar.PolicyJson {
  const groups = groupIds.map((id) => ({ Value: { __entity: { type: 'Group', id } } }));
  return {
    effect: 'permit',
    principal: { op: 'All' },
    ...createGrantScope(connectorId),
    conditions: [{ kind: 'when', body: { in: { left: { Var: 'principal' }, right: { Set: groups } } } }],
  };
}

/** A grant is about all actions, on the connector and on all that belongs to it. */
const createGrantScope = (connectorId: string) =>
  ({
    action: { op: 'in', entities: ACTIONS.map((id) => ({ type: 'Action', id })) },
    resource: { op: 'in', entity: { type: 'Connector', id: connectorId } },
  }) as const;

/** The meaning of a compiled grant: members of the group may do all actions on the connector. */
export interface Grant {
  readonly groupId: string;
  readonly connectorId: string;
}

/**
 * Reads a policy that equals a compiled grant byte for byte. Returns undefined for any other
 * policy. Cedar's parser would need more time: a document may hold a thousand grants.
 */
export function readGrant(policy: string): Grant | undefined {
  const [, groupId, connectorId] = ONE_GRANT.exec(policy) ?? [];
  return groupId === undefined || connectorId === undefined ? undefined : { groupId, connectorId };
}

/**
 * Replaces the compiled grants of a document with spaces. Returns this text, the number of grants,
 * and the bytes (UTF-8) of all other text, which keeps its positions and line ends.
 */
export function removeGrants(text: string): { rest: string; grants: number; bytes: number } {
  let grants = 0;
  let bytes = Buffer.byteLength(text);
  const rest = text.replace(ALL_GRANTS, (grant) => {
    grants += 1;
    bytes -= grant.length;
    return grant.replace(/[^\n]/g, ' ');
  });
  return { rest, grants, bytes };
}
