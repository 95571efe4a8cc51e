import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { type ClusterNode, clusterNode, completeNode } from '@gatehouse/testing/cluster-node';
import { eventually, waitForValue } from '@gatehouse/testing/eventually';
import { available, describeWhen } from '@gatehouse/testing/fixture';
import { type OciRegistry, ociRegistry } from '@gatehouse/testing/oci-registry';
import { packageImages } from '@gatehouse/testing/package-images';
import {
  buildDialingServer,
  buildSmallHttpServer,
  buildSmallServer,
  GO_SERVER,
  smallServerEngine,
} from '@gatehouse/testing/small-server';
import { type DiscoveringManager, startDiscoveringManager } from './discovering-manager.ts';
import { callTool, Gatehouse, greet, type Shown } from './gatehouse.ts';
import { PassServices } from './pass-services.ts';

jest.setTimeout(180_000);

/** The objects that a workload can have. */
const COLLECTIONS = [
  ...['api/v1/pods', 'api/v1/services', 'api/v1/secrets', 'api/v1/serviceaccounts'],
  ...['apis/apps/v1/statefulsets', 'apis/apps/v1/deployments', 'apis/networking.k8s.io/v1/networkpolicies'],
  ...['apis/rbac.authorization.k8s.io/v1/roles', 'apis/rbac.authorization.k8s.io/v1/rolebindings'],
];

interface Listed {
  items: { metadata: { name: string; labels?: Record<string, string> }; spec?: { clusterIP?: string } }[];
}

interface Pods {
  items: {
    metadata: { name: string; labels?: Record<string, string> };
    status: { podIP?: string; hostIP?: string; phase?: string };
  }[];
}

const node = clusterNode();
const complete = completeNode();
const registries = ociRegistry();
const packages = await packageImages();
// It has the requirements of both images.
const images = await smallServerEngine();
const fixture = !node.available
  ? node
  : !images.available
    ? images
    : available({ start: node.value, engine: images.value });

