import { describeResourceMetadata } from '@gatehouse/testing/resource-metadata';
import { startManager } from './enterprise-manager.ts';

describeResourceMetadata({
  service: 'enterprise-manager',
  path: '/v1/me',
  token: { subject: 'alice' },
  start: async (environment) => {
    const manager = await startManager({ environment: { PUBLIC_URL: '', ...environment } });
    return { url: manager.baseUrl, issuer: manager.issuer, close: () => manager.close() };
  },
});
