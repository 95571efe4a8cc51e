import type { Provider } from '@gatehouse/ai-resources/generated/types';
import { AzureDeployments } from './azure-deployments.ts';
import type { ProviderPlatform } from './provider-platform.ts';
import { vendorApi } from './vendor-api.ts';

/** The platforms of providers. */
export class ProviderPlatforms {
  /** @returns undefined for a platform that the gateway cannot call */
  find({ platform }: Provider): ProviderPlatform | undefined {
    if (platform === undefined) return vendorApi;
    return platform.azure === undefined ? undefined : new AzureDeployments(platform.azure);
  }
}
