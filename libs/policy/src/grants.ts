import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { ACTIONS } from './schema.ts';

/**
 * The Cedar document of a connector in structured mode: one policy per granted group, named `grant-<group id>`, which
 * permits every action on the connector and on all that it holds. No group means an empty document, which denies everyone.
 *
 * The text is written by Cedar from its JSON form, never by joining strings: an id with quotes or newlines stays an id.
 * The same groups give the same bytes, whatever order they come in.
 */
export function compileGrants(connectorId: string, groupIds: Iterable<string>): string {
  return [...new Set(groupIds)]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((groupId) => grantText(connectorId, groupId))
    .join('\n\n');
}

function grantText(connectorId: string, groupId: string): string {
  const answer = cedar.policyToText({
    effect: 'permit',
    principal: { op: 'in', entity: { type: 'Group', id: groupId } },
    action: { op: 'in', entities: ACTIONS.map((id) => ({ type: 'Action', id })) },
    resource: { op: 'in', entity: { type: 'Connector', id: connectorId } },
    conditions: [],
    annotations: { id: `grant-${groupId}` },
  });
  if (answer.type === 'failure')
    throw new Error(
      `cannot write the grant of group ${groupId}: ${answer.errors.map((error) => error.message).join('; ')}`,
    );
  return answer.text;
}
