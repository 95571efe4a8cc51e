import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** A connector as the API shows it. */
export interface Connector {
  id: string;
  name: string;
  slug: string;
  endpoint: string;
  status: 'draft' | 'available' | 'failure';
  status_message?: string;
  [field: string]: unknown;
}

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  next_cursor?: string;
  prev_cursor?: string;
}

/** A valid draft with a unique name. */
export const draft = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: `Server ${randomUUID()}`,
  endpoint: 'https://mcp.example.com/mcp',
  transport: 'streamable-http',
  draft: true,
  ...overrides,
});

/** A write that publishes a connector with an endpoint on this machine. */
export const published = (endpoint: string, overrides: Record<string, unknown> = {}): Record<string, unknown> =>
  draft({ endpoint, allow_private_ips: true, draft: false, ...overrides });

/** Creates a connector at a gateway. */
export async function makeConnector(
  manager: TestManager,
  body: Record<string, unknown>,
  gateway_id = 'local',
): Promise<Connector> {
  const response = await manager.client.call<Connector>('POST /v1/gateways/{gateway_id}/connectors', {
    token: manager.tokens.admin,
    path: { gateway_id },
    body,
  });
  if (response.status !== 201) throw new Error(`no connector: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** Sets the status of a connector without a check of its endpoint. */
export async function makeAvailable(
  manager: TestManager,
  overrides: Record<string, unknown> = {},
  gatewayId?: string,
): Promise<Connector> {
  const connector = await makeConnector(manager, draft(overrides), gatewayId);
  await manager.sql(`UPDATE connectors SET status = 'available' WHERE id = $1`, [connector.id]);
  return { ...connector, status: 'available' };
}

/** The names of a group of `makeGroup` in a reference to it. */
export const groupNames = () => ({
  name: expect.stringMatching(/^group-/),
  display_name: expect.stringMatching(/^Group /),
});

/** Creates a group with members. @returns its id */
export async function makeGroup(manager: TestManager, ...members: string[]): Promise<string> {
  const token = manager.tokens.admin;
  const { body } = await manager.client.call<{ id: string }>('POST /v1/groups', {
    token,
    body: { display_name: `Group ${randomUUID()}` },
  });
  for (const subject of members) {
    await manager.client.call('PUT /v1/groups/{group_id}/users/{user_id}', {
      token,
      path: { group_id: body.id, user_id: await manager.findUserId(subject) },
    });
  }
  return body.id;
}

/** Reads a policy's ETag. */
export async function policyTag(manager: TestManager, connectorId: string): Promise<string> {
  const { headers } = await manager.client.call('GET /v1/connectors/{id}/policy', {
    token: manager.tokens.admin,
    path: { id: connectorId },
  });
  return headers.get('etag') ?? '';
}

/** Grants exactly these groups. */
export async function grant(manager: TestManager, connectorId: string, ...groupIds: string[]): Promise<void> {
  const { status } = await manager.client.call('PUT /v1/connectors/{id}/policy/groups', {
    token: manager.tokens.admin,
    path: { id: connectorId },
    headers: { 'if-match': await policyTag(manager, connectorId) },
    body: { group_ids: groupIds },
  });
  if (status !== 200) throw new Error(`the grant was answered ${status}`);
}

/** Creates an available connector with grants for these users. @returns its id */
export async function makeVisible(
  manager: TestManager,
  subjects: readonly string[],
  gatewayId?: string,
): Promise<string> {
  const { id } = await makeAvailable(manager, {}, gatewayId);
  await grant(manager, id, await makeGroup(manager, ...subjects));
  return id;
}
