import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a stored workload that a test chooses. */
interface StoredFields {
  readonly group?: string;
  readonly container_labels?: Readonly<Record<string, string>>;
  readonly status?: string;
  readonly engine?: string;
  readonly remote_url?: string;
  readonly oidc_config?: object;
  /** Fields of status.json. */
  readonly extra?: object;
}

/** Writes the state files of a workload without containers, as `gatehouse run` leaves them. */
export function storeWorkload(home: string, name: string, fields: StoredFields = {}): void {
  const { status = 'stopped', extra = {}, ...config } = fields;
  const folder = join(home, 'workloads', name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = '2026-11-01T00:00:00.000Z';
  const document = {
    ...{ schema_version: 'v0.1.0', name, container_name: name, image: 'owner/server:1', transport: 'stdio' },
    ...{ port: 12_345, engine: 'unix:///nonexistent.sock' },
    ...config,
  };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(document));
  writeFileSync(join(folder, 'status.json'), JSON.stringify({ status, created_at: at, updated_at: at, ...extra }));
}
