import { describe, expect, it } from '@jest/globals';
import { EnvironmentSecrets } from '../providers/environment-secrets.ts';
import { addEnvironmentFallback } from '../providers/environment-secrets.ts';
import type { SecretsProvider } from '../secrets-provider.ts';
import { resolveSecrets } from './resolve-secrets.ts';
import { SecretReference } from './secret-reference.ts';

const parse = (...texts: string[]) => texts.map((text) => SecretReference.parse(text));
const variables: Record<string, string> = { GATEHOUSE_SECRET_a: '1', GATEHOUSE_SECRET_b: '2', GATEHOUSE_SECRET_e: '' };
const environment = new EnvironmentSecrets(variables);

describe('resolveSecrets', () => {
  it('returns the values by target', async () => {
    const resolved = await resolveSecrets(parse('a,target=A', 'b,target=B', 'a,target=__proto__'), environment);
    expect(Object.entries(resolved)).toEqual([
      ['A', '1'],
      ['B', '2'],
      ['__proto__', '1'],
    ]);
  });

  it('takes the last of several references with one target', async () => {
    expect({ ...(await resolveSecrets(parse('a,target=A', 'b,target=A'), environment)) }).toEqual({ A: '2' });
  });

  it('names all missing secrets in one error', async () => {
    await expect(resolveSecrets(parse('x,target=A', 'a,target=B', 'e,target=C'), environment)).rejects.toMatchObject({
      code: 'secret_not_found',
      message: 'The secrets x, e are not in the environment',
      tryNext: ['set the environment variable GATEHOUSE_SECRET_x', 'set the environment variable GATEHOUSE_SECRET_e'],
    });
  });

  it('reads each name once', async () => {
    const names: string[] = [];
    const provider: SecretsProvider = {
      title: 'a list',
      get: (name) => Promise.resolve(String(names.push(name))),
      describeChange: (name) => name,
    };
    await resolveSecrets(parse('a,target=A', 'a,target=B'), provider);
    expect(names).toEqual(['a']);
  });
});

describe('the environment as a fallback', () => {
  const stored: SecretsProvider = {
    title: 'a list',
    get: (name) => Promise.resolve(name === 'a' ? 'stored' : undefined),
    set: () => Promise.resolve(true),
    describeChange: (name) => `store ${name}`,
  };
  const provider = addEnvironmentFallback(stored, environment);

  it('is asked for names that the provider does not have', async () => {
    expect([await provider.get('a'), await provider.get('b'), await provider.get('c')]).toEqual([
      'stored',
      '2',
      undefined,
    ]);
  });

  it('keeps what the provider can and cannot do', () => {
    expect([provider.set === undefined, provider.list === undefined, provider.describeChange('x')]).toEqual([
      false,
      true,
      'store x',
    ]);
  });
});
