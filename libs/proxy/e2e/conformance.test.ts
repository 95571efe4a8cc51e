/** The official conformance suite behind each kind of proxy, with and without passes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  conformanceProgram,
  type ConformanceServer,
  startConformanceServer,
} from '@gatehouse/testing/conformance-server';
import {
  listProblems,
  listScenarios,
  type Revision,
  revisions,
  runScenarios,
} from '@gatehouse/testing/conformance-suite';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { OpenProcess, Proxy, ProxyOptions } from '../src/pipeline/options.ts';
import { createProxy } from '../src/proxy.ts';

const scenarios = await listScenarios();
const openProcess: OpenProcess = () => {
  const child = spawn(process.execPath, [conformanceProgram], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return Promise.resolve({ input: child.stdin, output: child.stdout, stop });
};

/** All passes, with rules that concern no scenario. */
const passes: Partial<ProxyOptions> = {
  strictProtocolValidation: true,
  tools: { overrides: { other: { name: 'renamed' } } },
  audit: {
    ...{ component: 'conformance', includeRequestData: true, includeResponseData: true, maxDataSize: 100_000 },
    write: () => undefined,
  },
};

let server: ConformanceServer;

beforeAll(async () => {
  server = await startConformanceServer();
});
afterAll(() => server.close());

describe.each([
  ['a pass-through', 'http', {}],
  ['a pass-through with all passes', 'http', passes],
  ['a stdio bridge', 'stdio', {}],
  ['a stdio bridge with all passes', 'stdio', passes],
] as const)('the conformance suite behind %s', (_, kind, options) => {
  let proxy: Proxy;
  let results: Map<Revision, Awaited<ReturnType<typeof runScenarios>>>;

  beforeAll(async () => {
    const upstream =
      kind === 'http' ? ({ kind, url: new URL(server.url).origin } as const) : ({ kind, openProcess } as const);
    proxy = createProxy({ upstream, ...options });
    const { url } = await proxy.listen();
    const runs = revisions.map(async (revision) => [revision, await runScenarios(url, revision)] as const);
    results = new Map(await Promise.all(runs));
    // Some scenarios have short time limits, which they miss on a busy machine.
    for (const revision of revisions)
      for (const scenario of scenarios[revision])
        if (listProblems(results.get(revision)?.get(scenario)).length > 0)
          for (const [name, checks] of await runScenarios(url, revision, scenario))
            results.get(revision)?.set(name, checks);
  }, 240_000);
  afterAll(() => proxy.close(0));

  it.each(revisions)('succeeds at %s', (revision) => {
    const problems = scenarios[revision].flatMap((scenario) =>
      listProblems(results.get(revision)?.get(scenario)).map((problem) => `${scenario}: ${problem}`),
    );
    expect(scenarios[revision].length).toBeGreaterThan(5);
    expect(problems).toEqual([]);
  });
});
