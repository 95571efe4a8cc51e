import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { ociRegistry, type OciRegistry } from '@gatehouse/testing/oci-registry';
import { createSigstoreInstance, type SigstoreInstance } from '@gatehouse/testing/sigstore-instance';
import { buildSmallServer, smallServerEngine } from '@gatehouse/testing/small-server';
import { Gatehouse, listTools, type Shown } from './gatehouse.ts';

const registries = ociRegistry();
const engine = registries.available ? await smallServerEngine() : registries;
const OWNER = { repository: 'owner/server' };

describeWhen(engine, '--image-verification', (engine) => {
  let registry: OciRegistry;
  let sigstore: SigstoreInstance;
  let gatehouse: Gatehouse;
  let image: string;
  let digest: string;

  beforeAll(async () => {
    if (registries.available) registry = await registries.value();
    sigstore = await createSigstoreInstance();
    image = await registry.push(engine, await buildSmallServer(engine), 'owner/server:1');
    digest = await readDigest('owner/server', '1');
    const layer = await sigstore.cosign(digest, OWNER);
    await putCosign('owner/server', digest, layer);
  }, 120_000);
  afterAll(() => registry.stop());
  beforeEach(async () => {
    gatehouse = new Gatehouse(engine);
    writeFileSync(join(gatehouse.home, 'root.json'), JSON.stringify(sigstore.trustedRoot));
    writeRegistry('https://github.com/owner/server');
    await gatehouse.ok('registry', 'set', join(gatehouse.home, 'registry.json'));
    await gatehouse.ok('settings', 'set', 'trusted_root', join(gatehouse.home, 'root.json'));
  });
  afterEach(async () => {
    await gatehouse.close();
    for (const name of [image, pinned()])
      await engine.docker
        .getImage(name)
        .remove({ force: true })
        .catch(() => undefined);
  }, 60_000);

  const pinned = () => image.replace(/:1$/, `@${digest}`);
  const readDigest = async (repository: string, tag: string) => {
    const accept = 'application/vnd.docker.distribution.manifest.v2+json';
    const response = await fetch(`${registry.url}/v2/${repository}/manifests/${tag}`, { headers: { accept } });
    return `sha256:${createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex')}`;
  };
  const putBlob = async (repository: string, content: Buffer) => {
    const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    const begun = await fetch(`${registry.url}/v2/${repository}/blobs/uploads/`, { method: 'POST' });
    const location = new URL(begun.headers.get('location') ?? '', registry.url);
    location.searchParams.set('digest', hash);
    const headers = { 'content-type': 'application/octet-stream' };
    await fetch(location, { method: 'PUT', body: new Uint8Array(content), headers });
    return { digest: hash, size: content.length };
  };
  const putCosign = async (repository: string, of: string, layer: Awaited<ReturnType<SigstoreInstance['cosign']>>) => {
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = {
      schemaVersion: 2,
      mediaType,
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        ...(await putBlob(repository, Buffer.from('{}'))),
      },
      layers: [
        {
          mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
          annotations: layer.annotations,
          ...(await putBlob(repository, layer.payload)),
        },
      ],
    };
    const path = `${registry.url}/v2/${repository}/manifests/${of.replace(':', '-')}.sig`;
    const put = await fetch(path, {
      method: 'PUT',
      body: JSON.stringify(manifest),
      headers: { 'content-type': mediaType },
    });
    expect(put.status).toBe(201);
  };
  const writeRegistry = (repository: string) => {
    const provenance = { repository_uri: repository, cert_issuer: 'https://token.actions.githubusercontent.com' };
    const server = {
      name: 'com.example/signed',
      description: 'A signed server',
      version: '1.0.0',
      packages: [{ registryType: 'oci', identifier: image, transport: { type: 'stdio' } }],
      _meta: {
        'io.modelcontextprotocol.registry/publisher-provided': {
          'io.github.stacklok': { [image]: { provenance } },
        },
      },
    };
    const document = { version: '1', meta: { last_updated: '2026-01-01T00:00:00Z' }, data: { servers: [server] } };
    writeFileSync(join(gatehouse.home, 'registry.json'), JSON.stringify(document));
  };
  const run = (...words: string[]) => gatehouse.call(['run', ...words, '--name', 'signed', '--json']);
  const hasImage = async () =>
    (await engine.docker.listImages({ filters: { reference: [`${registry.host}/*/*`] } })).length > 0;

  it('runs exactly the signed image, and keeps it for start', async () => {
    const { code, stdout, stderr } = await run('com.example/signed', '--image-verification', 'enabled');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`verifying ${image}`) });
    expect(await listTools((JSON.parse(stdout) as Shown).url)).toEqual(['greet']);
    const stored = JSON.parse(readFileSync(join(gatehouse.home, 'workloads', 'signed', 'run.json'), 'utf8')) as object;
    expect(stored).toMatchObject({ image: pinned(), image_verification: 'enabled' });
    await gatehouse.ok('stop', 'signed');
    await gatehouse.ok('start', 'signed');
  }, 60_000);

  it('refuses the image of another signer with exit code 5, and pulls nothing; warn runs it', async () => {
    writeRegistry('https://github.com/owner/other');
    const refused = await run('com.example/signed', '--image-verification', 'enabled');
    expect(refused).toMatchObject({ code: 5 });
    expect(refused.stderr).toContain('its repository is https://github.com/owner/server');
    expect(refused.stderr).toContain('--image-verification warn');
    expect([await hasImage(), await gatehouse.leftovers()]).toEqual([false, []]);
    const warned = await run('com.example/signed');
    expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining('is not verified') });
    expect(warned.stderr.match(/Warning/g)).toHaveLength(1);
  }, 60_000);

  it('refuses what makes no claim when enabled, and unknown modes', async () => {
    await gatehouse.ok('settings', 'set', 'image_verification', 'enabled');
    const typed = await run(image);
    expect(typed).toMatchObject({ code: 5, stderr: expect.stringContaining('not from an entry of the registry') });
    const built = await run('npx://server@1.0.0', '--image-verification', 'enabled');
    expect(built).toMatchObject({ code: 5, stderr: expect.stringContaining('packages have no provenance') });
    expect(built.stderr).not.toContain('building');
    const wrong = await run(image, '--image-verification', 'strict');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--image-verification strict') });
    expect([await hasImage(), await gatehouse.leftovers()]).toEqual([false, []]);
  }, 60_000);
});
