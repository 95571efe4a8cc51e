import { generateOpenApi, type OpenApiDocument } from '@gatehouse/service-kit/openapi';
import type { ServiceInfo } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';

/** The name of this service in its log and its OpenAPI document. */
export const service: ServiceInfo = {
  name: 'ai-gateway',
  title: 'Gatehouse AI gateway',
  description: 'Gives users access to model providers, in the formats of the providers.',
  version: '0.1.0',
  tags: [],
};

/**
 * Generates the OpenAPI document of this service, without configuration and without a start.
 * @public tools/contracts calls it on the built service
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.createForDocument() });
