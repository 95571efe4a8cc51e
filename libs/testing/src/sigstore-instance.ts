import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { dsse } from '@sigstore/core';
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock';

/** The identity that a certificate of the instance names: a workflow of GitHub Actions. */
export interface WorkflowIdentity {
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly ref?: string;
  readonly workflow?: string;
  readonly issuer?: string;
  readonly runnerEnvironment?: string;
}

/** A signature of cosign in its older form: a layer of a manifest. */
export interface CosignLayer {
  readonly payload: Buffer;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A Sigstore instance with own keys: certificate authority, certificate log, transparency log. */
export interface SigstoreInstance {
  /** The JSON of its trusted root. */
  readonly trustedRoot: object;
  /** Signs a statement about an image. @returns the JSON of a bundle */
  attest(digest: string, identity: WorkflowIdentity, predicate?: { type: string; value: object }): Promise<object>;
  /** Signs an image as cosign does without bundles. */
  cosign(digest: string, identity: WorkflowIdentity): Promise<CosignLayer>;
}

const EXTENSIONS = '1.3.6.1.4.1.57264.1';
const P256 = { namedCurve: 'P-256' } as const;
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const toBuffer = (view: ArrayBufferView | ArrayBuffer) =>
  ArrayBuffer.isView(view) ? Buffer.from(view.buffer, view.byteOffset, view.byteLength) : Buffer.from(view);

/** Signs bytes with a new key that a certificate names, and writes the signature to the log. */
type Signer = (
  bytes: Buffer,
  identity: WorkflowIdentity,
  createEntry: (signature: Buffer, pem: string) => object,
) => Promise<{ certificate: Buffer; pem: string; signature: Buffer; entry: LogEntry }>;

/**
 * Creates an instance. Its authority is valid from now on, and the certificates a moment later.
 * @param logDelayMs milliseconds from the issue of a certificate to the entry of the log
 */
export async function createSigstoreInstance(logDelayMs = 0): Promise<SigstoreInstance> {
  const clock = new Date(Date.now() + 5_000);
  const createKeys = () => generateKeyPairSync('ec', P256);
  const certificateLog = await initializeCTLog(createKeys(), clock);
  const authority = await initializeCA(createKeys(), certificateLog, clock);
  const log = await initializeTLog('https://rekor.test', createKeys(), new Date(clock.getTime() + logDelayMs));
  const signAndLog: Signer = async (bytes, identity, createEntry) => {
    const { publicKey, privateKey } = createKeys();
    const certificate = toBuffer(await authority.issueCertificate(createRequest(publicKey, identity)));
    const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`;
    const signature = sign('sha256', bytes, privateKey);
    const [entry] = Object.values((await log.log(createEntry(signature, pem))) as Record<string, LogEntry>);
    return { certificate, pem, signature, entry: entry as LogEntry };
  };
  return {
    trustedRoot: createTrustedRoot(toBuffer(authority.rootCertificate), certificateLog.publicKey, log.publicKey),
    attest: (digest, identity, predicate = { type: 'https://slsa.dev/provenance/v1', value: {} }) =>
      attest(signAndLog, digest, identity, predicate),
    cosign: (digest, identity) => signPayload(signAndLog, digest, identity),
  };
}

async function attest(
  signAndLog: Signer,
  digest: string,
  identity: WorkflowIdentity,
  predicate: { readonly type: string; readonly value: object },
): Promise<object> {
  const payload = Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'image', digest: { sha256: digest.replace('sha256:', '') } }],
      predicateType: predicate.type,
      predicate: predicate.value,
    }),
  );
  const payloadType = 'application/vnd.in-toto+json';
  const encoded = dsse.preAuthEncoding(payloadType, payload);
  const { certificate, signature, entry } = await signAndLog(encoded, identity, (signed, pem) => ({
    kind: 'dsse',
    apiVersion: '0.0.1',
    spec: {
      payloadHash: { algorithm: 'sha256', value: sha256(payload).toString('hex') },
      signatures: [{ signature: signed.toString('base64'), verifier: Buffer.from(pem).toString('base64') }],
    },
  }));
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: {
      certificate: { rawBytes: certificate.toString('base64') },
      tlogEntries: [createBundleEntry(entry, 'dsse')],
    },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType,
      signatures: [{ sig: signature.toString('base64') }],
    },
  };
}

async function signPayload(signAndLog: Signer, digest: string, identity: WorkflowIdentity): Promise<CosignLayer> {
  const critical = {
    identity: { 'docker-reference': '' },
    image: { 'docker-manifest-digest': digest },
    type: 'cosign container image signature',
  };
  const payload = Buffer.from(JSON.stringify({ critical, optional: null }));
  const { pem, signature, entry } = await signAndLog(payload, identity, (signed, certificate) => ({
    kind: 'hashedrekord',
    apiVersion: '0.0.1',
    spec: {
      signature: {
        content: signed.toString('base64'),
        publicKey: { content: Buffer.from(certificate).toString('base64') },
      },
      data: { hash: { algorithm: 'sha256', value: sha256(payload).toString('hex') } },
    },
  }));
  const { body, integratedTime, logIndex, logID, verification } = entry;
  const bundle = {
    SignedEntryTimestamp: verification.signedEntryTimestamp,
    Payload: { body, integratedTime, logIndex, logID },
  };
  return {
    payload,
    annotations: {
      'dev.cosignproject.cosign/signature': signature.toString('base64'),
      'dev.sigstore.cosign/certificate': pem,
      'dev.sigstore.cosign/bundle': JSON.stringify(bundle),
    },
  };
}

/** An entry as the log returns it. */
interface LogEntry {
  readonly body: string;
  readonly integratedTime: number;
  readonly logIndex: number;
  readonly logID: string;
  readonly verification: {
    readonly signedEntryTimestamp: string;
    readonly inclusionProof: {
      readonly checkpoint: string;
      readonly hashes: readonly string[];
      readonly logIndex: number;
      readonly rootHash: string;
      readonly treeSize: number;
    };
  };
}

function createRequest(publicKey: KeyObject, identity: WorkflowIdentity) {
  const { repository, ref = 'refs/tags/v1', workflow = 'release.yml' } = identity;
  const { issuer = 'https://token.actions.githubusercontent.com', runnerEnvironment = 'github-hosted' } = identity;
  const values = { 8: issuer, 11: runnerEnvironment, 12: `https://github.com/${repository}`, 14: ref };
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }),
    subjectAltName: `https://github.com/${repository}/.github/workflows/${workflow}@${ref}`,
    extensions: Object.entries(values).map(([number, value]) => ({ oid: `${EXTENSIONS}.${number}`, value })),
  };
}

