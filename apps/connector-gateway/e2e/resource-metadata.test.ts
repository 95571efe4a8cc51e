import { describeResourceMetadata } from '@gatehouse/testing/resource-metadata';
import { World } from './support/world.ts';

describeResourceMetadata({
  service: 'connector-gateway',
  path: '/v1/users/me/gateway',
  token: { subject: 'alice' },
  publicUrlVariable: 'CONTROL_PUBLIC_URL',
  start: async (environment) => {
    const world = await World.start();
    world.manager.addUser({ subject: 'alice' });
    const { controlUrl } = await world.gateway(environment);
    return { url: controlUrl, issuer: world.issuer, close: () => world.close() };
  },
});
