import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { URL } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const AUDIENCE = 'gatehouse';
const MAIN = resolve(import.meta.dirname, '../../apps/enterprise-manager/dist/bundle/main.js');

/** The database's address as superuser. */
export function adminUrlOf(postgres, { url }) {
  const admin = new URL(postgres.adminUrl);
  admin.pathname = new URL(url).pathname;
  return admin.toString();
}

/** An issuer with one key. */
export async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }];
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys })),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const name = `http://127.0.0.1:${server.address().port}`;
  const token = (subject, roles = []) =>
    new SignJWT({ roles, ...(roles.includes('gateway') && { client_id: 'gateway' }) })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(name)
      .setAudience(AUDIENCE)
      .setSubject(subject)
      .setExpirationTime('12h')
      .sign(privateKey);
  return { name, token, close: () => server.close().closeAllConnections() };
}

/** GATEWAYS of a measurement, all for the client of its gateway tokens. */
export const gatewaysOf = (issuer, { connector = ['local'], ai = ['local-ai'] } = {}) => {
  const client_ids = [{ issuer: issuer.name, client_id: 'gateway' }];
  const entries = { connector, ai };
  return JSON.stringify(
    Object.entries(entries).flatMap(([kind, ids]) => ids.map((id) => ({ id, display_name: id, kind, client_ids }))),
  );
};

/** Variables for a database that is there already. */
export const onDatabase = ({ url, ownerUrl }) => ({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });

/**
 * The real enterprise manager, built, in a process of its own. Its log is read and thrown away, as
 * a pipe to a collector would take it.
 * @param env further variables: where its database is, and what a measurement needs
 * @returns its address and process, and `end`
 */
export async function startManager(issuer, env) {
  const profiling = process.execArgv.filter((flag) => flag.startsWith('--cpu-prof'));
  const child = spawn(process.execPath, [...profiling, MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      METRICS_PORT: '0',
      AUDIENCE,
      CURSOR_KEY: randomBytes(32).toString('hex'),
      ISSUERS: JSON.stringify([
        {
          id: 'bench',
          issuer: issuer.name,
          jwks_uri: `${issuer.name}/keys`,
          roles: { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } },
        },
      ]),
      GATEWAYS: gatewaysOf(issuer),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text = text === null ? null : text + chunk));
  for (;;) {
    const line = text.split('\n').find((one) => one.includes('"listening"'));
    if (line) {
      text = null;
      return { url: JSON.parse(line).url, child, end: () => ended(child) };
    }
    if (child.exitCode !== null) throw new Error(`the enterprise manager ended: ${text}`);
    await sleep(50);
  }
}

async function ended(child) {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
