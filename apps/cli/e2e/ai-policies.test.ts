import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeWhen } from '@gatehouse/testing/fixture';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';
import { ScriptedEditors } from './scripted-editor.ts';
import { type Answer, runOnTerminal, terminalProgram } from './terminal.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
const editors = new ScriptedEditors();
const tokens: Record<string, string> = {};
beforeAll(async () => {
  platform = await LocalPlatform.start();
  for (const user of ['admin', 'alice'])
    tokens[user] = (await platform.gatehouse.ok('token', '--user', user, '--ttl', '1h')).trim();
});
afterAll(async () => {
  await platform.stop();
  editors.remove();
});
afterEach(() => expect(editors.takeKeptTexts()).toEqual([]));

/** Runs a command as a user. */
const as = (user: string, args: string[], env: NodeJS.ProcessEnv = {}, input?: string): Promise<Ended> =>
  platform.gatehouse.begin(args, { GATEHOUSE_TOKEN: tokens[user], ...env }, input).ended;
const policies = (...args: string[]): Promise<Ended> => as('admin', ['admin', 'ai-policies', ...args]);
const feed = (text: string, ...args: string[]): Promise<Ended> =>
  as('admin', ['admin', 'ai-policies', ...args], {}, text);
/** Edits a policy with an editor that is a shell script. */
const edit = (name: string, script: string, ...args: string[]): Promise<Ended> =>
  as('admin', ['admin', 'ai-policies', 'edit', name, ...args], editors.create(script));
/** Creates a policy that matches alice. */
const create = async (name: string, ...args: string[]): Promise<void> => {
  const flags = ['--match', 'email=alice%40example.test', '--description', 'old', ...args];
  const { code, stderr } = await policies('create', name, ...flags);
  if (code !== 0) throw new Error(stderr);
};
/** The command of a shell script. */
const GATEHOUSE = `${process.execPath} -- ${fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url))} admin ai-policies`;
interface Policy {
  metadata: { name: string; labels?: object; resourceVersion: string };
  spec: { description?: string; gatewayRef: object; principalMatchers: { claims: object }[]; budgets?: object[] };
}
const show = async (name: string): Promise<Policy> =>
  JSON.parse((await policies('show', name, '--json')).stdout) as Policy;

