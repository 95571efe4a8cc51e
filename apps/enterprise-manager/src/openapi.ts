import { generateOpenApi, type OpenApiDocument, type ServiceInfo } from '@gatehouse/service-kit/openapi';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { CallerRules } from './gateways/callers/caller-rules.ts';
import { RefusalsService } from './audit/refusals.service.ts';
import { referenceExamples } from './reference-examples.ts';
import { referenceGroups } from './reference-groups.ts';
import { scimFailures, toScimHttpError } from './scim/http/scim-failures.ts';
import { toDatabaseHttpError } from '@gatehouse/database/database-http-error';

/** How the service introduces itself. */
export const service: ServiceInfo = {
  name: 'enterprise-manager',
  title: 'Enterprise manager',
  description:
    'People, groups and their keys, connectors and what people may use of them, the configuration of clients; metering and audit of it all.',
  version: '0.1.0',
  tags: referenceGroups,
  fieldExamples: referenceExamples,
  failureForms: [scimFailures],
};

/**
 * Where its signing keys are, what the service asks of callers, and what it does with a 403 and
 * with failures of its database.
 */
export const handling = {
  keySetPath: '/.well-known/jwks.json',
  callerRule: (app) => app.get(CallerRules),
  onForbidden: (event, app) => app.get(RefusalsService).record(event),
  toHttpError: (error) => toScimHttpError(error) ?? toDatabaseHttpError(error),
} satisfies Partial<ServiceOptions>;

/**
 * The OpenAPI document of this service, made without a database or a port.
 * @public tools/contracts asks the built service for it
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.described() });
