import { afterEach, describe, expect, it } from '@jest/globals';
import { compileGrants } from '@gatehouse/policy/grants';
import { eventually } from '@gatehouse/testing/eventually';
import type { ServerResponse } from 'node:http';
import { Agent } from 'undici';
import { type AuthenticatedUser, Rules } from '../src/mcp/access/access.ts';
import { AccessCache } from '../src/mcp/access/access-cache.ts';
import type { Plane } from '../src/mcp/calls/plane.ts';
import { Offers } from '../src/mcp/catalog/offers.ts';
import { RedactedLists } from '../src/mcp/catalog/redacted-lists.ts';
import { DEFAULT_LIMITS, type Limits } from '../src/mcp/ports/limits.ts';
import type { Connector, Entitlements } from '../src/mcp/ports/snapshot.ts';
import { LiveViews } from '../src/mcp/sessions/live-views.ts';
import { ResourceSubscriptions } from '../src/mcp/sessions/resource-subscriptions.ts';
import { createTarget } from '../src/mcp/upstreams/credential-identity.ts';
import { Upstreams } from '../src/mcp/upstreams/upstreams.ts';
import { reply, scripted, stream } from './support/scripted.ts';

/** A gateway without tool pinning. */
const NO_PINS = { find: <T>(_: unknown, list: T) => list, review: <T>(_: unknown, list: T) => list };

const ISSUER = 'https://issuer.test';
const NOTE = 'note://own';
const EVERYTHING = { slug: undefined };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const createUser = (subject: string): AuthenticatedUser => ({ issuer: ISSUER, subject, claims: {} });
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(createUser) as [
  AuthenticatedUser,
  AuthenticatedUser,
  AuthenticatedUser,
];

