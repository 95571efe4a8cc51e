import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceServer, startConformanceServer } from '@gatehouse/testing/conformance-server';
import {
  type Check,
  compareChecks,
  listProblems,
  listScenarios,
  type Revision,
  revisions,
  runScenarios,
} from '@gatehouse/testing/conformance-suite';
import { modern } from './support/raw.ts';
import { type Relay, startRelay } from './support/relay.ts';
import { eventually, World } from './support/world.ts';

const scenarios = await listScenarios();

let world: World;
let server: ConformanceServer;
let relay: Relay;
/** Checks by revision, place and scenario. */
const results = new Map<string, Map<string, Check[]>>();

const getChecks = (revision: Revision, place: 'direct' | 'through', scenario: string) =>
  results.get(`${revision} ${place}`)?.get(scenario);
const listDirectProblems = (revision: Revision, scenario: string) =>
  listProblems(getChecks(revision, 'direct', scenario));
const compareWithDirect = (revision: Revision, scenario: string) =>
  compareChecks(getChecks(revision, 'direct', scenario), getChecks(revision, 'through', scenario));

/** Repeats scenarios one by one: some have short time limits, which they miss on a busy machine. */
async function repeatFailures(revision: Revision, urls: { direct: string; through: string }): Promise<void> {
  const repeat = async (place: 'direct' | 'through', scenario: string) => {
    const repeated = await runScenarios(urls[place], revision, scenario);
    for (const [name, checks] of repeated) results.get(`${revision} ${place}`)!.set(name, checks);
  };
  for (const scenario of scenarios[revision]) {
    if (listDirectProblems(revision, scenario).length > 0) await repeat('direct', scenario);
    if (compareWithDirect(revision, scenario).length > 0) await repeat('through', scenario);
  }
}

beforeAll(async () => {
  world = await World.start();
  server = await startConformanceServer();
  const connector = world.manager.addConnector({ slug: 'conformance', endpoint: server.url }, ['all']);
  world.manager.toggle(world.manager.addUser({ subject: 'alice', groups: ['all'] }), connector, true);
  const token = await world.token('alice');
  relay = await startRelay(token);
  const { url } = await world.gateway({ ALLOWED_ORIGINS: JSON.stringify([relay.origin]) });
  relay.targetPort = Number(new URL(url).port);
  const urls = { direct: server.url, through: `${relay.origin}/mcp/conformance` };
  const lists = async () => ((await modern(urls.through, token, 'tools/list')).json.result ? true : undefined);
  await eventually(lists, 'the snapshot arrives');
  const runs = revisions.flatMap((revision) =>
    Object.entries(urls).map(async ([place, address]) =>
      results.set(`${revision} ${place}`, await runScenarios(address, revision)),
    ),
  );
  await Promise.all(runs);
  for (const revision of revisions) await repeatFailures(revision, urls);
}, 240_000);

afterAll(async () => {
  await relay.close();
  await world.close();
  await server.close();
});

describe.each(revisions)('the conformance suite at %s', (revision) => {
  it.each(scenarios[revision])('%s succeeds without the gateway', (scenario) => {
    expect(listDirectProblems(revision, scenario)).toEqual([]);
  });

  it.each(scenarios[revision])('%s is as good through the gateway', (scenario) => {
    expect(compareWithDirect(revision, scenario)).toEqual([]);
  });
});