describe('gatehouse admin ai-policies create', () => {
  it('grants models to users by flags', async () => {
    expect((await as('alice', ['models'])).stdout).toBe('');
    const created = await policies(
      ...['create', 'team', '--match', 'email=alice%40example.test&roles=user', '--match', 'groups=team'],
      ...[
        '--grant',
        'gpt-5',
        '--grant',
        'gpt-5-mini',
        '--label',
        'team=support',
        '--description',
        'Models of the team',
      ],
    );
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(created.stdout).toContain('kind: AIPolicy\n');
    expect(await show('team')).toMatchObject({
      metadata: { name: 'team', labels: { team: 'support' } },
      spec: {
        gatewayRef: { name: 'local' },
        principalMatchers: [{ claims: { email: 'alice@example.test', roles: 'user' } }, { claims: { groups: 'team' } }],
        budgets: [{ name: 'default', models: ['gpt-5', 'gpt-5-mini'] }],
      },
    });
    expect((await as('alice', ['models'])).stdout).toBe(
      'MODEL       PROVIDER  NAME        CONTEXT\ngpt-5       openai    GPT-5       -\ngpt-5-mini  openai    GPT-5 mini  -\n',
    );
  });

  it('reads a file, whose fields flags override', async () => {
    const { stdout } = await policies('show', 'team');
    const { code, stderr } = await feed(
      stdout,
      'create',
      'copy',
      '--file',
      '-',
      '--grant',
      'gpt-9',
      '--label',
      'team=x',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^ResolvedRefs is False \(ModelNotFound\): .*gpt-9/);
    expect(await show('copy')).toMatchObject({
      metadata: { labels: { team: 'x' } },
      spec: { description: 'Models of the team', budgets: [{ models: ['gpt-9'] }] },
    });
  });

  it.each([
    [['team', '--match', 'a=b'], 4, 'There is already an AI policy "team"'],
    [['UPPER', '--match', 'a=b'], 2, 'NAME (metadata.name): '],
    [['x', '--match', 'a=b', '--grant', 'a model'], 2, '--grant (spec.budgets[0].models[0]): '],
    [['x', '--match', 'a=b', '--label', '-=x'], 2, '--label (metadata.labels'],
    [['x'], 2, '--match (spec.principalMatchers): is required'],
    [['x', '--match', 'a'], 2, '--match "a" must be claims with values'],
    [['--match', 'a=b'], 2, 'Give the name of the AI policy'],
    [['x', '--file', '/nonexistent'], 2, '/nonexistent cannot be read'],
  ])('%j: exit code %d', async (args, exit, sentence) => {
    const { code, stdout, stderr } = await policies('create', ...args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(sentence);
  });

  it('names the lines of errors in a file', async () => {
    const text =
      'metadata: { name: x }\nspec:\n  gatewayRef: { name: local }\n  principalMatchers:\n    - claims: {}\n';
    expect((await feed(text, 'create', '--file', '-')).stderr).toContain('line 5: spec.principalMatchers[0].claims: ');
    expect((await feed('a: [', 'create', 'x', '--file', '-')).stderr).toContain('line 1: ');
  });

  it('requires the role admin', async () => {
    const { code, stderr } = await as('alice', ['admin', 'ai-policies', 'create', 'x', '--match', 'a=b']);
    expect(code).toBe(5);
    expect(stderr).toContain('requires an active user with the role admin');
  });
});

describe('gatehouse admin ai-policies list', () => {
  it('shows policies in short', async () => {
    const { stdout } = await policies('list');
    expect(stdout).toMatch(/^NAME +GATEWAY +MATCHERS +MODELS +ACCEPTED +CREATED$/m);
    expect(stdout).toMatch(/^administrators +local +roles=admin or email=admin@example\.test +\* +yes +/m);
    expect(stdout).toMatch(/^copy +local +email=alice@example\.test&roles=user \+ 1 +gpt-9 +yes \(ModelNotFound\) +/m);
  });

  it.each([
    [['--label', 'team in (support)'], ['team']],
    [
      ['--gateway', 'local', '--limit', '2'],
      ['administrators', 'copy'],
    ],
    [['--gateway', 'other'], []],
    [['--all'], ['administrators', 'copy', 'team']],
  ])('%j', async (args, names) => {
    const listed = JSON.parse((await policies('list', '--json', ...args)).stdout) as Policy[];
    expect(listed.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  it.each([
    [['--label', 'team in ('], 2, '--label is not a label selector'],
    [['--limit', '5', '--all'], 2, '--all'],
  ])('%j: exit code %d', async (args, exit, sentence) => {
    const { code, stderr } = await policies('list', ...args);
    expect(code).toBe(exit);
    expect(stderr).toContain(sentence);
  });
});

describe('gatehouse admin ai-gateway', () => {
  it('shows the gateway and its models', async () => {
    const shown = (await as('admin', ['admin', 'ai-gateway', 'show'])).stdout;
    expect(shown).toMatch(/^name +local\nnamespace +\S+\nconditions\n +TYPE +STATUS +REASON +MESSAGE\n/);
    expect(shown).toMatch(
      /^ +Accepted +True +Accepted +The AI gateway can use this resource\.\n +ResolvedRefs +True /m,
    );
    const { stdout } = await as('alice', ['admin', 'ai-gateway', 'models']);
    expect(stdout).toMatch(/^ID +OWNER +NAME +CONTEXT$/m);
    expect(stdout).toMatch(/^gpt-5 +openai +GPT-5 +/m);
  });

  it('says that another gateway does not exist', async () => {
    const { code, stderr } = await as('admin', ['admin', 'ai-gateway', 'models', '--gateway', 'other']);
    expect(code).toBe(1);
    expect(stderr).toContain('There is no AIGateway "other"');
  });
});

describe('gatehouse models', () => {
  it('says that all models are granted', async () => {
    const { stdout, stderr } = await as('admin', ['models']);
    expect(stdout).toMatch(/^MODEL +PROVIDER +NAME +CONTEXT +INPUT +OUTPUT$/m);
    expect(stdout).toMatch(/^gpt-5 +openai +GPT-5 +- +\$1\.25 +\$10$/m);
    expect(stderr).toBe('All models (no restriction)\n');
  });

  it('shows the whole introspection as JSON', async () => {
    expect(JSON.parse((await as('alice', ['models', '--json'])).stdout)).toMatchObject({
      email: 'alice@example.test',
      matchedPolicies: [{ name: 'copy' }, { name: 'team' }],
      unrestrictedModels: false,
    });
  });

  it('uses the session of a login', async () => {
    expect((await platform.login('alice')).code).toBe(0);
    const { code, stdout } = await platform.gatehouse.call(['models'], { GATEHOUSE_SESSION_STORE: 'file' });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^gpt-9 +- +no route of its own +-$/m)]);
  });

  it('needs the address of the service', async () => {
    const { code, stderr } = await as('alice', ['models', '--url', 'https://gatehouse.example.com']);
    expect(code).toBe(2);
    expect(stderr).toContain('The address of AI gateway management is missing');
    expect(stderr).toContain('GATEHOUSE_AI_GATEWAY_MGMT_URL');
    const elsewhere = { GATEHOUSE_AI_GATEWAY_MGMT_URL: 'http://127.0.0.1:1' };
    expect((await as('alice', ['models'], elsewhere)).stderr).toContain('http://127.0.0.1:1 cannot be reached');
  });
});

describe('gatehouse admin ai-policies edit', () => {
  it('changes what the editor changed', async () => {
    await create('edited', '--grant', 'gpt-5');
    const seen = editors.file('seen');
    const script = `cp "$1" ${seen}; stat -c %a "$1" > ${seen}.mode; echo noise; sed -i 's/: old/: new/' "$1"`;
    const { stdout, stderr } = await edit('edited', script, '--json');
    expect(stderr).toContain('noise');
    expect(JSON.parse(stdout)).toMatchObject({ spec: { description: 'new', budgets: [{ models: ['gpt-5'] }] } });
    expect(readFileSync(seen, 'utf8')).toMatch(/^# AIPolicy edited\.[^]*^# +- gpt-5$[^]*^description: old$/m);
    expect(readFileSync(`${seen}.mode`, 'utf8')).toBe('600\n');
  });

  it('sends nothing when the text is unchanged', async () => {
    const before = await show('edited');
    const { code, stderr } = await edit('edited', `echo '# comment' >> "$1"`);
    expect([code, stderr]).toEqual([0, 'The AI policy edited is unchanged; nothing was sent\n']);
    expect(await show('edited')).toEqual(before);
  });

  it('removes a field that the text omits', async () => {
    await create('omitted');
    expect((await edit('omitted', `sed -i /^description/d "$1"`)).code).toBe(0);
    expect((await show('omitted')).spec).not.toHaveProperty('description');
  });

  it.each([
    [`sed -i 's/claims:/claims: {} #/' "$1"; sed -i '/email:/d' "$1"`, 'spec.principalMatchers[0].claims: '],
    [`echo 'budgets: []' >> "$1"`, 'spec.budgets: '],
    [`echo 'gatewayRef: {name: x}' >> "$1"`, 'spec.gatewayRef: cannot be changed'],
    [`echo 'x: [' >> "$1"`, 'line '],
  ])('keeps a text with errors: %s', async (script, sentence) => {
    const { code, stderr } = await edit('edited', script);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ {2}line \d+: /m);
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^Try: gatehouse admin ai-policies edit edited --file \S+ --if-match \d+$/m);
    expect(editors.takeKeptTexts()).toHaveLength(1);
  });

  it('has an error that names what to set when the editor cannot be started', async () => {
    const { code, stderr } = await as('admin', ['admin', 'ai-policies', 'edit', 'edited'], {
      ...editors.create(''),
      VISUAL: '/nonexistent --wait',
    });
    expect(code).toBe(2);
    expect(stderr).toContain('The editor "/nonexistent --wait" cannot be started');
    expect(stderr).toContain('EDITOR=');
  });

  it('does not wait for keys without a terminal and without a chosen editor', async () => {
    const { code, stderr } = await as('admin', ['admin', 'ai-policies', 'edit', 'edited'], {
      ...editors.create(''),
      EDITOR: '',
    });
    expect(code).toBe(2);
    expect(stderr).toContain('There is no terminal for the editor vi');
    expect(stderr).toContain('--file policy.yaml');
  });

  it('does not overwrite the change of another editor', async () => {
    await create('shared');
    const other = editors.create(`sed -i 's/: old/: theirs/' "$1"`)['EDITOR'] ?? '';
    const { code, stderr } = await edit(
      'shared',
      `EDITOR=${other} ${GATEHOUSE} edit shared && sed -i 's/: old/: mine/' "$1"`,
    );
    expect(code).toBe(4);
    expect(stderr).toContain('+  description: theirs');
    expect(stderr).toContain('+description: mine');
    expect((await show('shared')).spec.description).toBe('theirs');
    expect(editors.takeKeptTexts()).toEqual([expect.stringContaining('description: mine')]);
  });
});

