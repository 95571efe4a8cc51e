import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandsAfter, DocumentShell, readSteps } from '@gatehouse/testing/document';
import { type RunningPlatform, startPlatform, until } from './platform.ts';

jest.setTimeout(180_000);

const ROOT = resolve(import.meta.dirname, '../../..');

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.remove());

/** Starts the stopped platform again on its home. */
const startAgain = async (): Promise<void> => {
  platform = await startPlatform({ home: platform.home, offset: platform.offset });
};
const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${platform.json.urls.enterprise_manager}${path}`, {
    method,
    headers: { authorization: `Bearer ${await platform.token('admin')}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('docs/key-encryption-key.md', () => {
  it('rotates the key, after which every stored value can still be decrypted', async () => {
    const keys = join(platform.home, 'secrets', 'enterprise-manager.key-encryption-keys');
    const shell = new DocumentShell(ROOT, { GATEHOUSE_HOME: platform.home });
    const versions = async () =>
      (await call('GET', '/v1/key-encryption')).body['versions'] as { version: number; values: number }[];
    try {
      const [before] = await versions();
      expect(before?.version).toBe(1);
      expect(before?.values).toBeGreaterThan(0);
      let isWaitStep = false;
      for (const step of readSteps('key-encryption-key.md')) {
        if ('mark' in step) {
          if (step.mark === 'restart') {
            await platform.stop();
            await startAgain();
          }
          isWaitStep = step.mark === 'wait';
        } else if (isWaitStep) {
          await until('no value uses version 1', async () => /^ *1 +\S+ +0 *$/m.test(await shell.run(step.commands)));
          isWaitStep = false;
        } else {
          await shell.run(step.commands);
        }
      }
      expect(readFileSync(keys, 'utf8')).toMatch(/^2:[^\n]+\n$/);
      expect(await versions()).toEqual([{ version: 2, state: 'current', values: before?.values }]);
      await platform.ready();
    } finally {
      await shell.close();
    }
  });
});

describe('docs/backup-and-restore.md', () => {
  it('restores the home of a local platform', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
    const shell = new DocumentShell(folder, { GATEHOUSE_HOME: platform.home });
    const groups = async () => {
      const { body } = await call('GET', '/v1/groups');
      return (body['items'] as { display_name: string }[]).map(({ display_name }) => display_name);
    };
    try {
      await call('POST', '/v1/groups', { display_name: 'Before' });
      const password = platform.password('alice');
      await platform.stop();
      await shell.run(commandsAfter('backup-and-restore.md', 'copy the home'));
      await startAgain();
      await call('POST', '/v1/groups', { display_name: 'After' });
      await platform.stop();
      await shell.run(commandsAfter('backup-and-restore.md', 'restore the home'));
      await startAgain();
      expect(await groups()).toEqual(['Before']);
      expect(platform.password('alice')).toBe(password);
      await platform.ready();
    } finally {
      await shell.close();
      rmSync(folder, { recursive: true });
      rmSync(`${platform.home}.before-restore`, { recursive: true, force: true });
    }
  });
});

/** Runs the commands of a document. @returns the output of each step, in order */
async function runDocument(document: string, wait: Record<string, RegExp> = {}): Promise<string[]> {
  const shell = new DocumentShell(ROOT, { GATEHOUSE_HOME: platform.home });
  const outputs: string[] = [];
  let mark = '';
  try {
    for (const step of readSteps(document)) {
      if ('mark' in step) {
        mark = step.mark;
        continue;
      }
      const expected = wait[mark] ?? /^/;
      mark = '';
      let output = '';
      await until(`the output is ${expected.source}`, async () => {
        output = await shell.run(step.commands);
        return expected.test(output);
      });
      outputs.push(output);
    }
  } finally {
    await shell.close();
  }
  return outputs;
}

/** Returns the JSON objects of an output with one object a line. */
const jsonLines = (output: string): unknown[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown);

describe('docs/team-budgets.md', () => {
  it('tries the payers in the documented order and lists the denial', async () => {
    const outputs = await runDocument('team-budgets.md', { denials: /budget_exhausted +alice/ });
    const [, budgets = '', admissions = '', reserved = '', charged = '', denials = '', end = ''] = outputs;
    expect(budgets).toMatch(/group +Engineers .*10/);
    const [first, second, third, fourth] = jsonLines(admissions);
    const admitted = { decision: 'admitted', reserved_usd: '0.600000000' };
    expect(first).toMatchObject({ ...admitted, payer: { scope: 'user' } });
    const [engineers, research] = [...budgets.matchAll(/^id +(\S+)$/gm)].map(([, id]) => id);
    expect(second).toMatchObject({ ...admitted, payer: { scope: 'group', subject_id: engineers } });
    expect(third).toMatchObject({ ...admitted, payer: { scope: 'group', subject_id: research } });
    const text = readFileSync(join(ROOT, 'docs/team-budgets.md'), 'utf8');
    const [, sentence = ''] = /same for each reason: `(.+?)`/.exec(text) ?? [];
    expect(fourth).toMatchObject({ decision: 'denied', reason: 'budget_exhausted', message: sentence, payer: null });

    // The columns are USED, RESERVED, LIMIT, REMAINING.
    for (const group of ['Engineers', 'Research'])
      expect(reserved).toMatch(new RegExp(`group +${group} +month +\\S+ +\\$0\\.00 +\\$0\\.60 +\\$1\\.00 +\\$1\\.00`));
    expect(reserved).toMatch(/user +alice +month +\S+ +\$0\.00 +\$0\.60 +\$1\.00 \(default\) +\$1\.00/);
    expect(reserved).toMatch(/user +alice +year +\S+ +\$0\.00 +\$0\.60 +\$50\.00 +\$50\.00/);
    const places = ['you (default)', 'Engineers', 'Research'].map((payer) => reserved.indexOf(`budget  ${payer}`));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);

    expect(jsonLines(charged)).toEqual([
      expect.objectContaining({ status: 'charged', charged_usd: '0.105000000', basis: 'reported' }),
    ]);
    expect(charged).toMatch(/user +alice +month +\S+ +\$0\.105 +\$0\.00 +\$1\.00 \(default\) +\$0\.895/);
    expect(denials).toContain('claude-opus-4-1');
    expect(end).toContain('The default budget is deleted');
  });
});

