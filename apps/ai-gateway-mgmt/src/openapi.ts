import { generateOpenApi, type OpenApiDocument } from '@gatehouse/service-kit/openapi';
import type { ServiceInfo } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';
import { loadSettings } from './config/config.ts';

/** How this service calls itself in its log and its OpenAPI document. */
export const service: ServiceInfo = {
  name: 'ai-gateway-mgmt',
  title: 'Gatehouse AI gateway management',
  description:
    'Administration of the policies of one AI gateway. It serves one namespace and keeps nothing of its own.',
  version: '0.1.0',
  tags: [{ name: 'info', description: 'Who the caller is for this service, and what they may do.' }],
  failureStyle: 'codes',
};

/**
 * The OpenAPI document of this service; needs no configuration and starts nothing.
 * @public tools/contracts asks the built service for it
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.with(loadSettings) });
