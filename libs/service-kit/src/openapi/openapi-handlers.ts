import { RequestMethod } from '@nestjs/common';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { z } from 'zod';
import type { RouteFacts } from '../routes/route-facts.ts';
import { BODY, factsOf, PATH, QUERY, routeArguments } from '../routes/route.ts';

/** A handler of a controller, as its decorators describe it. */
export interface Handler {
  method: string;
  path: string;
  id: string;
  facts: RouteFacts;
  inputs: readonly { kind: number; name: string | undefined; schema: z.ZodType | undefined }[];
}

/** Every handler of an application. */
export function handlersOf(context: INestApplicationContext): Handler[] {
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
        path: joined(base, sub, factsOf(method).operation?.rest),
        id: `${controller.name.replace(/Controller$/, '')}_${name}`,
        facts: factsOf(method),
        inputs: inputsOf(controller, name),
      })),
    );
  });
}

function inputsOf(controller: Type, name: string): Handler['inputs'] {
  return Object.entries(routeArguments(controller, name))
    .map(([key, { data, schema }]) => ({
      kind: Number(key.split(':', 1)[0]),
      name: typeof data === 'string' ? (data === '*' ? REST : data) : undefined,
      schema,
    }))
    .filter(({ kind }) => kind === BODY || kind === QUERY || kind === PATH)
    .sort((a, b) => b.kind - a.kind);
}

/** What the document calls the rest of a path, which Fastify calls `*`. */
const REST = 'path';

const joined = (base: string, sub: string, rest = REST): string =>
  `/${[base, sub].join('/').split('/').filter(Boolean).join('/')}`
    .replace(/:(\w+)/g, '{$1}')
    .replace(/\*$/, `{${rest}}`);
