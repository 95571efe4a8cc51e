import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { type KubernetesApi, kubernetesPrograms, startKubernetes } from '@gatehouse/testing/kubernetes';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubernetesClient } from './client.ts';
import { KubeconfigError, KubernetesApiError } from './errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** Writes a file. @returns its path */
function write(content: string | object): string {
  const path = join(folder, `config-${(files += 1)}`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const createConfig = (cluster: object, user: object, more: object = {}) => ({
  clusters: [{ name: 'local', cluster }],
  users: [{ name: 'alice', user }],
  contexts: [{ name: 'main', context: { cluster: 'local', user: 'alice' } }],
  'current-context': 'main',
  ...more,
});

const connect = (kubeconfigPath: string) =>
  new KubernetesClient({ kubeconfigPath }).connect().catch((error: unknown) => error);

describe('a kubeconfig file', () => {
  const server = { server: 'https://127.0.0.1:6443' };

  it.each<[string, string | object, string]>([
    ['is no YAML', 'users: [\n  - {token: hunter2', 'is not valid'],
    ['is empty', '', 'is not valid: expected a document'],
    ['is null', 'null', 'is not valid: it is not a YAML object'],
    ['has wrong types', { clusters: [7], users: 'alice' }, 'is not valid'],
    ['is a list', '[]', 'has no current-context'],
    ['has no current context', createConfig(server, {}, { 'current-context': '' }), 'has no current-context'],
    ['misses its context', createConfig(server, {}, { 'current-context': 'other' }), 'has no context other'],
    ['misses its cluster', createConfig(server, {}, { clusters: [] }), 'has no cluster local'],
    ['misses its user', createConfig(server, {}, { users: [] }), 'has no user alice'],
    ['has a cluster without a server', createConfig({}, {}), 'clusters[0].cluster.server is missing'],
    ['has a server that is no URL', createConfig({ server: '127.0.0.1' }, {}), 'is not a URL'],
  ])('is refused when it %s', async (_, content, sentence) => {
    const path = write(content);
    const error = await connect(path);
    expect(error).toBeInstanceOf(KubeconfigError);
    expect(String(error)).toContain(path);
    expect(String(error)).toContain(sentence);
    expect(String(error)).not.toContain('hunter2');
  });

  it('is read again after an error', async () => {
    const kubeconfigPath = join(folder, 'later');
    const client = new KubernetesClient({ kubeconfigPath });
    await expect(client.connect()).rejects.toThrow(`The kubeconfig ${kubeconfigPath} cannot be read (ENOENT)`);
    writeFileSync(kubeconfigPath, JSON.stringify(createConfig(server, {})));
    expect((await client.connect()).config.getCurrentCluster()?.server).toBe(server.server);
  });

  it('uses the context that is the current one', async () => {
    const clusters = ['one', 'two'].map((name) => ({ name, cluster: { server: `https://${name}.example` } }));
    const contexts = ['one', 'two'].map((name) => ({ name, context: { cluster: name, user: 'alice' } }));
    const path = write(createConfig(server, {}, { clusters, contexts, 'current-context': 'two' }));
    const { config } = await new KubernetesClient({ kubeconfigPath: path }).connect();
    expect(config.getCurrentCluster()?.server).toBe('https://two.example');
  });
});

/** Creates a certificate that is its own authority. */
function createCertificate(path: string): void {
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1';
  const files = ['-subj', '/O=system:masters/CN=alice', '-keyout', `${path}.key`, '-out', `${path}.crt`];
  execFileSync('openssl', ['req', ...options.split(' '), ...files], { stdio: 'ignore' });
}

describeWhen(kubernetesPrograms(), 'a kubeconfig file of a Kubernetes API', (programs) => {
  let api: KubernetesApi;
  let server: object;
  beforeAll(async () => {
    createCertificate(join(folder, 'client'));
    api = await startKubernetes(programs, [`--client-ca-file=${join(folder, 'client.crt')}`]);
    const config = JSON.parse(readFileSync(api.kubeconfig, 'utf8')) as { clusters: [{ cluster: object }] };
    server = config.clusters[0].cluster;
  }, 90_000);
  afterAll(() => api.stop());

  /** Reads a Secret that does not exist. @returns the status of the answer, or the error */
  const probe = (path: string): Promise<unknown> =>
    new KubernetesClient({ kubeconfigPath: path })
      .readSecret('default', 'missing', AbortSignal.timeout(10_000))
      .catch((error: unknown) => (error instanceof KubernetesApiError ? error.status : error));

  it('authenticates with a token', async () => {
    expect(await probe(api.kubeconfig)).toBe(404);
    expect(await probe(write(createConfig(server, { token: 'wrong' })))).toBe(401);
    expect(await probe(write(createConfig(server, {})))).toBe(403);
  });

  it('authenticates with a token file, whose path is relative and whose token can change', async () => {
    mkdirSync(join(folder, 'tokens'));
    writeFileSync(join(folder, 'tokens', 'alice'), 'wrong\n');
    const client = new KubernetesClient({
      kubeconfigPath: write(createConfig(server, { tokenFile: './tokens/alice' })),
    });
    const read = () => client.readSecret('default', 'missing', AbortSignal.timeout(10_000));
    await expect(read()).rejects.toMatchObject({ status: 401 });
    writeFileSync(join(folder, 'tokens', 'alice'), `${api.token}\n`);
    await expect(read()).rejects.toMatchObject({ status: 404 });
  });

  it('authenticates with the data and with the files of a client certificate', async () => {
    const encode = (name: string) => readFileSync(join(folder, name)).toString('base64');
    const data = { 'client-certificate-data': encode('client.crt'), 'client-key-data': encode('client.key') };
    expect(await probe(write(createConfig(server, data)))).toBe(404);
    const files = { 'client-certificate': 'client.crt', 'client-key': 'client.key' };
    expect(await probe(write(createConfig(server, files)))).toBe(404);
  });

  it('does not trust a server without its certificate authority', async () => {
    const user = { token: api.token };
    const address = { server: api.url };
    const other = { ...address, 'certificate-authority': 'client.crt' };
    expect(await probe(write(createConfig(address, user)))).toBeInstanceOf(Error);
    expect(await probe(write(createConfig(other, user)))).toBeInstanceOf(Error);
    const unchecked = { ...address, 'insecure-skip-tls-verify': true };
    expect(await probe(write(createConfig(unchecked, user)))).toBe(404);
  });
});
