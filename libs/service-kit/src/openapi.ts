import { RequestMethod } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { FailureStyle } from './failures.ts';
import { KitModule } from './kit.module.ts';
import { nestOptions } from './nest-options.ts';
import { SchemaCollection } from './openapi-schemas.ts';
import type { JsonSchema } from './openapi-schemas.ts';
import type { OperationOptions } from './route-facts.ts';
import { factsOf } from './route.ts';
import type { RouteFacts } from './route-facts.ts';

/** What describes a service in its OpenAPI document. */
export interface ServiceInfo {
  /** `enterprise-manager`. */
  name: string;
  title: string;
  description: string;
  version: string;
  /** Default `sentence`. */
  failureStyle?: FailureStyle;
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<
  string,
  unknown
>;

const FAILURE_BODIES: Record<FailureStyle, z.ZodType> = {
  sentence: z
    .object({ error: z.string().meta({ description: 'One readable sentence' }) })
    .meta({ id: 'FailureBody', description: 'Why a request failed' }),
  codes: z
    .object({
      error: z.string().meta({ description: 'Machine code' }),
      requestId: z.string(),
      violations: z.array(
        z
          .object({ field: z.string().meta({ description: 'JSON pointer (RFC 6901)' }), message: z.string() })
          .meta({ id: 'Violation' }),
      ),
    })
    .meta({ id: 'FailureBody', description: 'Why a request failed' }),
};
const HEALTH = z.record(z.string(), z.string()).meta({ id: 'HealthBody', description: 'State of the service' });

const HEADERS: Record<string, string> = {
  ETag: 'Tag of the state that was read, for If-Match and If-None-Match',
  Location: 'Where the created object is',
  'Retry-After': 'Seconds until another try makes sense',
  'X-Request-Id': 'Id of the request, as sent or made',
  'WWW-Authenticate': 'Where to get an access token (RFC 9728)',
  Allow: 'The methods that the path takes',
};

/** Nest's kinds of handler arguments (RouteParamtypes) that have a place in the document. */
const BODY = 3;
const QUERY = 4;
const PATH = 5;

interface Handler {
  method: string;
  path: string;
  id: string;
  facts: RouteFacts;
  inputs: readonly { kind: number; name: string | undefined; schema: z.ZodType | undefined }[];
}

/** The OpenAPI document of a module, without starting anything it holds (no database, no port). The same code gives the same bytes. */
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
  const failure = FAILURE_BODIES[service.failureStyle ?? 'sentence'];
  const entries = [
    ...handlersOf(context).map((handler) => ({ ...handler, item: operationItem(handler, schemas, failure) })),
    ...healthEntries(schemas, failure),
  ];
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, item } of entries.sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1,
  )) {
    (paths[path] ??= {})[method] = item;
  }
  return schemas.finish({
    openapi: '3.1.0',
    info: {
      title: service.title,
      description: service.description,
      version: service.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  });
}

function operationItem({ id, path, facts, inputs }: Handler, schemas: SchemaCollection, failure: z.ZodType): object {
  const { operation } = facts;
  if (!operation) throw new Error(`the route ${path} (${id}) has no @Operation`);
  const body = inputs.find((input) => input.kind === BODY)?.schema;
  const parameters = parametersOf(path, operation, inputs, schemas);
  const contents = operation.bodyContentTypes ?? ['application/json'];
  return {
    operationId: id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [operation.tag ?? tagOf(path)],
    security: facts.access === 'public' ? [] : [{ bearer: [] }],
    ...(facts.access !== 'public' && { 'x-roles': facts.access }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(contents.map((type) => [type, { schema: schemas.convert(body, 'input') }])),
      },
    }),
    responses: responsesOf(
      facts,
      operation,
      { body: body !== undefined, validated: parameters.length > 0 },
      schemas,
      failure,
    ),
  };
}

function parametersOf(
  path: string,
  operation: OperationOptions,
  inputs: Handler['inputs'],
  schemas: SchemaCollection,
): object[] {
  const parameters: { in: string; name: string; required: boolean; description?: unknown; schema: JsonSchema }[] = [];
  const add = (place: string, name: string, required: boolean, schema: JsonSchema) => {
    const { description, ...rest } = schema;
    parameters.push({ in: place, name, required, ...(description !== undefined && { description }), schema: rest });
  };
  for (const { kind, name, schema } of inputs) {
    if (kind === BODY) continue;
    if (name !== undefined) {
      add(
        kind === PATH ? 'path' : 'query',
        name,
        kind === PATH,
        schema ? schemas.convert(schema, 'input') : { type: 'string' },
      );
      continue;
    }
    if (!schema) continue;
    const { properties, required } = schemas.properties(schema);
    for (const [field, value] of Object.entries(properties))
      add(kind === PATH ? 'path' : 'query', field, kind === PATH || required.includes(field), value);
  }
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    if (!parameters.some((parameter) => parameter.in === 'path' && parameter.name === name))
      add('path', name, true, { type: 'string' });
  }
  const text = (description: string) => ({ type: 'string', description });
  if (operation.ifMatch)
    add('header', 'If-Match', operation.ifMatch === 'required', text('ETag of the state that the change is meant for'));
  if (operation.ifNoneMatch)
    add('header', 'If-None-Match', false, text('ETag that the client has; 304 when it is still the state'));
  add(
    'header',
    'X-Request-Id',
    false,
    text('1 to 128 printable ASCII characters; made when missing, echoed in the answer'),
  );
  return parameters;
}

