import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage } from '@gatehouse/testing/images';
import { EngineRelay, type RelayAction } from './engine-relay.ts';
import { Gatehouse } from './gatehouse.ts';
import { smallServers } from './test-home.ts';

/**
 * The fault at a call: a response of the relay, or the signal that a process gets while the engine
 * works on the call.
 */
type Fault =
  Exclude<RelayAction, 'pass'> | 'kill the command' | 'kill the supervisor' | 'kill both' | 'interrupt the command';

/** Ways to run a server: its transport, and flags. */
const WAYS = {
  isolated: { transport: 'streamable-http', flags: [] },
  http: { transport: 'streamable-http', flags: ['--isolate-network=false'] },
  stdio: { transport: 'stdio', flags: ['--isolate-network=false'] },
} as const;

/** Each row is a way to run, a call of the engine and its faults. `#2` is the second such call. */
const POINTS: readonly (readonly [keyof typeof WAYS, string, readonly Fault[]])[] = [
  ['http', 'GET /images/{}/json', ['refuse', 'lose-call', 'kill the command', 'interrupt the command']],
  ['isolated', 'POST /networks/create', ['refuse', 'lose-call', 'lose-answer', 'kill the command', 'kill both']],
  [
    'isolated',
    'POST /containers/create',
    ['refuse', 'lose-call', 'lose-answer', 'kill the command', 'kill the supervisor', 'interrupt the command'],
  ],
  ['http', 'POST /containers/{}/start', ['refuse', 'lose-answer', 'kill the supervisor', 'kill both']],
  ['http', 'GET /containers/{}/json', ['lose-call', 'kill the command']],
  ['http', 'POST /containers/{}/wait', ['refuse', 'kill both', 'interrupt the command']],
  ['stdio', 'POST /containers/create', ['lose-answer', 'kill both']],
  ['stdio', 'POST /containers/{}/attach', ['refuse', 'lose-call', 'kill the supervisor']],
  ['stdio', 'POST /containers/{}/start', ['refuse', 'lose-answer', 'kill the command', 'interrupt the command']],
  ['stdio', 'POST /containers/{}/start#2', ['refuse', 'kill both']],
];

const CASES = POINTS.flatMap(([way, call, faults]) => faults.map((fault) => [way, call, fault] as const));

