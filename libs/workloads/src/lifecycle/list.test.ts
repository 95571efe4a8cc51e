import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRunConfig } from '../configuration/create-run-config.ts';
import { parseRunFlags } from '../flags/run-flags.ts';
import { Workloads } from '../lifecycle.ts';
import { getHome } from '../state/home.ts';
import { identifyProcess } from '../state/process-identity.ts';
import { WorkloadStore } from '../state/store.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
let folder: string;
let engine: Server;
let socket: string;
let calls: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'list-'));
  socket = join(folder, 'engine.sock');
  calls = [];
  engine = createServer((request, response) => {
    calls.push(`${request.method ?? ''} ${new URL(request.url ?? '', 'http://engine').pathname}`);
    const Labels = { 'gatehouse-name': 'server-7' };
    response.end(JSON.stringify([{ Id: 'one', State: 'running', Labels, Created: 1 }]));
  });
  await new Promise<void>((resolve) => engine.listen(socket, resolve));
});
afterEach(async () => {
  await new Promise((resolve) => engine.close(resolve));
  rmSync(folder, { recursive: true });
});

const workloads = () => new Workloads(folder, '/elsewhere', {});

/** Stores a workload that runs under this process. */
function storeWorkload(name: string, engineSocket = socket): void {
  const store = new WorkloadStore(getHome(folder, '/elsewhere'));
  const parts = { containerName: name, engine: `unix://${engineSocket}`, host: '127.0.0.1', networkRange: [] };
  const config = createRunConfig(parseRunFlags('owner/server', [], { name, transport: 'stdio' }, '/'), parts);
  store.reserve({ ...config, port: 12_345 }, undefined, NOW);
  const process_ = identifyProcess(process.pid);
  store.writeStatus(name, { status: 'running', ...(process_ && { process: process_ }) }, NOW);
}

describe('Workloads.list', () => {
  it('calls the engine once for all workloads', async () => {
    for (let number = 1; number <= 10; number += 1) storeWorkload(`server-${number}`);
    const states = await workloads().list();
    expect(states).toHaveLength(10);
    expect(states.filter(({ status }) => status === 'running').map(({ name }) => name)).toEqual(['server-7']);
    expect(calls).toEqual(['GET /containers/json']);
  });

  it('calls no engine for a home without workloads', async () => {
    expect(await workloads().list()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('shows the workloads of other engines when one does not answer', async () => {
    storeWorkload('server-7');
    storeWorkload('elsewhere', join(folder, 'absent.sock'));
    expect(await workloads().list()).toMatchObject([
      { name: 'elsewhere', status: 'unhealthy', status_context: 'the container engine does not answer' },
      { name: 'server-7', status: 'running' },
    ]);
  });
});
