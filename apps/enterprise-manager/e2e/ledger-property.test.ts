import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { Actor, type Caller } from './ledger-actors.ts';
import { Contention } from './ledger-contention.ts';
import { Dice } from './ledger-dice.ts';
import { billionths, publishPrices } from './ledger-model.ts';
import { Observer, type SteadyLimit } from './ledger-observer.ts';
import { TwoReplicas } from './ledger-scene.ts';
import { Sender } from './ledger-sender.ts';

/** Minimum duration of the run in seconds. */
const SECONDS = 8 * effort;
/** Maximum time after SECONDS until the run has done everything that it must do, in seconds. */
const MORE_SECONDS = 60;
/** The results of requests that each run must have. */
const REQUIRED = [
  'admitted',
  'denied budget_exhausted',
  'denied key_inactive',
  'denied unpriceable',
  'charged',
  'duplicate',
  'conflict sent',
  'contended',
  'lease granted',
  'breakdown read',
];
const ACTORS = 6;
const CONTENDED = 'contended';
const SUBJECTS = ['fixed', 'rising', 'changing', 'teammate', 'member', 'unlimited'];

interface Breakdown {
  period: string;
  period_start: string;
  total_used_usd: string;
  by_model: { used_usd: string }[];
  by_provider: { used_usd: string }[];
  by_user: { used_usd: string }[];
}

