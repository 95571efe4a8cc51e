import { join } from 'node:path';
import type { NewResource, Resource, ResourceKind } from '../../resource.ts';
import { type MergePatch, type PatchOptions, type Precondition, ResourceStoreError } from '../../resource-store.ts';
import { createCandidate, createInvalid, patchCandidate } from '../candidates.ts';
import { admit, type Candidate } from '../rules.ts';
import type { KnownFile, ResourceIdentity } from '../state/known-files.ts';
import type { UnversionedResource } from '../state/revisions.ts';
import { editResourceText, writeResourceText } from '../text/edit-text.ts';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { decodeText, hashBytes, MAX_FILE_BYTES, readYamlFile } from '@gatehouse/yaml-files/file-text';
import { parseResourceText } from '../text/resource-text.ts';
import { createFile, removeFile, replaceFile } from './durable-files.ts';
import { createFileName } from './file-names.ts';
import type { FolderState } from './folder-state.ts';
import type { ResourceFolder } from './resource-folder.ts';
import { UnsettledFileError } from './unsettled-file.ts';
import { holdsResource, toFileContent } from './file-content.ts';

const MAX_NAME_ATTEMPTS = 10;

/** Writes resources of one kind: the file and the state in one step, under the lock. */
export class ResourceWriter {
  constructor(
    private readonly folder: ResourceFolder,
    private readonly kind: ResourceKind,
  ) {}

  /** Stores a new resource, within a write. */
  create(state: FolderState, input: NewResource): Resource {
    const candidate = createCandidate(this.kind, this.folder.namespace, input);
    const { resource } = this.admit(state, candidate, undefined);
    const identity = { kind: this.kind, name: resource.metadata.name };
    if (state.revisions.find(this.kind, identity.name) !== undefined)
      throw new ResourceStoreError('already_exists', `${this.kind} ${identity.name} exists already.`);
    this.refuseProblem(identity);
    const bytes = checkSize(
      writeResourceText(toFileContent(candidate), this.folder.namespace, holdsResource(resource)),
    );
    const stored = state.revisions.append(resource, false, state.createOrigin().now);
    const file = this.createFile(identity, bytes);
    state.files.save({ ...identity, file, hash: hashBytes(bytes) });
    return stored;
  }

  /** Patches a resource or its status, within a write. */
  patch(state: FolderState, name: string, patch: MergePatch, { resourceVersion, subresource }: PatchOptions): Resource {
    const previous = this.findVersion(state, name, { resourceVersion });
    const admission = this.admit(state, patchCandidate(previous, patch, subresource), previous);
    if (admission.isUnchanged) return previous;
    const { resource } = admission;
    const stored = state.revisions.append(resource, false, state.createOrigin().now);
    if (subresource === undefined) this.editFile(state, resource, patch);
    return stored;
  }

  /** Deletes a resource and its file, within a write. */
  delete(state: FolderState, name: string, precondition: Precondition): void {
    const identity = { kind: this.kind, name };
    const last = this.findVersion(state, name, precondition);
    const { file } = this.readFile(state, identity);
    state.recordDeletion(identity, last);
    removeFile(join(this.folder.path, file));
  }

  private findVersion(state: FolderState, name: string, { resourceVersion }: Precondition): Resource {
    const current = state.revisions.find(this.kind, name);
    if (current === undefined) throw new ResourceStoreError('not_found', `${this.kind} ${name} does not exist.`);
    if (current.metadata.resourceVersion === resourceVersion) return current;
    const message = `${this.kind} ${name} has changed: its version is ${current.metadata.resourceVersion}, not ${resourceVersion}. Read it and try again.`;
    throw new ResourceStoreError('conflict', message);
  }

  private admit(state: FolderState, candidate: Candidate, previous: Resource | undefined) {
    const admission = admit(candidate, previous, state.createOrigin());
    if (admission.type === 'admitted') return admission;
    throw createInvalid(`${this.kind} ${candidate.metadata.name}`, admission.violations);
  }

  private createFile(identity: ResourceIdentity, bytes: Buffer): string {
    for (let attempt = 0; attempt < MAX_NAME_ATTEMPTS; attempt += 1) {
      const file = createFileName(identity, attempt);
      const problem = this.folder.findProblemOfFile(file);
      if (problem !== undefined) throw createUnavailable(problem);
      if (createFile(join(this.folder.path, file), bytes)) return file;
    }
    throw createUnavailable(
      `The folder ${this.folder.path} has no free file name for ${identity.kind} ${identity.name}.`,
    );
  }

  private editFile(state: FolderState, resource: UnversionedResource, patch: MergePatch): void {
    const identity = { kind: this.kind, name: resource.metadata.name };
    const { file, hash, bytes } = this.readFile(state, identity);
    const text = decodeText(bytes);
    const { namespace, path } = this.folder;
    const parsed = parseResourceText(text, namespace);
    const withoutDefaults = toFileContent(patchCandidate(parsed.candidate, patch, undefined));
    const forms = [withoutDefaults, toFileContent(resource)] as const;
    const edited = checkSize(editResourceText(text, parsed, forms, namespace, holdsResource(resource)));
    const isUnchanged = (): boolean => readYamlFile(join(path, file)).hash === hash;
    if (!replaceFile(join(path, file), edited, isUnchanged)) throw new UnsettledFileError(file);
    state.files.save({ ...identity, file, hash: hashBytes(edited) });
  }

  /** Reads the file of a resource. @throws UnsettledFileError when it was changed by hand */
  private readFile(state: FolderState, identity: ResourceIdentity): KnownFile & { readonly bytes: Buffer } {
    this.refuseProblem(identity);
    const known = state.files.find(identity);
    if (known === undefined) throw new UnsettledFileError(identity.name);
    try {
      const { bytes, hash } = readYamlFile(join(this.folder.path, known.file));
      if (hash === known.hash) return { ...known, bytes };
    } catch (error) {
      if (!(error instanceof FileProblemError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    throw new UnsettledFileError(known.file);
  }

  private refuseProblem(identity: ResourceIdentity): void {
    const problem = this.folder.findProblem(identity);
    if (problem !== undefined) throw createUnavailable(problem);
  }
}

const createUnavailable = (message: string): ResourceStoreError => new ResourceStoreError('unavailable', message);

function checkSize(bytes: Buffer): Buffer {
  if (bytes.length <= MAX_FILE_BYTES) return bytes;
  throw createInvalid('The resource', [
    { field: '/spec', message: 'is too large: the file would be larger than 1 MiB' },
  ]);
}
