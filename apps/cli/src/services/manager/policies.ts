import { connectorId, type ConnectorRef } from './connectors.ts';
import { findGroup } from './groups.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { findUser } from './users.ts';
import { UsageError } from '../../errors/cli-error.ts';

type Policy = Schemas['ConnectorPolicy'];

const LIST = 'gatehouse admin connectors list';
const SHAPE = { fields: { document: 'text', granted_user_groups: 'list' }, list: LIST } as const;

/** Reads the policy of a connector. */
export async function getPolicy(manager: Manager, ref: ConnectorRef): Promise<Policy> {
  return (await readWithEtag(manager, ref)).policy;
}

/** Grants the connector to further groups. */
export async function grantGroups(manager: Manager, ref: ConnectorRef, groups: readonly string[]): Promise<Policy> {
  const { policy, etag } = await readWithEtag(manager, ref);
  const ids = policy.granted_user_groups.map(({ id }) => id);
  for (const group of groups) ids.push((await findGroup(manager, group)).id);
  return readResponse(
    manager,
    manager.api.PUT('/v1/connectors/{id}/policy/groups', {
      params: { path: { id: policy.connector_id }, header: { 'If-Match': etag } },
      body: { group_ids: [...new Set(ids)] },
    }),
    SHAPE,
  );
}

/** Revokes a group's grant. */
export async function revokeGroup(manager: Manager, ref: ConnectorRef, group: string): Promise<Policy> {
  const id = await connectorId(manager, ref);
  const { id: group_id } = await findGroup(manager, group);
  const path = { id, group_id };
  return readResponse(
    manager,
    manager.api.DELETE('/v1/connectors/{id}/policy/groups/{group_id}', { params: { path } }),
    SHAPE,
  );
}

/** Switches the policy to Cedar, or back to granted groups. */
export async function switchMode(manager: Manager, ref: ConnectorRef, cedar: boolean): Promise<Policy> {
  const params = { path: { id: await connectorId(manager, ref) } };
  const route = '/v1/connectors/{id}/policy/cedar-mode';
  return readResponse(
    manager,
    cedar ? manager.api.PUT(route, { params }) : manager.api.DELETE(route, { params }),
    SHAPE,
  );
}

/** Replaces the Cedar document. */
export async function setDocument(manager: Manager, ref: ConnectorRef, document: string): Promise<Policy> {
  const params = { path: { id: await connectorId(manager, ref) } };
  return readResponse(
    manager,
    manager.api.PUT('/v1/connectors/{id}/policy/document', { params, body: { document } }),
    SHAPE,
  );
}

/** A simulated request, as flags describe it. */
export interface SimulationRequest {
  readonly user?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly claims?: Record<string, unknown>;
  readonly action: Schemas['PolicySimulation']['action'];
  readonly resource?: string | undefined;
  readonly document?: string | undefined;
}

/** Simulates the policy. @throws UsageError unless exactly one user is given */
export async function simulate(
  manager: Manager,
  ref: ConnectorRef,
  { user, groups, claims, action, resource, document }: SimulationRequest,
): Promise<Schemas['PolicyVerdict']> {
  if ((user === undefined) === (groups === undefined))
    throw new UsageError('Give the user of the request', ['--user alice', '--group engineers']);
  const id = await connectorId(manager, ref);
  const who =
    user !== undefined
      ? { user_id: (await findUser(manager, user)).id }
      : { group_ids: await Promise.all((groups ?? []).map(async (group) => (await findGroup(manager, group)).id)) };
  const body = {
    ...who,
    ...(claims && { claims }),
    action,
    ...(resource !== undefined && { resource }),
    ...(document !== undefined && { document }),
  };
  return readResponse(
    manager,
    manager.api.POST('/v1/connectors/{id}/policy/simulate', { params: { path: { id } }, body }),
    { fields: { decision: 'text', policies: 'texts', errors: 'texts' } },
  );
}

/** Reads the Cedar schema for policies. */
export const policySchema = (manager: Manager): Promise<Schemas['PolicySchema']> =>
  readResponse(manager, manager.api.GET('/v1/policy-schema'), { fields: { schema: 'text' } });

async function readWithEtag(manager: Manager, ref: ConnectorRef): Promise<{ policy: Policy; etag: string }> {
  const call = manager.api.GET('/v1/connectors/{id}/policy', {
    params: { path: { id: await connectorId(manager, ref) } },
  });
  const policy = await readResponse(manager, call, SHAPE);
  return { policy, etag: (await call).response.headers.get('etag') ?? '' };
}
