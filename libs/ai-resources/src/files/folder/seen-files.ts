import { lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceIdentity } from '../state/known-files.ts';

/** A file of a folder as the last scan saw it. */
export interface SeenFile {
  readonly name: string;
  /** Changes with every change of the file. */
  readonly signature: string;
  /** Milliseconds: when the signature was first seen (monotonic), and the time of the change. */
  readonly seenAt: number;
  readonly changedAt: number;
  /** Whether the content was examined. */
  isExamined: boolean;
  /** SHA-256 of the examined content. */
  hash?: string;
  /** The resources that the file describes: those of the last valid content while it is broken. */
  resources: readonly ResourceIdentity[];
  /** A sentence about the content. */
  problem?: string;
}

/** The files of a folder, and the resources that they describe. */
export class SeenFiles {
  private readonly files = new Map<string, SeenFile>();
  private readonly byResource = new Map<string, Set<SeenFile>>();

  constructor(private readonly folder: string) {}

  get(name: string): SeenFile | undefined {
    return this.files.get(name);
  }

  list(): IterableIterator<SeenFile> {
    return this.files.values();
  }

  /** The files whose content was not examined since its last change. */
  listUnexamined(): SeenFile[] {
    return [...this.files.values()].filter(({ isExamined }) => !isExamined);
  }

  /** The files that describe a resource. */
  listByResource({ kind, name }: ResourceIdentity): readonly SeenFile[] {
    return [...(this.byResource.get(`${kind}/${name}`) ?? [])];
  }

  /** Looks at a file again. @returns the file, or undefined when it does not exist */
  observe(name: string, now: number): SeenFile | undefined {
    const known = this.files.get(name);
    const current = readSignature(join(this.folder, name));
    if (current === undefined || known?.signature === current.signature) return current && known;
    const resources = known?.resources ?? [];
    if (known !== undefined) this.forget(known);
    const file: SeenFile = { name, ...current, seenAt: now, isExamined: false, resources: [] };
    this.files.set(name, file);
    this.assign(file, resources);
    return file;
  }

  /** Sets the resources that a file describes. */
  assign(file: SeenFile, resources: readonly ResourceIdentity[]): void {
    for (const key of file.resources.map(toKey)) this.byResource.get(key)?.delete(file);
    file.resources = resources;
    for (const key of resources.map(toKey)) {
      const files = this.byResource.get(key);
      if (files === undefined) this.byResource.set(key, new Set([file]));
      else files.add(file);
    }
  }

  forget(file: SeenFile): void {
    this.files.delete(file.name);
    for (const key of file.resources.map(toKey)) {
      const files = this.byResource.get(key);
      files?.delete(file);
      if (files?.size === 0) this.byResource.delete(key);
    }
  }
}

const toKey = ({ kind, name }: ResourceIdentity): string => `${kind}/${name}`;

function readSignature(path: string): Pick<SeenFile, 'signature' | 'changedAt'> | undefined {
  try {
    return toSignature(statSync(path));
  } catch (error) {
    // A symbolic link to a missing file exists, and is a problem to report.
    const link = lstatSync(path, { throwIfNoEntry: false });
    const { code = '' } = error as NodeJS.ErrnoException;
    return link && { signature: `${code} ${link.ino}`, changedAt: link.mtimeMs };
  }
}

const toSignature = ({ ino, size, mode, mtimeMs, ctimeMs }: Stats): Pick<SeenFile, 'signature' | 'changedAt'> => ({
  signature: `${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs}`,
  changedAt: mtimeMs,
});
