import { generateOpenApi, type OpenApiDocument, type ServiceInfo } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';

/** Name and description of the service. */
export const service: ServiceInfo = {
  name: 'connector-gateway',
  title: 'Connector gateway',
  description:
    'The connectors of the caller: their state and their connection status; the sessions of all users, the changes of tools and the audit trail, for administrators. Failures are `{"error": "<sentence>"}`. The MCP endpoint has its own port; `endpoint_url` is its address.',
  version: '0.1.0',
  tags: [
    {
      name: 'users',
      description:
        'The connectors of the caller, their state and their connection status. A caller cannot act for another user.',
    },
    {
      name: 'admin',
      description:
        'The open sessions of all users at this gateway, and the definitions of tools that servers have changed.',
    },
    {
      name: 'audit-events',
      description: 'The record of administrative changes and refused requests. No one can change or delete an event.',
    },
  ],
};

/**
 * The OpenAPI document of the control plane, made without a database or a port.
 * @public tools/contracts calls it on the built service
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.described() });
