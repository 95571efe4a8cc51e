import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inspectContainer, listContainers, waitForExit } from './containers.ts';
import { Engine } from './engine.ts';

/** The parts of an answer of Podman 4.3 that differ from those of Docker. */
const PODMAN_CONTAINER = {
  Id: 'c1',
  State: { Running: true, Pid: 7, ExitCode: 0 },
  Config: { StopSignal: '15' },
  HostConfig: { NetworkMode: 'bridge' },
  NetworkSettings: {
    Ports: { '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '43643' }] },
    Networks: { 'gatehouse-one': { NetworkID: 'gatehouse-one', IPAddress: '10.231.0.2' } },
  },
};

describe('a container of an engine that answers as Podman', () => {
  let folder: string;
  let engine: Engine;
  const server = createServer((_request, response) => response.end(JSON.stringify(PODMAN_CONTAINER)));
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'engine-'));
    const path = join(folder, 'engine.sock');
    await once(server.listen(path), 'listening');
    engine = new Engine({ kind: 'socket', path });
  });
  afterEach(() => {
    engine.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('has the name of its stop signal, and its network as network mode', async () => {
    expect(await inspectContainer(engine, 'one')).toEqual({
      ...{ id: 'c1', running: true, exitCode: 0, pid: 7, stopSignal: 'SIGTERM', networkMode: 'gatehouse-one' },
      ...{ addresses: ['10.231.0.2'], published: { '8080/tcp': 43643 } },
    });
  });

  it('has a role that no label of its image changes', async () => {
    server.removeAllListeners('request');
    const list = [
      { 'gatehouse-role': 'server', 'gatehouse-egress': 'of the image' },
      { 'gatehouse-role': 'egress', 'gatehouse-egress': '1' },
      { 'gatehouse-egress': '1' },
      {},
    ].map((labels) => ({ Id: 'c', State: 'running', Created: 0, Labels: { 'gatehouse-name': 'one', ...labels } }));
    server.on('request', (_request, response) => response.end(JSON.stringify(list)));
    const roles = (await listContainers(engine, [])).map(({ role }) => role);
    expect(roles).toEqual(['server', 'egress', 'egress', 'server']);
  });

  it('reports a lost engine when the engine ends during the wait for a container', async () => {
    server.removeAllListeners('request');
    server.on('request', (_request, response) => {
      response.write(' ', () => response.destroy());
    });
    await expect(waitForExit(engine, 'one', 'not-running')).rejects.toMatchObject({ code: 'no-engine' });
  });
});