describeWhen(fixture, 'a workload in Kubernetes', ({ start, engine }) => {
  let cluster: ClusterNode;
  let manager: DiscoveringManager;
  let httpImage: string;
  let stdioImage: string;
  let registry: OciRegistry | undefined;
  const gatehouse = new Gatehouse(engine);
  const cleanUps: (() => Promise<unknown>)[] = [];
  const inCluster = ['--runtime', 'kubernetes', '--kube-namespace', 'tools'];
  const call = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    gatehouse.call(args, { KUBECONFIG: cluster.kubeconfig, ...env });
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await call(args);
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const find = async (collection: string): Promise<Listed['items']> => {
    const [, root = '', plural = ''] = /^(.*)\/([^/]+)$/.exec(collection) ?? [];
    const path = `/${root}/namespaces/tools/${plural}?labelSelector=app.kubernetes.io/managed-by%3Dgatehouse`;
    return (await cluster.call<Listed>('GET', path)).items;
  };
  const listObjects = async () =>
    (
      await Promise.all(
        COLLECTIONS.map(async (one) => (await find(one)).map(({ metadata }) => `${one}/${metadata.name}`)),
      )
    ).flat();
  const getUrl = async (name: string) => {
    const services = await find('api/v1/services');
    const address = services.find(({ metadata }) => metadata.name === name)?.spec?.clusterIP ?? '';
    const url = `http://${address}:8080/mcp`;
    // The node learns the address of the pod a moment after it is ready.
    await eventually(() => isServed(url), `${url} is served`);
    return url;
  };

  beforeAll(async () => {
    cluster = await start(engine);
    cleanUps.push(cluster.stop);
    cleanUps.push(() => gatehouse.close());
    registry = registries.available ? await registries.value() : undefined;
    cleanUps.push(async () => registry?.stop());
    [httpImage, stdioImage] = await Promise.all([buildSmallHttpServer(engine), buildSmallServer(engine)]);
    await Promise.all([provideProxy(), cluster.load(httpImage, stdioImage)]);
    await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: 'tools' } });
    manager = await startDiscoveringManager(cluster, gatehouse.home);
    cleanUps.push(manager.stop);
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  afterEach(async () => {
    await call(['rm', '--all', '--yes']);
    expect(await listObjects()).toEqual([]);
  });

  /** The node pulls the proxy from a registry, or has its image. */
  async function provideProxy(): Promise<void> {
    if (registry === undefined) {
      const proxy = (await gatehouse.ok('image', 'proxy')).trim();
      await cluster.load(proxy);
      await gatehouse.ok('settings', 'set', 'kubernetes.proxy_image', proxy);
      return;
    }
    await gatehouse.ok('settings', 'set', 'kubernetes.registry', `${registry.host}/team`);
    const pushed = (await gatehouse.ok('image', 'proxy', '--push')).trim();
    expect(pushed).toMatch(/^127\.0\.0\.1:\d+\/team\/gatehouse-proxy:[0-9a-f]{16}$/);
    cleanUps.push(() => engine.docker.getImage(pushed).remove());
  }

  const kubectl = (args: readonly string[], input?: string): string =>
    execFileSync(complete.available ? complete.value : 'kubectl', args, {
      input,
      encoding: 'utf8',
      env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
    });

  it('serves an HTTP server, is discovered by the enterprise manager, and is stopped, started and removed', async () => {
    const args = ['run', httpImage, ...inCluster, '--name', 'web', '--transport', 'streamable-http', '--json'];
    const secret = { GATEHOUSE_SECRETS_PROVIDER: 'environment', GATEHOUSE_SECRET_token: 'canary-value' };
    const started = await call([...args, '--secret', 'token,target=API_TOKEN'], secret);
    expect(started).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Error') });
    expect(JSON.parse(started.stdout)).toMatchObject({
      url: 'http://web.tools.svc.cluster.local:8080/mcp',
      status: 'running',
    });
    expect(await greet(await getUrl('web'))).toEqual([{ type: 'text', text: 'hello' }]);

    const sets = JSON.stringify([await find('apis/apps/v1/statefulsets'), await find('apis/apps/v1/deployments')]);
    expect(sets).toContain('"secretKeyRef":{"name":"web-secrets","key":"API_TOKEN"}');
    expect(sets).not.toContain('canary-value');
    expect(await find('apis/networking.k8s.io/v1/networkpolicies')).toHaveLength(2);
    // Its proxy has no rights in the cluster.
    expect(await find('api/v1/serviceaccounts')).toEqual([]);

    const found = await waitForValue(
      () => manager.list(),
      (servers) => servers.some(({ name }) => name === 'web'),
    );
    expect(found).toEqual([
      expect.objectContaining({
        endpoint: 'http://web.tools.svc.cluster.local:8080/mcp',
        ...{ namespace: 'tools', transport: 'streamable-http', group: 'default' },
      }),
    ]);
    expect(await manager.admit(found[0]?.id ?? '')).toMatchObject({
      status: 201,
      body: { name: 'web', origin: 'kubernetes_cluster', status: 'draft' },
    });

    expect(await succeed('logs', 'web')).toContain('listening');
    expect(await succeed('logs', 'web', '--proxy')).toContain('running');
    await succeed('stop', 'web');
    expect(await find('api/v1/pods')).toEqual([]);
    expect(JSON.parse(await succeed('list', '-a', '--json'))).toMatchObject([{ name: 'web', status: 'stopped' }]);
    expect((await call(['start', 'web'], secret)).code).toBe(0);
    expect(JSON.parse(await succeed('status', 'web', '--json'))).toMatchObject({ status: 'running' });
    await succeed('rm', 'web');
    expect(await listObjects()).toEqual([]);
  });

  it('serves a stdio server of an exported configuration, each session with a pod of its own where it needs one', async () => {
    const document = { name: 'io', image: stdioImage, transport: 'stdio', port: 23_456, audit_config: {} };
    const exported = JSON.stringify({ ...document, runtime: 'kubernetes', kube_namespace: 'elsewhere' });
    const flags = ['--from-config', '-', '--kube-namespace', 'tools'];
    const { code, stderr } = await gatehouse.begin(['run', ...flags], { KUBECONFIG: cluster.kubeconfig }, exported)
      .ended;
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    expect(JSON.parse(await succeed('export', 'io'))).toMatchObject({
      ...{ runtime: 'kubernetes', kube_context: 'testbed', kube_namespace: 'tools' },
    });
    const url = await getUrl('io');
    const hello = [{ type: 'text', text: 'hello' }];
    expect(await greet(url)).toEqual(hello);
    expect(await Promise.all([greet(url, { roots: {} }), greet(url, { roots: {} })])).toEqual([hello, hello]);
    const lines = (await succeed('logs', 'io', '--proxy')).split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/ running$/));
    const events = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { type: string });
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['mcp_initialize', 'mcp_tool_call']));
    expect(JSON.parse(await succeed('list', '--json'))).toMatchObject([{ name: 'io', status: 'running' }]);
  });

  it('authenticates, authorizes, signs for webhooks and sends traces in its pod, with secrets that only a Secret has', async () => {
    const services = await PassServices.start();
    cleanUps.push(() => services.close());
    const { flags, secrets } = services.configure(gatehouse.home);
    const run = ['run', httpImage, ...inCluster, '--name', 'guarded', '--transport', 'streamable-http', ...flags];
    const started = await call(run, secrets);
    expect([started.code, started.stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    const url = await getUrl('guarded');
    const use = async (subject: string | undefined, method: string) => {
      const token = subject === undefined ? undefined : await services.issuer.token({ subject });
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name: 'greet' } }),
      });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await use(undefined, 'ping')).toBe(401);
    expect([await use('alice', 'tools/call'), await use('bob', 'tools/call'), await use('bob', 'ping')]).toEqual([
      ...[200, 403, 200],
    ]);
    expect(services.isSigned('/hook', 'hook-canary')).toBe(true);
    const objects = JSON.stringify([await find('apis/apps/v1/statefulsets'), await find('apis/apps/v1/deployments')]);
    expect(objects).not.toContain('canary');
    await succeed('stop', 'guarded');
    const traces = services.calls.filter(({ path }) => path === '/v1/traces');
    expect(traces.map(({ headers }) => headers['x-api-key'])).toContain('otel-canary');
    expect(Buffer.concat(traces.map(({ body }) => body)).toString('latin1')).toContain('tools/call greet');
  });

  const both = registries.available ? packages : registries;
  describeWhen(both, 'of a package', (bases) => {
    it('is built on this machine, pushed to a registry and pulled by the cluster', async () => {
      const folder = join(gatehouse.home, 'package');
      mkdirSync(folder);
      writeFileSync(join(folder, 'go.mod'), 'module example.com/server\n\ngo 1.21\n');
      writeFileSync(join(folder, 'main.go'), GO_SERVER);
      const base = ['--runtime-image', await bases.go()];
      await succeed('run', `go://${folder}`, ...inCluster, '--name', 'package', ...base);
      expect(await greet(await getUrl('package'))).toEqual([{ type: 'text', text: 'hello' }]);
      const sets = JSON.stringify(await find('apis/apps/v1/statefulsets'));
      const [, image = ''] = /"image":"(127\.0\.0\.1:\d+\/team\/[^"]+)"/.exec(sets) ?? [];
      expect(image).not.toBe('');
      await engine.docker.getImage(image).remove();
    });
  });

  describeWhen(complete, 'of a node that enforces NetworkPolicies', () => {
    it('runs from its exported manifest', async () => {
      const secret = { GATEHOUSE_SECRETS_PROVIDER: 'environment', GATEHOUSE_SECRET_token: 'canary-value' };
      const flags = ['--name', 'moved', '--transport', 'streamable-http', '--secret', 'token,target=API_TOKEN'];
      expect((await call(['run', httpImage, ...inCluster, ...flags], secret)).code).toBe(0);
      const { stdout: manifest, stderr } = await call(['export', 'moved', '--format', 'k8s']);
      expect(manifest).not.toContain('canary-value');
      const [, command = ''] = /Try: kubectl (.*)/.exec(stderr) ?? [];
      expect(command).toBe('--namespace tools create secret generic moved-secrets --from-literal=API_TOKEN=VALUE');
      await succeed('rm', 'moved');
      kubectl(command.split(' '));
      kubectl(['apply', '-f', '-'], manifest);
      kubectl(['--namespace', 'tools', 'rollout', 'status', 'deployment/moved', '--timeout', '60s']);
      expect(await greet(await getUrl('moved'))).toEqual([{ type: 'text', text: 'hello' }]);
      expect(JSON.parse(await succeed('list', '-a', '--json'))).toEqual([]);
      kubectl(['delete', '-f', '-', '--wait=true'], manifest);
      kubectl(['--namespace', 'tools', 'delete', 'secret', 'moved-secrets']);
      await eventually(async () => (await find('api/v1/pods')).length === 0, 'the pods have ended');
    });

    it('lets a hostile server reach only what its profile names', async () => {
      const image = await buildDialingServer(engine);
      await cluster.load(image);
      const victim = await startVictim(image);
      const host = 'victim.tools.svc.cluster.local';
      const profile = join(gatehouse.home, 'profile.json');
      writeFileSync(profile, JSON.stringify({ network: { outbound: { allow_host: [host], allow_port: [8080] } } }));
      const flags = ['--transport', 'streamable-http', '--permission-profile', profile];
      const mute = ['--name', 'mute', '--transport', 'streamable-http', '--permission-profile', 'none'];
      await Promise.all([
        succeed('run', image, ...inCluster, '--name', 'hostile', ...flags),
        succeed('run', image, ...inCluster, ...mute),
      ]);
      const [url, muteUrl] = [await getUrl('hostile'), await getUrl('mute')];
      const dial = (network: string, address: string) => callTool(url, 'greet', { network, address });
      const pods = await cluster.call<Pods>('GET', '/api/v1/namespaces/tools/pods');
      const findAddress = (prefix: string) =>
        pods.items.find(({ metadata: { name } }) => name.startsWith(prefix))?.status.podIP ?? '';
      const proxy = pods.items.find(
        ({ metadata: { labels } }) =>
          labels?.['gatehouse.dev/component'] === 'proxy' && labels['gatehouse.dev/workload'] === 'hostile',
      );
      const services = await find('api/v1/services');
      const egress = services.find(({ metadata }) => metadata.name === 'hostile-egress')?.spec?.clusterIP ?? '';
      const closed = [
        ...[`${victim.pod}:8080`, `${victim.service}:8080`, `${proxy?.status.podIP ?? ''}:8081`],
        ...['10.96.0.1:443', `${proxy?.status.hostIP ?? ''}:10250`, '169.254.169.254:80', '192.0.2.1:80'],
        ...[`${egress}:22`, `${egress}:8081`],
      ];
      // Another pod reaches the proxy, and neither the server nor the way out of it.
      const fromVictim = (address: string) =>
        callTool(`http://${victim.pod}:8080/mcp`, 'greet', { network: 'tcp', address });
      const foreign = [`${egress}:3128`, `${egress}:8080`, `${findAddress('hostile-server')}:8080`];
      const outcomes = await Promise.all([
        ...closed.map(async (address) => [address, await dial('tcp', address)]),
        ...foreign.map(async (address) => [`${address} from another pod`, await fromVictim(address)]),
        ...[['dns', '10.96.0.10:53'] as const, ['name', 'kubernetes.default.svc.cluster.local'] as const].map(
          async ([network, address]) => [address, await dial(network, address)],
        ),
      ]);
      expect(outcomes.filter(([, outcome]) => !outcome?.startsWith('error'))).toEqual([]);
      expect(await fromVictim(new URL(url).host)).toBe('open');
      expect(await dial('get', 'http://kubernetes.default.svc.cluster.local/')).toContain('403');
      // It has what its profile names, with and without the proxy variables.
      expect(await dial('name', host)).toBe(egress);
      expect(await dial('get', `http://${host}:8080/mcp`)).toBe('405 Method Not Allowed');
      expect(await dial('tcp', `${host}:8080`)).toBe('open');
      // The server of the profile none has nothing of that, also not through the other egress part.
      const fromMute = (network: string, address: string) => callTool(muteUrl, 'greet', { network, address });
      const ownEgress = services.find(({ metadata }) => metadata.name === 'mute-egress')?.spec?.clusterIP ?? '';
      const reached = await Promise.all([
        ...[...closed, ...foreign, `${host}:8080`, `${ownEgress}:8080`, `${ownEgress}:22`].map((address) =>
          fromMute('tcp', address),
        ),
        fromMute('dns', '10.96.0.10:53'),
        ...[host, 'kubernetes.default.svc.cluster.local', 'evil.test'].map((name) => fromMute('name', name)),
      ]);
      expect(reached.filter((outcome) => !outcome.startsWith('error'))).toEqual([]);
      expect(await fromMute('tcp', `${ownEgress}:3128`)).toBe('open');
      for (const target of [`http://${host}:8080/mcp`, `http://${victim.pod}:8080/mcp`, 'http://169.254.169.254/'])
        expect(await fromMute('get', target)).toBe('403 Forbidden');
      await cluster.call('DELETE', '/api/v1/namespaces/tools/pods/victim');
    });

    /** Starts a pod that is not of a workload. @returns its address, and that of its Service */
    async function startVictim(image: string): Promise<{ pod: string; service: string }> {
      const core = '/api/v1/namespaces/tools';
      const labels = { app: 'victim' };
      const container = { name: 'main', image, imagePullPolicy: 'Never', env: [{ name: 'MCP_PORT', value: '8080' }] };
      await cluster.call('POST', `${core}/pods`, {
        metadata: { name: 'victim', labels },
        spec: { containers: [container], terminationGracePeriodSeconds: 0 },
      });
      const service = await cluster.call<{ spec: { clusterIP: string } }>('POST', `${core}/services`, {
        metadata: { name: 'victim' },
        spec: { selector: labels, ports: [{ port: 8080 }] },
      });
      const { status } = await waitForValue(
        () => cluster.call<Pods['items'][number]>('GET', `${core}/pods/victim`),
        (pod) => pod.status.phase === 'Running',
      );
      return { pod: status.podIP ?? '', service: service.spec.clusterIP };
    }
  });

  it('leaves nothing after a start that fails or is interrupted', async () => {
    const begin = (image: string, name: string, ...args: string[]) =>
      gatehouse.begin(['run', image, ...inCluster, '--name', name, '--transport', ...args], {
        KUBECONFIG: cluster.kubeconfig,
      });
    const interrupt = async (name: string, signal: 'SIGINT' | 'SIGKILL') => {
      const running = begin(httpImage, name, 'streamable-http', '-e', 'MCP_PORT=9999');
      await running.says('the server has not answered');
      running.process.kill(signal);
      return (await running.ended).code;
    };
    const [missing, ended, interrupted, killed] = await Promise.all([
      begin('gatehouse-test/none:1', 'gone', 'stdio').ended,
      begin(stdioImage, 'ends', 'streamable-http').ended,
      interrupt('late', 'SIGINT'),
      interrupt('killed', 'SIGKILL'),
    ]);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('cannot pull the image gatehouse-test/none:1'),
    ]);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('ended with exit code')]);
    expect([interrupted, killed]).toEqual([130, null]);
    // After a kill, the next command removes the objects.
    expect(new Set((await listObjects()).filter((path) => !path.includes('/killed')))).toEqual(new Set());
    await succeed('list', '-a');
    expect(await listObjects()).toEqual([]);
  });

  it('keeps away from the objects of others', async () => {
    const service = { metadata: { name: 'taken' }, spec: { ports: [{ port: 1 }] } };
    await cluster.call('POST', '/api/v1/namespaces/tools/services', service);
    const labels = { app: 'taken' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'gatehouse-test/none:1' }] } };
    const deployment = { metadata: { name: 'taken' }, spec: { selector: { matchLabels: labels }, template } };
    const deployments = '/apis/apps/v1/namespaces/tools/deployments';
    await cluster.call('POST', deployments, deployment);
    const policies = '/apis/networking.k8s.io/v1/namespaces/tools/networkpolicies';
    const open = { podSelector: {}, policyTypes: ['Egress'], egress: [{}] };
    await cluster.call('POST', policies, { metadata: { name: 'open-everything' }, spec: open });
    const args = ['run', stdioImage, ...inCluster, '--name', 'taken', '--transport', 'stdio'];
    const { code, stderr } = await call(args);
    await cluster.call('DELETE', `${policies}/open-everything`);
    expect([code, stderr]).toEqual([4, expect.stringContaining('--name NAME')]);
    expect(stderr).toMatch(/Warning: no network plugin .* was found/);
    expect(stderr).toMatch(/Warning: other NetworkPolicies .* is added: open-everything/);
    expect(await listObjects()).toEqual([]);
    const kept = await cluster.call<{ metadata: { name: string } }>('GET', '/api/v1/namespaces/tools/services/taken');
    expect(kept.metadata.name).toBe('taken');
    const running = await cluster.call<{ spec: { replicas: number } }>('GET', `${deployments}/taken`);
    expect(running.spec.replicas).toBe(1);
  });

  it('is refused with the reason where the cluster or the flags do not allow it', async () => {
    const run = (...args: string[]) => ['run', stdioImage, '--runtime', 'kubernetes', '--transport', 'stdio', ...args];
    const refusals: [string[], NodeJS.ProcessEnv, number, string][] = [
      [run('--name', 'a', '--kube-namespace', 'none'), {}, 2, 'There is no namespace none in the cluster'],
      [run('--name', 'a', '--kube-context', 'none'), {}, 3, 'has no context none'],
      [run('--name', 'a'), { KUBECONFIG: '/nonexistent' }, 3, 'There is no kubeconfig at /nonexistent'],
      [run('--name', 'A_b', '--kube-namespace', 'tools'), {}, 2, '--name a-b'],
      [run('--name', 'a', '--publish', '1:2'), {}, 2, '--publish 1:2 is for container engines'],
      [run('--name', 'a', '--foreground', '--kube-namespace', 'tools'), {}, 2, '--foreground is for container engines'],
      [
        ['run', 'npx://x', '--runtime', 'kubernetes', '--kube-namespace', 'tools'],
        { GATEHOUSE_HOME: join(gatehouse.home, 'other') },
        2,
        'kubernetes.registry',
      ],
    ];
    for (const [args, env, expected, sentence] of refusals) {
      const { code, stderr } = await call(args, env);
      expect([code, stderr]).toEqual([expected, expect.stringContaining(sentence)]);
    }
    const unreachable = await call(run('--name', 'a'), {
      KUBECONFIG: await writeKubeconfig({ server: 'https://127.0.0.1:1' }),
    });
    expect([unreachable.code, unreachable.stderr]).toEqual([
      3,
      expect.stringContaining('The Kubernetes API does not answer'),
    ]);
    const stranger = await call(run('--name', 'a', '--kube-namespace', 'tools'), {
      KUBECONFIG: await writeKubeconfig({ server: cluster.url, token: await createToken() }),
    });
    expect([stranger.code, stranger.stderr]).toEqual([
      1,
      expect.stringContaining('You lack the rights: create statefulsets'),
    ]);
    expect(await gatehouse.list()).toEqual([] satisfies Shown[]);
  });

  /**
   * Whether the proxy itself answers. Before the node knows the address, another machine can
   * answer, and its connection must not be used again.
   */
  const isServed = (url: string): Promise<boolean> =>
    new Promise((resolve) => {
      get(new URL('/health', url), { agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      }).on('error', () => resolve(false));
    });

  /** Writes a kubeconfig with another server or user. */
  async function writeKubeconfig({ server, token = 'x' }: { server: string; token?: string }): Promise<string> {
    const { writeFile } = await import('node:fs/promises');
    const path = `${gatehouse.home}/kubeconfig`;
    const config = {
      clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  }

  /** Creates a token of an account without rights. */
  async function createToken(): Promise<string> {
    const accounts = '/api/v1/namespaces/tools/serviceaccounts';
    await cluster.call('POST', accounts, { metadata: { name: 'stranger' } });
    const spec = { expirationSeconds: 3_600 };
    const { status } = await cluster.call<{ status: { token: string } }>('POST', `${accounts}/stranger/token`, {
      spec,
    });
    return status.token;
  }
});
