import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownFile, ResourceIdentity } from '../state/known-files.ts';
import { FileProblemError } from '../text/file-problem.ts';
import { decodeText, readResourceFile } from '../text/file-text.ts';
import { parseResourceText, type ResourceText } from '../text/resource-text.ts';

/** The result of the examination of a file. */
export type Examination =
  /** The file does not exist. */
  | { readonly type: 'missing' }
  /** The stored resource was taken from this content. */
  | { readonly type: 'known'; readonly hash: string; readonly identity: ResourceIdentity }
  /** The content is new and was not parsed. */
  | { readonly type: 'unsettled' }
  | { readonly type: 'new'; readonly hash: string; readonly identity: ResourceIdentity; readonly text: ResourceText }
  | { readonly type: 'broken'; readonly problem: FileProblemError };

/** Where a file lies and what is known of it. */
export interface ExaminedFile {
  readonly folder: string;
  readonly name: string;
  readonly namespace: string;
  /** Whether new content is complete, as far as its age tells. */
  readonly isSettled: boolean;
  /** The resources that were taken from this file. */
  readonly known: readonly KnownFile[];
}

/** Reads a file and parses new content. */
export function examineFile({ folder, name, namespace, isSettled, known }: ExaminedFile): Examination {
  try {
    const { bytes, hash } = readResourceFile(join(folder, name));
    const same = known.find((file) => file.hash === hash);
    if (same !== undefined) return { type: 'known', hash, identity: same };
    if (!isSettled) return { type: 'unsettled' };
    const text = parseResourceText(decodeText(bytes), namespace);
    const { kind, metadata } = text.candidate;
    return { type: 'new', hash, identity: { kind, name: metadata.name }, text };
  } catch (error) {
    if (error instanceof FileProblemError)
      return isSettled ? { type: 'broken', problem: error } : { type: 'unsettled' };
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const isLink = lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
    return isLink
      ? { type: 'broken', problem: new FileProblemError('is a symbolic link to a file that does not exist') }
      : { type: 'missing' };
  }
}
