import { generateOpenApi, type OpenApiDocument } from '@gatehouse/service-kit/openapi';
import type { ServiceInfo } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';

/** How this service calls itself in its log and its OpenAPI document. */
export const service: ServiceInfo = {
  name: 'ai-gateway',
  title: 'Gatehouse AI gateway',
  description: 'The door to model providers, in the formats that their own clients speak.',
  version: '0.1.0',
  tags: [{ name: 'models', description: 'The models that this gateway offers, in the format of their vendors.' }],
};

/**
 * The OpenAPI document of this service; needs no configuration and starts nothing.
 * @public tools/contracts asks the built service for it
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.with(() => ({ object: 'list', data: [] })) });
