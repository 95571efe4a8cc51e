import { expect, it } from '@jest/globals';
import { ExampleWriter } from './examples.ts';

const schema = { $ref: '#/components/schemas/FailureBody' };

it.each<[string, string[] | undefined, string]>([
  ['administrators', ['admin', 'auditor'], 'caller is not a directory admin'],
  ['gateways', ['gateway'], 'caller is not a gateway'],
  ['users', ['user'], 'a gateway token cannot do this'],
  ['any role', ['any'], 'a gateway token cannot do this'],
  ['callers that the service itself authenticates', undefined, 'caller is not a directory admin'],
])('writes the message of the service into the example of a 403, for an operation of %s', (_, roles, error) => {
  const content: Record<string, { schema: object; example?: unknown }> = { 'application/json': { schema } };
  const operation = { responses: { 403: { content } }, ...(roles && { 'x-roles': roles }) };
  new ExampleWriter({}, 'sentence').write('/v1/things', operation);
  expect(content['application/json']?.example).toEqual({ error });
});
