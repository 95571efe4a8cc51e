import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A module of Go in one version. */
interface GoModule {
  readonly path: string;
  readonly version: string;
  /** The contents of its files by name, with a go.mod. */
  readonly files: Readonly<Record<string, string>>;
}

/** A proxy of Go modules (go.dev/ref/mod, GOPROXY protocol). */
export interface GoModuleProxy {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves one module over HTTPS on all addresses of this machine.
 * @param certificate paths in PEM
 */
export async function startGoModuleProxy(
  module: GoModule,
  certificate: { readonly certificate: string; readonly key: string },
): Promise<GoModuleProxy> {
  const base = `/${module.path}/@v/${module.version}`;
  const answers = new Map<string, string | Buffer>([
    [`/${module.path}/@v/list`, `${module.version}\n`],
    [`${base}.info`, JSON.stringify({ Version: module.version, Time: '2026-01-01T00:00:00Z' })],
    [`${base}.mod`, module.files['go.mod'] ?? ''],
    [`${base}.zip`, createZip(module)],
  ]);
  const keys = { cert: readFileSync(certificate.certificate), key: readFileSync(certificate.key) };
  const server = createServer(keys, (request, response) => {
    const answer = answers.get(request.url ?? '');
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }).listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The archive of a module, in which every name begins with the module and its version. */
function createZip({ path, version, files }: GoModule): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'go-module-'));
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder });
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    git('init', '--quiet');
    git('add', '.');
    const tree = git('write-tree').toString().trim();
    return git('archive', '--format=zip', `--prefix=${path}@${version}/`, tree);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
