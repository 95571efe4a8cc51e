import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePorts } from '@gatehouse/testing/ports';
import type { TestProcess } from '@gatehouse/testing/process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectWorld } from './support/connect-world.ts';

jest.setTimeout(240_000);

let scene: ConnectWorld;
let gateway: TestProcess;
let ports: { port: number; control: number };
let urls: { url: string; controlUrl: string };
beforeAll(async () => {
  scene = await ConnectWorld.start();
  const [port = 0, control = 0] = await freePorts(2);
  ports = { port, control };
  urls = { url: `http://127.0.0.1:${port}`, controlUrl: `http://127.0.0.1:${control}` };
  scene.allowSignIn(urls.url);
  gateway = await scene.startApart(ports);
});
afterAll(async () => {
  await gateway.stop();
  await scene.close();
});

const restart = async () => {
  await gateway.killHard();
  gateway = await scene.startApart(ports);
};

/** The version of the stored tokens of alice. */
async function readVersion(): Promise<string | undefined> {
  const rows = await scene.world.sql<{ ciphertext: string }>(
    "SELECT encode(ciphertext, 'hex') AS ciphertext FROM upstream_tokens WHERE subject = 'alice'",
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.ciphertext;
}

/** Calls a tool as alice. @returns whether the upstream answered */
async function canCall(): Promise<boolean> {
  const client = await scene.world.client(`${urls.url}/mcp`, await scene.world.token('alice'));
  const name = `files__${scene.upstream.tools.echo}`;
  return (await client.callTool({ name, arguments: { text: 'hello' } })).isError !== true;
}

describe('a gateway that is killed while a user connects', () => {
  it('continues a sign-in that was begun before', async () => {
    const link = await scene.begin(urls.controlUrl, 'alice');
    await restart();
    const browser = scene.signIn('alice');
    const callback = await scene.approve(browser, link, `${urls.url}/oauth/callback`);
    await restart();
    expect((await browser.open(callback.url)).status).toBe(200);
    expect(await canCall()).toBe(true);
  });

  it.each([
    ['while the provider answers', -1],
    ['at once after the answer', 0],
    ['2 ms after the answer', 2],
    ['8 ms after the answer', 8],
    ['30 ms after the answer', 30],
  ])('%s keeps the old tokens or has the new ones', async (_, delayMs) => {
    const before = await readVersion();
    const { browser, callback } = await scene.stopAtCallback(urls, 'alice');
    let kill: Promise<void> | undefined;
    scene.provider.authorization.answerToken = () => {
      kill ??= (delayMs > 0 ? sleep(delayMs) : Promise.resolve()).then(() => gateway.killHard());
      return delayMs < 0 ? { status: 200, type: 'application/json', body: '{' } : undefined;
    };
    const page = await browser.open(callback).catch(() => undefined);
    await kill;
    scene.provider.authorization.answerToken = () => undefined;
    gateway = await scene.startApart(ports);
    const after = await readVersion();
    if (page?.status === 200) expect(after).not.toBe(before);
    if (before !== undefined) expect(after).toBeDefined();
    // Whichever state there is, it works; and the state of the sign-in is used up.
    expect(await canCall()).toBe(true);
    expect((await browser.open(callback)).status).toBe(400);
    expect((await scene.approve(browser, await scene.begin(urls.controlUrl, 'alice'))).status).toBe(200);
  });
});
