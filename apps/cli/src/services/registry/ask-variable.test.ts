import { describe, expect, it } from '@jest/globals';
import { resolveEnvironment } from '@gatehouse/mcp-registry/environment/resolve-environment';
import type { ServerVariable } from '@gatehouse/mcp-registry/servers/registry-server';
import { askVariable } from './ask-variable.ts';

const createVariable = (name: string, fields: Partial<ServerVariable>): ServerVariable => ({
  ...{ name, description: '', required: true, secret: false, default: undefined, choices: [] },
  ...fields,
});

describe('askVariable', () => {
  it('asks in the order of the registry, hides secrets and escapes texts of the registry', async () => {
    const asked: string[] = [];
    const answer = (kind: string) => (question: string) => {
      asked.push(`${kind} ${question}`);
      return Promise.resolve('high');
    };
    const prompts = { askHidden: answer('hidden'), askLine: answer('shown') };
    const values = await resolveEnvironment({
      server: 'com.example/x',
      variables: [
        createVariable('LEVEL', { description: 'a level', choices: ['low', 'high'] }),
        createVariable('TOKEN', { description: 'a token\u001b[2J', secret: true }),
        createVariable('URL', {}),
      ],
      supplied: new Map(),
      ask: (variable) => askVariable(variable, prompts),
    });
    expect(asked).toEqual([
      'shown LEVEL (a level; one of low, high): ',
      'hidden TOKEN (a token\\u001b[2J): ',
      'shown URL: ',
    ]);
    expect(values.map(({ name, secret }) => [name, secret])).toEqual([
      ['LEVEL', false],
      ['TOKEN', true],
      ['URL', false],
    ]);
  });
});
