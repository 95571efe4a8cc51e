import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestIssuer } from './issuer.ts';

/** A stub of the enterprise manager that reports which users are active, with a token endpoint. */
export interface PeopleManager {
  /** The variables that connect a service to it. */
  readonly environment: Record<string, string>;
  /** Deactivates or activates a subject of the issuer. */
  setActive(subject: string, active: boolean): void;
  /** Deactivates or activates an entry that has no subject, by the value of the claim `email`. */
  setBindingActive(email: string, active: boolean): void;
  close(): Promise<void>;
}

/** Starts a stub on a free loopback port. */
export async function startPeopleManager(issuer: TestIssuer): Promise<PeopleManager> {
  const people = new Map<string, { active: boolean; version: number }>();
  const bindings: typeof people = new Map();
  const waiting = new Set<() => void>();
  let version = 1;
  const send = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://manager.test');
    request.resume();
    if (url.pathname === '/token') {
      void issuer
        .token({ subject: 'service', roles: ['gateway'] })
        .then((access_token) => send(response, 200, { access_token, expires_in: 300 }));
      return;
    }
    if (url.pathname !== '/gateway/v1/people/changes' || !request.headers.authorization?.startsWith('Bearer ey')) {
      send(response, 401, { error: 'no token' });
      return;
    }
    const after = Number(url.searchParams.get('after') ?? 0);
    const respond = () => {
      waiting.delete(respond);
      const changed = [...people].filter(([, one]) => one.version > after);
      const named = changed.map(([subject, { active }]) => ({ issuer: issuer.issuer, subject, active }));
      const bound = [...bindings]
        .filter(([, one]) => one.version > after)
        .map(([binding_key, { active }]) => ({ issuer: issuer.issuer, claim: 'email', binding_key, active }));
      send(response, 200, { version, people: named, bindings: bound, all: false, reset: false });
    };
    if (url.searchParams.get('wait') === '0' || version > after) respond();
    else waiting.add(respond);
  });
  const change = (changed: typeof people, name: string, active: boolean) => {
    version += 1;
    changed.set(name, { active, version });
    for (const respond of [...waiting]) respond();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      ENTERPRISE_MANAGER_URL: url,
      TOKEN_URL: `${url}/token`,
      CLIENT_ID: 'service',
      CLIENT_SECRET: 'secret',
    },
    setActive: (subject, active) => change(people, subject, active),
    setBindingActive: (email, active) => change(bindings, email, active),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
