import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
let alice: string;
let receiver: Server;
let status = 204;
const received: string[] = [];
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
  alice = (await json<{ subject_id: string }>('admin', 'users', 'get', 'alice')).subject_id;
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.writeHead(status).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await platform.stop();
});

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
const url = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

interface Alert {
  id: string;
  name: string;
  thresholds: number[];
  enabled: boolean;
  scope?: string;
  subject_id?: string;
  periods?: string[];
}

describe('gatehouse admin alerts', () => {
  it('creates an alert with only its secret on stdout, changes, tests and deletes it', async () => {
    const create = ['admin', 'alerts', 'create', 'finance', '--to', url(), '--allow-private-ips'];
    const made = await call(
      ...create,
      '--thresholds',
      '100,80%',
      '--scope',
      'user',
      '--subject',
      'alice',
      '--period',
      'month',
    );
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/)]);
    expect(made.stderr).not.toContain(made.stdout.trim());
    const [alert] = await json<Alert[]>('admin', 'alerts', 'list');
    expect(alert).toMatchObject({
      ...{ name: 'finance', thresholds: [80, 100], enabled: true },
      ...{ scope: 'user', subject_id: alice, periods: ['month'] },
    });
    expect((await call('admin', 'alerts', 'list')).stdout).toMatch(/finance +user alice +month +80 %, 100 %/);
    expect(await json('admin', 'alerts', 'show', alert!.id)).toEqual(alert);

    const update = ['admin', 'alerts', 'update', 'finance'];
    expect(await json<Alert>(...update, '--subject', 'gone')).toMatchObject({ subject_id: 'gone' });
    expect(await json<Alert>(...update, '--subject', 'alice@example.test')).toMatchObject({ subject_id: alice });
    const changed = await json<Alert>(
      ...update,
      '--thresholds',
      '50',
      '--no-enabled',
      '--all-budgets',
      '--all-periods',
    );
    expect(changed).toMatchObject({ id: alert!.id, name: 'finance', thresholds: [50], enabled: false });
    expect(Object.keys(changed)).toEqual(expect.not.arrayContaining(['scope', 'subject_id', 'periods']));
    expect(await json<Alert>(...update, '--name', 'money')).toMatchObject({ name: 'money', enabled: false });

    const tried = await call('admin', 'alerts', 'test', 'money');
    expect([tried.code, tried.stderr]).toEqual([0, expect.stringContaining('HTTP 204')]);
    status = 500;
    const failed = await call('admin', 'alerts', 'test', 'money');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('answers HTTP 500')]);
    status = 204;
    const deliveries = ['admin', 'alerts', 'deliveries', 'money'];
    const [last, first] = await json<{ id: string; state: string }[]>(...deliveries);
    expect([last!.state, first!.state]).toEqual(['failed', 'delivered']);
    expect(await json<unknown[]>(...deliveries, '--state', 'failed')).toHaveLength(1);
    expect((await call(...deliveries)).stdout).toContain('answers HTTP 500');
    expect(await json('admin', 'alerts', 'resend', 'money', last!.id)).toMatchObject({
      id: last!.id,
      state: 'pending',
    });
    for (let look = 0; look < 100 && received.length < 3; look += 1) await new Promise((next) => setTimeout(next, 100));
    expect(received).toEqual([first!.id, last!.id, last!.id]);

    const rotated = await call('admin', 'alerts', 'rotate-secret', 'money');
    expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
    expect(rotated.stdout).not.toBe(made.stdout);
    expect((await call('admin', 'alerts', 'delete', 'money')).code).toBe(2);
    expect(await json('admin', 'alerts', 'delete', 'money', '--yes')).toMatchObject({
      id: alert!.id,
      status: 'deleted',
    });
    expect((await call('admin', 'alerts', 'show', 'money')).code).toBe(1);
  });

  it.each([
    ['--thresholds', 'eighty'],
    ['--thresholds', '0'],
    ['--thresholds', '80,80'],
    ['--thresholds', '80', '--subject', 'alice'],
    ['--thresholds', '80', '--period', 'week'],
  ])('refuses %s %s %s %s', async (...flags) => {
    const { code, stdout, stderr } = await call(
      'admin',
      'alerts',
      'create',
      'wrong',
      '--to',
      'https://hooks.example.com/',
      ...flags,
    );
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^Error: /)]);
  });

  it('accepts the name of a group, and refuses an unknown group', async () => {
    const { id } = await json<{ id: string }>('admin', 'groups', 'create', 'Engineers');
    const create = ['admin', 'alerts', 'create', 'engineers', '--to', url(), '--allow-private-ips'];
    const watching = [...create, '--thresholds', '80', '--scope', 'group', '--subject'];
    expect(await json<Alert>(...watching, 'engineers')).toMatchObject({ scope: 'group', subject_id: id });
    const { code, stdout, stderr } = await call(...watching, 'unknown');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('There is no group "unknown"')]);
  });

  it('refuses a target with a forbidden address', async () => {
    const { code, stderr } = await call(
      'admin',
      'alerts',
      'create',
      'wrong',
      '--to',
      'https://10.0.0.1/',
      '--thresholds',
      '80',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('private address')]);
  });
});
