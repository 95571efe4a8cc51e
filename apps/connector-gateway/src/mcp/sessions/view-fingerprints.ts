import { BYTES_PER_TURN, nextTurn } from '@gatehouse/json-limits/event-loop';
import { createHash } from 'node:crypto';
import { serializeCanonicalJson } from '../upstreams/fingerprint.ts';

/** An entry of a user's list: the exposed name or URI, and the upstream's definition. */
export interface ViewEntry {
  name: string;
  definition: object;
}

/**
 * Computes fingerprints of users' lists. Views of the same fetched list share the fingerprint of
 * each definition. Views are computed one after the other, in turns of the event loop.
 */
export class ViewFingerprints {
  private readonly known = new WeakMap<object, string>();
  private last: Promise<unknown> = Promise.resolve();

  /** The lower-case hex SHA-256 of a view. It covers all names, definitions and positions. */
  getFingerprint(entries: readonly ViewEntry[]): Promise<string> {
    const view = this.last.then(() => this.compute(entries));
    this.last = view.catch(() => undefined);
    return view;
  }

  private async compute(entries: readonly ViewEntry[]): Promise<string> {
    const hash = createHash('sha256');
    let bytes = 0;
    for (const { name, definition } of entries) {
      let known = this.known.get(definition);
      if (known === undefined) {
        const text = serializeCanonicalJson(definition);
        known = createHash('sha256').update(text).digest('hex');
        this.known.set(definition, known);
        bytes += text.length;
      }
      const line = JSON.stringify([name, known]);
      hash.update(line);
      bytes += line.length;
      if (bytes < BYTES_PER_TURN) continue;
      bytes = 0;
      await nextTurn();
    }
    await nextTurn();
    return hash.digest('hex');
  }
}
