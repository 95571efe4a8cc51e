import { Operation } from '@gatehouse/service-kit/operation';
import { AuthenticatedBy } from '@gatehouse/service-kit/own-callers';
import type { OperationExamples } from '@gatehouse/service-kit/route-facts';
import { applyDecorators } from '@nestjs/common';
import type { ZodType } from 'zod';
import type { JsonObject, ResourceType } from '../protocol/types.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';
import { createScimOperation, createScimSuccess } from '../http/scim-operations.ts';
import { ScimList, ScimResource } from '../http/scim.dto.ts';

/** The parts of the OpenAPI document that differ between users and groups. */
export interface ScimResourceDocument {
  resourceType: ResourceType;
  /** Schema of the body of POST and PUT. */
  body: ZodType<JsonObject>;
  descriptions: Record<'list' | 'create' | 'replace' | 'patch' | 'delete', string>;
  examples: Record<'list' | 'search' | 'write' | 'read' | 'patch', OperationExamples>;
  /** Statuses of a PATCH without a body. */
  patchAlsoEmpty: readonly number[];
  /** Whether writes can be 403. */
  canForbidWrites: boolean;
}

type ScimOperation = 'list' | 'search' | 'get' | 'create' | 'replace' | 'patch' | 'delete';

/** Makes the decorators of the SCIM operations on one resource type. */
export function createResourceOperations(document: ScimResourceDocument): Record<ScimOperation, MethodDecorator> {
  const options = createOperationOptions(document);
  const { resourceType } = document;
  const decorate = (operation: ScimOperation): MethodDecorator => {
    const plural = operation === 'list' || operation === 'search' ? 's' : '';
    const summary = `SCIM: ${operation} ${resourceType.toLowerCase()}${plural}`;
    const id = `Scim${resourceType}s_${operation}`;
    return applyDecorators(
      AuthenticatedBy(ScimCallers, SCIM_TOKEN),
      Operation({ ...createScimOperation({ summary, ...options[operation] }), id }),
    );
  };
  return {
    list: decorate('list'),
    search: decorate('search'),
    get: decorate('get'),
    create: decorate('create'),
    replace: decorate('replace'),
    patch: decorate('patch'),
    delete: decorate('delete'),
  };
}

function createOperationOptions({
  descriptions,
  examples,
  patchAlsoEmpty,
  canForbidWrites,
}: ScimResourceDocument): Record<ScimOperation, Omit<Parameters<typeof createScimOperation>[0], 'summary'>> {
  const page = { success: createScimSuccess(200, ScimList), errors: [400] };
  const written = createScimSuccess(200, ScimResource, ['ETag']);
  const writeErrors = (...statuses: number[]) => (canForbidWrites ? [...statuses, 403].sort() : statuses);
  return {
    list: { ...page, description: descriptions.list, examples: examples.list },
    search: { ...page, examples: examples.search },
    get: {
      examples: examples.read,
      success: createScimSuccess(200, ScimResource),
      errors: [400, 404],
      ifNoneMatch: true,
    },
    create: {
      description: descriptions.create,
      examples: examples.write,
      success: createScimSuccess(201, ScimResource, ['Location', 'ETag']),
      errors: writeErrors(400, 409),
    },
    replace: {
      description: descriptions.replace,
      examples: examples.write,
      success: written,
      errors: writeErrors(400, 404, 409),
      ifMatch: 'optional',
    },
    patch: {
      description: descriptions.patch,
      examples: examples.patch,
      success: { ...written, alsoEmpty: patchAlsoEmpty },
      errors: writeErrors(400, 404, 409),
      ifMatch: 'optional',
    },
    delete: {
      description: descriptions.delete,
      success: { status: 204 },
      errors: writeErrors(404),
      ifMatch: 'optional',
    },
  };
}
