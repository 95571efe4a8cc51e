import { generateOpenApi, type OpenApiDocument, type ServiceInfo } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';

/** How the service introduces itself. */
export const service: ServiceInfo = {
  name: 'connector-gateway',
  title: 'Connector gateway',
  description:
    'The caller\'s own connectors: what there is, what is switched on, whether it is connected. Failures are `{"error": "<sentence>"}`. The MCP endpoint itself is on another port; `endpoint_url` names it.',
  version: '0.1.0',
  tags: [
    {
      name: 'users',
      description:
        'What is there for the caller, what is switched on, and whether it is connected. The caller acts for themself alone.',
    },
  ],
};

/**
 * The OpenAPI document of the control plane, made without a database or a port.
 * @public tools/contracts asks the built service for it
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.described() });
