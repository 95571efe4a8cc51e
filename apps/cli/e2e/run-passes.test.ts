import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { waitForValue } from '@gatehouse/testing/eventually';
import { describeWhen } from '@gatehouse/testing/fixture';
import type { Shown } from './gatehouse.ts';
import { everythingServer, useGatehouse } from './test-home.ts';

/** Lists the tools that a client sees, and calls `say`. */
async function useServer(url: string) {
  const client = new Client({ name: 'passes', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const said = await client.callTool({ name: 'say', arguments: { message: 'hello' } });
    const hidden = await client.callTool({ name: 'echo', arguments: { message: 'hello' } }).catch(String);
    return {
      tools: tools.map(({ name, description }) => ({ name, description })),
      prompts: prompts.map(({ name }) => name),
      said,
      hidden,
    };
  } finally {
    await client.close();
  }
}

describeWhen(await everythingServer(), 'the passes of a workload', ({ engine, image }) => {
  const gatehouse = useGatehouse(engine);

  it('rename, filter, change, authorize and audit calls, also after an import of the exported configuration', async () => {
    const file = join(gatehouse.home, 'tools.json');
    writeFileSync(file, JSON.stringify({ toolsOverride: { echo: { name: 'say', description: 'Says it.' } } }));
    const log = join(gatehouse.home, 'audit.log');
    const audit = join(gatehouse.home, 'audit.json');
    writeFileSync(audit, JSON.stringify({ eventTypes: ['mcp_tool_call'], includeRequestData: true, logFile: log }));
    const policies = ['permit(principal, action == Action::"call_tool", resource == Tool::"echo");'];
    policies.push('permit(principal, action, resource == Prompt::"simple-prompt");');
    const authz = join(gatehouse.home, 'authz.yaml');
    const lines = policies.map((policy) => `    - '${policy}'\n`).join('');
    writeFileSync(authz, `version: "1.0"\ntype: cedarv1\ncedar:\n  policies:\n${lines}`);
    const hook = createServer((request, response) => {
      void text(request).then((body) => {
        const patch = [{ op: 'replace', path: '/mcp_request/params/arguments/message', value: 'changed' }];
        const changes = body.includes('"tools/call"') ? { patch_type: 'json_patch', patch } : {};
        const isSigned = request.headers['x-toolhive-signature'] !== undefined;
        response.end(JSON.stringify({ version: 'v0.1.0', uid: '', allowed: isSigned, ...changes }));
      });
    });
    await new Promise<void>((resolve) => void hook.listen(0, '127.0.0.1', resolve));
    const { port } = hook.address() as AddressInfo;
    const mutating = {
      ...{ name: 'change', url: `http://127.0.0.1:${port}/`, failure_policy: 'fail' },
      ...{ hmac_secret_ref: join(gatehouse.home, 'hook'), tls_config: { insecure_skip_verify: true } },
    };
    writeFileSync(join(gatehouse.home, 'hook'), 'hush');
    const hooks = join(gatehouse.home, 'hooks.json');
    writeFileSync(hooks, JSON.stringify({ mutating: [mutating] }));
    const flags = [
      '--transport',
      'stdio',
      '--tools',
      'say',
      '--tools-override',
      file,
      '--audit-config',
      audit,
      '--trust-proxy-headers',
      '--authz-config',
      authz,
      '--webhook-config',
      hooks,
    ];
    const { shown } = await gatehouse.run([image, '--name', 'one', ...flags]);
    const expected = {
      tools: [{ name: 'say', description: 'Says it.' }],
      prompts: ['simple-prompt'],
      said: expect.objectContaining({ content: [{ type: 'text', text: 'Echo: changed' }] }),
      hidden: expect.stringContaining('Unknown tool: echo'),
    };
    const { url: first } = shown;
    expect(await useServer(first)).toEqual(expected);
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hidden' } };
    await (await fetch(first, { method: 'POST', headers, body: JSON.stringify(call) })).text();

    const readEvents = () => readFileSync(log, 'utf8').trim().split('\n');
    // The event of a call follows its answer.
    const events = await waitForValue(readEvents, (lines) => lines.length >= 3);
    expect(events.map((line) => JSON.parse(line) as object)).toMatchObject([
      { type: 'mcp_tool_call', outcome: 'success', component: 'one', subjects: { client_name: 'passes' } },
      { type: 'mcp_tool_call', outcome: 'application_error', target: { name: 'echo' }, data: { request: {} } },
      { type: 'mcp_tool_call', source: { value: '203.0.113.7' }, target: { name: 'hidden' } },
    ]);

    const { stdout: exported } = await gatehouse.call(['export', 'one']);
    expect(JSON.parse(exported)).toMatchObject({
      tools_filter: ['say'],
      mutating_webhooks: [mutating],
      authz_config: { version: '1.0', type: 'cedarv1', cedar: { policies } },
      trust_proxy_headers: true,
      tools_override: { echo: { name: 'say', description: 'Says it.' } },
    });
    const again = gatehouse.begin(['run', '--from-config', '-', '--replace', '--json'], {}, exported);
    const { url } = JSON.parse((await again.ended).stdout) as Shown;
    expect(await useServer(url)).toEqual(expected);
    hook.close();
    hook.closeAllConnections();
  }, 120_000);

  it('serve a server of the SSE transport to its client, with the prefix of a reverse proxy', async () => {
    const flags = ['--transport', 'sse', '--tools', 'echo', '--endpoint-prefix', '/tools'];
    const { url } = (await gatehouse.run([image, '--name', 'streams', ...flags, '--', 'sse'])).shown;
    expect(url).toMatch(/\/sse$/);
    const client = new Client({ name: 'passes', version: '1' });
    await client.connect(new SSEClientTransport(new URL(url)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    await client.close();
    expect((await gatehouse.call(['mcp', 'tools', 'streams'])).stdout).toContain('echo');
    const { stdout } = await gatehouse.call(['export', 'streams']);
    expect(JSON.parse(stdout)).toMatchObject({ transport: 'sse', endpoint_prefix: '/tools' });
  }, 120_000);

  it('bridge a stdio server to clients of the SSE transport with --proxy-mode sse', async () => {
    const flags = ['--transport', 'stdio', '--proxy-mode', 'sse', '--tools', 'echo'];
    const { shown, stderr } = await gatehouse.run([image, '--name', 'bridged', ...flags, '--', 'stdio']);
    expect(stderr).toContain('--proxy-mode sse is deprecated');
    const { url } = shown;
    expect(url).toMatch(/\/sse$/);
    const client = new Client({ name: 'passes', version: '1' });
    await client.connect(new SSEClientTransport(new URL(url)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    await client.close();
    expect(
      (await gatehouse.call(['mcp', 'call', 'bridged', 'echo', '--argument', 'message=over SSE'])).stdout,
    ).toContain('over SSE');
    const { stdout: requests } = await gatehouse.call(['inspect', 'bridged', '--json']);
    expect(JSON.parse(requests)).toContainEqual(
      expect.objectContaining({ method: 'tools/list', client: { name: 'passes', version: '1' }, status: 200 }),
    );
    const { stdout } = await gatehouse.call(['export', 'bridged']);
    expect(JSON.parse(stdout)).toMatchObject({ transport: 'stdio', proxy_mode: 'sse' });
  }, 120_000);
});
