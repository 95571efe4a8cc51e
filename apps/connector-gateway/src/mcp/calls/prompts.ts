import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { forwardOrExplain } from './forward.ts';
import { cleaned } from './meta.ts';
import type { Scope } from '../catalogue/offers.ts';
import { type Plane, visitOf } from './plane.ts';
import { withExposedUris } from './resources.ts';
import { UpstreamUnavailableError } from '../upstreams/upstreams.ts';

/** The prompts of a person at one endpoint. */
export async function listPrompts(plane: Plane, scope: Scope, context: ServerContext): Promise<ListPromptsResult> {
  const { access } = await visitOf(plane, context);
  const offers = await plane.offers.named(access, scope, 'prompts');
  return { prompts: offers.map(({ name, definition }) => cleaned({ ...definition, name })) };
}

/** Gets a prompt. What is not listed to the person is unknown. */
export async function getPrompt(
  plane: Plane,
  scope: Scope,
  server: Server,
  request: { name: string; arguments?: Record<string, string> | undefined },
  context: ServerContext,
): Promise<GetPromptResult> {
  const { access } = await visitOf(plane, context);
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
  return withExposedUris(plane, access, scope, connector, result as GetPromptResult);
}
