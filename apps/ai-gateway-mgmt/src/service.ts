import type { ServiceInfo } from '@gatehouse/service-kit/start';

/** How this service calls itself in its log and its OpenAPI document. */
export const SERVICE: ServiceInfo = {
  name: 'ai-gateway-mgmt',
  title: 'Gatehouse AI gateway management',
  description:
    'Administration of the policies of one AI gateway. It serves one namespace and keeps nothing of its own.',
  version: '0.1.0',
  failureStyle: 'codes',
};
