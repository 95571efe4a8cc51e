import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '@gatehouse/testing/cache';
import { eventually } from '@gatehouse/testing/eventually';
import { describeWhen } from '@gatehouse/testing/fixture';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDeliveries, LOOPBACK, type MadeAlert, makeAlert, type MadeDelivery } from './alerts-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { pythonWith } from '@gatehouse/testing/python-environment';

const DOCUMENT = join(repositoryRoot, 'docs/budget-webhooks.md');

/** Reads the code block of a language from the document. */
const readCodeBlock = async (language: string): Promise<string> => {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(await readFile(DOCUMENT, 'utf8'))?.[1];
  if (found === undefined) throw new Error(`the document has no code block of ${language}`);
  return found;
};

/** Tests the receiver of the document in a language. */
const testReceiver = (language: string, file: string, program: string): void => {
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
    const isListening = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await eventually(isListening, 'the receiver listens');
  };
  const call = (operation: string) =>
    manager.client.call<MadeAlert & MadeDelivery>(operation, { token: manager.tokens.admin, path: { id: alert.id } });
  const waitForDeliveries = (count: number) =>
    eventually(async () => {
      const states = (await listDeliveries(manager, alert.id)).map(({ state }) => state);
      return states.length === count && states.every((state) => state === 'delivered');
    }, `${count} deliveries are recorded`);

  beforeAll(async () => {
    manager = await startManager({ environment: LOOPBACK });
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-webhooks-'));
    await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, file), await readCodeBlock(language));
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

  it('accepts a signed delivery and acts once on repeated ones', async () => {
    expect((await call('POST /v1/budgets/alerts/{id}/test')).status).toBe(202);
    await waitForDeliveries(1);
    await eventually(() => receiver.stdout() === LINE, 'the line is printed');
    const [delivery] = await listDeliveries(manager, alert.id);
    const again = await manager.client.call('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', {
      token: manager.tokens.admin,
      path: { id: alert.id, delivery_id: delivery!.id },
    });
    expect(again.status).toBe(202);
    const readAttempts = async () => (await listDeliveries(manager, alert.id))[0]?.attempts.map(({ status }) => status);
    await eventually(async () => (await readAttempts())?.length === 2, 'the delivery is sent again');
    expect(await readAttempts()).toEqual([204, 204]);
    expect(receiver.stdout()).toBe(LINE);
  });

  it('refuses unsigned deliveries', async () => {
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    for (const signature of ['', 'v1,', `v1,${Buffer.alloc(32).toString('base64')}`]) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'webhook-signature': signature },
        body: '{}',
      });
      expect(response.status).toBe(400);
    }
    expect(receiver.stdout()).toBe(LINE);
  });

  it('accepts deliveries with the old and with the new secret after a rotation', async () => {
    const { body } = await call('POST /v1/budgets/alerts/{id}/rotate-secret');
    await call('POST /v1/budgets/alerts/{id}/test');
    await eventually(() => receiver.stdout() === LINE.repeat(2), 'the old secret verifies');
    // The receiver prints before it responds, and the outcome is recorded after the response.
    await waitForDeliveries(2);
    await receiver.stop();
    await start(body.secret, Number(new URL(url).port));
    await call('POST /v1/budgets/alerts/{id}/test');
    await eventually(() => receiver.stdout() === LINE, 'the new secret verifies');
    await waitForDeliveries(3);
  });
};

describe('the receiver of the document in Node', () => testReceiver('js', 'receiver.mjs', process.execPath));

describeWhen(
  await pythonWith('standardwebhooks', join(import.meta.dirname, 'budget-webhooks', 'requirements.txt')),
  'the receiver of the document in Python',
  (python) => testReceiver('python', 'receiver.py', python),
);
