import { expect } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import type { ModelVendors } from '@gatehouse/testing/model-vendors';
import { randomUUID } from 'node:crypto';

/** The vendors of the SDKs. */
export type VendorName = 'openai' | 'anthropic' | 'google';
export type VendorRecord = Awaited<ReturnType<ModelVendors['readLog']>>[number];

/** The servers that a suite of a stock SDK calls: the vendors themselves, or a gateway. */
export interface SdkTarget {
  /** Origins, without the path `/v1`. */
  readonly urls: Readonly<Record<VendorName, string>>;
  readonly keys: Readonly<Record<VendorName, string>>;
  /** The requests that reached the vendors. */
  readonly readLog: ModelVendors['readLog'];
  /** Whether a response is read on to its usage after the client has closed the connection. */
  readonly readsOn: boolean;
}

/** The model of each vendor in the suites. */
export const SDK_MODELS = {
  openai: 'gpt-5.4',
  embedding: 'text-embedding-3-small',
  anthropic: 'claude-sonnet-5-5',
  google: 'gemini-3.8-flash',
  googleEmbedding: 'gemini-embedding-001',
} as const;

/** A price for the embeddings of Google, which the prices of the release do not contain. */
export const EMBEDDING_PRICE = {
  provider: 'google',
  model: SDK_MODELS.googleEmbedding,
  google: { inputUsdPerMillion: '0.15', outputUsdPerMillion: '0' },
};

/** A PNG of one pixel, in base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Returns a new name for requests in the log of the vendors. */
export const nameRequest = (): string => `sdk-${randomUUID()}`;

/**
 * The directives of a request that the client leaves in the middle. Where the response is read on,
 * it has an end.
 */
export const describeLeft = (name: string, { readsOn }: Pick<SdkTarget, 'readsOn'>): string =>
  `[[sim: name=${name} delay_ms=5 ${readsOn ? 'chunks=100' : 'endless=1'}]]`;

/** Expects that the vendor has seen the end of a request that the client has left. */
export async function expectLeft(target: SdkTarget, name: string): Promise<void> {
  const [record] = await readEnded(target, name);
  const isComplete = target.readsOn;
  expect(record).toMatchObject({ outcome: isComplete ? 'answered' : 'client_closed', isComplete });
}

/** Returns the requests of a name, when all of them have ended. */
export async function readEnded(target: Pick<SdkTarget, 'readLog'>, name: string): Promise<VendorRecord[]> {
  return eventually(async () => {
    const records = (await target.readLog()).filter((record) => record.name === name);
    return records.length > 0 && records.every(({ outcome }) => outcome !== 'open') && records;
  }, `the requests ${name} have ended`);
}

/** Collects the values of a stream or of all pages. */
export async function collectValues<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}
