import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import type { Call } from '@gatehouse/testing/contract-client';
import { eventually } from '@gatehouse/testing/eventually';
import { GATEWAY } from '../support/gateway.ts';
import { createPolicy } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

interface List {
  items: AIPolicy[];
  nextPageToken?: string;
  remainingItemCount?: number;
  error?: string;
}

const NAMES = ['list-a', 'list-b', 'list-c', 'list-d', 'list-e'];
const SELECTOR = 'suite=list';
const OTHER_GATEWAY = 'gateway-b';

/** Defines the tests of the list of policies. */
export function describePolicyLists(getScene: () => Scene): void {
  const list = (query: Call['query'] = {}, token = getScene().world.tokens.policyEditor ?? '') =>
    getScene().first.call<List>('GET /v1/policies', { token, query });
  const listNames = ({ items }: List) => items.map(({ metadata }) => metadata.name);
  /** Names of the policies of this suite on a page. */
  const ownNames = (body: List) => listNames(body).filter((name) => NAMES.includes(name));

  describe('GET /v1/policies', () => {
    beforeAll(async () => {
      const { backend, first, world } = getScene();
      for (const [at, name] of NAMES.toReversed().entries()) {
        const gatewayRef = { name: at % 2 === 0 ? GATEWAY : OTHER_GATEWAY };
        const policy = createPolicy(name, { gatewayRef });
        const labels = { suite: 'list', place: String(at) };
        await backend.apply('AIPolicy', { ...policy, metadata: { ...policy.metadata, labels } });
      }
      await eventually(
        async () =>
          (
            await first.call<List>('GET /v1/policies', {
              token: world.tokens.admin,
              query: { labelSelector: SELECTOR },
            })
          ).body.items.length === NAMES.length,
        'the policies are listed',
      );
    });

    it('lists policies from outside, sorted by name', async () => {
      const { body, status } = await list();
      expect([status, body]).toMatchObject([200, { apiVersion: 'gatehouse.dev/v1alpha1', kind: 'AIPolicyList' }]);
      expect(ownNames(body)).toEqual(NAMES);
      expect(listNames(body)).toEqual(listNames(body).toSorted());
      expect(body).not.toHaveProperty('nextPageToken');
      expect(body).not.toHaveProperty('remainingItemCount');
    });

    it('continues after each page, also when its last policy is gone', async () => {
      const { backend, world } = getScene();
      const all = listNames((await list()).body);
      const seen: string[] = [];
      let pageToken: string | undefined;
      do {
        const { body }: { body: List } = await list({ limit: 2, pageToken });
        seen.push(...listNames(body));
        pageToken = body.nextPageToken;
        expect(body.remainingItemCount).toBe(pageToken === undefined ? undefined : all.length - seen.length);
      } while (pageToken !== undefined);
      expect(seen).toEqual(all);
      await backend.apply('AIPolicy', createPolicy('list-bb'));
      await eventually(async () => listNames((await list()).body).includes('list-bb'), 'the policy is listed');
      const before = listNames((await list()).body).indexOf('list-bb');
      const cut = await list({ limit: before + 1 });
      await backend.remove('AIPolicy', 'list-bb');
      await eventually(async () => !listNames((await list()).body).includes('list-bb'), 'the policy is gone');
      const rest = await list({ limit: 1, pageToken: cut.body.nextPageToken });
      expect(listNames(rest.body)).toEqual(['list-c']);
      expect(await world.read('list-bb')).toBeUndefined();
    });

    it.each(['0', '', '501', '99999'])('takes the limit %j as the largest page', async (limit) => {
      expect((await list({ limit })).body.items.length).toBe((await list()).body.items.length);
    });

    it.each(['-1', '1.5', 'ten', ' 1', '1e2'])('refuses the limit %j', async (limit) => {
      const { status, body } = await list({ limit });
      expect([status, body]).toMatchObject([400, { error: 'invalid_request', violations: [{ field: '/limit' }] }]);
    });

    it('takes empty parameters as absent', async () => {
      const { body } = await list({ limit: '', pageToken: '', labelSelector: '', gatewayRef: '' });
      expect(body).toEqual((await list()).body);
    });

    it('selects by labels before it cuts the page, and counts nothing', async () => {
      const { body } = await list({ labelSelector: `${SELECTOR},place in (0,4)`, limit: 1 });
      expect([listNames(body), Object.keys(body).includes('remainingItemCount')]).toEqual([['list-a'], false]);
      const next = await list({ labelSelector: `${SELECTOR},place in (0,4)`, limit: 1, pageToken: body.nextPageToken });
      expect([listNames(next.body), next.body.nextPageToken]).toEqual([['list-e'], undefined]);
      expect(ownNames((await list({ labelSelector: '!suite' })).body)).toEqual([]);
    });

    it('leaves out policies of other gateways after it cut the page', async () => {
      const query = { labelSelector: SELECTOR, gatewayRef: OTHER_GATEWAY, limit: 1 };
      const pages: string[][] = [];
      let pageToken: string | undefined;
      do {
        const { body }: { body: List } = await list({ ...query, pageToken });
        pages.push(listNames(body));
        pageToken = body.nextPageToken;
      } while (pageToken !== undefined);
      expect(pages).toEqual([[], ['list-b'], [], ['list-d'], []]);
    });

    it.each(['a b', '=x', 'a in b', 'a=b=c', 'Ä=1', 'a in (b', '-a'])(
      'refuses the label selector %j',
      async (labelSelector) => {
        const { status, body } = await list({ labelSelector });
        expect([status, body]).toMatchObject([
          400,
          { error: 'invalid_label_selector', violations: [{ field: '/labelSelector' }] },
        ]);
      },
    );

    it('refuses page tokens of other filters and callers, changed ones, and old ones', async () => {
      const { world } = getScene();
      const { nextPageToken = '' } = (await list({ limit: 1 })).body;
      const [first = ''] = nextPageToken;
      const changed = `${first === 'A' ? 'B' : 'A'}${nextPageToken.slice(1)}`;
      const refused = { error: 'invalid_page_token', violations: [{ field: '/pageToken' }] };
      for (const query of [
        { pageToken: changed },
        { pageToken: nextPageToken.slice(0, -2) },
        { pageToken: 'garbage' },
        { pageToken: nextPageToken, labelSelector: SELECTOR },
        { pageToken: nextPageToken, gatewayRef: GATEWAY },
      ])
        expect([query, await list(query)]).toMatchObject([query, { status: 400, body: refused }]);
      expect((await list({ pageToken: nextPageToken }, world.tokens.admin)).body).toMatchObject(refused);
      expect((await list({ pageToken: nextPageToken, limit: 3 })).status).toBe(200);
      world.aheadMs = 15 * 60_000 + 1_000;
      try {
        expect((await list({ pageToken: nextPageToken })).body).toMatchObject(refused);
      } finally {
        world.aheadMs = 0;
      }
    });
  });
}
