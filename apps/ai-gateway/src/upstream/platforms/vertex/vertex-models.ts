import type { VertexPlatform } from '@gatehouse/ai-resources/generated/types';
import type { BackendOperation } from '../../../formats/backend-operation.ts';
import type { WireFormat } from '../../../formats/operation.ts';
import { createProviderHeaders } from '../../provider-headers.ts';
import type { PlatformRequest, ProviderCall, ProviderPlatform } from '../provider-platform.ts';
import { convertGoogleError } from './google-error.ts';
import type { GoogleTokens } from './google-tokens.ts';
import { vertexAnthropic } from './vertex-anthropic.ts';
import type { VertexFormat } from './vertex-format.ts';
import { vertexGoogle } from './vertex-google.ts';
import { vertexOpenAi } from './vertex-openai.ts';

const FORMATS: Readonly<Record<WireFormat, VertexFormat>> = {
  google: vertexGoogle,
  anthropic: vertexAnthropic,
  openai: vertexOpenAi,
};

/**
 * Google Vertex AI: paths below `/v1/projects/{project}/locations/{location}`, with an access token
 * of a service account. Paths and bodies are those of the SDKs with Vertex AI.
 */
export class VertexModels implements ProviderPlatform {
  constructor(
    private readonly vertex: VertexPlatform,
    private readonly tokens: GoogleTokens,
  ) {}

  serves(operation: BackendOperation): boolean {
    return FORMATS[operation.format].serves(operation);
  }

  createRequest(call: ProviderCall): PlatformRequest | Promise<PlatformRequest> {
    const format = FORMATS[call.operation.format];
    const path = this.createPath(call, format.createPath(call));
    const body = format.createBody(call);
    const create = (token?: string) => ({ path, body, headers: createHeaders(call, token) });
    // A proxy of the company can add the token.
    const token = call.credential === undefined ? undefined : this.tokens.get(call.credential);
    return token instanceof Promise ? token.then(create) : create(token);
  }

  convertError(format: WireFormat, status: number, body: Buffer): Buffer {
    return convertGoogleError(format, status, body);
  }

  /** Forgets the access token of a credential. */
  reportRefused(credential: string): void {
    this.tokens.forget(credential);
  }

  private createPath({ provider }: ProviderCall, path: string): string {
    const { project, location } = this.vertex;
    return `${provider.pathPrefix ?? '/v1'}/projects/${project}/locations/${location}${path}`;
  }
}

function createHeaders({ operation, headers, attemptId }: ProviderCall, token?: string): Record<string, string> {
  const facts = { format: operation.format, headers, credential: undefined, attemptId };
  // The version of Anthropic is in the body.
  const { 'anthropic-version': _, ...created } = {
    ...createProviderHeaders(facts),
    ...operation.translation?.requestHeaders,
  };
  return { ...created, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
}
