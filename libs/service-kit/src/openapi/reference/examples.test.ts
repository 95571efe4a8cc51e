import { expect, it } from '@jest/globals';
import { ExampleWriter } from './examples.ts';

const schema = { $ref: '#/components/schemas/FailureBody' };

it.each<[string, string[] | undefined, string]>([
  ['administrators', ['admin', 'auditor'], 'caller is not a directory admin'],
  ['gateways', ['gateway'], 'caller is not a gateway'],
  ['people', ['user'], 'a gateway token cannot do this'],
  ['everybody with a role', ['any'], 'a gateway token cannot do this'],
  ['callers of its own', undefined, 'caller is not a directory admin'],
])('an example of 403 says what callers are told who cannot call an operation of %s', (_, roles, error) => {
  const content: Record<string, { schema: object; example?: unknown }> = { 'application/json': { schema } };
  const operation = { responses: { 403: { content } }, ...(roles && { 'x-roles': roles }) };
  new ExampleWriter({}, 'sentence').write('/v1/things', operation);
  expect(content['application/json']?.example).toEqual({ error });
});
