import { generateOpenApi, type OpenApiDocument } from '@gatehouse/service-kit/openapi';
import type { ServiceInfo } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';
import { loadSettings } from './config/config.ts';

/** The name of this service in its log and its OpenAPI document. */
export const service: ServiceInfo = {
  name: 'ai-gateway-mgmt',
  title: 'Gatehouse AI gateway management',
  description: 'Administration of the policies of one AI gateway. It serves one namespace and stores nothing itself.',
  version: '0.1.0',
  tags: [{ name: 'info', description: 'The gateway of this instance, and the identity of the caller.' }],
  failureStyle: 'codes',
};

/**
 * Generates the OpenAPI document of this service, without configuration and without a start.
 * @public tools/contracts calls it on the built service
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.with(loadSettings) });
