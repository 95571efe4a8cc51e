import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthenticatedUser } from '../access/access.ts';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { Connector } from '../ports/snapshot.ts';
import { createTarget } from '../upstreams/credential-identity.ts';
import { SKILLS_EXTENSION } from '../upstreams/upstream.ts';
import { type Plane, resolveRequestScope } from './plane.ts';

/** The parts of the plane that know what upstreams offer. */
export type SkillsPlane = Pick<Plane, 'directory' | 'accesses' | 'offers' | 'upstreams' | 'limits'>;

/**
 * The extension for skills (SEP-2640) as the visible upstreams of a user offer it at one endpoint.
 * An upstream that misses the deadline of lists, or fails, offers nothing.
 * @returns the member of `capabilities.extensions`; empty if no upstream offers skills
 */
export async function describeSkillsExtension(
  plane: SkillsPlane,
  user: AuthenticatedUser,
  scope: EndpointScope,
): Promise<JsonObject> {
  const connectors = await listConnectors(plane, user, scope);
  const found = await Promise.all(connectors.map((connector) => findOwnExtension(plane, user, connector)));
  const offered = found.filter((extension) => extension !== undefined);
  if (offered.length === 0) return {};
  const hasFolders = offered.some((extension) => extension['directoryRead'] === true);
  return { [SKILLS_EXTENSION]: hasFolders ? { directoryRead: true } : {} };
}

/** The visible connectors of an endpoint; none while the directory is unavailable. */
async function listConnectors(
  plane: SkillsPlane,
  user: AuthenticatedUser,
  scope: EndpointScope,
): Promise<readonly Connector[]> {
  try {
    return plane.offers.listConnectorsInScope((await resolveRequestScope(plane, user)).access, scope);
  } catch (error) {
    if (error instanceof DirectoryUnavailableError) return [];
    throw error;
  }
}

/**
 * The extension as one upstream declares it. The list of skills comes first: it opens the
 * connection within the deadline, and its breakers spare an upstream that fails.
 */
async function findOwnExtension(
  { upstreams, limits }: SkillsPlane,
  user: AuthenticatedUser,
  connector: Connector,
): Promise<JsonObject | undefined> {
  const target = createTarget(connector, user);
  const late = sleep(limits.fanOutMs, undefined, { ref: false });
  const declared = upstreams
    .list(target, 'skills', limits.fanOutMs)
    .then(() => upstreams.getCapabilities(target))
    .catch(() => undefined);
  const extensions = (await Promise.race([declared, late]))?.['extensions'];
  const own = isJsonObject(extensions) ? extensions[SKILLS_EXTENSION] : undefined;
  return isJsonObject(own) ? own : undefined;
}
