// Usage: node tools/bench/plain-read.mjs [seconds] [connections] (after `npm run build`)
// Compares a plain authenticated read through service-kit with a bare Fastify route that verifies
// the token with jose, in turns. Prints the ratio of requests a second; the goal is at least 0.5.
import autocannon from 'autocannon';
import { Controller, Get, Module } from '@nestjs/common';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import fastify from 'fastify';
import { Requires } from '@gatehouse/service-kit/access';
import { createService } from '@gatehouse/service-kit/start';
import { sum } from './statistics.mjs';

const [seconds = 3, connections = 16] = process.argv.slice(2).map(Number);
const issuer = 'https://issuer.example.test';
const audience = 'gatehouse';
const { privateKey, publicKey } = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' };
const token = await new SignJWT({ roles: ['admin'] })
  .setProtectedHeader({ alg: 'RS256', kid: 'k' })
  .setIssuer(issuer)
  .setAudience(audience)
  .setSubject('alice')
  .setExpirationTime('1h')
  .sign(privateKey);
const body = { id: '1', display_name: 'Engineering', description: 'A group', source: 'local' };

const bare = fastify();
bare.get('/v1/read', async (request) => {
  await jwtVerify(request.headers.authorization.slice(7), publicKey, { issuer, audience });
  return body;
});
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

class ReadController {
  read() {
    return body;
  }
}
const descriptor = Object.getOwnPropertyDescriptor(ReadController.prototype, 'read');
Requires('admin')(ReadController.prototype, 'read', descriptor);
Get('read')(ReadController.prototype, 'read', descriptor);
Controller('v1')(ReadController);
class ReadModule {}
Module({ controllers: [ReadController] })(ReadModule);

const begun = performance.now();
const service = await createService({
  name: 'bench',
  title: 'Bench',
  description: 'Plain read',
  version: '0',
  module: ReadModule,
  settings: {
    HOST: '127.0.0.1',
    PORT: 0,
    METRICS_PORT: 0,
    LOG_LEVEL: 'info',
    AUDIENCE: audience,
    ISSUERS: [
      { id: 'local', issuer, jwks_uri: `${issuer}/keys`, roles: { claim: 'roles', values: { admin: ['admin'] } } },
    ],
    ENVIRONMENT: 'bench',
    EXIT_WITH_PARENT: false,
  },
  fetch: () => Promise.resolve(new globalThis.Response(JSON.stringify({ keys: [jwk] }))),
  // Log lines are created as in production, and dropped.
  logDestination: { write: () => undefined },
});
await service.listen();
const startMs = Math.round(performance.now() - begun);

const headers = { authorization: `Bearer ${token}` };
const round = async (url) => {
  const result = await autocannon({ url: `${url}/v1/read`, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
};
await autocannon({ url: `${bareUrl}/v1/read`, headers, connections, duration: 1 });
await autocannon({ url: `${service.url}/v1/read`, headers, connections, duration: 1 });
const rates = { bare: [], kit: [] };
for (let turn = 0; turn < 2; turn += 1) {
  rates.bare.push(await round(bareUrl));
  rates.kit.push(await round(service.url));
}
const mean = (list) => sum(list) / list.length;
const [bareRate, kitRate] = [mean(rates.bare), mean(rates.kit)];
console.log(
  JSON.stringify({
    bare_rps: Math.round(bareRate),
    kit_rps: Math.round(kitRate),
    ratio: Number((kitRate / bareRate).toFixed(2)),
    start_ms: startMs,
  }),
);
await Promise.all([bare.close(), service.close()]);
