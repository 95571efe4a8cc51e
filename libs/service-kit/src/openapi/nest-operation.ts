import type { INestApplicationContext, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type * as nestSwagger from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { type OperationOptions, ownAccess, type RouteFacts } from '../routes/route-facts.ts';
import { BODY, getRouteFacts, routeArguments } from '../routes/route.ts';
import type { JsonSchema, SchemaCollection } from './openapi-schemas.ts';

/** Nest's OpenAPI package. It is imported only for a document, since it costs time and memory. */
export type NestSwagger = typeof nestSwagger;

/** A controller method with a route. */
export interface Handler {
  /** Operation id. */
  id: string;
  facts: RouteFacts & { operation: OperationOptions };
  hasBody: boolean;
}

const decorated = new WeakSet<object>();

/**
 * Adds the decorators of @nestjs/swagger to each handler of an application, from its facts.
 * @returns the handlers by operation id
 * @throws Error naming a handler without @Operation
 */
export function decorateHandlers(
  app: INestApplicationContext,
  swagger: NestSwagger,
  schemas: SchemaCollection,
): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      const controller = metatype as Type;
      for (const { name, method } of listRouteMethods(controller)) {
        const handler = createHandler(controller, name, getRouteFacts(method));
        handlers.set(handler.id, handler);
        if (decorated.has(method)) continue;
        decorated.add(method);
        const descriptor = { value: method };
        for (const decorate of createDecorators(handler, swagger, schemas))
          decorate(controller.prototype as object, name, descriptor);
      }
    }
  }
  return handlers;
}

function listRouteMethods(controller: Type): { name: string; method: object }[] {
  const descriptors = Object.getOwnPropertyDescriptors(controller.prototype as object);
  return Object.entries(descriptors).flatMap(([name, descriptor]) => {
    const method: unknown = descriptor.value;
    return typeof method === 'function' && Reflect.hasMetadata('method', method) ? [{ name, method }] : [];
  });
}

function createHandler(controller: Type, name: string, { operation, ...facts }: RouteFacts): Handler {
  if (!operation) throw new Error(`${controller.name}.${name} has no @Operation`);
  const kinds = Object.keys(routeArguments(controller, name)).map((key) => Number(key.split(':', 1)[0]));
  return {
    id: operation.id ?? `${controller.name.replace(/Controller$/, '')}_${name}`,
    facts: { ...facts, operation },
    hasBody: kinds.includes(BODY),
  };
}

function createDecorators({ id, facts }: Handler, swagger: NestSwagger, schemas: SchemaCollection): MethodDecorator[] {
  const { operation, access, gateway } = facts;
  const { summary, description, tag, success } = operation;
  return [
    swagger.ApiOperation({
      operationId: id,
      summary,
      ...(description !== undefined && { description }),
      ...(tag !== undefined && { tags: [tag] }),
      ...describeSecurity(access),
      ...(gateway && { 'x-gateway-kinds': gateway.kinds }),
    }),
    ...headerParameters(operation, schemas).map((header) => swagger.ApiHeader(header)),
    swagger.ApiConsumes(...(operation.bodyContentTypes ?? ['application/json'])),
    swagger.ApiProduces(success.contentType ?? 'application/json'),
    swagger.ApiResponse(successResponse(operation)),
    ...(success.alsoEmpty ?? []).map((status) => swagger.ApiResponse(emptyResponse(status, ['X-Request-Id']))),
    ...(operation.ifNoneMatch || operation.errors.includes(304)
      ? [swagger.ApiResponse(emptyResponse(304, ['ETag', 'X-Request-Id']))]
      : []),
  ];
}

/** The credential that a route takes, and the roles that open it. */
function describeSecurity(access: RouteFacts['access']): { security: Record<string, string[]>[]; 'x-roles'?: unknown } {
  if (access === 'public') return { security: [] };
  const own = ownAccess(access);
  return own ? { security: [{ [own.scheme.name]: [] }] } : { security: [{ bearer: [] }], 'x-roles': access };
}

interface HeaderParameter {
  name: string;
  required: boolean;
  description?: string;
  schema?: JsonSchema;
}

function headerParameters(operation: OperationOptions, schemas: SchemaCollection): HeaderParameter[] {
  const { properties, required } = operation.headers
    ? schemas.properties(operation.headers)
    : { properties: {}, required: [] };
  const own = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    required: required.includes(name),
    schema,
    ...(typeof description === 'string' && { description }),
  }));
  const { ifMatch, ifNoneMatch } = operation;
  return [
    ...own,
    ...(ifMatch ? [{ name: 'If-Match', required: ifMatch === 'required', description: IF_MATCH }] : []),
    ...(ifNoneMatch ? [{ name: 'If-None-Match', required: false, description: IF_NONE_MATCH }] : []),
    { name: 'X-Request-Id', required: false, description: REQUEST_ID },
  ];
}

const IF_MATCH = 'ETag of the state to change; 412 if the object has changed since';
const IF_NONE_MATCH = 'ETag of the state that the client has; 304 if the object has not changed since';
const REQUEST_ID = 'Id of the request, 1 to 128 printable ASCII characters; the service creates one if it is missing';

function successResponse({ success, ifNoneMatch }: OperationOptions): nestSwagger.ApiResponseOptions {
  const { status, schema, contentType, headers = [] } = success;
  const empty = emptyResponse(status, new Set([...headers, ...(ifNoneMatch ? ['ETag'] : []), 'X-Request-Id']));
  if (schema) return { ...empty, standardSchema: schema };
  return contentType === undefined ? empty : { ...empty, schema: { type: 'string' } };
}

const emptyResponse = (status: number, headers: Iterable<string>) => ({
  status,
  description: STATUS_CODES[status] ?? 'Success',
  headers: describeHeaders(headers),
});

const HEADERS: Readonly<Record<string, string>> = {
  ETag: 'Tag of the returned state, for If-Match and If-None-Match',
  Location: 'Address of the created object',
  'Retry-After': 'Seconds to wait before the next attempt',
  'X-Request-Id': 'Id of the request, sent by the client or created by the service',
  'WWW-Authenticate': 'Challenge with the address of the resource metadata (RFC 9728)',
  Allow: 'Methods that the path supports',
};

/** The response headers in the form of the document. */
export const describeHeaders = (
  names: Iterable<string>,
): Record<string, { description: string; schema: { type: string } }> =>
  Object.fromEntries(
    [...names].map((name) => [name, { description: HEADERS[name] ?? name, schema: { type: 'string' } }]),
  );