describe('gatehouse admin ai-policies edit --file', () => {
  it('takes the fields, or a whole policy', async () => {
    await create('filed');
    const fields = 'description: fields\nprincipalMatchers: [{ claims: { a: b } }]\n';
    expect((await feed(fields, 'edit', 'filed', '--file', '-')).code).toBe(0);
    const whole = (await policies('show', 'filed')).stdout.replace('description: fields', 'description: whole');
    expect((await feed(whole, 'edit', 'filed', '--file', '-')).stderr).toBe(
      'The AI policy filed is changed: description\n',
    );
    // The file names the version before its own change.
    expect(await feed(whole, 'edit', 'filed', '--file', '-')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('was changed since version'),
    });
    const { metadata } = await show('filed');
    const version = ['--if-match', metadata.resourceVersion];
    expect((await feed(whole, 'edit', 'filed', '--file', '-', ...version)).stderr).toContain('is unchanged');
  });

  it.each([
    ['', 'The file is empty'],
    ['description: x\n', 'spec.principalMatchers: '],
    ['a: 1\na: 2\n', 'line 2: '],
  ])('refuses %j', async (text, sentence) => {
    const { code, stderr } = await feed(text, 'edit', 'filed', '--file', '-');
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describe('gatehouse admin ai-policies delete', () => {
  it('needs --yes without a terminal', async () => {
    expect(await policies('delete', 'copy')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(JSON.parse((await policies('delete', 'copy', '--yes', '--json')).stdout)).toEqual({
      id: 'copy',
      status: 'deleted',
    });
    expect(await policies('delete', 'copy', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no AI policy "copy"'),
    });
  });
});

describeWhen(terminalProgram, 'a person at a terminal', (script) => {
  const QUESTION = '[s]top? ';
  const onTerminal = (args: string[], env: NodeJS.ProcessEnv, answers: readonly Answer[]) => {
    const { home } = platform.gatehouse;
    const whole = { GATEHOUSE_HOME: home, GATEHOUSE_TOKEN: tokens['admin'], ...env };
    return runOnTerminal(script, ['admin', 'ai-policies', ...args], whole, answers);
  };
  /** Edits a policy that another administrator changes while the editor is open. */
  const conflict = async (name: string, ...answers: Answer[]) => {
    await create(name);
    const theirs = editors.file('theirs.yaml');
    writeFileSync(theirs, 'description: theirs\nprincipalMatchers: [{ claims: { a: b } }]\n');
    const first = `${GATEHOUSE} edit ${name} --file ${theirs} > /dev/null && sed -i 's/: old/: mine/' "$1"`;
    const again = `sed -i 's/: mine/: merged/' "$1"`;
    const env = editors.create(`if grep -q 'In the meantime' "$1"; then ${again}; else ${first}; fi`);
    return onTerminal(['edit', name], env, answers);
  };

  it('can overwrite the fields of a conflict', async () => {
    const { code, shown } = await conflict('overwrite', { after: QUESTION, type: 'o\n' });
    expect(code).toBe(0);
    expect(shown).toContain('+  description: theirs');
    expect((await show('overwrite')).spec).toMatchObject({
      description: 'mine',
      principalMatchers: [{ claims: { a: 'b' } }],
    });
  });

  it('can edit again on top of the present state', async () => {
    const { code, shown } = await conflict('again', { after: QUESTION, type: '?\n' }, { after: QUESTION, type: 'e\n' });
    expect(shown).toContain('Type overwrite, edit, stop');
    expect(code).toBe(0);
    expect((await show('again')).spec).toMatchObject({
      description: 'merged',
      principalMatchers: [{ claims: { a: 'b' } }],
    });
  });

  it.each([
    ['stops', 's\n', 5, 'Stopped; nothing was sent'],
    ['is-interrupted', '\u0003', 130, 'Interrupted'],
    ['ends-the-input', '\u0004', 130, 'Interrupted'],
  ])('keeps the text when the person %s', async (name, type, exit, sentence) => {
    const { code, shown } = await conflict(name, { after: QUESTION, type });
    expect(code).toBe(exit);
    expect(shown).toContain(sentence);
    expect(shown).toContain('Your text is kept in');
    expect((await show(name)).spec.description).toBe('theirs');
    expect(editors.takeKeptTexts()).toEqual([expect.stringContaining('description: mine')]);
  });

  it('can edit a text with errors again', async () => {
    await create('mistaken');
    const editor = `if grep -q '^# Error: line' "$1"; then sed -i 's/\\[bad/good/' "$1"; else sed -i 's/old/[bad/' "$1"; fi`;
    const { code } = await onTerminal(['edit', 'mistaken'], editors.create(editor), [{ after: QUESTION, type: 'e\n' }]);
    expect(code).toBe(0);
    expect((await show('mistaken')).spec.description).toBe('good');
  });

  it('does not delete a policy that changed after it was read', async () => {
    await create('deleted');
    const theirs = 'description: theirs\nprincipalMatchers: [{ claims: { a: b } }]\n';
    const before = () => feed(theirs, 'edit', 'deleted', '--file', '-');
    const { code, shown } = await onTerminal(['delete', 'deleted'], {}, [{ after: '[y/N] ', type: 'y\n', before }]);
    expect(code).toBe(4);
    expect(shown).toContain('was changed in the meantime');
    expect(shown).toContain('gatehouse admin ai-policies show deleted');
    expect((await show('deleted')).spec.description).toBe('theirs');
  });
});
