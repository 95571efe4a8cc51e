import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownFile, ResourceIdentity } from '../state/known-files.ts';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import type { Violation } from '../../resource-store.ts';
import type { Candidate } from '../rules.ts';
import { decodeText, readYamlFile } from '@gatehouse/yaml-files/file-text';
import { parseResourceText } from '../text/resource-text.ts';

/**
 * New content of a file. It holds no YAML document: a document takes 100 times the memory of its
 * text.
 */
export interface NewContent {
  readonly type: 'new';
  readonly hash: string;
  readonly identity: ResourceIdentity;
  readonly candidate: Candidate;
  /** Bytes of the file. */
  readonly size: number;
}

/** The result of the examination of a file. */
export type Examination =
  /** The file does not exist. */
  | { readonly type: 'missing' }
  /** The stored resource was taken from this content. */
  | { readonly type: 'known'; readonly hash: string; readonly identity: ResourceIdentity }
  /** The content is new and was not parsed. */
  | { readonly type: 'unsettled' }
  | NewContent
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
    const { bytes, hash } = readYamlFile(join(folder, name));
    const same = known.find((file) => file.hash === hash);
    if (same !== undefined) return { type: 'known', hash, identity: same };
    if (!isSettled) return { type: 'unsettled' };
    const { candidate } = parseResourceText(decodeText(bytes), namespace);
    const { kind, metadata } = candidate;
    return { type: 'new', hash, identity: { kind, name: metadata.name }, candidate, size: bytes.length };
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

/**
 * Parses a file once more for the place of a broken rule.
 * @param path of the file
 * @param hash of the content that breaks the rules
 * @returns undefined when the file has another content by now
 */
export function locateViolations(
  path: string,
  hash: string,
  namespace: string,
  violations: readonly Violation[],
): FileProblemError | undefined {
  try {
    const current = readYamlFile(path);
    if (current.hash !== hash) return undefined;
    return parseResourceText(decodeText(current.bytes), namespace).createProblem(violations);
  } catch (error) {
    if (error instanceof FileProblemError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
