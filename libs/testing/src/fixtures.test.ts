import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startIssuer } from './issuer.ts';
import { claim, withLock } from './lock.ts';
import { isProcessAlive } from '@gatehouse/postgres/pid-file';
import { freePortOffset, freePorts } from './ports.ts';
import { createDatabase } from './postgres.ts';
import { runProcess, startProcess } from './process.ts';
import { cacheFolder, repositoryRoot } from './cache.ts';

describe('test databases', () => {
  const prepare = async (ownerUrl: string): Promise<void> => {
    await query(ownerUrl, 'CREATE TABLE made (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), once text)');
    await query(ownerUrl, `INSERT INTO made (once) VALUES ('${randomUUID()}')`);
  };

  it('are separate copies of one template', async () => {
    const [one, two] = await Promise.all([
      createDatabase({ name: 'shared template', prepare }),
      createDatabase({ name: 'shared template', prepare }),
    ]);
    try {
      expect(await query(one.url, 'SELECT once FROM made')).toEqual(await query(two.url, 'SELECT once FROM made'));
      await query(one.url, "INSERT INTO made (once) VALUES ('mine')");
      expect(await query(two.url, "SELECT 1 FROM made WHERE once = 'mine'")).toEqual([]);
      await expect(query(one.url, 'DROP TABLE made')).rejects.toThrow(/must be owner/);
    } finally {
      await Promise.all([one.drop(), two.drop()]);
    }
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  async function query(url: string, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as unknown[];
    } finally {
      await client.end();
    }
  }
});

describe('the issuer', () => {
  it('signs tokens that its key set verifies, rotates keys, and can stop its key set', async () => {
    const issuer = await startIssuer({ audience: 'here' });
    try {
      const discovery = (await (await fetch(`${issuer.issuer}/.well-known/openid-configuration`)).json()) as {
        jwks_uri: string;
      };
      const keys = createRemoteJWKSet(new URL(discovery.jwks_uri));
      const token = await issuer.token({ subject: 'ann', roles: ['admin'], claims: { extra: 1 } });
      const { payload } = await jwtVerify(token, keys, { issuer: issuer.issuer, audience: 'here' });
      expect(payload).toMatchObject({ sub: 'ann', roles: ['admin'], extra: 1 });
      expect(issuer.jwksRequests).toBe(1);

      await issuer.rotate();
      await expect(jwtVerify(token, createLocalJWKSet({ keys: issuer.keys() }))).rejects.toThrow();
      await jwtVerify(await issuer.token(), createLocalJWKSet({ keys: issuer.keys() }));
      await expect(
        jwtVerify(await issuer.token({ expiresIn: -1 }), createLocalJWKSet({ keys: issuer.keys() })),
      ).rejects.toThrow(/exp/);

      issuer.stopJwks();
      expect((await fetch(issuer.jwksUri)).status).toBe(503);
      issuer.startJwks();
      expect((await fetch(issuer.jwksUri)).status).toBe(200);
    } finally {
      await issuer.close();
    }
  });
});

describe('ports', () => {
  it('are different and free', async () => {
    const ports = await freePorts(5);
    expect(new Set(ports).size).toBe(5);
    const server = createServer().listen(ports[0], '127.0.0.1');
    await once(server, 'listening');
    const offset = await freePortOffset([8080, 8081]);
    const [first, second] = [8080, 8081].map((port) => createServer().listen(port + offset, '127.0.0.1'));
    await Promise.all([once(first!, 'listening'), once(second!, 'listening')]);
    await Promise.all([once(first!.close(), 'close'), once(second!.close(), 'close')]);
    await once(server.close(), 'close');
  });

  it('belong to one process at a time, also before it listens on them', async () => {
    const [mine] = await freePorts(1);
    // The claim of an offset is 8,000 above the offset.
    for (const claim of [mine!, (await freePortOffset([8080, 8081])) + 8_000]) {
      const BIND = `import('node:dgram').then(({ createSocket }) => createSocket('udp4').on('error', ({ code }) => process.exit(code === 'EADDRINUSE' ? 7 : 1)).bind({ port: ${claim}, address: '127.0.0.1', exclusive: true }, () => process.exit(0)))`;
      const other = await startProcess({ command: [process.execPath, '-e', BIND] });
      expect((await other.exited).code).toBe(7);
    }
  });
});

describe('processes', () => {
  const SERVER = `
    const server = require('node:http').createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1', () => {
      console.log(JSON.stringify({ port: server.address().port, home: process.env.ONLY_HERE ?? null, leak: process.env.LEAK ?? null }));
    });`;

  it('get their own environment and offer their log lines', async () => {
    process.env['LEAK'] = 'must not arrive';
    const child = await startProcess({ command: [process.execPath, '-e', SERVER], env: { ONLY_HERE: 'yes' } });
    while (child.logLines().length === 0) await new Promise((settle) => setTimeout(settle, 10));
    expect(child.logLines()[0]).toMatchObject({ home: 'yes', leak: null });
    expect((await child.stop()).signal).toBe('SIGTERM');
    delete process.env['LEAK'];
  });

  it('are stopped when they do not become ready, and the error shows their output', async () => {
    const [port] = await freePorts(1);
    await expect(
      startProcess({
        command: [process.execPath, '-e', 'console.error("no database"); setTimeout(() => process.exit(1), 100)'],
        readyUrl: `http://127.0.0.1:${port!}/readyz`,
      }),
    ).rejects.toThrow(/ended before it was ready[^]*no database/);
  });

  it('end at once with killHard', async () => {
    const forgotten = await startProcess({ command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] });
    await forgotten.killHard();
    expect(isProcessAlive(forgotten.pid)).toBe(false);
  });
});

