import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DocumentShell, readSteps } from '@gatehouse/testing/document';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MAIN, type RunningPlatform, startPlatform, until } from './platform.ts';

jest.setTimeout(180_000);

const ROOT = resolve(import.meta.dirname, '../../..');
const DEMO: [string, ...string[]] = [process.execPath, MAIN, '--json', '--demo'];
const ANSWER = '[demo: no model was called] You said: Hello';
const KEY = 'sk-of-the-provider';

/** A provider of chat completions that records the credentials of its requests. */
async function startProvider(): Promise<{ url: string; credentials: unknown[]; server: Server }> {
  const credentials: unknown[] = [];
  const server = createServer((request, response) => {
    credentials.push(request.headers.authorization);
    const message = { role: 'assistant', content: 'served' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'a', object: 'chat.completion', created: 1, model: 'gpt-5', choices, usage }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, credentials, server };
}

describe('docs/call-a-model.md', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-model-'));
  let platform: RunningPlatform;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeAll(async () => {
    [platform, provider] = await Promise.all([startPlatform({ command: DEMO }), startProvider()]);
  });
  afterAll(async () => {
    await platform.remove();
    provider.server.close();
    rmSync(scratch, { recursive: true });
  });

  /** Starts the platform again, with the provider at the address of the test. */
  const restart = async () => {
    await platform.stop();
    const file = join(platform.home, 'resources', 'aigateway-local.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('https://api.openai.com', provider.url));
    platform = await startPlatform({ command: DEMO, home: platform.home, offset: platform.offset });
  };

  it('calls models with keys, SDKs and the key of a provider', async () => {
    writeFileSync(join(scratch, 'key.txt'), `${KEY}\n`);
    const shell = new DocumentShell(ROOT, { GATEHOUSE_HOME: platform.home });
    const expected: Record<string, RegExp> = {
      usage: /^spent +\S+ +\$0\.0[^]*(?:demo-echo[^]*){3}/,
      'not listed': /provider openai cannot be used: the managed secret/,
      restart: /^\{"status":"ready"\}/,
    };
    const outputs: string[] = [];
    let mark = '';
    try {
      for (const step of readSteps('call-a-model.md')) {
        if ('mark' in step) {
          ({ mark } = step);
          if (mark === 'restart') await restart();
          continue;
        }
        const commands = step.commands.replace('< key.txt', `< '${scratch}/key.txt'`);
        let output = '';
        await until(`the output of "${mark}" is as expected`, async () => {
          output = await shell.run(commands);
          return (expected[mark] ?? /^/).test(output);
        });
        outputs.push(output);
        if (mark === 'restart')
          outputs.push(
            await shell.run(
              `curl -sS "$OPENAI_BASE_URL/chat/completions" -H "Authorization: Bearer $GATEHOUSE_KEY" --json '{ "model": "gpt-5", "messages": [] }'`,
            ),
          );
        mark = '';
      }
    } finally {
      await shell.close();
    }
    const all = outputs.join('\n');
    expect(all).toContain('export OPENAI_BASE_URL=');
    expect(all).toMatch(/^demo-echo +openai +Demo: repeats your message/m);
    for (const name of ['openai   ', 'anthropic', 'google   ']) expect(all).toContain(`${name} ${ANSWER}`);
    expect(all).toContain('event: message_stop');
    expect(all).toContain('"candidatesTokenCount"');
    expect([all.includes('"served"'), provider.credentials]).toEqual([true, [`Bearer ${KEY}`]]);
    expect(all).not.toContain(KEY);
  });
});
