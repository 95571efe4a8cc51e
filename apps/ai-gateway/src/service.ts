import type { ServiceInfo } from '@gatehouse/service-kit/start';

/** How this service calls itself in its log and its OpenAPI document. */
export const SERVICE: ServiceInfo = {
  name: 'ai-gateway',
  title: 'Gatehouse AI gateway',
  description: 'The door to model providers, in the formats that their own clients speak.',
  version: '0.1.0',
};
