import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '@gatehouse/testing/cache';
import { describeWhen } from '@gatehouse/testing/fixture';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliveriesOf, eventually, LOOPBACK, type MadeAlert, makeAlert, type MadeDelivery } from './alerts-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { pythonWith } from '@gatehouse/testing/python-environment';

const DOCUMENT = join(repositoryRoot, 'docs/budget-webhooks.md');

/** A block of the document by its language. */
const blockOf = async (language: string): Promise<string> => {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(await readFile(DOCUMENT, 'utf8'))?.[1];
  if (found === undefined) throw new Error(`the document has no block of ${language}`);
  return found;
};

/** What a receiver of the document has to do, whatever it is written in. */
const receives = (language: string, file: string, program: string): void => {
  let manager: TestManager;
  let folder: string;
  let receiver: TestProcess;
  let alert: MadeAlert;
  let url: string;

  const start = async (secret: string, port: number) => {
    receiver = await startProcess({
      command: [program, join(folder, file)],
      env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    });
    const listens = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await eventually(listens, 'the receiver listens');
  };
  const call = (operation: string) =>
    manager.client.call<MadeAlert & MadeDelivery>(operation, { token: manager.tokens.admin, path: { id: alert.id } });
  const allDelivered = (count: number) =>
    eventually(async () => {
      const states = (await deliveriesOf(manager, alert.id)).map(({ state }) => state);
      return states.length === count && states.every((state) => state === 'delivered');
    }, `${count} deliveries are noted`);

  beforeAll(async () => {
    manager = await startManager({ environment: LOOPBACK });
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-webhooks-'));
    await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, file), await blockOf(language));
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    alert = await makeAlert(manager, { url });
    await start(alert.secret, port);
  }, 60_000);
  afterAll(async () => {
    await receiver.stop();
    await manager.close();
    await rm(folder, { recursive: true });
  });

  const LINE = 'sample passed 50 % of a month: 50.000000000 of 100.000000000 USD\n';

  it('takes what is signed, and acts once however often it comes', async () => {
    expect((await call('POST /v1/budgets/alerts/{id}/test')).status).toBe(202);
    await allDelivered(1);
    await eventually(() => receiver.stdout() === LINE, 'it is written');
    const [delivery] = await deliveriesOf(manager, alert.id);
    const again = await manager.client.call('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', {
      token: manager.tokens.admin,
      path: { id: alert.id, delivery_id: delivery!.id },
    });
    expect(again.status).toBe(202);
    const attempts = async () => (await deliveriesOf(manager, alert.id))[0]?.attempts.map(({ status }) => status);
    await eventually(async () => (await attempts())?.length === 2, 'it is sent again');
    expect(await attempts()).toEqual([204, 204]);
    expect(receiver.stdout()).toBe(LINE);
  });

  it('refuses what is not signed', async () => {
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    for (const signature of ['', 'v1,', `v1,${Buffer.alloc(32).toString('base64')}`]) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'webhook-signature': signature },
        body: '{}',
      });
      expect(answer.status).toBe(400);
    }
    expect(receiver.stdout()).toBe(LINE);
  });

  it('goes on with the old secret after a rotation, and with the new one', async () => {
    const { body } = await call('POST /v1/budgets/alerts/{id}/rotate-secret');
    await call('POST /v1/budgets/alerts/{id}/test');
    await eventually(() => receiver.stdout() === LINE.repeat(2), 'the old secret verifies');
    // It is written before it is answered, and answered before it is noted.
    await allDelivered(2);
    await receiver.stop();
    await start(body.secret, Number(new URL(url).port));
    await call('POST /v1/budgets/alerts/{id}/test');
    await eventually(() => receiver.stdout() === LINE, 'the new secret verifies');
    await allDelivered(3);
  });
};

describe('the receiver of the document in Node', () => receives('js', 'receiver.mjs', process.execPath));

describeWhen(
  await pythonWith('standardwebhooks', join(import.meta.dirname, 'budget-webhooks', 'requirements.txt')),
  'the receiver of the document in Python',
  (python) => receives('python', 'receiver.py', python),
);
