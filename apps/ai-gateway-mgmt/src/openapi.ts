import { generateOpenApi, type OpenApiDocument } from '@gatehouse/service-kit/openapi';
import type { ServiceInfo } from '@gatehouse/service-kit/openapi';
import { AppModule } from './app.module.ts';

/** The name of this service in its log and its OpenAPI document. */
export const service: ServiceInfo = {
  name: 'ai-gateway-mgmt',
  title: 'Gatehouse AI gateway management',
  description:
    'Administration of the policies of one AI gateway. It serves one namespace and stores nothing itself: policies are AIPolicy resources. The AIGateway names the issuer of access tokens and the roles of callers.',
  version: '0.1.0',
  tags: [
    { name: 'policies', description: 'The AIPolicy resources of the namespace.' },
    { name: 'models', description: 'The models of the gateway.' },
    { name: 'me', description: 'The caller, and what the policies grant to the caller.' },
    { name: 'mcp-servers', description: 'The catalog of MCP servers, which is empty in this version.' },
    { name: 'info', description: 'The gateway of this instance.' },
    { name: 'gateway-status', description: 'The status of the gateway of this instance.' },
  ],
  failureStyle: 'codes',
};

/**
 * Generates the OpenAPI document of this service, without configuration and without a start.
 * @public tools/contracts calls it on the built service
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.createForDocument() });
