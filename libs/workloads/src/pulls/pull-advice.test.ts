import { describe, expect, it } from '@jest/globals';
import { listPullAdvice } from './pull-advice.ts';

const PODMAN = 'initializing source docker://reg.example.com/team/server:1:';

/** The message of a program, and a part of its first advice, for reg.example.com/team/server:1. */
const DOCKER: readonly (readonly [message: string, advice: string])[] = [
  ['Get "https://reg.example.com/v2/": dial tcp: lookup reg.example.com on 10.0.0.1:53: no such host', 'not resolve'],
  [
    'Get https://a.example.com/v2/: dial tcp: lookup a.example.com on [::1]:53: read: connection refused',
    'which asks for a.example.com',
  ],
  [
    'Get https://reg.example.com/v2/: dial tcp: lookup reg.example.com: Temporary failure in name resolution',
    'the spelling of reg.example.com',
  ],
  [
    'Get "https://reg.example.com/v2/": dial tcp: lookup reg.example.com on 10.0.0.1:53: server misbehaving',
    'the spelling of reg.example.com',
  ],
  ['Get "https://reg.example.com/v2/": proxyconnect tcp: dial tcp: lookup proxy.corp: no such host', 'HTTPS_PROXY'],
  ['Get "http://reg.example.com/v2/": dial tcp 127.0.0.1:80: connect: connection refused', 'a registry answers at'],
  ['Get https://reg.example.com/v2/: net/http: TLS handshake timeout', 'a registry answers at'],
  ['Get "https://reg.example.com/v2/": context deadline exceeded', 'a registry answers at'],
  [
    'Get "https://reg.example.com/v2/": read tcp 10.0.0.2:59334->10.0.0.3:443: read: connection reset by peer',
    'answers',
  ],
  ['Get "https://reg.example.com/v2/": x509: certificate signed by unknown authority', '/etc/docker/certs.d/reg.ex'],
  ['Get "https://reg.example.com/v2/": tls: failed to verify certificate: x509: certificate has expired', 'the clock'],
  ['Get "https://reg.example.com/v2/": http: server gave HTTP response to HTTPS client', 'insecure-registries'],
  [
    'toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating',
    'limits the',
  ],
  ['error parsing HTTP 429 response body: invalid character \'o\' in literal null: "nope"', 'limits the number'],
  ['unauthorized', 'docker login reg.example.com'],
  [
    'Head "https://reg.example.com/v2/team/server/manifests/1": no basic auth credentials',
    'docker login reg.example.com',
  ],
  ['denied', 'deny images that do not exist'],
  [
    "pull access denied for team/server, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    'deny images that do not exist',
  ],
  ['manifest unknown', 'does not have the image'],
  ['name unknown', 'does not have the image'],
  ['manifest for reg.example.com/team/server:1 not found: manifest unknown: manifest unknown', 'does not have the'],
  ['no matching manifest for linux/arm64/v8 in the manifest list entries', 'the platform of the container engine'],
  ['write /var/lib/docker/tmp/GetImageBlob1: no space left on device', 'docker system df'],
  ['received unexpected HTTP status: 500 Internal Server Error', 'has a fault'],
  ['an unknown text', 'check the spelling'],
];

const OTHERS: readonly (readonly [puller: 'podman' | 'kubernetes', message: string, advice: string])[] = [
  ['podman', `${PODMAN} reading manifest 1 in reg.example.com/team/server: unauthorized`, 'podman login reg.ex'],
  ['podman', `${PODMAN} reading manifest 1 in reg.example.com/team/server: StatusCode: 404, `, 'not have the image'],
  [
    'podman',
    `${PODMAN} pinging container registry reg.example.com: Get "": dial tcp: lookup a.b: no such host`,
    'which asks for a.b',
  ],
  ['podman', `${PODMAN} unable to retrieve auth token: invalid username/password: unauthorized`, 'podman login'],
  [
    'podman',
    'choosing an image from manifest list: no image found in manifest list for architecture arm64',
    'platform',
  ],
  ['kubernetes', 'failed to authorize: unexpected status: 401 Unauthorized', 'kubectl create secret docker-registry'],
  ['kubernetes', 'server message: insufficient_scope: authorization failed', 'deny images that do not exist'],
  ['kubernetes', 'failed to do request: Head "": dial tcp: lookup reg.example.com: no such host', 'not resolve'],
];

describe('the advice after a failed pull', () => {
  const image = 'reg.example.com/team/server:1';

  it.each(DOCKER)('of Docker %j contains %j', (message, advice) =>
    expect(listPullAdvice(message, image, 'docker')[0]).toContain(advice),
  );

  it.each(OTHERS)('of %s %j contains %j', (puller, message, advice) =>
    expect(listPullAdvice(message, image, puller)[0]).toContain(advice),
  );

  it('does not depend on the name of the image', () => {
    const named = `docker://x/unauthorized/denied:1: reading manifest 1 in x.io/unauthorized/denied: manifest unknown`;
    expect(listPullAdvice(named, 'x.io/unauthorized/denied:1', 'podman')).toEqual([
      'check the spelling of name and tag; x.io does not have the image',
    ]);
  });

  it('names the Docker Hub for an image without a host', () =>
    expect(listPullAdvice('unauthorized', 'server', 'docker')[0]).toMatch(/^docker login {3}/));
});
