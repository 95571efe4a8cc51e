import { describe, expect, it } from '@jest/globals';
import type { ServerVariable } from '../servers/registry-server.ts';
import { InvalidChoiceError, MissingEnvironmentError } from './missing-environment-error.ts';
import { resolveEnvironment } from './resolve-environment.ts';

const variable = (name: string, fields: Partial<ServerVariable> = {}): ServerVariable => ({
  ...{ name, description: '', required: false, secret: false, default: undefined, choices: [] },
  ...fields,
});
const VARIABLES = [
  variable('URL', { required: true, description: 'address of the service' }),
  variable('TOKEN', { required: true, secret: true }),
  variable('LEVEL', { default: 'info' }),
  variable('EXTRA'),
];

/** Answers questions from a list and records them. */
function answer(...answers: string[]) {
  const asked: string[] = [];
  const ask = ({ name, secret }: ServerVariable) => {
    asked.push(`${name}${secret ? ' hidden' : ''}`);
    return Promise.resolve(answers.shift() ?? '');
  };
  return { asked, ask };
}
const resolve = (
  supplied: Record<string, string | undefined>,
  ask?: (variable: ServerVariable) => Promise<string>,
  variables = VARIABLES,
) => resolveEnvironment({ server: 'com.example/x', variables, supplied: new Map(Object.entries(supplied)), ask });

describe('resolveEnvironment', () => {
  it('asks for required variables in the order of the registry, and hides secrets', async () => {
    const { asked, ask } = answer('https://x', 'secret');
    expect(await resolve({}, ask)).toEqual([
      { name: 'URL', value: 'https://x', secret: false, origin: 'answer' },
      { name: 'TOKEN', value: 'secret', secret: true, origin: 'answer' },
      { name: 'LEVEL', value: 'info', secret: false, origin: 'default' },
    ]);
    expect(asked).toEqual(['URL', 'TOKEN hidden']);
  });

  it('asks for nothing that is supplied, also by a secret', async () => {
    const { asked, ask } = answer();
    expect(await resolve({ URL: '', TOKEN: undefined, LEVEL: 'debug' }, ask)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('names all missing variables and how to supply them without a terminal', async () => {
    const failure = await resolve({}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MissingEnvironmentError);
    expect((failure as Error).message).toBe(
      'com.example/x needs environment variables: URL (address of the service), TOKEN',
    );
    expect((failure as MissingEnvironmentError).tryNext.join('\n')).toMatch(
      /-e URL=VALUE[^]*--secret SECRET,target=TOKEN/,
    );
    await expect(resolve({ URL: 'x' })).rejects.toThrow('com.example/x needs an environment variable: TOKEN');
  });

  it('asks again after an empty answer, and after one that is no choice', async () => {
    const { asked, ask } = answer('', ' ', 'medium', ' high ');
    const variables = [variable('LEVEL', { required: true, choices: ['low', 'high'] })];
    expect(await resolve({}, ask, variables)).toMatchObject([{ name: 'LEVEL', value: 'high' }]);
    expect(asked).toHaveLength(4);
  });

  it('refuses a supplied value that is no choice', async () =>
    expect(resolve({ LEVEL: 'x' }, undefined, [variable('LEVEL', { choices: ['low'] })])).rejects.toThrow(
      InvalidChoiceError,
    ));
});
