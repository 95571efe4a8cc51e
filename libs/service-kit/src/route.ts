import { RouteConfig } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import type { RouteFacts } from './route-facts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    gatehouse?: RouteFacts;
  }
}

const FACTS = Symbol('gatehouse:route');

/** Adds facts to a controller method; the decorators of a method may come in any order. */
export const describeRoute =
  (facts: RouteFacts): MethodDecorator =>
  (target, key, descriptor) => {
    const method = descriptor.value as object;
    const all: RouteFacts = { ...factsOf(method), ...facts };
    Reflect.defineMetadata(FACTS, all, method);
    RouteConfig({ gatehouse: all })(target, key, descriptor);
  };

/** The facts of a controller method. */
export const factsOf = (method: object): RouteFacts =>
  (Reflect.getMetadata(FACTS, method) as RouteFacts | undefined) ?? {};
