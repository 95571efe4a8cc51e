import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { type FailureForm, formOf } from '../http/failure-form.ts';
import type { FailureStyle } from '../http/failures.ts';
import { KitModule } from '../kit/kit.module.ts';
import { nestOptions } from '../kit/nest-options.ts';
import { handlersOf } from './openapi-handlers.ts';
import { type DocumentedFailure, type OperationItem, operationItem } from './openapi-operation.ts';
import { SchemaCollection } from './openapi-schemas.ts';
import { ExampleWriter } from './reference/examples.ts';
import type { FieldExamples } from './reference/example-values.ts';
import { FAILURE_BODIES } from './reference/failure-answers.ts';
import { guideOf, type GuideFacts } from './reference/guide.ts';
import { metadataRoutes } from '../auth/resource-metadata.ts';
import { type DocumentedRoute, type OperationOptions, ownAccess } from '../routes/route-facts.ts';
import type { RouteFacts } from '../routes/route-facts.ts';

/** What describes a service in its OpenAPI document. */
export interface ServiceInfo {
  /** `enterprise-manager`. */
  name: string;
  title: string;
  description: string;
  version: string;
  /** Default `sentence`. */
  failureStyle?: FailureStyle;
  /** Parts of the service whose failures look as another specification says. */
  failureForms?: readonly FailureForm[];
  /**
   * The groups of the reference in their order, each with an introduction (Markdown). Others follow
   * in the order of the alphabet.
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

const HEALTH = z.record(z.string(), z.string()).meta({ id: 'HealthBody', description: 'State of the service' });

/**
 * The OpenAPI document of a module, without starting anything it holds (no database, no port). The
 * same code gives the same bytes.
 */
export async function generateOpenApi(
  service: ServiceInfo & { module: Type | DynamicModule },
): Promise<OpenApiDocument> {
  const still = nestOptions({ preview: true, abortOnError: false, logger: false });
  const context = await NestFactory.createApplicationContext(KitModule.described(service.module), still);
  return describeService(service, context);
}

/** The OpenAPI document of a service from the decorators of its controllers. */
export function describeService(service: ServiceInfo, context: INestApplicationContext): OpenApiDocument {
  const schemas = new SchemaCollection();
  const style = service.failureStyle ?? 'sentence';
  const usual: DocumentedFailure = { contentType: 'application/json', schema: FAILURE_BODIES[style] };
  const failureAt = (path: string) => formOf(service.failureForms, path) ?? usual;
  const entries: Entry[] = [
    ...handlersOf(context).map((handler) => ({
      ...handler,
      item: operationItem(handler, schemas, failureAt(handler.path)),
    })),
    ...[...healthRoutes(), ...metadataRoutes(service.title)].map((route) => {
      const item = operationItem({ ...route, method: 'get', inputs: [] }, schemas, usual);
      return { ...route, method: 'get', item };
    }),
  ].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, item } of entries) (paths[path] ??= {})[method] = item;
  const document = schemas.finish({
    openapi: '3.1.0',
    info: {
      title: service.title,
      description: guideOf(guideFacts(service, entries)),
      version: service.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ bearer: [] }],
    tags: tagsOf(service, entries),
    paths,
    components: { securitySchemes: { bearer: BEARER, ...ownSchemes(entries) } },
  });
  const examples = new ExampleWriter(document.components.schemas, style, service.fieldExamples);
  for (const { path, method, facts } of entries)
    examples.write(path, document.paths[path]?.[method], facts.operation?.examples, formOf(service.failureForms, path));
  return document;
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'An access token of one of the deployment’s issuers (RFC 6750): paste it without the word Bearer.',
};

/** The credentials of callers whom the service recognises itself. */
const ownSchemes = (entries: readonly Entry[]): Record<string, object> =>
  Object.fromEntries(
    entries.flatMap(({ facts }) => {
      const scheme = ownAccess(facts.access)?.scheme;
      return scheme ? [[scheme.name, { type: 'http', scheme: 'bearer', description: scheme.description }]] : [];
    }),
  );

/** Groups that have an introduction first, in its order. */
function tagsOf(service: ServiceInfo, entries: readonly Entry[]): { name: string; description?: string }[] {
  const used = new Set(entries.flatMap(({ item }) => item.tags));
  const own = service.tags ?? [];
  const kit = [DISCOVERY_TAG, HEALTH_TAG].filter(({ name }) => !own.some((tag) => tag.name === name));
  const introduced = [...own, ...kit].filter(({ name }) => used.has(name));
  const names = new Set(introduced.map(({ name }) => name));
  const others = [...used].filter((name) => !names.has(name)).sort();
  return [...introduced.slice(0, -1), ...others.map((name) => ({ name })), ...introduced.slice(-1)];
}

const DISCOVERY_TAG = { name: 'discovery', description: 'Which tokens this API takes (RFC 9728), without a token.' };
const HEALTH_TAG = { name: 'health', description: 'Whether the process answers, and whether it can do its work.' };

function guideFacts(service: ServiceInfo, entries: readonly Entry[]): GuideFacts {
  const told = JSON.stringify(entries.map(({ item }) => item));
  return {
    description: service.description,
    failureStyle: service.failureStyle ?? 'sentence',
    statuses: entries.flatMap(({ item }) => Object.keys(item.responses).map(Number)).filter((status) => status >= 400),
    has: {
      lists: told.includes('"next_cursor"') || told.includes('"name":"cursor"'),
      etags: told.includes('"If-Match"'),
      money: told.includes('_usd'),
    },
    ...(service.guide && { parts: service.guide }),
  };
}

/** A route and what the document says about it. */
interface Entry {
  path: string;
  method: string;
  facts: RouteFacts;
  item: OperationItem;
}

/** Health and readiness, which the kit gives every service. */
function healthRoutes(): DocumentedRoute[] {
  const route = (path: string, summary: string, errors: number[]): DocumentedRoute => {
    const operation: OperationOptions = {
      summary,
      tag: 'health',
      success: { status: 200, schema: HEALTH },
      errors,
      examples: { answer: { status: errors.length > 0 ? 'ready' : 'ok' }, failures: { 503: 'not ready: database' } },
    };
    return { path, id: summary.toLowerCase().replace(' ', '_'), facts: { access: 'public', operation } };
  };
  return [route('/healthz', 'Health check', []), route('/readyz', 'Readiness check', [503])];
}
