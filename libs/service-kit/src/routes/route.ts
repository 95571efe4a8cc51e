import { RouteConfig } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import type { ZodType } from 'zod';
import type { RouteFacts } from './route-facts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    gatehouse?: RouteFacts;
  }
}

const FACTS = Symbol('gatehouse:route');

/** Nest's numbers (RouteParamtypes) of parameters that take the body and the query. */
export const BODY = 3;
const QUERY = 4;

/**
 * Nest's metadata of the parameters of a handler: the source of each (before the colon), its name
 * and its schema. Decorators of parameters run before those of the method.
 */
export const routeArguments = (controller: object, name: string | symbol) =>
  (Reflect.getMetadata('__routeArguments__', controller, name) ?? {}) as Record<
    string,
    { data?: unknown; schema?: ZodType }
  >;

const parameterKinds = (controller: object, name: string | symbol): number[] =>
  Object.keys(routeArguments(controller, name)).map((key) => Number(key.split(':', 1)[0]));

/** Adds facts to a controller method. The decorators of a method can have any order. */
export const describeRoute =
  (facts: RouteFacts): MethodDecorator =>
  (target, key, descriptor) => {
    const method = descriptor.value as object;
    const kinds = parameterKinds(target.constructor, key);
    const takes = { body: kinds.includes(BODY), query: kinds.includes(QUERY) };
    const all: RouteFacts = { ...getRouteFacts(method), ...facts, takes };
    Reflect.defineMetadata(FACTS, all, method);
    RouteConfig({ gatehouse: all })(target, key, descriptor);
  };

/** The facts of a controller method. */
export const getRouteFacts = (method: object): RouteFacts =>
  (Reflect.getMetadata(FACTS, method) as RouteFacts | undefined) ?? {};
