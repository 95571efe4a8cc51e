import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The settings of a gateway in local mode that differ from those of a test world. */
export const LOCAL_MODE: Record<string, string> = {
  MODE: 'local',
  GATEWAY_ID: '',
  ENTERPRISE_MANAGER_URL: '',
  TOKEN_URL: '',
  CLIENT_ID: '',
  CLIENT_SECRET: '',
};

/** A backend of a test. Its address is on this machine. */
export interface TestBackend extends Record<string, unknown> {
  name: string;
  url: string;
}

/** A backends file that a test edits. JSON is YAML too. */
export class TestBackends {
  readonly path = join(mkdtempSync(join(tmpdir(), 'gatehouse-backends-')), 'backends.yaml');

  constructor(...backends: TestBackend[]) {
    this.write(...backends);
  }

  write(...backends: TestBackend[]): void {
    const list = backends.map((backend) => ({ allow_private_ips: true, ...backend }));
    this.writeText(JSON.stringify({ backends: list }, null, 2));
  }

  writeText(text: string): void {
    writeFileSync(this.path, text);
  }

  /** The settings of a gateway over this file. */
  settings(more: Record<string, string> = {}): Record<string, string> {
    return { ...LOCAL_MODE, BACKENDS_FILE: this.path, ...more };
  }
}
