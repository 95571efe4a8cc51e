import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { forwardOrExplain } from './forward.ts';
import { cleaned } from './meta.ts';
import type { Scope } from './offers.ts';
import { type Plane, visitOf } from './plane.ts';

/** The resources of a person at one endpoint. */
export async function listResources(plane: Plane, scope: Scope, context: ServerContext): Promise<ListResourcesResult> {
  const { access } = await visitOf(plane, context);
  const offers = await plane.offers.resources(access, scope, 'resources');
  return { resources: offers.map(({ definition }) => cleaned(definition)) };
}

/** The resource templates of a person at one endpoint. */
export async function listResourceTemplates(
  plane: Plane,
  scope: Scope,
  context: ServerContext,
): Promise<ListResourceTemplatesResult> {
  const { access } = await visitOf(plane, context);
  const offers = await plane.offers.resources(access, scope, 'resourceTemplates');
  return { resourceTemplates: offers.map(({ definition }) => cleaned(definition)) };
}

/** Reads a resource from the connector that serves its URI. What no visible connector serves is unknown. */
export async function readResource(
  plane: Plane,
  scope: Scope,
  server: Server,
  uri: string,
  context: ServerContext,
): Promise<ReadResourceResult> {
  const { access } = await visitOf(plane, context);
  const connector = await plane.offers.serverOf(access, scope, uri);
  if (connector === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown resource');
  const target = `resources/read ${connector.id} ${uri}`;
  const result = await forwardOrExplain({ plane, server, context, connector, target }, (upstream, extra, forwarding) =>
    upstream.request('resources/read', { ...extra, uri }, forwarding),
  );
  return result as ReadResourceResult;
}
