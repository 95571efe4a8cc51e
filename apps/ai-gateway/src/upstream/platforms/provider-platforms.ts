import type { Provider } from '@gatehouse/ai-resources/generated/types';
import type { ProviderPlatform } from './provider-platform.ts';
import { vendorApi } from './vendor-api.ts';

/** The platforms of providers. */
export class ProviderPlatforms {
  /** @returns undefined for a platform that the gateway cannot call */
  find({ platform }: Provider): ProviderPlatform | undefined {
    return platform === undefined ? vendorApi : undefined;
  }
}