describe('the ledger, while one of two replicas is killed repeatedly', () => {
  let manager: TestManager;
  let replicas: TwoReplicas;
  let sender: Sender;
  let contention: Contention;
  let groups: { fixed: string; changing: string };
  const dice = new Dice(seed);
  const keys: Caller[] = [];
  const wrong: string[] = [];

  beforeAll(async () => {
    console.info(`GATEHOUSE_TEST_SEED=${seed}`);
    manager = await startManager({
      people: [...SUBJECTS, CONTENDED].map((subject) => ({ subject, user_name: subject, display_name: subject })),
    });
    await publishPrices(manager);
    groups = { fixed: await makeGroup(manager, 'teammate', 'member'), changing: await makeGroup(manager, 'member') };
    replicas = new TwoReplicas(manager, dice.fork(100));
    await replicas.start();
    sender = new Sender(manager.tokens.gateway, () => replicas.any());
    const contender = { issuer: manager.issuer.issuer, subject: CONTENDED };
    contention = new Contention(dice.fork(80), sender, contender, CONTENDED);
    await setBudgets(0.1, 0.5);
    for (const subject of ['fixed', 'teammate', 'unlimited']) keys.push(await makeKey(subject));
    // From now on, only the two replicas answer.
    await manager.stop();
  }, 120_000);
  afterAll(async () => {
    await replicas.stop();
    await manager.close();
  });

  const asAdmin = (method: string, path: string, body?: unknown) => administrator().send(method, path, body);
  const administrator = () => new Sender(manager.tokens.admin, () => replicas.any());

  const steady: SteadyLimit[] = [];
  /** Replaces all budgets: some limits are fixed, some rise, some change in both directions. */
  const setBudgets = async (rising: number, changing: number): Promise<void> => {
    const budget = (scope: string, subject_id: string, period: string, limit: number) => ({
      ...{ scope, subject_id, period, limit_usd: limit.toFixed(4) },
    });
    const { status, body } = await asAdmin('PUT', '/v1/budgets', {
      budgets: [
        budget('user', 'fixed', 'day', 1),
        budget('user', 'fixed', 'month', 2),
        budget('user', 'rising', 'month', rising),
        budget('user', CONTENDED, 'month', contention.raise()),
        budget('user', 'changing', 'day', changing),
        budget('user', 'changing', 'year', 3),
        { ...budget('group', groups.fixed, 'month', 3), precedence: 5 },
        { ...budget('group', groups.changing, 'day', changing), precedence: 1 },
      ],
    });
    contention.isRaised = true;
    if (status !== 204) wrong.push(`setting budgets answers ${status} ${JSON.stringify(body)}`);
  };

  const makeKey = async (subject: string): Promise<Caller> => {
    const token = await manager.issuer.token({ subject });
    const { body } = await new Sender(token, () => replicas.any()).send('POST', '/v1/keys', { name: randomUUID() });
    const { id } = body['key'] as { id: string };
    return { user: subject, principal: { virtual_key_id: id }, revoked: false };
  };

  const callers = (): Caller[] => [
    ...SUBJECTS.map((subject) => ({
      ...{ user: subject, principal: { issuer: manager.issuer.issuer, subject }, revoked: false },
    })),
    ...keys,
  ];

  /** Sends random changes of administrators. */
  const administrate = async (own: Dice): Promise<void> => {
    let rising = 0.1;
    for (let at = 0; !over(); at += 1) {
      await own.pickWeighted<() => Promise<unknown>>([
        [5, () => setBudgets((rising += own.between(0, 100) / 2_000), own.between(0, 300) / 100)],
        [
          3,
          () =>
            asAdmin(
              own.pick(['PUT', 'DELETE']),
              `/v1/groups/${groups.changing}/users/${people.get(own.pick(SUBJECTS))}`,
            ),
        ],
        [2, () => asAdmin(own.pick(['PUT', 'DELETE']), `/v1/groups/${groups.fixed}/users/${people.get('changing')}`)],
        [1, () => revokeOne(own)],
      ])();
      await sleep(own.between(20, 200));
    }
  };
  const people = new Map<string, string>();
  const revokeOne = async (own: Dice): Promise<void> => {
    const key = own.pick(keys.filter(({ revoked }) => !revoked));
    const token = await manager.issuer.token({ subject: key.user });
    const id = 'virtual_key_id' in key.principal ? key.principal.virtual_key_id : '';
    const { status } = await new Sender(token, () => replicas.any()).send('DELETE', `/v1/keys/${id}`);
    if (status !== 204) wrong.push(`revoking answers ${status}`);
    key.revoked = true;
    // The last revoked keys stay in use.
    if (keys.length > 6)
      keys.splice(
        keys.findIndex(({ revoked }) => revoked),
        1,
      );
    keys.push(await makeKey(key.user));
  };

  /** Checks that a breakdown adds up, and is between the amounts of its cell before and after. */
  const checkBreakdown = async (own: Dice): Promise<void> => {
    const [scope, subject] = own.pick([
      ...['fixed', 'rising', 'changing', 'unlimited'].map((name) => ['user', name] as const),
      ...[groups.fixed, groups.changing].map((id) => ['group', id] as const),
    ]);
    const used = () =>
      manager.sql<{ period: string; start: string; used: string }>(
        `SELECT period, period_start::text AS start, used_usd::text AS used FROM budget_cells WHERE scope = $1 AND subject_id = $2`,
        [scope, subject],
      );
    const before = await used();
    const response = await administrator().trySend('GET', `/v1/budgets/breakdown?scope=${scope}&subject_id=${subject}`);
    const after = await used();
    if (response === undefined || response.status === 404) return;
    if (response.status !== 200)
      return void wrong.push(`a breakdown answers ${response.status} ${JSON.stringify(response.body)}`);
    sender.count('breakdown read');
    const body = response.body as unknown as Breakdown;
    const total = billionths(body.total_used_usd);
    const getUsed = (cells: Awaited<ReturnType<typeof used>>) =>
      billionths(
        cells.find(({ period, start }) => period === body.period && body.period_start.startsWith(start))?.used ?? '0',
      );
    if (total < getUsed(before) || total > getUsed(after))
      wrong.push(
        `${scope} ${subject} has used ${total} by its breakdown, ${getUsed(before)} to ${getUsed(after)} by its cell`,
      );
    for (const dimension of ['by_model', 'by_provider', 'by_user'] as const) {
      const sum = body[dimension].reduce((all, { used_usd }) => all + billionths(used_usd), 0n);
      if (sum !== total) wrong.push(`${dimension} of ${scope} ${subject} has the sum ${sum} instead of ${total}`);
    }
  };

  let deadline = 0;
  const isComplete = () => replicas.kills > 0 && REQUIRED.every((what) => (sender.counts.get(what) ?? 0) > 0);
  const over = () =>
    (Date.now() > deadline && (isComplete() || Date.now() > deadline + MORE_SECONDS * 1_000)) ||
    wrong.length > 0 ||
    sender.problems.length > 0;

  it(
    `holds at random moments and at the end`,
    async () => {
      for (const subject of SUBJECTS) people.set(subject, await manager.findUserId(subject));
      steady.push(
        ...(
          [
            ['user fixed', 'day'],
            ['user fixed', 'month'],
            ['user rising', 'month'],
            [`user ${CONTENDED}`, 'month'],
            [`group ${groups.fixed}`, 'month'],
          ] as const
        ).map(([payer, period]) => ({ payer, period })),
      );
      deadline = Date.now() + SECONDS * 1_000;
      const observer = new Observer(manager.sql, sender, steady);
      let looks = 0;
      const observe = async (own: Dice) => {
        for (; !over(); looks += 1) {
          wrong.push(...(await observer.findDifferences()), ...(await ledgerDifferences(manager.sql)));
          for (let at = 0; at < 3; at += 1) await checkBreakdown(own);
          await sleep(own.between(50, 300));
        }
      };
      const chaos = async (own: Dice) => {
        while (!over()) {
          await sleep(own.between(1_000, 3_000));
          if (!over()) await replicas.killOne();
        }
      };
      const repeatContention = async () => {
        while (!over()) await (contention.isRaised ? contention.sendAll() : sleep(5));
      };
      const act = async (own: Dice) => {
        const actor = new Actor(own, sender, manager.sql, callers);
        while (!over()) await actor.act();
      };
      await Promise.all([
        ...Array.from({ length: ACTORS }, (_, at) => act(dice.fork(at))),
        administrate(dice.fork(50)),
        repeatContention(),
        observe(dice.fork(60)),
        chaos(dice.fork(70)),
      ]);
      expect([seed, [...wrong, ...sender.problems]]).toEqual([seed, []]);
      await sender.settleAll();
      // A repetition of all reports has only duplicates.
      const all = [...sender.log.values()];
      for (let at = 0; at < all.length; at += 500) {
        const results = await sender.report(all.slice(at, at + 500));
        expect(new Set(results?.map(({ status }) => status))).toEqual(new Set(['duplicate']));
      }
      expect([seed, await observer.findDifferences(), await observer.findLost(true)]).toEqual([seed, [], []]);
      expect([seed, await ledgerDifferences(manager.sql), sender.problems]).toEqual([seed, [], []]);
      await manager.sql(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE released_at IS NULL`);
      await untilNothingIsReserved();
      expect([seed, await ledgerDifferences(manager.sql)]).toEqual([seed, []]);
      console.info(
        `${looks} looks, ${replicas.kills} kills, ${all.length} reports; ${[...sender.counts].map(([what, times]) => `${what}: ${times}`).join(', ')}`,
      );
      // The run is meaningful only if each of these happened.
      for (const what of REQUIRED) expect([what, (sender.counts.get(what) ?? 0) > 0]).toEqual([what, true]);
      expect(replicas.kills).toBeGreaterThan(0);
    },
    (SECONDS + MORE_SECONDS + 120) * 1_000,
  );

  /** Waits until all expired reservations are released. */
  const untilNothingIsReserved = async (): Promise<void> => {
    for (;;) {
      const held = await manager.sql('SELECT FROM budget_cells WHERE reserved_usd <> 0');
      if (held.length === 0) return;
      await sleep(200);
    }
  };
});
