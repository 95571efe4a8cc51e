import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { makePrivateFolder } from '@gatehouse/local-files/private-folder';
import { z } from 'zod';

/** A stored answer of a registry. */
const StoredAnswer = z.object({
  url: z.string(),
  etag: z.string().optional(),
  /** RFC 3339 time at which the registry last confirmed the answer. */
  fetched_at: z.iso.datetime(),
  body: z.string(),
});

/** A stored answer of a registry. */
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** The maximum number of stored answers; the oldest are removed. */
const MAX_ANSWERS = 500;

/** Answers of registries in a folder, one file for each URL. */
export class DocumentCache {
  constructor(private readonly folder: string) {}

  /** The stored answer of a URL. A damaged file counts as absent. */
  read(url: string): StoredAnswer | undefined {
    try {
      const stored = StoredAnswer.safeParse(JSON.parse(readFileSync(this.getPath(url), 'utf8')));
      return stored.success && stored.data.url === url ? stored.data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores an answer. A folder that cannot be written costs the cache only. */
  write(answer: StoredAnswer): void {
    try {
      makePrivateFolder(this.folder);
      replaceFile(this.getPath(answer.url), JSON.stringify(answer));
      this.prune();
    } catch {
      // The answer is in memory already.
    }
  }

  private prune(): void {
    const files = readdirSync(this.folder).map((name) => join(this.folder, name));
    if (files.length <= MAX_ANSWERS) return;
    const byAge = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => a.time - b.time);
    for (const { file } of byAge.slice(0, files.length - MAX_ANSWERS)) rmSync(file, { force: true });
  }

  private getPath(url: string): string {
    return join(this.folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`);
  }
}
