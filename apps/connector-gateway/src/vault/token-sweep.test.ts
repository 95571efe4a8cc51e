import { describe, expect, it } from '@jest/globals';
import { Clock } from '@gatehouse/service-kit/clock';
import { createLog } from '@gatehouse/service-kit/log';
import { DirectoryUnavailableError } from '../mcp/access/directory-view.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { TokenSweep, type TokenSweepParts } from './token-sweep.ts';

const HOUR_MS = 3_600_000;
const connector = (id: string): Connector => ({
  id,
  slug: id,
  name: id,
  endpoint: 'https://mcp.example.com/mcp',
  transport: 'streamable-http',
  auth: { type: 'upstreamInject' },
  allow_private_ips: false,
});

/** Tokens of alice and bob at the connectors `kept` and `removed`. */
function createScene() {
  let now = Date.parse('2026-11-01T00:00:00Z');
  const scene = {
    connectors: [connector('kept'), connector('removed')],
    inactive: new Set<string>(),
    isDown: false,
    failures: new Map<string, Error>(),
  };
  const disconnected: string[] = [];
  const owners = ['alice', 'bob'].flatMap((subject) =>
    ['kept', 'removed'].map((connectorId) => ({
      id: `${subject} ${connectorId}`,
      issuer: 'https://issuer.test',
      subject,
      connectorId,
    })),
  );
  const directory = {
    requireAvailability: () => {
      if (scene.isDown) throw new DirectoryUnavailableError('down');
    },
    getRules: () => ({ connectors: scene.connectors }),
    getEntitlements: ({ subject }: { subject: string }) =>
      subject === 'alice' ? { active: !scene.inactive.has('alice') } : undefined,
  };
  const sweep = new TokenSweep({
    vault: {
      disconnect: ({ subject, connectorId }, openClient) => {
        const failure = scene.failures.get(`${subject} ${connectorId}`);
        if (failure !== undefined) return Promise.reject(failure);
        disconnected.push(`${subject} ${connectorId} ${openClient === undefined ? 'unrevoked' : 'revoked'}`);
        return Promise.resolve(true);
      },
    },
    repository: { listOwners: () => Promise.resolve(owners) },
    directory: directory as unknown as TokenSweepParts['directory'],
    clients: { get: () => Promise.reject(new Error('no client is needed here')) },
    clock: Object.assign(new Clock(), { now: () => new Date(now) }),
    log: createLog({ name: 'test', level: 'silent', environment: 'test' }),
  });
  const wait = (ms: number) => (now += ms);
  return { scene, sweep, disconnected, wait };
}

describe('TokenSweep', () => {
  it('disconnects deactivated users, and no user without an entry', async () => {
    const { scene, sweep, disconnected } = createScene();
    await sweep.run();
    expect(disconnected).toEqual([]);
    scene.inactive.add('alice');
    await sweep.run();
    expect(disconnected).toEqual(['alice kept revoked', 'alice removed revoked']);
  });

  it('disconnects the users of a connector that has been missing for an hour', async () => {
    const { scene, sweep, disconnected, wait } = createScene();
    await sweep.run();
    scene.connectors = [connector('kept')];
    await sweep.run();
    wait(HOUR_MS - 1);
    await sweep.run();
    expect(disconnected).toEqual([]);
    wait(1);
    await sweep.run();
    expect(disconnected).toEqual(['alice removed revoked', 'bob removed revoked']);
  });

  it('counts the hour anew when the connector was back in between', async () => {
    const { scene, sweep, disconnected, wait } = createScene();
    const both = scene.connectors;
    for (const connectors of [[connector('kept')], both, [connector('kept')]]) {
      scene.connectors = connectors;
      await sweep.run();
      wait(HOUR_MS - 1);
    }
    await sweep.run();
    expect(disconnected).toEqual([]);
  });

  it('deletes the tokens of a connector that it has never known without revoking them', async () => {
    const { scene, sweep, disconnected, wait } = createScene();
    scene.connectors = [connector('kept')];
    await sweep.run();
    wait(HOUR_MS);
    await sweep.run();
    expect(disconnected).toEqual(['alice removed unrevoked', 'bob removed unrevoked']);
  });

  it('deletes nothing while the directory cannot be reached', async () => {
    const { scene, sweep, disconnected } = createScene();
    scene.inactive.add('alice');
    scene.isDown = true;
    await sweep.run();
    expect(disconnected).toEqual([]);
  });

  it('goes on after tokens that cannot be deleted, and tries them again', async () => {
    const { scene, sweep, disconnected } = createScene();
    scene.inactive.add('alice');
    scene.failures.set('alice kept', new Error('the refresh of another replica takes too long'));
    await sweep.run();
    expect(disconnected).toEqual(['alice removed revoked']);
    scene.failures.clear();
    await sweep.run();
    expect(disconnected).toContain('alice kept revoked');
  });

  it('ends without the database', async () => {
    const { scene, sweep, disconnected } = createScene();
    scene.inactive.add('alice');
    scene.failures.set('alice kept', Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
    await sweep.run();
    expect(disconnected).toEqual([]);
  });
});
