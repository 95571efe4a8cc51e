import { Pacer } from '@gatehouse/service-kit/pacer';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Violation } from '../../resource-store.ts';
import { admit } from '../rules.ts';
import type { ResourceIdentity } from '../state/known-files.ts';
import { examineFile, locateViolations, type NewContent } from './file-examination.ts';
import { isResourceFileName } from './file-names.ts';
import type { FolderState } from './folder-state.ts';
import { FolderView } from './folder-view.ts';
import type { SeenFile } from './seen-files.ts';

/** New content must stay the same for this long: editors and copies write in several steps. */
export const SETTLE_MS = 300;
/** The longest wait for unsettled files before a resource without a file is deleted. */
const DELETION_WAIT_MS = 1_500;
/** New files that one write takes: at most this number, and one after this number of bytes. */
const FILES_PER_WRITE = 20;
const BYTES_PER_WRITE = 256 * 1024;
/** Rounds of one scan. A file that loses its resource can make others valid. */
const MAX_ROUNDS = 3;

type Found = readonly [SeenFile, NewContent];
type Refused = readonly [SeenFile, NewContent, readonly Violation[]];

/**
 * Takes changes of the files of a folder into its state: new and changed files, renamed files and
 * deleted files. Files with an error change nothing; they are problems.
 */
export class FolderScanner {
  readonly view: FolderView;
  /** The last version of the state when all resources were compared with the files. */
  private comparedVersion = -1;

  constructor(
    private readonly folder: string,
    private readonly namespace: string,
    private readonly state: FolderState,
  ) {
    this.view = new FolderView(folder, state);
  }

  /**
   * Looks at some files, or at all of them, and takes their changes.
   * @returns whether another scan is due after SETTLE_MS, for changes that may be incomplete
   * @throws StateBusyError, StateUnusableError, or the error of the file system
   */
  async scan(names?: Iterable<string>): Promise<boolean> {
    const listed = (names === undefined ? readdirSync(this.folder) : [...names]).filter(isResourceFileName);
    if (names === undefined) this.forgetUnlisted(new Set(listed));
    const pacer = new Pacer();
    for (const name of listed) {
      if (pacer.isDue) await pacer.pause();
      this.view.observe(name);
    }
    if (names === undefined) this.compareWithState();
    const isPending = await this.examineAll();
    await this.deleteOrphans(isPending ? DELETION_WAIT_MS : SETTLE_MS);
    return isPending || !this.view.orphans.isEmpty;
  }

  /** Finds resources whose files came and went between two scans. */
  private compareWithState(): void {
    const { latest } = this.state.revisions.readVersions();
    if (latest !== this.comparedVersion) this.view.findOrphans();
    this.comparedVersion = latest;
  }

  private forgetUnlisted(listed: ReadonlySet<string>): void {
    for (const file of [...this.view.seen.list()]) if (!listed.has(file.name)) this.view.forget(file);
  }

  /** Examines all new content. @returns whether some of it may be incomplete */
  private async examineAll(): Promise<boolean> {
    for (let round = 0; ; round += 1) {
      const files = this.view.seen.listUnexamined();
      if (files.length === 0) return false;
      if (round === MAX_ROUNDS) return true;
      await this.examineFiles(files);
    }
  }

  private async examineFiles(files: readonly SeenFile[]): Promise<void> {
    const pacer = new Pacer();
    let found: Found[] = [];
    let bytes = 0;
    for (const file of files) {
      if (pacer.isDue) await pacer.pause();
      const content = this.examine(file);
      if (content === undefined) continue;
      found.push([file, content]);
      bytes += content.size;
      if (found.length < FILES_PER_WRITE && bytes < BYTES_PER_WRITE) continue;
      await this.admitAll(found);
      [found, bytes] = [[], 0];
    }
    await this.admitAll(found);
  }

  /** Examines one file. @returns its new content, if it is complete */
  private examine(file: SeenFile): NewContent | undefined {
    const { folder, namespace, view } = this;
    const known = this.state.files.listByFile(file.name);
    const isSettled = Math.max(Date.now() - file.changedAt, performance.now() - file.seenAt) >= SETTLE_MS;
    const content = examineFile({ folder, namespace, name: file.name, isSettled, known });
    if (content.type === 'missing') view.forget(file);
    if (content.type === 'broken') view.setProblem(file, known, content.problem.describe(file.name));
    if (content.type === 'known') view.setContent(file, content.hash, content.identity);
    if (content.type !== 'new') return undefined;
    view.setResources(file, [content.identity]);
    return content;
  }

  private async admitAll(found: readonly Found[]): Promise<void> {
    const unique = found.filter(([file, { identity }]) => !this.view.reportDuplicates(file, identity));
    if (unique.length === 0) return;
    const refused = await this.state.database.write(() =>
      unique.flatMap(([file, content]): Refused[] => {
        const violations = this.admit(file, content);
        return violations.length === 0 ? [] : [[file, content, violations]];
      }),
    );
    for (const each of refused) this.refuse(each);
  }

  /** Takes new content into the state, within a write. @returns the rules that it breaks */
  private admit(file: SeenFile, { hash, identity, candidate }: NewContent): readonly Violation[] {
    const { files, revisions } = this.state;
    const { view } = this;
    if (this.isHeldByOther(file, identity) || !view.hasContent(file.name, hash)) return [];
    const origin = this.state.createOrigin();
    const previous = revisions.find(identity.kind, identity.name);
    const status = previous?.status === undefined ? {} : { status: previous.status };
    const admission = admit({ ...candidate, ...status }, previous, origin);
    if (admission.type === 'refused') return admission.violations;
    if (!admission.isUnchanged) revisions.append(admission.resource, false, origin.now);
    files.save({ ...identity, file: file.name, hash });
    view.setContent(file, hash, identity);
    return [];
  }

  /** Reports new content that breaks rules. A file that has changed since is examined again. */
  private refuse([file, { hash, identity }, violations]: Refused): void {
    const problem = locateViolations(join(this.folder, file.name), hash, this.namespace, violations);
    const resources = [identity, ...this.state.files.listByFile(file.name)];
    if (problem !== undefined) this.view.setProblem(file, resources, problem.describe(file.name));
  }

  /** Whether another file of the resource exists, which this process has not examined yet. */
  private isHeldByOther(file: SeenFile, identity: ResourceIdentity): boolean {
    const known = this.state.files.find(identity);
    if (known === undefined || known.file === file.name || !this.view.exists(known.file)) return false;
    return (
      this.view.seen
        .get(known.file)
        ?.resources.some(({ kind, name }) => kind === identity.kind && name === identity.name) ?? true
    );
  }

  private async deleteOrphans(afterMs: number): Promise<void> {
    const { orphans, seen } = this.view;
    const due = orphans.listDue(
      afterMs,
      (identity) => seen.listByResource(identity).length === 0 && this.state.files.find(identity) !== undefined,
    );
    if (due.length === 0) return;
    await this.state.database.write(() => {
      for (const identity of due) this.deleteOrphan(identity);
    });
  }

  /** Deletes a resource unless its file came back, within a write. */
  private deleteOrphan(identity: ResourceIdentity): void {
    const known = this.state.files.find(identity);
    const file = known && this.view.seen.get(known.file);
    if (known !== undefined) {
      const isGone =
        file === undefined
          ? !this.view.exists(known.file)
          : file.hash !== undefined && this.view.hasContent(known.file, file.hash);
      if (!isGone) return;
      this.state.recordDeletion(identity, this.state.revisions.find(identity.kind, identity.name));
    }
    this.view.orphans.remove(identity);
  }
}
