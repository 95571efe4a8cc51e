import { describe, expect, it } from '@jest/globals';
import { GatewayFileError, parseGateway, readGatewayFile } from './gateway-file.ts';

const ROUTE = '    - { match: { model: gpt-5 }, backends: [{ provider: main }] }';
const yaml = (routes = ROUTE): string => `apiVersion: gatehouse.dev/v1alpha1
kind: AIGateway
metadata: { name: x }
spec:
  auth: { oidc: { issuer: 'https://login.example.com', audience: gatehouse } }
  providers:
    - { name: main, kind: openai, endpoint: 'https://api.openai.com' }
  routes:
${routes}
`;

describe('parseGateway', () => {
  it('sets the defaults of the CRD', () => {
    expect(parseGateway(yaml(), 'x').spec.routes?.[0]?.backends).toEqual([
      { provider: 'main', weight: 1, priority: 0 },
    ]);
  });

  it.each([
    ['nothing', '', 'the document must be an object'],
    ['a list', '- 1', 'the document must be an object'],
    ['another kind', yaml().replace('AIGateway', 'AIPolicy'), '/kind must be AIGateway'],
    ['no issuer', yaml().replace(/ {2}auth.*\n/, ''), '/spec/auth is required'],
    ['a misspelled field', yaml().replace('match', 'mach'), '/spec/routes/0/mach is not a known field'],
    [
      'an unknown kind of provider',
      yaml().replace('kind: openai', 'kind: acme'),
      '/spec/providers/0/kind must be one of',
    ],
    ['a model with a wildcard', yaml().replace('gpt-5', '"gpt-*"'), '/spec/routes/0/match/model must match'],
    ['a model with a line break', yaml().replace('gpt-5', '"a\\nb"'), '/spec/routes/0/match/model must match'],
    ['a field twice', yaml(ROUTE.replace('match:', 'name: a, name: b, match:')), 'unique'],
    ['broken YAML', 'a: [', 'cannot be used'],
    ['an alias bomb', bomb(), 'alias'],
  ])('refuses %s, and names the field', (_, text, sentence) => {
    const parse = (): unknown => parseGateway(text, 'my.yaml');
    expect(parse).toThrow(GatewayFileError);
    expect(parse).toThrow('my.yaml');
    expect(parse).toThrow(sentence);
  });

  it('names all problems at once', () => {
    const text = yaml(`${ROUTE.replace('main', 'A')}\n${ROUTE.replace('gpt-5', '"*"')}`);
    expect(() => parseGateway(text, 'x')).toThrow(/routes\/0\/backends\/0\/provider[\s\S]*routes\/1\/match\/model/);
  });

  it('names a file that does not exist (readGatewayFile)', () => {
    expect(() => readGatewayFile('/nowhere/gateway.yaml')).toThrow('/nowhere/gateway.yaml');
  });
});

function bomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]`,
  );
  return ['a0: &a0 [x]', ...levels].join('\n');
}
