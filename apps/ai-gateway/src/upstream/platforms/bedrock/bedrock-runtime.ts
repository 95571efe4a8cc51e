import { signRequest } from '@gatehouse/aws-signature/aws-signature';
import type { BedrockPlatform } from '@gatehouse/ai-resources/generated/types';
import type { BackendOperation } from '../../../formats/backend-operation.ts';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import { type BedrockCredential, readBedrockCredential } from '../../../provider-credentials/bedrock-credential.ts';
import { createProviderHeaders } from '../../provider-headers.ts';
import type { ProviderResponse } from '../../provider-request.ts';
import type { PlatformRequest, ProviderCall, ProviderPlatform } from '../provider-platform.ts';
import { convertBedrockResponse } from './bedrock-response.ts';
import { createInvocation } from './invocation.ts';

/** The name of the service in signatures of the runtime API. */
const SERVICE = 'bedrock';
const CHAT_PREFIX = '/openai/v1';

/**
 * The runtime API of Amazon Bedrock. Models of Anthropic are invoked in their own format; the
 * kind openai has the compatible endpoint for chat completions. Requests carry a Bedrock API key,
 * or AWS Signature Version 4.
 */
export class BedrockRuntime implements ProviderPlatform {
  constructor(private readonly bedrock: BedrockPlatform) {}

  /** Messages and the count of their tokens; chat completions. */
  serves({ format, telemetryName, name }: BackendOperation): boolean {
    if (format === 'anthropic') return true;
    return format === 'openai' && telemetryName === 'chat' && name !== 'openai.responses';
  }

  createRequest(call: ProviderCall): PlatformRequest | Promise<PlatformRequest> {
    const credential = requireCredential(call);
    const request = call.operation.format === 'anthropic' ? createMessagesRequest(call) : createChatRequest(call);
    if (credential.kind === 'keys') return this.sign(request, call, credential);
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${credential.apiKey}` } };
  }

  convertResponse(response: ProviderResponse, call: ProviderCall): ProviderResponse {
    return convertBedrockResponse(response, call);
  }

  private async sign(
    request: PlatformRequest,
    { provider }: ProviderCall,
    { keys }: Extract<BedrockCredential, { kind: 'keys' }>,
  ): Promise<PlatformRequest> {
    const { path, headers, body } = request;
    const signature = await signRequest(
      { url: new URL(path, provider.endpoint), method: 'POST', headers: Object.entries(headers).flat(), body },
      keys,
      { region: this.bedrock.region, service: SERVICE },
      new Date(),
    );
    return { ...request, headers: { ...headers, ...signature } };
  }
}

function requireCredential({ credential, provider }: ProviderCall): BedrockCredential {
  if (credential !== undefined) return readBedrockCredential(credential);
  throw new ModelCallError('unavailable', 'The provider of the model is not configured completely.', {
    reason: `the provider ${provider.name} has no secretRef and no managedSecretId`,
  });
}

function createChatRequest({ provider, operation, request, model, headers, attemptId }: ProviderCall): PlatformRequest {
  return {
    path: `${provider.pathPrefix ?? CHAT_PREFIX}${operation.createPath(request, model)}`,
    headers: createProviderHeaders({ format: operation.format, headers, credential: undefined, attemptId }),
    body: operation.createBody(request, model),
  };
}

function createMessagesRequest(call: ProviderCall): PlatformRequest {
  const { provider, operation, attemptId } = call;
  const { path, body } = createInvocation(call);
  return {
    path: `${provider.pathPrefix ?? ''}${path}`,
    // The version and the betas are in the body. `accept` is the type of the model's answer.
    headers: {
      ...createProviderHeaders({ format: operation.format, headers: {}, credential: undefined, attemptId }),
      accept: 'application/json',
    },
    body,
  };
}
