import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { ResourceBackend, ResourceKind } from './resource-backend.ts';

/** A backend in a folder, with access to its files. */
export interface FolderBackend extends ResourceBackend {
  readonly folder: string;
  /** Path of the file of a resource. @throws {Error} if there is none */
  findFile(kind: ResourceKind, name: string): string;
}

/** Creates an empty folder of resources. */
export const startFolderBackend = (): FolderBackend => new Folder();

class Folder implements FolderBackend {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'));
  readonly namespace = 'team-a';
  readonly environment = { RESOURCES_FOLDER: this.folder };
  readonly adminSettings = this.environment;

  findFile(kind: ResourceKind, name: string): string {
    const path = this.listFiles().find((file) => {
      const content = parse(readFileSync(file, 'utf8')) as { kind?: string; metadata?: { name?: string } } | null;
      return content?.kind === kind && content.metadata?.name === name;
    });
    if (path === undefined) throw new Error(`the folder has no file of the ${kind} ${name}`);
    return path;
  }

  apply: ResourceBackend['apply'] = (kind, resource) => {
    const { name } = resource.metadata;
    const path = this.has(kind, name)
      ? this.findFile(kind, name)
      : join(this.folder, `${kind.toLowerCase()}-${name}.yaml`);
    writeFileSync(path, stringify({ apiVersion: 'gatehouse.dev/v1alpha1', kind, ...resource }));
    return Promise.resolve();
  };

  remove: ResourceBackend['remove'] = (kind, name) => {
    if (this.has(kind, name)) rmSync(this.findFile(kind, name));
    return Promise.resolve();
  };

  close(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    return Promise.resolve();
  }

  private has(kind: ResourceKind, name: string): boolean {
    try {
      return this.findFile(kind, name) !== '';
    } catch {
      return false;
    }
  }

  private listFiles(): string[] {
    return readdirSync(this.folder)
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => join(this.folder, file));
  }
}
