import { createProviderHeaders } from '../provider-headers.ts';
import { createProviderPath } from '../provider-path.ts';
import type { ProviderCall, ProviderPlatform } from './provider-platform.ts';

/** The API of a vendor itself, or of a server that is compatible with it. */
export const vendorApi: ProviderPlatform = {
  serves: () => true,
  createRequest: ({ provider, operation, request, model, headers, credential, attemptId }: ProviderCall) => ({
    path: createProviderPath(provider, operation.createPath(request, model)),
    headers: {
      ...createProviderHeaders({ format: operation.format, headers, credential, attemptId }),
      ...operation.translation?.requestHeaders,
    },
    body: operation.createBody(request, model),
  }),
};
