import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { forwardOrExplain } from './forward.ts';
import { removeReservedMeta } from './meta.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { type Plane, requireRequestScope } from './plane.ts';
import { exposeUris } from './resources.ts';
import { UpstreamUnavailableError } from '../upstreams/upstreams.ts';

/** The prompts of a user at one endpoint. */
export async function listPrompts(
  plane: Plane,
  scope: EndpointScope,
  context: ServerContext,
): Promise<ListPromptsResult> {
  const { access } = await requireRequestScope(plane, context);
  const offers = await plane.offers.listNamed(access, scope, 'prompts');
  return { prompts: offers.map(({ name, definition }) => removeReservedMeta({ ...definition, name })) };
}

/** Gets a prompt. A prompt that the user cannot list is unknown. */
export async function getPrompt(
  plane: Plane,
  scope: EndpointScope,
  server: Server,
  request: { name: string; arguments?: Record<string, string> | undefined },
  context: ServerContext,
): Promise<GetPromptResult> {
  const { access } = await requireRequestScope(plane, context);
  const offer = await plane.offers.find(access, scope, 'prompts', request.name).catch((error: unknown) => {
    if (!(error instanceof UpstreamUnavailableError)) throw error;
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'the connector of this prompt cannot be used at the moment',
    );
  });
  if (offer === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown prompt');
  const { connector, definition } = offer;
  const target = `prompts/get ${connector.id} ${definition.name}`;
  const own = { name: definition.name, ...(request.arguments && { arguments: request.arguments }) };
  const result = await forwardOrExplain({ plane, server, context, connector, target }, (upstream, extra, forwarding) =>
    upstream.request('prompts/get', { ...extra, ...own }, forwarding),
  );
  return exposeUris(plane, access, scope, connector, result as GetPromptResult);
}
