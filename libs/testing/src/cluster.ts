import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from './cache.ts';
import { type KubernetesApi, startKubernetes } from './kubernetes.ts';

/**
 * A real cluster API with the namespaces `gatehouse`, `tools` and `others`, and what tests do with
 * it as its administrator.
 */
export interface Cluster {
  api: KubernetesApi;
  /** File with the authority of its certificate. */
  caPath: string;
  /** Calls the API. @param body an object, or a manifest in YAML */
  call: (
    method: string,
    path: string,
    body?: object | string,
    token?: string,
  ) => Promise<{ status: number; body: string }>;
  /** Makes what is not there yet. @returns what the API answers */
  create: (collection: string, object: object | string) => Promise<string>;
  /**
   * A token of a service account in the namespace `gatehouse`, which is made where there is none.
   */
  tokenOf: (account: string) => Promise<string>;
  /** File with such a token, as pods have it. */
  tokenPathOf: (account: string) => Promise<string>;
  close(): Promise<void>;
}

/** Documents of a manifest in `deploy/`. */
export const manifest = (path: string): string[] =>
  readFileSync(join(repositoryRoot, 'deploy', path), 'utf8').split(/^---$/m);

/** Starts a cluster. @param programs of `kubernetesPrograms` */
export async function startCluster(programs: string): Promise<Cluster> {
  const api = await startKubernetes(programs);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
  const config = JSON.parse(readFileSync(api.kubeconfig, 'utf8')) as {
    clusters: [{ cluster: { 'certificate-authority-data': string } }];
  };
  const ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64');
  const caPath = join(folder, 'ca.crt');
  writeFileSync(caPath, ca);
  const call: Cluster['call'] = (method, path, body, token = api.token) =>
    new Promise((settle, fail) => {
      const type = typeof body === 'string' ? 'application/yaml' : 'application/json';
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : type,
      };
      request(`${api.url}${path}`, { method, ca, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => settle({ status: response.statusCode ?? 0, body: text }));
      })
        .once('error', fail)
        .end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  const create: Cluster['create'] = async (path, body) => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await call('POST', path, body);
      if (answer.status === 201 || answer.status === 409) return answer.body;
      // A definition is served a moment after it was made, a namespace takes a service account a
      // moment later.
      if (attempt === 100) throw new Error(`POST ${path} answers ${answer.status}: ${answer.body}`);
      await sleep(50);
    }
  };
  for (const name of ['gatehouse', 'tools', 'others'])
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const tokenOf = async (account: string) => {
    const accounts = '/api/v1/namespaces/gatehouse/serviceaccounts';
    await create(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account } });
    const issued = await create(`${accounts}/${account}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3_600 },
    });
    return (JSON.parse(issued) as { status: { token: string } }).status.token;
  };
  return {
    api,
    caPath,
    call,
    create,
    tokenOf,
    tokenPathOf: async (account) => {
      const path = join(folder, account);
      writeFileSync(path, `${await tokenOf(account)}\n`, { mode: 0o600 });
      return path;
    },
    close: async () => {
      await api.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
