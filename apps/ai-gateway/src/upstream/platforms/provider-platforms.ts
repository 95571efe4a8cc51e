import type { Provider } from '@gatehouse/ai-resources/generated/types';
import { AzureDeployments } from './azure-deployments.ts';
import { BedrockRuntime } from './bedrock/bedrock-runtime.ts';
import type { ProviderPlatform } from './provider-platform.ts';
import { vendorApi } from './vendor-api.ts';
import { GoogleTokens, type GoogleTokenOptions } from './vertex/google-tokens.ts';
import { VertexModels } from './vertex/vertex-models.ts';

/** The platforms of providers, and the access tokens that they need. */
export class ProviderPlatforms {
  private readonly googleTokens: GoogleTokens;

  constructor(options: GoogleTokenOptions) {
    this.googleTokens = new GoogleTokens(options);
  }

  /** @returns undefined for a platform that the gateway cannot call */
  find({ platform }: Provider): ProviderPlatform | undefined {
    if (platform === undefined) return vendorApi;
    if (platform.azure !== undefined) return new AzureDeployments(platform.azure);
    if (platform.bedrock !== undefined) return new BedrockRuntime(platform.bedrock);
    return platform.vertex === undefined ? undefined : new VertexModels(platform.vertex, this.googleTokens);
  }

  /** Forgets all access tokens. */
  close(): Promise<void> {
    return this.googleTokens.close();
  }
}
