import { generateOpenApi, type OpenApiDocument, type ServiceInfo } from '@gatehouse/service-kit/openapi';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { AuditService } from './audit/audit.service.ts';
import { databaseRefusal } from '@gatehouse/database/database-refusal';

/** How the service introduces itself. */
export const service: ServiceInfo = {
  name: 'enterprise-manager',
  title: 'Enterprise manager',
  description:
    'Administration of people, groups, connectors and what they may use; metering of tool calls. Failures are `{"error": "<sentence>"}`. Lists are paged by cursor: follow `next_cursor` until it is absent.',
  version: '0.1.0',
};

/** What the service does with a 403 and with failures of its database. */
export const handling = {
  onForbidden: (event, app) => app.get(AuditService).recordForbidden(event),
  refusalOf: databaseRefusal,
} satisfies Partial<ServiceOptions>;

/**
 * The OpenAPI document of this service, made without a database or a port.
 * @public tools/contracts asks the built service for it
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.described() });