function responsesOf(
  facts: RouteFacts,
  operation: OperationOptions,
  input: { body: boolean; validated: boolean },
  schemas: SchemaCollection,
  failure: z.ZodType,
): Record<string, object> {
  const { success } = operation;
  const type = success.contentType ?? (success.schema ? 'application/json' : undefined);
  const headers = new Set([...(success.headers ?? []), ...(operation.ifNoneMatch ? ['ETag'] : []), 'X-Request-Id']);
  const responses: Record<string, object> = {
    [success.status]: {
      description: STATUS_CODES[success.status] ?? 'Success',
      headers: headersOf(headers),
      ...(type !== undefined && {
        content: {
          [type]: { schema: success.schema ? schemas.convert(success.schema, 'output') : { type: 'string' } },
        },
      }),
    },
  };
  const statuses = new Set([...operation.errors, 500]);
  if (facts.access !== 'public') for (const status of [401, 403, 503]) statuses.add(status);
  if (input.validated || input.body) statuses.add(400);
  if (input.body) for (const status of [413, 415]) statuses.add(status);
  if (operation.ifMatch) statuses.add(412);
  if (operation.ifMatch === 'required') statuses.add(428);
  for (const status of statuses) responses[status] = failureResponse(status, schemas, failure);
  if (operation.ifNoneMatch || operation.errors.includes(304)) {
    responses[304] = { description: 'Not Modified', headers: headersOf(['ETag', 'X-Request-Id']) };
  }
  return responses;
}

function failureResponse(status: number, schemas: SchemaCollection, failure: z.ZodType): object {
  const extra =
    status === 401
      ? ['WWW-Authenticate']
      : status === 429 || status === 503
        ? ['Retry-After']
        : status === 405
          ? ['Allow']
          : [];
  return {
    description: STATUS_CODES[status] ?? 'Failure',
    headers: headersOf([...extra, 'X-Request-Id']),
    content: { 'application/json': { schema: schemas.convert(failure, 'output') } },
  };
}

const headersOf = (names: Iterable<string>): Record<string, object> =>
  Object.fromEntries(
    [...names].map((name) => [name, { description: HEADERS[name] ?? name, schema: { type: 'string' } }]),
  );

const tagOf = (path: string): string =>
  path.split('/').find((part) => part !== '' && !/^v\d+$/.test(part) && !part.startsWith('{')) ?? 'service';

/** The routes that the kit itself gives every service. */
function healthEntries(schemas: SchemaCollection, failure: z.ZodType) {
  const entry = (path: string, summary: string, errors: number[]) => {
    const operation: OperationOptions = { summary, tag: 'health', success: { status: 200, schema: HEALTH }, errors };
    const id = summary.toLowerCase().replace(' ', '_');
    return {
      path,
      method: 'get',
      item: operationItem(
        { method: 'get', path, id, facts: { access: 'public', operation }, inputs: [] },
        schemas,
        failure,
      ),
    };
  };
  return [entry('/healthz', 'Health check', []), entry('/readyz', 'Readiness check', [503])];
}

function handlersOf(context: INestApplicationContext): Handler[] {
  const handlers: Handler[] = [];
  for (const module of context.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function') handlers.push(...handlersIn(metatype as Type));
    }
  }
  return handlers;
}

function handlersIn(controller: Type): Handler[] {
  const prototype = controller.prototype as Record<string, unknown>;
  const bases = [Reflect.getMetadata('path', controller) as string | string[]].flat();
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof method !== 'function' || name === 'constructor' || !Reflect.hasMetadata('method', method)) return [];
    const verb = RequestMethod[Reflect.getMetadata('method', method) as number]?.toLowerCase() ?? 'get';
    const subs = [Reflect.getMetadata('path', method) as string | string[]].flat();
    return bases.flatMap((base) =>
      subs.map((sub) => ({
        method: verb,
        path: joined(base, sub),
        id: `${controller.name.replace(/Controller$/, '')}_${name}`,
        facts: factsOf(method),
        inputs: inputsOf(controller, name),
      })),
    );
  });
}

function inputsOf(controller: Type, name: string): Handler['inputs'] {
  const args = (Reflect.getMetadata('__routeArguments__', controller, name) ?? {}) as Record<
    string,
    { data?: unknown; schema?: z.ZodType }
  >;
  return Object.entries(args)
    .map(([key, { data, schema }]) => ({
      kind: Number(key.split(':', 1)[0]),
      name: typeof data === 'string' ? data : undefined,
      schema,
    }))
    .filter(({ kind }) => kind === BODY || kind === QUERY || kind === PATH)
    .sort((a, b) => b.kind - a.kind);
}

const joined = (base: string, sub: string): string =>
  `/${[base, sub].join('/').split('/').filter(Boolean).join('/')}`
    .replace(/:(\w+)/g, '{$1}')
    .replace(/\*(\w+)/g, '{$1}');
