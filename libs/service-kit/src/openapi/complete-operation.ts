import type { FailureForm } from '../http/failure-form.ts';
import { describeHeaders, type Handler } from './nest-operation.ts';
import type { JsonSchema, SchemaCollection } from './openapi-schemas.ts';
import { headersWith, describeStatus } from './reference/failure-answers.ts';

/** The content type and schema of failures in the document. */
export type DocumentedFailure = Pick<FailureForm, 'contentType' | 'schema'>;

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** An operation of an OpenAPI document. */
export interface OperationItem extends Record<string, unknown> {
  operationId: string;
  tags: string[];
  parameters: Parameter[];
  responses: Record<string, { description: string; headers?: object; content?: Record<string, { schema?: unknown }> }>;
}

/** Adds the parts that all operations of a service share to an operation of @nestjs/swagger. */
export function completeOperation(
  path: string,
  operation: Partial<OperationItem>,
  handler: Handler,
  schemas: SchemaCollection,
  failure: DocumentedFailure,
): OperationItem {
  const { summary, description, tags = [deriveTag(path)], security, parameters = [], requestBody, ...rest } = operation;
  const { responses = {}, ...extensions } = rest;
  const content = responses[handler.facts.operation.success.status]?.content;
  for (const type of handler.facts.operation.success.alsoAs ?? [])
    if (content) content[type] = { schema: { type: 'string' } };
  return {
    operationId: handler.id,
    summary,
    ...(description !== undefined && { description }),
    tags,
    security,
    ...extensions,
    parameters: completeParameters(path, parameters),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...responses, ...failureResponses(handler, schemas, failure) },
  };
}

const PLACES = ['path', 'query', 'header'];

/** Adds the parameters of the path that the handler does not read. */
function completeParameters(path: string, parameters: readonly Parameter[]): Parameter[] {
  const named = new Set(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name));
  const missing: Parameter[] = [...path.matchAll(/\{([^}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !named.has(name))
    .map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } }));
  return [...parameters, ...missing]
    .map(({ in: place, name, required, description, schema: { description: _, ...schema } }) => ({
      in: place,
      name,
      required,
      ...(description !== undefined && { description }),
      schema,
    }))
    .sort((a, b) => PLACES.indexOf(a.in) - PLACES.indexOf(b.in));
}

function failureResponses(
  { facts: { access, operation }, hasBody }: Handler,
  schemas: SchemaCollection,
  failure: DocumentedFailure,
): OperationItem['responses'] {
  const statuses = new Set([...operation.errors, 400, 431, 500]);
  if (access !== 'public') for (const status of [401, 503]) statuses.add(status);
  if (Array.isArray(access)) statuses.add(403);
  if (hasBody) for (const status of [413, 415]) statuses.add(status);
  if (operation.ifMatch) statuses.add(412);
  if (operation.ifMatch === 'required') statuses.add(428);
  statuses.delete(304);
  return Object.fromEntries([...statuses].map((status) => [status, failureResponse(status, schemas, failure)]));
}

const failureResponse = (status: number, schemas: SchemaCollection, failure: DocumentedFailure) => ({
  description: describeStatus(status),
  ...(headersWith(status).length > 0 && { headers: describeHeaders(headersWith(status)) }),
  content: { [failure.contentType]: { schema: schemas.convert(failure.schema, 'output') } },
});

const deriveTag = (path: string): string =>
  path.split('/').find((part) => part !== '' && !/^v\d+$/.test(part) && !part.startsWith('{')) ?? 'service';