/** An upstream with sessions whose lists name the credential of each request. */
async function startUpstream() {
  /** The credentials that each session was used with, and the open standalone streams. */
  const sessions = new Map<string, Set<string>>();
  const streams = new Map<string, ServerResponse[]>();
  const subscribed: string[] = [];
  const ended: string[] = [];
  const server = await scripted({
    initialize: ({ id }, response, { headers }) => {
      const session = `session-${sessions.size}`;
      sessions.set(session, new Set([String(headers.authorization)]));
      response.setHeader('mcp-session-id', session);
      const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
      reply(response, {
        id,
        result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'own', version: '1' } },
      });
    },
    'tools/list': (_, __, { headers }) => {
      sessions.get(String(headers['mcp-session-id']))?.add(String(headers.authorization));
      return { tools: [{ name: `tool-of-${headers.authorization}`, inputSchema: { type: 'object' } }] };
    },
    'tools/call': (_, __, { headers }) => {
      sessions.get(String(headers['mcp-session-id']))?.add(String(headers.authorization));
      return { content: [{ type: 'text', text: headers.authorization }] };
    },
    'resources/list': (_, __, { headers }) => ({
      resources: [{ uri: NOTE, name: `note of ${headers.authorization}` }],
    }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/subscribe': ({ params }, _, { headers }) => {
      subscribed.push(`${headers.authorization} ${String(params?.['uri'])}`);
      return {};
    },
    GET: (_, response, { headers }) => {
      stream(response);
      response.flushHeaders();
      const credential = String(headers.authorization);
      streams.set(credential, [...(streams.get(credential) ?? []), response]);
    },
    DELETE: (_, response, { headers }) => {
      ended.push(String(headers.authorization));
      response.writeHead(200).end();
    },
  });
  closers.push(() => server.close());
  const announce = (credential: string, method: string, params?: object) => {
    for (const response of streams.get(credential) ?? [])
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })}\n\n`);
  };
  return { url: server.url, sessions, streams, subscribed, ended, announce };
}

/** The parts of a gateway with one connector, by default with the credential of each person. */
async function startPlane(auth: Connector['auth']['type'] = 'tokenExchange', limits: Partial<Limits> = {}) {
  let time = 0;
  const upstream = await startUpstream();
  const connector: Connector = {
    id: 'c1',
    slug: 'own',
    name: 'Own',
    endpoint: upstream.url,
    transport: 'streamable-http',
    auth: { type: auth },
    allow_private_ips: true,
  };
  const rules = await Rules.parse({
    connectors: [connector],
    policies: [{ connector_id: 'c1', version: 1, document: compileGrants('c1', ['g1']) }],
    claim_mapping: {},
  });
  const entitlements = new Map<string, Entitlements>();
  const getEntitlements = ({ subject }: AuthenticatedUser): Entitlements => {
    let known = entitlements.get(subject);
    if (known === undefined) entitlements.set(subject, (known = createEntitlements(subject)));
    return known;
  };
  const all: Limits = { ...DEFAULT_LIMITS, watchMs: 10, ...limits };
  const upstreams = new Upstreams({
    openDialer: ({ identity }) => {
      const agent = new Agent();
      const authorization = identity === 'connector' ? identity : String(JSON.parse(identity.slice(7))[1]);
      const credential = {
        create: () => Promise.resolve({ authorization }),
        renew: () => Promise.resolve(false),
      };
      return { dispatcher: agent, credential, close: () => agent.destroy() };
    },
    limits: all,
    now: () => time,
    onListChanged: (target, kind) => live.announce(target, kind),
    onTaskUpdated: () => undefined,
    onResourceUpdated: (target, uri) => subscriptions.receive(target, uri),
  });
  const ignore = () => undefined;
  const offers = new Offers(upstreams, NO_PINS, new RedactedLists(), all.fanOutMs, ignore, ignore);
  const accesses = new AccessCache();
  const plane = {
    directory: { getRules: () => rules, getEntitlements, onChange: ignore, onUserChanged: () => ignore },
    accesses,
    offers,
    upstreams,
    limits: all,
    log: { warn: ignore, error: ignore, info: ignore },
  } as unknown as Plane;
  const live = new LiveViews(plane);
  const subscriptions = new ResourceSubscriptions(plane);
  closers.push(
    () => upstreams.close(),
    () => live.stop(),
  );
  const getAccess = (user: AuthenticatedUser) => accesses.get(rules, user, getEntitlements(user));
  return {
    ...upstream,
    connector,
    upstreams,
    live,
    subscriptions,
    advance: (ms: number) => (time += ms),
    listTools: async (user: AuthenticatedUser) =>
      (await offers.listNamed(getAccess(user), EVERYTHING, 'tools')).map(({ name }) => name),
    listResources: async (user: AuthenticatedUser) =>
      (await offers.listResources(getAccess(user), EVERYTHING, 'resources')).map(({ definition }) => definition.name),
    /** The credential with which a call reaches the upstream. */
    call: async (user: AuthenticatedUser, key: string) => {
      const { signal } = new AbortController();
      const result = await upstreams.call(
        createTarget(connector, user),
        { key, user: user.subject, capabilities: {} },
        (connection) => connection.request('tools/call', { name: 'any' }, { signal }),
        () => false,
      );
      return (result['content'] as { text: string }[])[0]!.text;
    },
  };
}

const createEntitlements = (subject: string): Entitlements => ({
  user_id: subject,
  issuer: ISSUER,
  subject,
  active: true,
  groups: ['g1'],
  connections: [
    {
      connector_id: 'c1',
      enabled: true,
      tools_enabled_by_default: true,
      tools_exception_list: [],
      updated_at: '2026-01-01T00:00:00Z',
      version: 1,
    },
  ],
  cleared_connections: [],
  version: '1',
});

/** Watches the lists of a user. @returns the notified kinds */
function watch(plane: Awaited<ReturnType<typeof startPlane>>, user: AuthenticatedUser): string[] {
  const notified: string[] = [];
  closers.push(plane.live.watch(user, EVERYTHING, (kind) => notified.push(kind)));
  return notified;
}

describe('A connector with the credential of each person', () => {
  it('lists to each person what the own credential sees', async () => {
    const { listTools, listResources } = await startPlane();
    const lists = await Promise.all([alice, bob, alice, bob].map(listTools));
    expect(lists).toEqual(['alice', 'bob', 'alice', 'bob'].map((one) => [`own__tool-of-${one}`]));
    expect(await listResources(alice)).toEqual(['note of alice']);
    expect(await listResources(bob)).toEqual(['note of bob']);
  });

  it('never uses a session of the upstream with two credentials', async () => {
    const { call, listTools, sessions } = await startPlane();
    await Promise.all([alice, bob].map(listTools));
    // The same key stands for an error elsewhere: it must not join two persons.
    expect(await Promise.all([call(alice, 'same'), call(bob, 'same')])).toEqual(['alice', 'bob']);
    expect([...sessions.values()].map((credentials) => [...credentials].join()).sort()).toEqual([
      'alice',
      'alice',
      'bob',
      'bob',
    ]);
  });

  it('tells a changed list to the person of the credential only', async () => {
    const plane = await startPlane();
    const notified = { alice: watch(plane, alice), bob: watch(plane, bob) };
    await eventually(() => (plane.streams.size === 2 ? true : undefined), 'both standalone streams');
    plane.announce('alice', 'notifications/tools/list_changed');
    await eventually(() => (notified.alice.length > 0 ? true : undefined), 'the notification of alice');
    plane.announce('bob', 'notifications/prompts/list_changed');
    await eventually(() => (notified.bob.length > 0 ? true : undefined), 'the notification of bob');
    expect(notified).toEqual({ alice: ['tools'], bob: ['prompts'] });
  });

  it('tells an updated resource to the person of the credential only', async () => {
    const plane = await startPlane();
    const updated: string[] = [];
    for (const user of [alice, bob]) {
      const open = plane.subscriptions.open(user, EVERYTHING, (uri) => updated.push(`${user.subject} ${uri}`));
      closers.push(() => open.end());
      await open.set([NOTE]);
    }
    expect(plane.subscribed.sort()).toEqual([`alice ${NOTE}`, `bob ${NOTE}`]);
    await eventually(() => (plane.streams.size === 2 ? true : undefined), 'both standalone streams');
    plane.announce('alice', 'notifications/resources/updated', { uri: NOTE });
    await eventually(() => (updated.length > 0 ? true : undefined), 'the update of alice');
    plane.announce('bob', 'notifications/resources/updated', { uri: NOTE });
    await eventually(() => (updated.length > 1 ? true : undefined), 'the update of bob');
    expect(updated).toEqual([`alice ${NOTE}`, `bob ${NOTE}`]);
  });

  it('closes the credential with the longest idle time when there are too many', async () => {
    const { listTools, upstreams, ended, advance } = await startPlane('tokenExchange', { personalIdentities: 2 });
    for (const user of [alice, bob, carol]) {
      await listTools(user);
      advance(1);
    }
    expect(upstreams.identities).toBe(2);
    await eventually(() => (ended.length > 0 ? true : undefined), 'the end of a session');
    expect(ended).toEqual(['alice']);
  });

  it('closes idle credentials, except those that an open stream needs', async () => {
    const { listTools, upstreams, connector, ended, advance } = await startPlane();
    await Promise.all([alice, bob].map(listTools));
    advance(DEFAULT_LIMITS.upstreamIdleMs + 1);
    const { identity } = createTarget(connector, bob);
    upstreams.sweep([connector], (one) => one === identity);
    expect(upstreams.identities).toBe(1);
    await eventually(() => (ended.length > 0 ? true : undefined), 'the end of a session');
    expect(ended).toEqual(['alice']);
  });
});

describe('A connector with its own credential', () => {
  it('shares its lists and notifications between persons', async () => {
    const plane = await startPlane('none');
    const notified = [watch(plane, alice), watch(plane, bob)];
    expect(await Promise.all([alice, bob].map(plane.listTools))).toEqual([
      ['own__tool-of-connector'],
      ['own__tool-of-connector'],
    ]);
    expect(plane.upstreams.identities).toBe(1);
    await eventually(() => (plane.streams.size === 1 ? true : undefined), 'the standalone stream');
    plane.announce('connector', 'notifications/tools/list_changed');
    await eventually(() => (notified.every((one) => one.length > 0) ? true : undefined), 'both notifications');
    expect(notified).toEqual([['tools'], ['tools']]);
  });
});
