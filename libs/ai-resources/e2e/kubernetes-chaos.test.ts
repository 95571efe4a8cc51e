import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { drawNumber, effort } from '@gatehouse/testing/effort';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import type { ProxyFault } from '@gatehouse/testing/kubernetes-proxy';
import { startProcess } from '@gatehouse/testing/process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { waitUntil } from './store-suite/recording-observer.ts';

const ROUNDS = Math.ceil(4 * effort);
const FAULTS: readonly (ProxyFault | undefined)[] = [
  undefined,
  undefined,
  'cut-before',
  'cut-after',
  { delayMs: 100 },
  { status: 500, body: 'failed' },
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 200, headers: { 'content-type': 'application/json' }, body: '{"metadata":' },
  { status: 200, headers: { 'content-type': 'application/json' }, body: '{"type":"ERROR","object":{"code":410}}\n' },
];

describeWhen(kubernetesPrograms(), 'a process that follows a cluster', (programs) => {
  let world: DisturbedCluster;
  beforeAll(async () => {
    world = await DisturbedCluster.start(programs);
  }, 90_000);
  afterAll(() => world.close());

  it(
    'survives random faults, and has what the cluster has after each',
    async () => {
      const child = await startProcess({
        command: [process.execPath, fileURLToPath(new URL('cached-policies.mjs', import.meta.url))],
        args: [world.proxy.url, world.tokenPath, world.namespace],
      });
      let end: unknown;
      void child.exited.then((exit) => (end = exit));
      const readLast = () => child.logLines().at(-1);
      for (let round = 0; round < ROUNDS; round += 1) {
        const draw = (name: string) => drawNumber(`chaos ${round} ${name}`);
        let requests = 0;
        world.proxy.inject(() => FAULTS[Math.floor(draw(`fault ${(requests += 1)}`) * FAULTS.length)]);
        for (let write = 0; write < 10; write += 1) {
          const name = `policy-${Math.floor(draw(`name ${write}`) * 5)}`;
          if (draw(`verb ${write}`) < 0.3) await world.delete(name);
          else await world.write(name, `round ${round}, write ${write}`);
          if (draw(`cut ${write}`) < 0.2) world.proxy.cutConnections();
          if (draw(`end ${write}`) < 0.2) world.proxy.endResponses();
        }
        world.proxy.inject(() => undefined);
        await world.write('last', `round ${round}`);
        const stored = await world.readVersions();
        await waitUntil(
          () => end !== undefined || isDeepStrictEqual(readLast(), stored),
          () => [readLast(), stored],
        );
        expect([end, child.stderr()]).toEqual([undefined, '']);
      }
      await child.killHard();
    },
    120_000 * Math.max(1, effort),
  );
});
