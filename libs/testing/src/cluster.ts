import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from './cache.ts';
import { type KubernetesApi, startKubernetes } from './kubernetes.ts';

/**
 * A real Kubernetes API with the namespaces `gatehouse`, `tools` and `others`, used as its
 * administrator.
 */
export interface Cluster {
  api: KubernetesApi;
  /** File with the certificate authority of the API. */
  caPath: string;
  /** Calls the API. @param body an object, or a manifest in YAML */
  call: (
    method: string,
    path: string,
    body?: object | string,
    token?: string,
  ) => Promise<{ status: number; body: string }>;
  /** Creates an object unless it exists. @returns the answer of the API */
  create: (collection: string, object: object | string) => Promise<string>;
  /**
   * Creates the definitions of custom resources in a file of `deploy/`, and waits until the API
   * serves them.
   */
  createDefinitions: (path: string) => Promise<void>;
  /**
   * Gives a service account of the namespace `gatehouse` a Role in a namespace.
   * @param rules of the Role; they replace earlier ones
   */
  permit: (account: string, namespace: string, rules: readonly object[]) => Promise<void>;
  /**
   * Creates a token of a service account in the namespace `gatehouse`, and the account if missing.
   */
  createToken: (account: string) => Promise<string>;
  /** Writes such a token to a file, as pods have it. @returns its path */
  createTokenFile: (account: string) => Promise<string>;
  close: () => Promise<void>;
}

/** Reads a manifest in `deploy/`. @returns its YAML documents */
export const manifest = (path: string): string[] =>
  readFileSync(join(repositoryRoot, 'deploy', path), 'utf8').split(/^---$/m);

/** The read members of the definition of a custom resource. */
interface DefinitionSpec {
  group: string;
  names: { plural: string };
  versions: [{ name: string }];
}

/** Starts a cluster. @param programs of `kubernetesPrograms` */
export async function startCluster(programs: string): Promise<Cluster> {
  const api = await startKubernetes(programs);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
  const cluster = new ClusterClient(api, folder);
  for (const name of ['gatehouse', 'tools', 'others'])
    await cluster.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return cluster;
}

/**
 * Calls the API as its administrator. The folder holds the files that it writes. The functions are
 * properties, so that tests can extend a cluster with a spread.
 */
class ClusterClient implements Cluster {
  readonly api: KubernetesApi;
  readonly caPath: string;
  readonly #folder: string;
  readonly #ca: Buffer;

  constructor(api: KubernetesApi, folder: string) {
    this.api = api;
    this.#folder = folder;
    const config = JSON.parse(readFileSync(api.kubeconfig, 'utf8')) as {
      clusters: [{ cluster: { 'certificate-authority-data': string } }];
    };
    this.#ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64');
    this.caPath = join(folder, 'ca.crt');
    writeFileSync(this.caPath, this.#ca);
  }

  readonly call: Cluster['call'] = (method, path, body, token = this.api.token) =>
    new Promise((settle, fail) => {
      const type = typeof body === 'string' ? 'application/yaml' : 'application/json';
      const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : type,
        // Node does not frame the body of a DELETE by itself.
        'content-length': Buffer.byteLength(text),
      };
      request(`${this.api.url}${path}`, { method, ca: this.#ca, headers, agent: false }, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
        response.once('end', () => settle({ status: response.statusCode ?? 0, body: answer }));
      })
        .once('error', fail)
        .end(text);
    });

  readonly create: Cluster['create'] = async (path, body) => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.call('POST', path, body);
      if (answer.status === 201 || answer.status === 409) return answer.body;
      // The API serves a new definition, and accepts service accounts in a new namespace, after a
      // short delay.
      if (attempt === 100) throw new Error(`POST ${path} answers ${answer.status}: ${answer.body}`);
      await sleep(50);
    }
  };

  readonly createDefinitions: Cluster['createDefinitions'] = async (path) => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const text of manifest(path)) {
      const created = JSON.parse(await this.create(definitions, text)) as { spec: DefinitionSpec };
      const { group, names, versions } = created.spec;
      const served = `/apis/${group}/${versions[0].name}/${names.plural}`;
      for (let attempt = 0; (await this.call('GET', served)).status !== 200; attempt += 1) {
        if (attempt === 200) throw new Error(`the API does not serve ${served}`);
        await sleep(50);
      }
    }
  };

  readonly permit: Cluster['permit'] = async (account, namespace, rules) => {
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const roles = `/apis/${apiVersion}/namespaces/${namespace}`;
    const metadata = { name: account };
    const subjects = [{ kind: 'ServiceAccount', name: account, namespace: 'gatehouse' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account };
    await this.create(`${roles}/roles`, { apiVersion, kind: 'Role', metadata, rules });
    await this.call('PATCH', `${roles}/roles/${account}`, { rules });
    await this.create(`${roles}/rolebindings`, { apiVersion, kind: 'RoleBinding', metadata, subjects, roleRef });
  };

  readonly createToken: Cluster['createToken'] = async (account) => {
    const accounts = '/api/v1/namespaces/gatehouse/serviceaccounts';
    await this.create(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account } });
    const issued = await this.create(`${accounts}/${account}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3_600 },
    });
    return (JSON.parse(issued) as { status: { token: string } }).status.token;
  };

  readonly createTokenFile: Cluster['createTokenFile'] = async (account) => {
    const path = join(this.#folder, account);
    writeFileSync(path, `${await this.createToken(account)}\n`, { mode: 0o600 });
    return path;
  };

  readonly close: Cluster['close'] = async () => {
    await this.api.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  };
}
