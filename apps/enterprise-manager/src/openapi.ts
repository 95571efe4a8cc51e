import { generateOpenApi, type OpenApiDocument, type ServiceInfo } from '@gatehouse/service-kit/openapi';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import { CallerRules } from './gateways/callers/caller-rules.ts';
import { RefusalsService } from '@gatehouse/audit/refusals.service';
import { referenceExamples } from './reference-examples.ts';
import { referenceGroups } from './reference-groups.ts';
import { scimFailures, toScimHttpError } from './scim/http/scim-failures.ts';
import { toDatabaseHttpError } from '@gatehouse/database/database-http-error';
import { toMissingKeyHttpError } from './secrets/key-encryption/missing-key-http-error.ts';

/** The description of the service in its OpenAPI document. */
export const service: ServiceInfo = {
  name: 'enterprise-manager',
  title: 'Enterprise manager',
  description:
    'Administers users, groups and keys, connectors and their policies, budgets and prices, and the signed configuration of clients. Meters tool calls and model usage, and records audit events.',
  version: '0.1.0',
  tags: referenceGroups,
  fieldExamples: referenceExamples,
  failureForms: [scimFailures],
};

/**
 * The path of the key set, the rule for callers, the recorder of 403 responses and the conversion
 * of database errors.
 */
export const handling = {
  keySetPath: '/.well-known/jwks.json',
  callerRule: (app) => app.get(CallerRules),
  onForbidden: (event, app) => app.get(RefusalsService).record(event),
  toHttpError: (error) => toScimHttpError(error) ?? toDatabaseHttpError(error) ?? toMissingKeyHttpError(error),
} satisfies Partial<ServiceOptions>;

/**
 * Generates the OpenAPI document of this service without a database or a port.
 * @public tools/contracts calls it in the built service
 */
export const openApiDocument = (): Promise<OpenApiDocument> =>
  generateOpenApi({ ...service, module: AppModule.createForDocument() });
