import { describe, expect, it } from '@jest/globals';
import { DirectoryUnavailableError } from '../mcp/access/directory-view.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import type { TaggedDocument } from '@gatehouse/service-kit/manager-connection';
import { type TokenUser, UnknownUserError } from './entitlements-source.ts';
import { EntitlementsMemory } from './entitlements-memory.ts';

const ISSUER = 'https://issuer.test';
const alice = { issuer: ISSUER, subject: 'alice' };
const bob = { issuer: ISSUER, subject: 'bob' };

/** A directory whose answers wait until a test sends them. */
class FakeDirectory {
  readonly requests: { user: TokenUser; etag: string | undefined; answer: () => void; fail: (error: Error) => void }[] =
    [];
  /** The group of each subject; a subject without one is unknown. */
  readonly groups = new Map([
    ['alice', 'group-1'],
    ['bob', 'group-1'],
  ]);

  fetchEntitlements(user: TokenUser, etag: string | undefined): Promise<TaggedDocument<Entitlements> | undefined> {
    // The state at the start of the request, as the oldest one that an answer may show.
    const group = this.groups.get(user.binding ?? user.subject);
    return new Promise((resolve, reject) => {
      const answer = () => {
        if (group === undefined) {
          reject(new UnknownUserError('unknown'));
          return;
        }
        if (etag === group) {
          resolve(undefined);
          return;
        }
        const lists = { groups: [group], connections: [], cleared_connections: [] };
        resolve({ body: { ...user, ...lists, user_id: user.subject, active: true, version: group }, etag: group });
      };
      this.requests.push({ user, etag, answer, fail: reject });
    });
  }

  /** Answers the next request. */
  async answer(): Promise<void> {
    this.requests.shift()?.answer();
    await new Promise(setImmediate);
  }
}

function setUp(maxUsers = 100) {
  const directory = new FakeDirectory();
  const memory = new EntitlementsMemory(directory, maxUsers);
  const load = async (user: TokenUser) => {
    const loading = memory.get(user);
    await directory.answer();
    return loading;
  };
  return { directory, memory, load };
}

describe('EntitlementsMemory', () => {
  it('returns known entitlements at once, without a request', async () => {
    const { directory, memory, load } = setUp();
    const loaded = await load(alice);
    expect(loaded?.groups).toEqual(['group-1']);
    expect(memory.get(alice)).toBe(loaded);
    expect(directory.requests).toEqual([]);
  });

  it('shares one request between concurrent lookups of a user', async () => {
    const { directory, memory } = setUp();
    const lookups = [0, 1].map(async () => memory.get(alice));
    expect(directory.requests.length).toBe(1);
    await directory.answer();
    const [first, second] = await Promise.all(lookups);
    expect(first).toBe(second);
  });

  it('requests a changed user again, and keeps the object if nothing has changed', async () => {
    const { directory, memory, load } = setUp();
    const first = await load(alice);
    memory.markChanged(alice);
    expect(await load(alice)).toBe(first);
    directory.groups.set('alice', 'group-2');
    memory.markChanged(alice);
    expect((await load(alice))?.groups).toEqual(['group-2']);
  });

  it.each([
    ['of the user', (memory: EntitlementsMemory) => memory.markChanged(alice)],
    ['of all users', (memory: EntitlementsMemory) => memory.markAllChanged()],
  ])('repeats a request that began before a change %s', async (_, change) => {
    const { directory, memory } = setUp();
    const lookup = memory.get(alice);
    directory.groups.set('alice', 'group-2');
    change(memory);
    await directory.answer();
    expect(directory.requests.length).toBe(1);
    await directory.answer();
    expect((await lookup)?.groups).toEqual(['group-2']);
    expect(memory.get(alice)).toBe(await lookup);
  });

  it('does not repeat a request because of another user, or of an equal subject of another issuer', async () => {
    const { directory, memory } = setUp();
    const lookup = memory.get(alice);
    memory.markChanged(bob);
    memory.markChanged({ ...alice, issuer: 'https://other.test' });
    await directory.answer();
    await lookup;
    expect(directory.requests).toEqual([]);
  });

  it('keeps users of two issuers with the same subject apart', async () => {
    const { memory, load, directory } = setUp();
    const other = { ...alice, issuer: 'https://other.test' };
    const [first, second] = [await load(alice), await load(other)];
    expect([first?.issuer, second?.issuer]).toEqual([ISSUER, 'https://other.test']);
    memory.markChanged(other);
    expect(memory.get(alice)).toBe(first);
    expect(memory.get(other)).toBeInstanceOf(Promise);
    expect(directory.requests.map(({ user }) => user.issuer)).toEqual(['https://other.test']);
  });

  it('remembers an unknown user until the user, or one without a subject, is created', async () => {
    const { directory, memory, load } = setUp();
    const carol = { issuer: ISSUER, subject: 'carol' };
    expect(await load(carol)).toBeUndefined();
    expect(memory.get(carol)).toBeUndefined();
    memory.markChanged({ issuer: 'https://other.test' });
    expect(memory.get(carol)).toBeUndefined();
    memory.markChanged({ issuer: ISSUER });
    expect(await load(carol)).toBeUndefined();
    directory.groups.set('carol', 'group-3');
    memory.markChanged(carol);
    expect((await load(carol))?.groups).toEqual(['group-3']);
    memory.markChanged({ issuer: ISSUER });
    expect(directory.requests).toEqual([]);
    expect(memory.get(carol)).toMatchObject({ groups: ['group-3'] });
  });

  it('looks up an unknown user again with another binding, also during a request', async () => {
    const { directory, memory, load } = setUp();
    directory.groups.set('ann@x.test', 'group-4');
    const ann = { issuer: ISSUER, subject: 's-1', binding: 'old@x.test' };
    expect(await load(ann)).toBeUndefined();
    expect((await load({ ...ann, binding: 'ann@x.test' }))?.groups).toEqual(['group-4']);
    const [first, second] = [
      memory.get({ ...ann, subject: 's-2' }),
      memory.get({ ...ann, subject: 's-2', binding: 'ann@x.test' }),
    ];
    await directory.answer();
    await directory.answer();
    expect([await first, (await second)?.groups]).toEqual([undefined, ['group-4']]);
  });

  it('refuses a changed user while the directory fails, and serves others', async () => {
    const { directory, memory, load } = setUp();
    await load(alice);
    const loaded = await load(bob);
    memory.markChanged(alice);
    const lookup = memory.get(alice);
    directory.requests.shift()?.fail(new Error('down'));
    await expect(lookup).rejects.toThrow(DirectoryUnavailableError);
    expect(memory.get(bob)).toBe(loaded);
    expect((await load(alice))?.groups).toEqual(['group-1']);
  });

  it('refuses a user who changes faster than requests are answered', async () => {
    const { directory, memory } = setUp();
    const lookup = Promise.resolve(memory.get(alice));
    const refused = expect(lookup).rejects.toThrow('change faster');
    for (let answers = 0; directory.requests.length > 0; answers += 1) {
      expect(answers).toBeLessThan(20);
      memory.markChanged(alice);
      await directory.answer();
    }
    await refused;
  });

  it('forgets the least recently used user beyond the maximum', async () => {
    const { memory, load } = setUp(2);
    await load(alice);
    await load(bob);
    void memory.get(alice);
    await load({ issuer: ISSUER, subject: 'carol' });
    expect(memory.get(alice)).not.toBeInstanceOf(Promise);
    expect(memory.get(bob)).toBeInstanceOf(Promise);
  });
});
