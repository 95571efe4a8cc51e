import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCertificateAuthority } from '@gatehouse/testing/certificate-authority';
import { createSigstoreInstance, type SigstoreInstance } from '@gatehouse/testing/sigstore-instance';
import { readRunConfig } from '../configuration/run-config.ts';
import type { VerificationMode } from '../flags/image-verification.ts';
import type { ExpectedProvenance } from './provenance.ts';
import { MemoryRegistry } from './registry.fixture.ts';
import { verifyImage } from './verify-image.ts';

const SIGNER = { repository: 'owner/server' };
const CLAIM: ExpectedProvenance = {
  repository_uri: 'https://github.com/owner/server',
  repository_ref: 'refs/tags/v1',
  runner_environment: 'github-hosted',
  cert_issuer: 'https://token.actions.githubusercontent.com',
  signer_identity: '/.github/workflows/release.yml',
};

describe('the verification of an image', () => {
  let sigstore: SigstoreInstance;
  let registry: MemoryRegistry;
  let folder: string;
  let digest: string;
  let warnings: string[];
  beforeAll(async () => {
    sigstore = await createSigstoreInstance();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verification-'));
    writeFileSync(join(folder, 'root.json'), JSON.stringify(sigstore.trustedRoot));
    registry = new MemoryRegistry();
    await registry.start();
    digest = registry.add({ schemaVersion: 2, layers: [] }, '1').digest;
    warnings = [];
  });
  afterEach(() => {
    registry.stop();
    rmSync(folder, { recursive: true });
  });

  const verify = (fields: object = {}, defaultMode?: VerificationMode) => {
    const document = {
      name: 'x',
      image: registry.image,
      image_verification: 'enabled',
      image_provenance: CLAIM,
      ...fields,
    };
    const trustedRootFile = () => join(folder, 'root.json');
    const environment = { dockerConfig: folder, registryAuthFile: join(folder, 'none') };
    const context = {
      progress: () => undefined,
      warn: (text: string) => warnings.push(text),
      abort: new AbortController().signal,
    };
    return verifyImage(
      readRunConfig(JSON.stringify(document)),
      { home: folder, environment, trustedRootFile, defaultMode: () => defaultMode },
      context,
    ).then(({ image }) => image);
  };
  const getPinned = () => registry.image.replace(':1', `@${digest}`).replace(/:1@/, '@');
  const expectRefusal = (reason: string | RegExp, fields?: object) =>
    expect(verify(fields)).rejects.toThrow(
      expect.objectContaining({ code: 'refused', message: expect.stringMatching(reason) }),
    );

  it('pins the digest of an image with a valid bundle that refers to it', async () => {
    registry.addBundle(await sigstore.attest(digest, SIGNER));
    expect(await verify()).toBe(getPinned());
  });

  it('finds bundles by the tag that replaces the API of referrers', async () => {
    registry.addBundle(await sigstore.attest(digest, SIGNER));
    registry.add({ manifests: registry.referrers }, digest.replace(':', '-'));
    registry.referrers = undefined;
    expect(await verify()).toBe(getPinned());
  });

  it('accepts the older signatures of cosign, and the one that matches among others', async () => {
    const others = { repository: 'someone/else' };
    registry.addCosign(digest, await sigstore.cosign(digest, others), await sigstore.cosign(digest, SIGNER));
    expect(await verify()).toBe(getPinned());
  });

  it('compares the predicate where the claim has one', async () => {
    const predicate = { type: 'https://slsa.dev/provenance/v1', value: { buildType: 'a' } };
    registry.addBundle(await sigstore.attest(digest, SIGNER, predicate));
    const claim = (attestation: object) => ({ image_provenance: { ...CLAIM, attestation } });
    const same = { predicate_type: predicate.type, predicate: predicate.value };
    expect(await verify(claim(same))).toBe(getPinned());
    await expectRefusal('its predicate is another one', claim({ ...same, predicate: { buildType: 'b' } }));
    await expectRefusal('its predicate type is', claim({ predicate_type: 'other' }));
  });

  it.each([
    ['another repository', { repository: 'evil/server' }, 'its repository is https://github.com/evil/server'],
    ['another issuer', { ...SIGNER, issuer: 'https://issuer.example.com' }, 'its certificate issuer is'],
    [
      'another workflow',
      { ...SIGNER, workflow: 'pull-request.yml' },
      'its signer is /.github/workflows/pull-request.yml',
    ],
    ['another ref', { ...SIGNER, ref: 'refs/heads/branch' }, 'its repository ref is refs/heads/branch'],
    ['another runner', { ...SIGNER, runnerEnvironment: 'self-hosted' }, 'its runner environment is self-hosted'],
  ])('refuses a valid signature of %s', async (_, identity, reason) => {
    registry.addBundle(await sigstore.attest(digest, identity));
    registry.addCosign(digest, await sigstore.cosign(digest, identity));
    await expectRefusal(reason);
  });

  it('refuses the valid signature of another image', async () => {
    const other = `sha256:${'a'.repeat(64)}`;
    registry.addBundle(await sigstore.attest(other, SIGNER));
    registry.addCosign(digest, await sigstore.cosign(other, SIGNER));
    await expectRefusal('it is the signature of another image');
  });

  it('refuses a signature of another Sigstore instance', async () => {
    const foreign = await createSigstoreInstance();
    registry.addBundle(await foreign.attest(digest, SIGNER));
    await expectRefusal('none of its signatures counts');
  });

  it('refuses a certificate that had expired at the time of the signature', async () => {
    const late = await createSigstoreInstance(3_600_000);
    writeFileSync(join(folder, 'root.json'), JSON.stringify(late.trustedRoot));
    registry.addBundle(await late.attest(digest, SIGNER));
    registry.addCosign(digest, await late.cosign(digest, SIGNER));
    await expectRefusal('Failed to verify certificate chain');
  });

  it('refuses a bundle in which anything was changed', async () => {
    const text = JSON.stringify(await sigstore.attest(digest, SIGNER));
    const bundle = JSON.parse(text) as { dsseEnvelope: { payload: string; signatures: { sig: string }[] } };
    const payload = Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString().replace('"image"', '"other"');
    registry.addBundle({
      ...bundle,
      dsseEnvelope: { ...bundle.dsseEnvelope, payload: Buffer.from(payload).toString('base64') },
    });
    registry.addBundle({
      ...bundle,
      dsseEnvelope: { ...bundle.dsseEnvelope, signatures: [{ sig: Buffer.alloc(70).toString('base64') }] },
    });
    registry.addBundle({ ...bundle, verificationMaterial: {} });
    registry.addBundle(Buffer.from('not JSON'));
    await expectRefusal('none of its signatures counts');
  });

  it('refuses a log entry without its signature, and a signature with a key of its own', async () => {
    const layer = await sigstore.cosign(digest, SIGNER);
    const { 'dev.sigstore.cosign/bundle': entry = '', ...keyOnly } = layer.annotations;
    const unsigned = { ...(JSON.parse(entry) as object), SignedEntryTimestamp: Buffer.alloc(70).toString('base64') };
    const annotations = { ...layer.annotations, 'dev.sigstore.cosign/bundle': JSON.stringify(unsigned) };
    registry.addCosign(digest, { ...layer, annotations }, { ...layer, annotations: keyOnly });
    await expectRefusal('none of its signatures counts');
  });

  it('reads neither a huge bundle nor a thousand referrers', async () => {
    const huge = Buffer.alloc(100 * 1024 * 1024, 'x');
    registry.addBundle(huge);
    await expectRefusal('too large');
    expect(registry.requests.filter((path) => path.startsWith('blobs/'))).toEqual([]);
    const lying = registry.referrers?.[0] as { digest: string };
    const manifest = registry.documents.get(lying.digest)?.toString().replace(String(huge.length), '10') ?? '';
    const artifactType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
    registry.referrers = [{ artifactType, ...registry.add(Buffer.from(manifest)) }];
    await expectRefusal('none of its signatures counts');
    registry.referrers = Array.from({ length: 1_000 }, () => ({ artifactType, ...registry.add(Buffer.from('{}')) }));
    registry.requests.length = 0;
    await expectRefusal('no signature');
    expect(registry.requests.length).toBeLessThan(50);
  });

  it('refuses a registry that answers with another document than the digest names', async () => {
    registry.addBundle(await sigstore.attest(digest, SIGNER));
    const attacks = ['blobs/', 'manifests/sha256:'];
    for (const attack of attacks) {
      registry.override = (path, response) => {
        if (!path.startsWith(attack)) return false;
        response.end('{"layers":[]}');
        return true;
      };
      await expectRefusal(/the registry returned another/);
    }
  });

  it('pins the first answer of a registry whose tag moves', async () => {
    registry.addBundle(await sigstore.attest(digest, SIGNER));
    const evil = registry.add({ schemaVersion: 2, layers: ['evil'] });
    registry.override = (path) => {
      if (path === 'manifests/1') queueMicrotask(() => registry.documents.set('1', Buffer.from(evil.digest)));
      return false;
    };
    expect(await verify()).toBe(getPinned());
  });

  it.each([
    ['a package', { source: 'npx://pkg@1.0.0' }, 'packages have no provenance'],
    ['an image that was typed', { image_provenance: undefined }, 'not from an entry of the registry'],
    ['a claim that names no signer', { image_provenance: { cert_issuer: 'https://x' } }, 'names no signer'],
    ['an image without signatures', {}, 'has no signature'],
    ['a registry without the image', { image: undefined }, 'does not have it'],
  ])('refuses %s in the mode enabled', async (_, fields, reason) => {
    const image = 'image' in fields ? registry.image.replace(/:1$/, ':2') : registry.image;
    await expectRefusal(reason, { ...fields, image });
  });

  it('warns in the mode warn, and is silent for images that were typed and for packages', async () => {
    expect(await verify({ image_verification: undefined })).toBe(registry.image);
    expect(warnings).toEqual([expect.stringContaining('has no signature of it')]);
    warnings.length = 0;
    await verify({ image_verification: 'warn', image_provenance: undefined });
    await verify({ image_verification: 'warn', source: 'npx://pkg@1.0.0', registry_server_name: 'a/b' });
    expect(warnings).toEqual([]);
    await verify({ image_verification: 'warn', image_provenance: undefined, registry_server_name: 'a/b' });
    expect(warnings).toEqual([expect.stringContaining('the entry a/b of the registry names no signer')]);
  });

  it('takes the mode of the settings for a configuration that names none', async () => {
    const refused = verify({ image_verification: undefined }, 'enabled');
    await expect(refused).rejects.toMatchObject({ code: 'refused' });
    expect(await verify({ image_verification: 'warn' }, 'enabled')).toBe(registry.image);
  });

  it('reads a registry whose authority --gatehouse-ca-bundle names', async () => {
    const authority = createCertificateAuthority();
    const { certificate, key } = authority.issue('127.0.0.1', 'server');
    registry.stop();
    registry = new MemoryRegistry({ cert: readFileSync(certificate), key: readFileSync(key) });
    await registry.start();
    registry.add({ schemaVersion: 2, layers: [] }, '1');
    registry.addBundle(await sigstore.attest(digest, SIGNER));
    expect(await verify({ thv_ca_bundle: authority.certificate })).toBe(getPinned());
    const other = createCertificateAuthority();
    await expectRefusal('is not trusted over TLS', { thv_ca_bundle: other.certificate });
    for (const one of [authority, other]) one.remove();
  });

  it('reads nothing in the mode disabled', async () => {
    expect(await verify({ image_verification: 'disabled' })).toBe(registry.image);
    expect([registry.requests, warnings]).toEqual([[], []]);
  });
});
