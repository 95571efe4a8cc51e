import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { KitAdapter } from '../http/adapter.ts';
import { type FailureForm, findFailureForm } from '../http/failure-form.ts';
import type { FailureStyle } from '../http/failures.ts';
import { KitModule } from '../kit/kit.module.ts';
import { nestOptions } from '../kit/nest-options.ts';
import { ownAccess } from '../routes/route-facts.ts';
import { completeOperation, type DocumentedFailure, type OperationItem } from './complete-operation.ts';
import { decorateHandlers, type Handler } from './nest-operation.ts';
import { SchemaCollection } from './openapi-schemas.ts';
import { ExampleWriter } from './reference/examples.ts';
import type { FieldExamples } from './reference/field-values.ts';
import { FAILURE_BODIES } from './reference/failure-answers.ts';
import { formatGuide, type GuideFacts } from './reference/guide.ts';

/** The description of a service for its OpenAPI document. */
export interface ServiceInfo {
  /** `enterprise-manager`. */
  name: string;
  title: string;
  description: string;
  version: string;
  /** Default `sentence`. */
  failureStyle?: FailureStyle;
  /** Parts of the service whose failures have the form of another specification. */
  failureForms?: readonly FailureForm[];
  /**
   * The groups of the reference in their order, each with an introduction (Markdown). Other groups
   * follow in alphabetical order.
   */
  tags?: readonly { name: string; description: string }[];
  /** Example texts of the service’s own fields, by name of the field or `noun.field`. */
  fieldExamples?: FieldExamples;
  /** Further parts of the introduction. */
  guide?: readonly { heading: string; text: string }[];
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<
  string,
  unknown
>;

/**
 * Generates the OpenAPI document of a module without a database or a port. The result depends only
 * on the code.
 */
export async function generateOpenApi(
  service: ServiceInfo & { module: Type | DynamicModule },
): Promise<OpenApiDocument> {
  const options = nestOptions({ preview: true, abortOnError: false, logger: false });
  return describeService(
    service,
    await NestFactory.create(KitModule.describe(service.module), new KitAdapter(), options),
  );
}

/** Generates the OpenAPI document of a service from the decorators of its controllers. */
export async function describeService(service: ServiceInfo, app: INestApplication): Promise<OpenApiDocument> {
  const swagger = await import('@nestjs/swagger');
  const schemas = new SchemaCollection();
  const handlers = decorateHandlers(app, swagger, schemas);
  const described = swagger.SwaggerModule.createDocument(
    app,
    new swagger.DocumentBuilder().setOpenAPIVersion('3.1.0').build(),
    {
      autoTagControllers: false,
      standardSchemaConverter: (schema, { schemaType }) => ({
        schema: schema instanceof z.ZodType ? schemas.convert(schema, schemaType) : {},
      }),
    },
  );
  const entries = listEntries(service, described, handlers, schemas);
  const document = schemas.finish({
    openapi: described.openapi,
    info: {
      title: service.title,
      description: formatGuide(collectGuideFacts(service, entries)),
      version: service.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ bearer: [] }],
    tags: listTags(service, entries),
    paths: groupByPath(entries),
    components: { securitySchemes: { bearer: BEARER, ...ownSchemes(entries) } },
  });
  const examples = new ExampleWriter(
    document.components.schemas,
    service.failureStyle ?? 'sentence',
    service.fieldExamples,
  );
  for (const { path, method, facts } of entries)
    examples.write(
      path,
      document.paths[path]?.[method],
      facts.operation.examples,
      findFailureForm(service.failureForms, path),
    );
  return document;
}

/** An operation, and the facts of its handler. */
interface Entry {
  path: string;
  method: string;
  facts: Handler['facts'];
  item: OperationItem;
}

/** The operations in the order of their paths, then of their methods. */
function listEntries(
  { failureStyle = 'sentence', failureForms }: ServiceInfo,
  { paths }: OpenAPIObject,
  handlers: ReadonlyMap<string, Handler>,
  schemas: SchemaCollection,
): Entry[] {
  const usual: DocumentedFailure = { contentType: 'application/json', schema: FAILURE_BODIES[failureStyle] };
  const entries = Object.entries(paths).flatMap(([route, operations]) =>
    Object.entries(operations as Record<string, Partial<OperationItem>>).map(([method, operation]) => {
      const handler = handlers.get(operation.operationId ?? '');
      if (!handler) throw new Error(`the operation ${method} ${route} has no handler`);
      const { rest } = handler.facts.operation;
      const path = rest === undefined ? route : route.replace(/\{path\}$/, `{${rest}}`);
      const item = completeOperation(path, operation, handler, schemas, findFailureForm(failureForms, path) ?? usual);
      return { path, method, facts: handler.facts, item };
    }),
  );
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));
}

function groupByPath(entries: readonly Entry[]): Record<string, Record<string, OperationItem>> {
  const paths: Record<string, Record<string, OperationItem>> = {};
  for (const { path, method, item } of entries) (paths[path] ??= {})[method] = item;
  return paths;
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'An access token of one of the deployment’s issuers (RFC 6750). Paste it without the word Bearer.',
};

/** The security schemes of callers that the service itself authenticates. */
const ownSchemes = (entries: readonly Entry[]): Record<string, object> =>
  Object.fromEntries(
    entries.flatMap(({ facts }) => {
      const scheme = ownAccess(facts.access)?.scheme;
      return scheme ? [[scheme.name, { type: 'http', scheme: 'bearer', description: scheme.description }]] : [];
    }),
  );

/** The groups of the reference. Groups with an introduction come first. */
function listTags(service: ServiceInfo, entries: readonly Entry[]): { name: string; description?: string }[] {
  const used = new Set(entries.flatMap(({ item }) => item.tags));
  const own = service.tags ?? [];
  const commonTags = [DISCOVERY_TAG, HEALTH_TAG].filter(({ name }) => !own.some((tag) => tag.name === name));
  const introduced = [...own, ...commonTags].filter(({ name }) => used.has(name));
  const names = new Set(introduced.map(({ name }) => name));
  const others = [...used].filter((name) => !names.has(name)).sort();
  return [...introduced.slice(0, -1), ...others.map((name) => ({ name })), ...introduced.slice(-1)];
}

const DISCOVERY_TAG = {
  name: 'discovery',
  description: 'The issuers and tokens that this API accepts (RFC 9728). Needs no token.',
};
const HEALTH_TAG = { name: 'health', description: 'The liveness and readiness of the service.' };

function collectGuideFacts(service: ServiceInfo, entries: readonly Entry[]): GuideFacts {
  const text = JSON.stringify(entries.map(({ item }) => item));
  return {
    description: service.description,
    failureStyle: service.failureStyle ?? 'sentence',
    statuses: entries.flatMap(({ item }) => Object.keys(item.responses).map(Number)).filter((status) => status >= 400),
    has: {
      lists: text.includes('"next_cursor"') || text.includes('"name":"cursor"'),
      etags: text.includes('"If-Match"'),
      money: text.includes('_usd'),
    },
    ...(service.guide && { parts: service.guide }),
  };
}