describe('locks between processes', () => {
  it('admit one process at a time and ignore ended processes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lock-'));
    const file = join(folder, 'lock');
    try {
      let inside = 0;
      const visit = (): Promise<void> =>
        withLock(file, async () => {
          inside += 1;
          expect(inside).toBe(1);
          await new Promise((settle) => setTimeout(settle, 20));
          inside -= 1;
        });
      await Promise.all([visit(), visit(), visit()]);
      writeFileSync(file, '2147483646\n');
      expect(claim(file)).toBe(true);
      expect(claim(file)).toBe(false);
      expect(readdirSync(folder)).toEqual(['lock']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a claim', () => {
  it('is free after its process became a zombie', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-claim-'));
    const file = join(folder, 'claim');
    // The child ends after the shell has replaced itself by another program. A shell would have
    // waited for the child.
    await using parent = await startProcess({ command: ['sh', '-c', 'sleep 0.3 & echo $!; exec sleep 60'] });
    try {
      while (!/\d+\n/.test(parent.stdout())) await new Promise((settle) => setTimeout(settle, 10));
      const zombie = Number(parent.stdout());
      while (!readFileSync(`/proc/${zombie}/stat`, 'utf8').includes(') Z')) {
        await new Promise((settle) => setTimeout(settle, 10));
      }
      writeFileSync(file, `${zombie}\n`);
      expect(claim(file)).toBe(true);
      expect(Number(readFileSync(file, 'utf8'))).toBe(process.pid);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a suite whose fixture is missing', () => {
  /** Runs a separate test file, because the test checks the report of Jest. */
  async function report(env: Record<string, string>): Promise<{ code: number | null; result: Summary }> {
    const folder = mkdtempSync(join(cacheFolder('suites'), 'missing-'));
    try {
      const fixture = join(repositoryRoot, 'libs/testing/src/fixture.ts');
      writeFileSync(
        join(folder, 'missing.test.ts'),
        `import { describeWhen, unavailable } from ${JSON.stringify(fixture)};
         describeWhen(unavailable('there is no door'), 'doors', () => {});`,
      );
      const { code } = await runProcess({
        command: [process.execPath, '--experimental-vm-modules', join(repositoryRoot, 'node_modules/jest/bin/jest.js')],
        args: [
          '--config',
          join(repositoryRoot, 'tools/test/jest.config.mjs'),
          '--rootDir',
          folder,
          '--json',
          '--outputFile',
          join(folder, 'result.json'),
        ],
        env,
      });
      const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as Summary;
      return { code, result };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  interface Summary {
    numPendingTests: number;
    numFailedTests: number;
    testResults: { assertionResults: { fullName: string }[] }[];
  }

  it('is skipped, with the reason in the report', async () => {
    const { code, result } = await report({});
    expect(code).toBe(0);
    expect(result.numPendingTests).toBe(1);
    expect(result.testResults[0]?.assertionResults[0]?.fullName).toBe('doors there is no door');
  });

  it('fails with GATEHOUSE_REQUIRE_ALL=true', async () => {
    const { code, result } = await report({ GATEHOUSE_REQUIRE_ALL: 'true' });
    expect(code).toBe(1);
    expect(result.numFailedTests).toBe(1);
  });
});
