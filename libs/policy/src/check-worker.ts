import { parentPort } from 'node:worker_threads';
import type { ClaimMapping } from './claims.ts';
import { examineDocument } from './document.ts';

/** A message to the worker. */
export interface CheckRequest {
  readonly text: string;
  readonly connectorId: string;
  readonly claims: ClaimMapping;
}

parentPort?.on('message', ({ text, connectorId, claims }: CheckRequest) => {
  parentPort?.postMessage(examineDocument(text, connectorId, claims));
});
