import { createHash, X509Certificate } from 'node:crypto';
import * as z from 'zod/mini';
import type { ReadableSignature } from './image-signatures.ts';

/** The entry of the transparency log, as cosign writes it into an annotation. */
const LogEntry = z.looseObject({
  SignedEntryTimestamp: z.string(),
  Payload: z.looseObject({
    body: z.string(),
    integratedTime: z.number(),
    logIndex: z.number(),
    logID: z.string(),
  }),
});
const LogBody = z.looseObject({ kind: z.string(), apiVersion: z.string() });
const Envelope = z.looseObject({
  payloadType: z.string(),
  payload: z.string(),
  signatures: z.array(z.looseObject({})),
});

/**
 * Turns a signature in the older form of cosign into the JSON of a Sigstore bundle.
 * @throws Error for a signature with a key of its own, and for one that is incomplete
 */
export function createCosignBundle({ payload, annotations }: ReadableSignature & { kind: 'cosign' }): unknown {
  const certificate = annotations['dev.sigstore.cosign/certificate'];
  const log = annotations['dev.sigstore.cosign/bundle'];
  if (certificate === undefined || log === undefined) throw new Error('it has no certificate and no log entry');
  const signature = annotations['dev.cosignproject.cosign/signature'];
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
    verificationMaterial: {
      x509CertificateChain: {
        certificates: [{ rawBytes: new X509Certificate(certificate).raw.toString('base64') }],
      },
      tlogEntries: [createLogEntry(LogEntry.parse(JSON.parse(log)))],
    },
    ...(signature
      ? { messageSignature: { messageDigest: createMessageDigest(payload), signature } }
      : { dsseEnvelope: Envelope.parse(JSON.parse(payload.toString('utf8'))) }),
  };
}

function createLogEntry({ SignedEntryTimestamp: timestamp, Payload: entry }: z.output<typeof LogEntry>) {
  const { kind, apiVersion } = LogBody.parse(JSON.parse(Buffer.from(entry.body, 'base64').toString('utf8')));
  return {
    logIndex: String(entry.logIndex),
    logId: { keyId: Buffer.from(entry.logID, 'hex').toString('base64') },
    kindVersion: { kind, version: apiVersion },
    integratedTime: String(entry.integratedTime),
    inclusionPromise: { signedEntryTimestamp: timestamp },
    canonicalizedBody: entry.body,
  };
}

const createMessageDigest = (payload: Buffer) => ({
  algorithm: 'SHA2_256',
  digest: createHash('sha256').update(payload).digest('base64'),
});
