import type { AzurePlatform } from '@gatehouse/ai-resources/generated/types';
import type { BackendOperation } from '../../formats/backend-operation.ts';
import { createProviderHeaders } from '../provider-headers.ts';
import { requirePathSegment } from './path-segment.ts';
import type { PlatformRequest, ProviderCall, ProviderPlatform } from './provider-platform.ts';

/** The operations whose paths name the deployment. In the other ones the body names it alone. */
const DEPLOYMENT_PATHS: ReadonlySet<string> = new Set(['/chat/completions', '/embeddings']);
const VERSION_PARAMETER = 'api-version';

/**
 * The versioned API of Azure OpenAI: `/openai/deployments/{deployment}/chat/completions` with
 * `?api-version=`. The model of a backend is a deployment, and the key is in the header `api-key`.
 * Paths and headers are those of the class AzureOpenAI of the SDKs.
 */
export class AzureDeployments implements ProviderPlatform {
  constructor(private readonly azure: AzurePlatform) {}

  serves({ format }: BackendOperation): boolean {
    return format === 'openai';
  }

  createRequest(call: ProviderCall): PlatformRequest {
    const { operation, request, model } = call;
    return { path: this.createPath(call), headers: createHeaders(call), body: operation.createBody(request, model) };
  }

  private createPath({ provider, operation, request, model }: ProviderCall): string {
    const [path = '', query = ''] = operation.createPath(request, model).split('?');
    const deployment = DEPLOYMENT_PATHS.has(path) ? `/deployments/${requirePathSegment(model)}` : '';
    return `${provider.pathPrefix ?? '/openai'}${deployment}${path}?${this.createQuery(query)}`;
  }

  /** Azure reads names of parameters without regard to case: a client must not add a version. */
  private createQuery(text: string): string {
    const query = new URLSearchParams(text);
    for (const name of [...query.keys()]) if (name.toLowerCase() === VERSION_PARAMETER) query.delete(name);
    query.set(VERSION_PARAMETER, this.azure.apiVersion);
    return query.toString();
  }
}

function createHeaders({ operation, headers, credential, attemptId }: ProviderCall): Record<string, string> {
  return {
    ...createProviderHeaders({ format: operation.format, headers, credential: undefined, attemptId }),
    ...operation.translation?.requestHeaders,
    ...(credential !== undefined && { 'api-key': credential }),
    // The logs of Azure have this id.
    'x-ms-client-request-id': attemptId,
  };
}
