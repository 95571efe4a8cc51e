/** The telemetry of workloads, as a collector and a scraper receive it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { OtlpCollector } from '@gatehouse/testing/otlp-collector';
import { Gatehouse, type Shown } from './gatehouse.ts';

const CANARY = 'otlp-header-canary';
const ENVIRONMENT = {
  ...{ DOCKER_HOST: 'unix:///nowhere/docker.sock', GATEHOUSE_SECRETS_PASSWORD: 'password' },
  ...{ STAGE: 'test', OTEL_RESOURCE_ATTRIBUTES: 'place=here' },
};

const readFiles = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

describe('The telemetry of a workload', () => {
  let gatehouse: Gatehouse;
  let upstream: McpUpstream;
  let collector: OtlpCollector;
  const call = (...args: string[]) => gatehouse.call(args, ENVIRONMENT);
  beforeEach(async () => {
    gatehouse = new Gatehouse();
    upstream = await startMcpUpstream();
    collector = await OtlpCollector.start();
  });
  afterEach(async () => {
    await gatehouse.close();
    await upstream.close();
    collector.close();
  }, 60_000);

  /** Calls a tool of the workload. */
  async function useWorkload(url: string): Promise<void> {
    const client = new Client({ name: 'watcher', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    await client.callTool({ name: upstream.tools.echo, arguments: { text: 'hello' } });
    await client.close();
  }

  it('is sent at the latest when the workload stops, with headers that no file has', async () => {
    expect(await call('secret', 'setup')).toMatchObject({ code: 0 });
    const flags = [
      ...['--otel-endpoint', `http://${collector.address}`, '--otel-insecure', '--otel-headers', `x-api-key=${CANARY}`],
      ...['--otel-sampling-rate', '1', '--otel-env-vars', 'STAGE,MISSING', '--otel-custom-attributes', 'team=blue'],
      ...['--otel-service-name', 'tools', '--otel-use-legacy-attributes=false'],
    ];
    const started = await call('run', upstream.url, '--name', 'far', '--json', ...flags);
    expect(started).toMatchObject({ code: 0 });
    await useWorkload((JSON.parse(started.stdout) as Shown).url);
    await call('stop', 'far');

    const span = collector.getSpan(`tools/call ${upstream.tools.echo}`);
    expect(span.attributes).toMatchObject({
      'mcp.server.name': 'far',
      'mcp.client.name': 'watcher',
      'environment.STAGE': 'test',
      'network.transport': 'tcp',
    });
    expect(Object.keys(span.attributes)).not.toContain('mcp.tool.name');
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'tools', team: 'blue', place: 'here' });
    expect(collector.points.map(({ name }) => name)).toContain('mcp.server.operation.duration');
    expect(collector.headers.every((headers) => headers['x-api-key'] === CANARY)).toBe(true);
    expect(readFiles(gatehouse.home)).not.toContain(CANARY);

    const { stdout: document } = await call('export', 'far');
    expect(JSON.parse(document)).toMatchObject({
      telemetry_config: {
        endpoint: collector.address,
        insecure: true,
        headers: { 'x-api-key': 'OTEL_HEADER_x-api-key_far,target=x-api-key' },
        samplingRate: '1',
      },
    });
    collector.spans.length = 0;
    const again = gatehouse.begin(['run', '--from-config', '-', '--replace', '--json'], ENVIRONMENT, document);
    await useWorkload((JSON.parse((await again.ended).stdout) as Shown).url);
    await call('stop', 'far');
    expect(collector.names).toContain(`tools/call ${upstream.tools.echo}`);
    expect(collector.headers.every((headers) => headers['x-api-key'] === CANARY)).toBe(true);
    expect((await call('secret', 'list')).stdout).toContain('OTEL_HEADER_x-api-key_far');
    expect(await call('rm', 'far', '--yes')).toMatchObject({ code: 0 });
    expect((await call('secret', 'list')).stdout).not.toContain('OTEL_HEADER');
  }, 120_000);

  it('is served for Prometheus on the port of the proxy, or on the diagnostics port alone', async () => {
    const flags = ['--json', '--otel-enable-prometheus-metrics-path'];
    const started = await call('run', upstream.url, '--name', 'open', ...flags);
    expect(started).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('--otel-metrics-on-transport-port=false'),
    });
    const { url } = JSON.parse(started.stdout) as Shown;
    await useWorkload(url);
    const pattern = new RegExp(
      `toolhive_mcp_tool_calls_total{server="open",tool="${upstream.tools.echo}",status="success"`,
    );
    expect(await (await fetch(new URL('/metrics', url))).text()).toMatch(pattern);

    const closed = await call(
      'run',
      upstream.url,
      '--name',
      'closed',
      ...flags,
      '--otel-metrics-on-transport-port=false',
    );
    const shown = JSON.parse(closed.stdout) as Shown;
    expect((await fetch(new URL('/metrics', shown.url))).status).toBe(404);
    await useWorkload(shown.url);
    const { stdout: log } = await call('logs', 'closed', '--proxy');
    const diagnostics = /metrics are at (\S+)/.exec(log)?.[1] ?? '';
    expect(await (await fetch(diagnostics)).text()).toContain('server="closed"');
  }, 120_000);

  it('stops neither a start nor requests when the collector does not answer', async () => {
    collector.isSilent = true;
    const flags = ['--otel-endpoint', collector.address, '--otel-insecure', '--otel-sampling-rate', '1', '--json'];
    const started = await call('run', upstream.url, '--name', 'far', ...flags);
    expect(started).toMatchObject({ code: 0 });
    await useWorkload((JSON.parse(started.stdout) as Shown).url);
    expect(await call('stop', 'far')).toMatchObject({ code: 0 });
    expect(collector.spans).toEqual([]);
    expect(collector.headers).not.toEqual([]);
  }, 120_000);
});
