import { startIssuer } from '@gatehouse/testing/issuer';
import { describeResourceMetadata } from '@gatehouse/testing/resource-metadata';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { startService } from './service.ts';

describeResourceMetadata({
  service: 'ai-gateway',
  path: '/v1/models',
  start: async (environment) => {
    const issuer = await startIssuer();
    const service = await startService({ ...serviceEnvironment(issuer), ...environment });
    return { url: service.url, issuer, close: () => service.close().finally(() => issuer.close()) };
  },
});