function createBundleEntry(entry: LogEntry, kind: string) {
  const { inclusionProof: proof, signedEntryTimestamp } = entry.verification;
  const hexToBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
  return {
    logIndex: String(entry.logIndex),
    logId: { keyId: hexToBase64(entry.logID) },
    kindVersion: { kind, version: '0.0.1' },
    integratedTime: String(entry.integratedTime),
    inclusionPromise: { signedEntryTimestamp },
    inclusionProof: {
      logIndex: String(proof.logIndex),
      rootHash: hexToBase64(proof.rootHash),
      treeSize: String(proof.treeSize),
      hashes: proof.hashes.map(hexToBase64),
      checkpoint: { envelope: proof.checkpoint },
    },
    canonicalizedBody: entry.body,
  };
}

function createTrustedRoot(certificate: Buffer, certificateLogKey: Buffer, logKey: Buffer): object {
  const validFor = { start: '2020-01-01T00:00:00Z' };
  const createLog = (key: Buffer, baseUrl: string) => ({
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: key.toString('base64'), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor },
    logId: { keyId: sha256(key).toString('base64') },
  });
  return {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [createLog(logKey, 'https://rekor.test')],
    certificateAuthorities: [
      {
        subject: { organization: 'sigstore.mock', commonName: 'sigstore' },
        uri: 'https://fulcio.test',
        certChain: { certificates: [{ rawBytes: certificate.toString('base64') }] },
        validFor,
      },
    ],
    ctlogs: [createLog(certificateLogKey, 'https://ctfe.test')],
    timestampAuthorities: [],
  };
}
