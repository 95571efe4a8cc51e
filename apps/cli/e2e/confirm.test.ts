import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { Gatehouse } from './gatehouse.ts';
import { runOnTerminal, terminalProgram } from './terminal.ts';

const GROUP = {
  ...{ id: '01890000-0000-7000-8000-000000000000', name: 'engineers', display_name: 'Engi\u001b[2Jneers' },
  ...{ description: '', source: 'local', transitive_member_count: 0, members: [] },
  ...{ created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' },
};
describeWhen(terminalProgram, 'a destructive command on a terminal', (script) => {
  const gatehouse = new Gatehouse();
  const deleted: string[] = [];
  let server: Server;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.method === 'DELETE') deleted.push(request.url ?? '');
      response.writeHead(request.method === 'DELETE' ? 204 : 200, { 'content-type': 'application/json' });
      response.end(request.method === 'DELETE' ? undefined : JSON.stringify(GROUP));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    rmSync(gatehouse.home, { recursive: true, force: true });
  });

  /** Runs the command on its own terminal and types an answer to the question. */
  const deleteOnTerminal = (typed: string) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { GATEHOUSE_HOME: gatehouse.home, GATEHOUSE_TOKEN: 'token' };
    const args = ['admin', 'groups', 'delete', GROUP.id, '--url', url];
    return runOnTerminal(script, args, env, [{ after: '[y/N] ', type: typed }]);
  };

  it.each([
    ['n\n', 5, 'Cancelled; nothing was changed'],
    ['\n', 5, 'Cancelled; nothing was changed'],
    ['yes please\n', 5, 'Cancelled; nothing was changed'],
    ['\u0003', 130, 'Interrupted'],
  ])('changes nothing after the answer %j', async (typed, exit, sentence) => {
    const { code, shown } = await deleteOnTerminal(typed);
    expect([code, deleted]).toEqual([exit, []]);
    expect(shown).toContain(sentence);
    // The external name cannot overwrite the question.
    expect(shown).toContain('Delete the group Engi\\u001b[2Jneers at http://127.0.0.1:');
  });

  it('runs after the answer yes', async () => {
    expect((await deleteOnTerminal('y\n')).code).toBe(0);
    expect(deleted).toEqual([`/v1/groups/${GROUP.id}`]);
  });
});