describe('docs/granting-models.md', () => {
  it('grants models to a user, and changes and deletes the policy', async () => {
    const [models = '', created = '', granted = '', edited = '', end = ''] = await runDocument('granting-models.md');
    expect(models).toMatch(/^gpt-5-mini +openai +/m);
    expect(created).toMatch(/^engineering +local +email=alice@example\.test +gpt-5, gpt-5-mini +yes +/m);
    expect(granted).toMatch(/^gpt-5 +openai +.*\ngpt-5-mini +openai +.*\n$/m);
    expect(edited).toContain('The AI policy engineering is changed: description');
    expect(end).toContain('The AI policy engineering is changed: description\nengineering is deleted');
  });
});

interface Charge {
  basis: string;
  charged_usd: string;
  usage: Record<string, number>;
}
interface Entry {
  anthropic: Record<string, string> & { promptSizeTiers: (Record<string, string> & { aboveTokens: number })[] };
}

/** The catalog's name of the rate of each bucket in the document. */
const RATES: Record<string, string> = {
  input: 'inputUsdPerMillion',
  cache_read: 'cachedInputUsdPerMillion',
  cache_write_5m: 'cacheCreation5mInputUsdPerMillion',
  output: 'outputUsdPerMillion',
};

/** Converts a decimal amount to units of 10⁻¹⁵ USD. */
const units = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(15, '0'));
};

describe('docs/reading-a-charge.md', () => {
  it('shows the charge of the documented usage, which the table of the document adds up to', async () => {
    const [, reports = '', list = '', paid = '', shown = '', statement = '', prices = '', verified = '', event = ''] =
      await runDocument('reading-a-charge.md');
    expect(jsonLines(reports)).toEqual([
      expect.objectContaining({ status: 'charged', basis: 'estimated' }),
      expect.objectContaining({ status: 'charged', basis: 'reported' }),
    ]);
    expect(list).toMatch(/^TIME +USER +PAID BY/m);
    expect(list).toMatch(/alice +alice +anthropic +claude-haiku-5-5 +\$0\.022750625 +reported/);
    expect(list).toMatch(/alice +alice +anthropic +claude-haiku-5-5 +\S+ +estimated/);
    expect(paid).toMatch(/alice +alice +anthropic +claude-haiku-5-5 +\$0\.022750625 +reported/);
    expect(event).toContain('"cache_read_input_tokens": 110000');

    const charge = JSON.parse(shown) as Charge;
    const [entry] = JSON.parse(prices.slice(0, prices.lastIndexOf(']') + 1)) as [Entry];
    const [tier] = entry.anthropic.promptSizeTiers;
    expect(tier?.aboveTokens).toBe(100_000);
    const text = readFileSync(join(ROOT, 'docs/reading-a-charge.md'), 'utf8');
    const [table = ''] = /<!-- charge -->[^]+<!-- \/charge -->/.exec(text) ?? [];
    const lines = [...table.matchAll(/^\| `(\w+)` +\| +(\d+) \| +([\d.]+) \| +([\d.]+) \|$/gm)].map(
      ([, bucket = '', quantity = '', rate = '', amount = '']) => ({ bucket, quantity, rate, amount }),
    );
    expect(Object.fromEntries(lines.map(({ bucket, quantity }) => [bucket, Number(quantity)]))).toEqual(charge.usage);
    for (const { bucket, quantity, rate, amount } of lines) {
      const name = RATES[bucket];
      if (name !== undefined) expect([bucket, rate]).toEqual([bucket, tier?.[name]]);
      const divisor = name === undefined ? 1_000n : 1_000_000n;
      expect([bucket, units(amount)]).toEqual([bucket, (BigInt(quantity) * units(rate)) / divisor]);
    }
    expect(lines.reduce((sum, { amount }) => sum + units(amount), 0n)).toBe(units(charge.charged_usd));
    expect(table).toContain(`**${charge.charged_usd}**`);
    expect(charge.basis).toBe('reported');
    for (const line of [...lines.map(({ quantity }) => quantity), charge.charged_usd])
      expect(statement).toContain(line);
    expect(verified).toMatch(/^\d charges recomputed, \$0\.\d+ in total$/m);
  });
});
