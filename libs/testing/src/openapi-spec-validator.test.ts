import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from './cache.ts';
import { describeWhen } from './fixture.ts';
import { pythonWith } from './python-environment.ts';

const contracts = join(repositoryRoot, 'libs/contracts');
const documents = readdirSync(contracts)
  .filter((name) => !name.includes('.'))
  .map((name) => join(contracts, name, 'openapi.json'));
const requirements = join(import.meta.dirname, 'openapi-spec-validator', 'requirements.txt');

/** Compiles every pattern of the documents and prints those that Python refuses. */
const COMPILE = `
import json, re, sys
def patterns(node):
    if isinstance(node, dict):
        if isinstance(node.get('pattern'), str): yield node['pattern']
        for value in node.values(): yield from patterns(value)
    elif isinstance(node, list):
        for value in node: yield from patterns(value)
for path in sys.argv[1:]:
    for pattern in set(patterns(json.load(open(path)))):
        try: re.compile(pattern)
        except re.error as error: print(path, pattern, error)
`;

describeWhen(await pythonWith('openapi-spec-validator', requirements), 'openapi-spec-validator', (python) => {
  const run = promisify(execFile);

  it.each(documents)(
    'accepts %s',
    async (document) => {
      const { stdout } = await run(python, ['-m', 'openapi_spec_validator', document]);
      expect(stdout).toContain('OK');
    },
    120_000,
  );

  it('finds only patterns that Python can read', async () => {
    expect(documents.some((document) => readFileSync(document, 'utf8').includes('"pattern"'))).toBe(true);
    expect((await run(python, ['-c', COMPILE, ...documents])).stdout).toBe('');
  });
});
