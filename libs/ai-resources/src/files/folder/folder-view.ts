import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceIdentity } from '../state/known-files.ts';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { readYamlFile } from '@gatehouse/yaml-files/file-text';
import type { FolderState } from './folder-state.ts';
import { Orphans } from './orphans.ts';
import { type SeenFile, SeenFiles } from './seen-files.ts';

/** The files of a folder as they were last examined, and the resources without a file. */
export class FolderView {
  readonly seen: SeenFiles;
  readonly orphans = new Orphans();

  constructor(
    readonly folder: string,
    private readonly state: FolderState,
  ) {
    this.seen = new SeenFiles(folder);
  }

  /** Looks at a file again. @returns the file, or undefined when it does not exist */
  observe(name: string): SeenFile | undefined {
    const before = this.seen.get(name);
    const file = this.seen.observe(name, performance.now());
    if (file === undefined && before !== undefined) this.forget(before);
    if (file !== undefined && before === undefined) this.seen.assign(file, this.state.files.listByFile(name));
    return file;
  }

  forget(file: SeenFile): void {
    const { resources } = file;
    this.seen.forget(file);
    this.release(resources, this.state.files.listByFile(file.name));
  }

  /** Makes all stored resources whose files are unknown orphans. */
  findOrphans(): void {
    for (const identity of this.state.files.list())
      if (this.seen.get(identity.file) === undefined) this.orphans.add(identity);
  }

  /** The file describes a resource that was taken from it. */
  setContent(file: SeenFile, hash: string, identity: ResourceIdentity): void {
    file.isExamined = true;
    file.hash = hash;
    delete file.problem;
    this.setResources(file, [identity]);
    this.reportDuplicates(file, identity);
  }

  /** The file has an error. It keeps the resources that it had before. */
  setProblem(file: SeenFile, resources: readonly ResourceIdentity[], problem: string): void {
    file.isExamined = true;
    file.problem = problem;
    delete file.hash;
    this.setResources(file, resources);
  }

  setResources(file: SeenFile, resources: readonly ResourceIdentity[]): void {
    const isEnded = ({ kind, name }: ResourceIdentity): boolean =>
      !resources.some((kept) => kept.kind === kind && kept.name === name);
    const ended = file.resources.filter(isEnded);
    this.seen.assign(file, resources);
    this.release(ended, this.state.files.listByFile(file.name).filter(isEnded));
  }

  /** Reports all files of a resource that has several. @returns whether it has */
  reportDuplicates(file: SeenFile, identity: ResourceIdentity): boolean {
    for (const { name } of this.seen.listByResource(identity)) if (name !== file.name) this.observe(name);
    const all = this.seen.listByResource(identity);
    if (all.length < 2) return false;
    const problem = describeDuplicates(all.map(({ name }) => name).sort(), identity);
    for (const one of all) one.problem = problem;
    file.isExamined = true;
    return true;
  }

  exists(name: string): boolean {
    return lstatSync(join(this.folder, name), { throwIfNoEntry: false }) !== undefined;
  }

  /** Whether a file still has a content. */
  hasContent(name: string, hash: string): boolean {
    try {
      return readYamlFile(join(this.folder, name)).hash === hash;
    } catch (error) {
      if (error instanceof FileProblemError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Handles resources that a file describes no more: another file may now be the only one. */
  private release(ended: readonly ResourceIdentity[], known: readonly ResourceIdentity[]): void {
    for (const identity of ended) for (const other of this.seen.listByResource(identity)) other.isExamined = false;
    for (const identity of known) if (this.seen.listByResource(identity).length === 0) this.orphans.add(identity);
  }
}

const describeDuplicates = (names: readonly string[], { kind, name }: ResourceIdentity): string =>
  `${names.join(' and ')}: these files describe the same resource, ${kind} ${name} (/metadata/name). Remove all but one: until then, the last valid state of the resource stays in force.`;