describeWhen(await smallServers(), 'a first start with a fault', ({ engine, images }) => {
  let relay: EngineRelay;
  let gatehouse: Gatehouse;
  beforeEach(async () => {
    relay = await EngineRelay.to(engine.dockerHost);
    gatehouse = new Gatehouse(engine);
  });
  afterEach(async () => {
    await gatehouse.close();
    relay.close();
  }, 60_000);

  /** Kills the supervisor, if the state names one. */
  const killSupervisor = (command: number | undefined) => {
    try {
      const pid = gatehouse.supervisor('one');
      if (pid !== command) process.kill(pid, 'SIGKILL');
    } catch {
      // There is no state yet, or the process has ended.
    }
  };

  /** Whether the state has a workload whose server has answered. */
  const isKept = (): boolean => {
    const file = join(gatehouse.home, 'workloads', 'one', 'status.json');
    return existsSync(file) && !readFileSync(file, 'utf8').includes('"first_start"');
  };

  /** Returns the port that the home keeps for the name, if anything listens on it. */
  const findOpenPort = async (): Promise<string | undefined> => {
    const file = join(gatehouse.home, 'ports', 'one');
    if (!existsSync(file)) return undefined;
    const port = Number(readFileSync(file, 'utf8'));
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen ? `port ${port}` : undefined;
  };

  it.each(CASES)(
    '%s, %s, %s: leaves nothing',
    async (way, call, fault) => {
      const [operation, occurrence = '1'] = call.split('#');
      const { transport, flags } = WAYS[way];
      const run = ['run', images[transport], '--name', 'one', ...flags];
      const running = gatehouse.begin(run, { DOCKER_HOST: relay.dockerHost });
      const command = running.process.pid;
      let seen = 0;
      relay.decide = (made) => {
        if (made.operation === operation) seen += 1;
        if (made.operation !== operation || seen !== Number(occurrence)) return 'pass';
        seen += 1;
        switch (fault) {
          case 'kill both':
            killSupervisor(command);
            if (command !== undefined) process.kill(command, 'SIGKILL');
            return 'pass';
          case 'kill the command':
            if (command !== undefined) process.kill(command, 'SIGKILL');
            return 'pass';
          case 'kill the supervisor':
            killSupervisor(command);
            return 'pass';
          case 'interrupt the command':
            if (command !== undefined) process.kill(command, 'SIGINT');
            return 'pass';
          default:
            return fault;
        }
      };
      const { code, stderr } = await running.ended;
      expect(seen).toBeGreaterThanOrEqual(Number(occurrence));
      if (fault === 'kill both' && isKept()) {
        // The server has answered before the relay had the call: the start was a success.
        await gatehouse.ok('rm', 'one', '--yes');
      } else if (code === 0) {
        // The start repeats the calls that a concurrent command can disturb.
        expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'running' })]);
        await gatehouse.ok('rm', 'one');
      } else if (fault.startsWith('kill')) {
        await gatehouse.ok('list');
      } else {
        expect(code).toEqual(fault === 'interrupt the command' ? 130 : expect.any(Number));
        expect(stderr).not.toMatch(/\n {4}at /);
      }
      const isClean = async () => (await gatehouse.leftovers()).length === 0 && (await findOpenPort()) === undefined;
      await eventually(isClean, 'nothing is left', fault.startsWith('kill') ? 5_000 : 15_000).catch(async () => {
        // The engine can finish a call of a killed process after all others. The next start removes
        // what that process has created. A supervisor that still ends refuses it for a moment.
        if (fault.startsWith('kill')) {
          let refusal = '';
          const startNext = async () => {
            const { code: next, stderr: said } = await gatehouse.call(run);
            refusal = said;
            return next === 0;
          };
          await eventually(startNext, 'the next start works').catch((error: unknown) => {
            throw new Error(`the next start was refused: ${refusal}`, { cause: error });
          });
          await gatehouse.ok('rm', 'one', '--yes');
        }
        expect([await gatehouse.leftovers(), await findOpenPort()]).toEqual([[], undefined]);
      });
      const kept = ['ports', 'removal.lock', 'workloads'];
      expect(readdirSync(gatehouse.home).filter((entry) => !kept.includes(entry))).toEqual([]);
    },
    60_000,
  );

  it('leaves nothing of a command that is killed before it learns that the server answers', async () => {
    const running = gatehouse.begin(['run', images['streamable-http'], '--name', 'one', ...WAYS.http.flags], {
      DOCKER_HOST: relay.dockerHost,
    });
    const { pid = 0 } = running.process;
    relay.decide = ({ operation }) => {
      if (operation === 'POST /containers/create') process.kill(pid, 'SIGSTOP');
      return 'pass';
    };
    const status = join(gatehouse.home, 'workloads', 'one', 'status.json');
    const isReady = () => existsSync(status) && readFileSync(status, 'utf8').includes('"running"');
    await eventually(isReady, 'the server answers');
    process.kill(pid, 'SIGKILL');
    await running.ended;
    await eventually(async () => (await gatehouse.leftovers()).length === 0, 'nothing is left');
  }, 60_000);

  it('leaves no image, no container and no workload of a build whose command is killed', async () => {
    const { docker } = engine;
    const name = `slow-package-${process.pid}`;
    const slow = `gatehouse-test/slow-npm:${process.pid}`;
    // A package manager that never ends keeps the build where it is, and no git is installed.
    const program = 'cd /usr/local/bin; printf "#!/bin/sh\\nexec sleep 600\\n" > npm; chmod 755 npm; cp npm git';
    const image = await everythingImage(engine);
    const maker = await docker.createContainer({ Image: image, Entrypoint: ['sh', '-c', program], User: '0' });
    await maker.start();
    await maker.wait();
    await maker.commit({ repo: 'gatehouse-test/slow-npm', tag: String(process.pid) });
    await maker.remove();
    const listBuilds = async () =>
      (await docker.listContainers({ all: true })).filter(({ Command }) => Command.includes(name));
    try {
      const flags = ['--name', 'one', '--runtime-image', slow, '--isolate-network=false'];
      const running = gatehouse.begin(['run', `npx://${name}`, ...flags]);
      await eventually(async () => (await listBuilds()).length === 1, 'the build installs the package', 30_000);
      process.kill(running.process.pid ?? 0, 'SIGKILL');
      await running.ended;
      await gatehouse.ok('list');
      await eventually(async () => (await listBuilds()).length === 0, 'the engine ends the build', 30_000);
      expect(await gatehouse.leftovers()).toEqual([]);
      expect(await docker.listImages({ filters: { label: [`gatehouse-build=npx://${name}`] } })).toEqual([]);
    } finally {
      for (const { Id } of await listBuilds()) await docker.getContainer(Id).remove({ force: true });
      await docker.getImage(slow).remove({ force: true });
    }
  }, 120_000);
});
