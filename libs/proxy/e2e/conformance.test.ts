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
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CedarAuthorizer } from '../src/authorization/cedar-authorizer.ts';
import type { OpenProcess, ProxyOptions } from '../src/pipeline/options.ts';
import { createProxy } from '../src/proxy.ts';
import { openTelemetry } from '../src/telemetry/open-telemetry.ts';
import { openWebhooks } from '../src/webhooks/open-webhooks.ts';
import { type Part, type Server, startMarkingWebhook, startTokenHolder } from './conformance-parts.ts';

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

let server: ConformanceServer;
let issuer: TestIssuer;
let receiver: Server;

beforeAll(async () => {
  server = await startConformanceServer();
  issuer = await startIssuer({ audience: 'mcp' });
  receiver = await startMarkingWebhook();
});
afterAll(async () => {
  await Promise.all([server.close(), issuer.close(), receiver.close(), telemetry.close()]);
});

/** The second policy permits the methods that the server answers as unknown. */
const policies = [
  'permit(principal == Client::"ann", action, resource);',
  'permit(principal, action == Action::"call_method", resource);',
];

/** A collector that is down, with metrics and all traces. */
const telemetry = await openTelemetry({
  ...{ server: 'conformance', serviceName: 'conformance', hasPrometheus: true, log: () => undefined },
  collector: { url: 'http://127.0.0.1:9', headers: {}, samplingRate: 1, sendsMetrics: true, timeoutMs: 200 },
});

/** All passes, with rules that concern no scenario. */
function createPasses() {
  const hook = { name: 'hook', url: `${receiver.url}/hook`, timeoutMs: 10_000, failurePolicy: 'fail' as const };
  const hooks = [{ ...hook, isInsecure: true }];
  const about = { serverName: 'conformance', transport: 'stdio', maxBodyBytes: 8 * 1024 * 1024 };
  return {
    strictProtocolValidation: true,
    authentication: { issuer: issuer.issuer, audience: 'mcp', allowPrivateAddresses: true },
    tools: { overrides: { other: { name: 'renamed' } } },
    webhooks: openWebhooks({ mutating: hooks, validating: hooks, ...about, log: () => undefined }),
    authorizer: new CedarAuthorizer({ policies }, () => undefined),
    audit: {
      ...{ component: 'conformance', includeRequestData: true, includeResponseData: true, maxDataSize: 100_000 },
      write: () => undefined,
    },
    telemetry,
  };
}

async function listen(opened: Part[], options: ProxyOptions): Promise<string> {
  const proxy = createProxy(options);
  opened.push({ close: () => proxy.close(0) });
  return (await proxy.listen()).url;
}

/** The suite has no tokens, so a part in front of the proxy adds one. */
async function listenWithPasses(opened: Part[], upstream: ProxyOptions['upstream']): Promise<string> {
  const holder = await startTokenHolder(await issuer.token({ subject: 'ann', expiresIn: 3_600 }));
  const passes = createPasses();
  opened.push(holder, passes.webhooks);
  const { port } = new URL(holder.url);
  const allowedOrigins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  holder.forwardTo(await listen(opened, { upstream, ...passes, allowedOrigins }));
  return `${holder.url}/mcp`;
}

describe.each([
  ['a pass-through', 'http', false],
  ['a pass-through with all passes', 'http', true],
  ['a stdio bridge', 'stdio', false],
  ['a stdio bridge with all passes', 'stdio', true],
] as const)('the conformance suite behind %s', (_, kind, hasPasses) => {
  const opened: Part[] = [];
  let results: Map<Revision, Awaited<ReturnType<typeof runScenarios>>>;

  beforeAll(async () => {
    const upstream =
      kind === 'http' ? ({ kind, url: new URL(server.url).origin } as const) : ({ kind, openProcess } as const);
    const url = hasPasses ? await listenWithPasses(opened, upstream) : await listen(opened, { upstream });
    const runs = revisions.map(async (revision) => [revision, await runScenarios(url, revision)] as const);
    results = new Map(await Promise.all(runs));
    // Some scenarios have short time limits, which they miss on a busy machine.
    for (const revision of revisions)
      for (const scenario of scenarios[revision])
        if (listProblems(results.get(revision)?.get(scenario)).length > 0)
          for (const [name, checks] of await runScenarios(url, revision, scenario))
            results.get(revision)?.set(name, checks);
  }, 240_000);
  afterAll(() => Promise.all(opened.map((part) => part.close())));

  it.each(revisions)('succeeds at %s', (revision) => {
    const problems = scenarios[revision].flatMap((scenario) =>
      listProblems(results.get(revision)?.get(scenario)).map((problem) => `${scenario}: ${problem}`),
    );
    expect(scenarios[revision].length).toBeGreaterThan(5);
    expect(problems).toEqual([]);
  });
});
