import { STATUS_CODES } from 'node:http';
import type { FailureForm } from '../http/failure-form.ts';
import type { Handler } from './openapi-handlers.ts';
import { BODY, PATH } from '../routes/route.ts';
import type { JsonSchema, SchemaCollection } from './openapi-schemas.ts';
import { headersWith, meaningOf } from './reference/failure-answers.ts';
import { type OperationOptions, ownAccess } from '../routes/route-facts.ts';
import type { RouteFacts } from '../routes/route-facts.ts';

/** How a failure is documented. */
export type DocumentedFailure = Pick<FailureForm, 'contentType' | 'schema'>;

const HEADERS: Record<string, string> = {
  ETag: 'Tag of the state that was read, for If-Match and If-None-Match',
  Location: 'Where the created object is',
  'Retry-After': 'Seconds until another try makes sense',
  'X-Request-Id': 'Id of the request, as sent or made',
  'WWW-Authenticate': 'Where to get an access token (RFC 9728)',
  Allow: 'The methods that the path takes',
};

/** What the document says about one operation. */
export interface OperationItem extends Record<string, unknown> {
  tags: string[];
  responses: Record<string, object>;
}

/**
 * Describes a route. References to schemas hold until the collection is finished.
 * @throws Error when it has no @Operation
 */
export function operationItem(
  { id, path, facts, inputs }: Handler,
  schemas: SchemaCollection,
  failure: DocumentedFailure,
): OperationItem {
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
    ...securityOf(facts.access),
    ...(facts.gateway && { 'x-gateway-kinds': facts.gateway.kinds }),
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

/** Which credential opens a route, and for which roles. */
function securityOf(access: RouteFacts['access']): { security: object[]; 'x-roles'?: unknown } {
  if (access === 'public') return { security: [] };
  const own = ownAccess(access);
  return own ? { security: [{ [own.scheme.name]: [] }] } : { security: [{ bearer: [] }], 'x-roles': access };
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
  if (operation.headers) {
    const { properties, required } = schemas.properties(operation.headers);
    for (const [name, value] of Object.entries(properties)) add('header', name, required.includes(name), value);
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
  failure: DocumentedFailure,
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
          ...Object.fromEntries((success.alsoAs ?? []).map((other) => [other, { schema: { type: 'string' } }])),
        },
      }),
    },
  };
  const statuses = new Set([...operation.errors, 431, 500]);
  if (facts.access !== 'public') for (const status of [401, 503]) statuses.add(status);
  if (Array.isArray(facts.access)) statuses.add(403);
  if (input.validated || input.body || Array.isArray(facts.access)) statuses.add(400);
  if (input.body) for (const status of [413, 415]) statuses.add(status);
  if (operation.ifMatch) statuses.add(412);
  if (operation.ifMatch === 'required') statuses.add(428);
  for (const status of success.alsoEmpty ?? [])
    responses[status] = { description: STATUS_CODES[status] ?? 'Success', headers: headersOf(['X-Request-Id']) };
  for (const status of statuses) responses[status] = failureResponse(status, schemas, failure);
  if (operation.ifNoneMatch || operation.errors.includes(304)) {
    responses[304] = { description: 'Not Modified', headers: headersOf(['ETag', 'X-Request-Id']) };
  }
  return responses;
}

const failureResponse = (status: number, schemas: SchemaCollection, failure: DocumentedFailure): object => ({
  description: meaningOf(status),
  ...(headersWith(status).length > 0 && { headers: headersOf(headersWith(status)) }),
  content: { [failure.contentType]: { schema: schemas.convert(failure.schema, 'output') } },
});

const headersOf = (names: Iterable<string>): Record<string, object> =>
  Object.fromEntries(
    [...names].map((name) => [name, { description: HEADERS[name] ?? name, schema: { type: 'string' } }]),
  );

const tagOf = (path: string): string =>
  path.split('/').find((part) => part !== '' && !/^v\d+$/.test(part) && !part.startsWith('{')) ?? 'service';
